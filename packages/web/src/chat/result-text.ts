import { resultText } from '@plimsoll/core'
import { sanitizeToolResultForHistory } from '@plimsoll/core/spec'
import { isRecord } from '@plimsoll/core/text'
import type { ResultContent } from '@plimsoll/core/wire'
import type { ShownResult } from './blocks.ts'

/** What came of a call as text: data laid out over lines, with bytes in it as placeholders. */
export function shownResultText({ content }: Pick<ShownResult, 'content'>): string {
  let text = texts.get(content)
  if (text === undefined) {
    text =
      content.type === 'json'
        ? (JSON.stringify(sanitizeToolResultForHistory(content.value), null, 2) ?? '')
        : resultText({ type: 'tool-result', callId: null, tool: null, content })
    texts.set(content, text)
  }
  return text
}

// Contents never change, and looking for bytes in a large one takes its time.
const texts = new WeakMap<ResultContent, string>()

/** How many characters the whole of a result has, where only its beginning or an extract is here; null where all of it is. */
export function wholeLength({ metadata, blob, content }: ShownResult): number | null {
  const { cut } = metadata
  if (isRecord(cut) && typeof cut['characters'] === 'number') return cut['characters']
  // A picture's bytes are kept beside a result that is complete.
  return blob !== null && content.type !== 'list' ? Math.max(blob.bytes, shownResultText({ content }).length) : null
}

interface ResultFacts {
  readonly exitCode: number | null
  readonly matches: number | null
  readonly files: number | null
  readonly added: number
  readonly removed: number
  readonly lines: number
  /** Whether these are lines of a file that was read. */
  readonly isFile: boolean
  /** A file that was written for people to look at. */
  readonly saved: string | null
  /** The first line that says something. */
  readonly first: string
  /** What was changed, as a diff; null where nothing was, or nobody says. */
  readonly diff: string | null
}

/** What is known of a result beside its text. */
export function resultFacts(result: ShownResult): ResultFacts {
  const { metadata } = result
  const text = shownResultText(result)
  const exitCode = numberIn(metadata, 'exitCode', 'exit_code')
  const diff = typeof metadata['diff'] === 'string' ? metadata['diff'] : null
  const saved = metadata['imagePath'] ?? metadata['savedTo']
  const read = readLines(metadata)
  return {
    exitCode,
    matches: numberIn(metadata, 'matches'),
    files: numberIn(metadata, 'files', 'entries'),
    ...changedLines(diff ?? ''),
    lines: read ?? Math.max(0, countLines(text) - (exitCode === null ? 0 : 1)),
    isFile: read !== null,
    saved: typeof saved === 'string' ? saved : null,
    first: firstLine(text),
    diff,
  }
}

function readLines(metadata: ShownResult['metadata']): number | null {
  const from = numberIn(metadata, 'from')
  const to = numberIn(metadata, 'to')
  return from === null || to === null ? numberIn(metadata, 'lines') : Math.max(0, to - from + 1)
}

function changedLines(diff: string): { readonly added: number; readonly removed: number } {
  let added = 0
  let removed = 0
  let isInside = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) isInside = true
    // Heads of files look like changed lines, and stand before the first change.
    if (!isInside && /^(?:---|\+\+\+)/.test(line)) continue
    if (line.startsWith('+')) added += 1
    else if (line.startsWith('-')) removed += 1
  }
  return { added, removed }
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines += 1
  return text.endsWith('\n') ? lines : lines + 1
}

function firstLine(text: string): string {
  return (
    text
      .slice(0, 2000)
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

function numberIn(metadata: ShownResult['metadata'], ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = metadata[name]
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return null
}
