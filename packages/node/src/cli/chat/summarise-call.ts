import { resultText } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { ToolCallEnd } from '../../shared/event.ts'
import { cleanLine } from '../terminal/text.ts'

/** The facts about a call that its card shows. */
export type CallSummary = Readonly<ReturnType<typeof summariseCall>>

const maxDiffLines = 12
const maxTasks = 12
/** A failed command shows more of its output. */
const maxOutput = { good: 3, bad: 8 } as const

/** Takes the facts that are shown from the complete outcome of a call, so that the outcome itself need not be kept. */
export function summariseCall({ result, isError }: ToolCallEnd) {
  const metadata = isRecord(result.metadata) ? result.metadata : {}
  const text = resultText({ type: 'tool-result', callId: null, tool: null, content: result.content })
  const exitCode = numberIn(metadata, 'exitCode', 'exit_code')
  const changes = typeof metadata['diff'] === 'string' ? changedLines(metadata['diff']) : []
  const read = readLines(metadata)
  const lines = read ?? countLines(text) - (exitCode === null ? 0 : 1)
  const tasks = Array.isArray(metadata['todos']) && !isError ? text.split('\n').slice(1) : []
  return {
    isError,
    exitCode,
    matches: numberIn(metadata, 'matches'),
    files: numberIn(metadata, 'files', 'entries'),
    lines,
    added: changes.filter((line) => line.startsWith('+')).length,
    removed: changes.filter((line) => line.startsWith('-')).length,
    diff: changes.slice(0, maxDiffLines).map((line) => cleanLine(line.slice(0, 500))),
    more: Math.max(0, changes.length - maxDiffLines, tasks.length - maxTasks),
    first: firstLine(text),
    // A short answer in full; null if its size says more.
    said: tasks.length > 0 || (read === null && exitCode === null && lines === 1) ? firstLine(text) : null,
    output:
      exitCode === null
        ? tasks.slice(0, maxTasks).map((line) => cleanLine(line.slice(0, 500)))
        : lastLines(text, lines > 1 ? maxOutput[isError ? 'bad' : 'good'] : 0),
    saved: ['imagePath', 'savedTo'].flatMap((name) => {
      const path = metadata[name]
      return typeof path === 'string' ? [cleanLine(path.slice(0, 500))] : []
    }),
  }
}

function readLines(metadata: Readonly<Record<string, unknown>>): number | null {
  const from = numberIn(metadata, 'from')
  const to = numberIn(metadata, 'to')
  return from === null || to === null ? numberIn(metadata, 'lines') : Math.max(0, to - from + 1)
}

function changedLines(diff: string): readonly string[] {
  const lines: string[] = []
  let isInside = false
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) isInside = true
    // File heads look like changed lines, and come before the first change.
    const isHead = !isInside && (line.startsWith('---') || line.startsWith('+++'))
    if (!isHead && (line.startsWith('+') || line.startsWith('-'))) lines.push(line)
  }
  return lines
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines += 1
  return text.endsWith('\n') ? lines : lines + 1
}

function lastLines(text: string, max: number): readonly string[] {
  const lines = text.slice(-8000).split('\n').slice(0, -1)
  const said = lines.map((line) => cleanLine(line.slice(0, 500)).trimEnd()).filter((line) => line !== '')
  return max === 0 ? [] : said.slice(-max)
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
