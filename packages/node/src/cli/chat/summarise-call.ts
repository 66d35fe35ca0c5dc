import { isRecord, type ResultContent, resultText } from '@plimsoll/core'
import type { ToolCallEnd } from '../../agent/events.ts'
import { cleanLine } from './clean-lines.ts'

/** What came of a call, in as little as its card shows. */
export interface CallSummary {
  readonly isError: boolean
  readonly exitCode: number | null
  readonly matches: number | null
  readonly files: number | null
  /** Lines of the answer, or of the file that was read. */
  readonly lines: number
  readonly added: number
  readonly removed: number
  /** The first changed lines, clean, each with its sign. */
  readonly diff: readonly string[]
  /** Changed lines that are not among `diff`. */
  readonly more: number
  /** The first line of a failure, or of what a command printed. */
  readonly first: string
  /** Files that were written for people to look at. */
  readonly saved: readonly string[]
}

const mostDiffLines = 12

/** Takes from the complete outcome of a call what a person sees of it, so that the outcome itself need not be kept. */
export function summariseCall({ result, isError }: ToolCallEnd): CallSummary {
  const metadata = isRecord(result.metadata) ? result.metadata : {}
  const text = textOf(result.content)
  const exitCode = numberIn(metadata, 'exitCode', 'exit_code')
  const changes = typeof metadata['diff'] === 'string' ? changedLines(metadata['diff']) : []
  return {
    isError,
    exitCode,
    matches: numberIn(metadata, 'matches'),
    files: numberIn(metadata, 'files', 'entries'),
    lines: readLines(metadata) ?? countLines(text) - (exitCode === null ? 0 : 1),
    added: changes.filter((line) => line.startsWith('+')).length,
    removed: changes.filter((line) => line.startsWith('-')).length,
    diff: changes.slice(0, mostDiffLines).map((line) => cleanLine(line.slice(0, 500))),
    more: Math.max(0, changes.length - mostDiffLines),
    first: firstLine(text),
    saved: ['imagePath', 'savedTo'].flatMap((name) => {
      const path = metadata[name]
      return typeof path === 'string' ? [cleanLine(path.slice(0, 500))] : []
    }),
  }
}

/** How many lines of a file were read. */
function readLines(metadata: Readonly<Record<string, unknown>>): number | null {
  const from = numberIn(metadata, 'from')
  const to = numberIn(metadata, 'to')
  return from === null || to === null ? numberIn(metadata, 'lines') : Math.max(0, to - from + 1)
}

/** The lines of a diff that were added or taken away. */
function changedLines(diff: string): readonly string[] {
  const lines: string[] = []
  let isInside = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) isInside = true
    // Heads of files look like changed lines, and stand before the first change.
    const isHead = !isInside && (line.startsWith('---') || line.startsWith('+++'))
    if (!isHead && (line.startsWith('+') || line.startsWith('-'))) lines.push(line)
  }
  return lines
}

function textOf(content: ResultContent): string {
  return resultText({ type: 'tool-result', callId: null, tool: null, content })
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines += 1
  return text.endsWith('\n') ? lines : lines + 1
}

function firstLine(text: string): string {
  for (const line of text.slice(0, 2000).split('\n')) {
    const clean = cleanLine(line).trim()
    if (clean !== '') return clean
  }
  return ''
}

function numberIn(metadata: Readonly<Record<string, unknown>>, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = metadata[name]
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return null
}
