import { resultText } from '@plimsoll/core'
import { sanitizeToolResultForHistory } from '@plimsoll/core/spec'
import { isRecord } from '@plimsoll/core/text'
import type { ResultContent } from '@plimsoll/core/wire'
import type { ShownResult } from './blocks.ts'

/** A result as text: data laid out over lines, with placeholders for bytes in it. */
export function shownResultText({ content }: Pick<ShownResult, 'content'>): string {
  const known = texts.get(content)
  if (known !== undefined) return known
  const text =
    content.type === 'json'
      ? (JSON.stringify(sanitizeToolResultForHistory(content.value), null, 2) ?? '')
      : resultText({ type: 'tool-result', callId: null, tool: null, content })
  texts.set(content, text)
  return text
}

// Contents never change, and searching a large one for bytes is slow.
const texts = new WeakMap<ResultContent, string>()

/** How many characters the full result has, if only its beginning or an excerpt is here; else null. */
export function wholeLength({ metadata, blob, content }: ShownResult): number | null {
  const { cut } = metadata
  if (isRecord(cut) && typeof cut['characters'] === 'number') return cut['characters']
  // The bytes of an image are stored next to a result that is complete.
  return blob !== null && content.type !== 'list' ? Math.max(blob.bytes, shownResultText({ content }).length) : null
}

/** Facts about a result, from its metadata and its text. */
export function resultFacts(result: ShownResult) {
  const { metadata } = result
  const text = shownResultText(result)
  const exitCode = numberIn(metadata, 'exitCode', 'exit_code')
  const diff = typeof metadata['diff'] === 'string' ? metadata['diff'] : null
  const saved = metadata['imagePath'] ?? metadata['savedTo']
  const [from, to] = [numberIn(metadata, 'from'), numberIn(metadata, 'to')]
  const read = from === null || to === null ? numberIn(metadata, 'lines') : Math.max(0, to - from + 1)
  return {
    exitCode,
    matches: numberIn(metadata, 'matches'),
    files: numberIn(metadata, 'files', 'entries'),
    ...changedLines(diff ?? ''),
    lines: read ?? Math.max(0, countLines(text) - (exitCode === null ? 0 : 1)),
    /** Whether these are lines of a file that was read. */
    isFile: read !== null,
    saved: typeof saved === 'string' ? saved : null,
    first: /\S[^\n]*/.exec(text.slice(0, 2000))?.[0].trim() ?? '',
    /** The changes as a diff; null if there are none, or they are unknown. */
    diff,
  }
}

function changedLines(diff: string) {
  const lines = diff.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  // Heads of files look like changed lines, and come before the first change.
  const isHead = (line: string, index: number) => (start < 0 || index < start) && /^(?:---|\+\+\+)/.test(line)
  const count = (sign: string) => lines.filter((line, index) => line.startsWith(sign) && !isHead(line, index)).length
  return { added: count('+'), removed: count('-') }
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines += 1
  return text.endsWith('\n') ? lines : lines + 1
}

function numberIn(metadata: ShownResult['metadata'], ...names: readonly string[]): number | null {
  return names.map((name) => metadata[name]).find((value): value is number => Number.isFinite(value)) ?? null
}
