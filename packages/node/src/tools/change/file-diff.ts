import type { StructuredPatchHunk } from 'diff'
import { numberedLine, toPlainLines } from './find-text.ts'

/** Both included, counted from 1. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

export type FileDiff = Awaited<ReturnType<typeof diffOf>>

/** Compares two states of a file, line by line; null means no file. Line endings do not count. */
export async function diffOf(name: string, before: string | null, after: string, fragmentLines = 60) {
  const { FILE_HEADERS_ONLY, formatPatch } = await import('diff')
  const hunks = await hunksOf(linesOf(before ?? ''), linesOf(after))
  const oldFileName = before === null ? '/dev/null' : `a/${name}`
  const patch = { oldFileName, newFileName: `b/${name}`, oldHeader: undefined, newHeader: undefined, hunks: [...hunks] }
  return {
    text: hunks.length === 0 ? '' : cut(formatPatch(patch, FILE_HEADERS_ONLY)),
    added: countLines(hunks, '+'),
    removed: countLines(hunks, '-'),
    // Of the new state; if lines were only removed, the line that is there now.
    ranges: hunks.flatMap(rangesOf),
    fragment: fragmentOf(hunks, fragmentLines),
  }
}

/** `line 4`, `lines 10-12, 40`. */
export function rangesText(ranges: readonly LineRange[]): string {
  const shown = ranges.slice(0, maxRanges).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const more = ranges.length > maxRanges ? ` and ${ranges.length - maxRanges} more places` : ''
  const isOne = ranges.length === 1 && ranges[0]?.from === ranges[0]?.to
  return `${isOne ? 'line' : 'lines'} ${shown.join(', ')}${more}`
}

const context = 3
const maxRanges = 10
const maxLineLength = 500
const maxDiffLength = 50_000
/** More differences than this are one big one: finding the smallest set of them takes the square of their number. */
const maxDifferences = 1000
const maxSearchMilliseconds = 2000

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : toPlainLines(text).split(/(?<=\n)/)
}

/** Equal lines at both ends are not compared: a change in a long file costs as little as one in a short file. */
async function hunksOf(before: readonly string[], after: readonly string[]): Promise<readonly StructuredPatchHunk[]> {
  const { structuredPatch } = await import('diff')
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  if (head === before.length && head === after.length) return []
  const start = Math.max(0, head - context)
  const end = Math.max(0, tail - context)
  const olds = before.slice(start, before.length - end)
  const news = after.slice(start, after.length - end)
  const options = { context, timeout: maxSearchMilliseconds, maxEditLength: maxDifferences }
  const patch = structuredPatch('', '', olds.join(''), news.join(''), undefined, undefined, options)
  const hunks = patch?.hunks ?? [oneHunk(olds, news, head - start, tail - end)]
  return hunks.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + start, newStart: hunk.newStart + start }))
}

function oneHunk(olds: readonly string[], news: readonly string[], head: number, tail: number): StructuredPatchHunk {
  const lines = [
    ...marked(' ', news.slice(0, head)),
    ...marked('-', olds.slice(head, olds.length - tail)),
    ...marked('+', news.slice(head, news.length - tail)),
    ...marked(' ', news.slice(news.length - tail)),
  ]
  return { oldStart: 1, oldLines: olds.length, newStart: 1, newLines: news.length, lines }
}

function marked(sign: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'],
  )
}

function countLines(hunks: readonly StructuredPatchHunk[], sign: string): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
}

function rangesOf({ newStart, lines }: StructuredPatchHunk): readonly LineRange[] {
  const ranges: LineRange[] = []
  let number = newStart
  for (let index = 0; index < lines.length; ) {
    const [from, first] = [number, index]
    for (; lines[index]?.startsWith(' ') === false; index += 1) if (lines[index]?.startsWith('+') === true) number += 1
    if (index > first) ranges.push({ from, to: Math.max(from, number - 1) })
    else {
      number += 1
      index += 1
    }
  }
  return ranges
}

function fragmentOf(hunks: readonly StructuredPatchHunk[], maxLines: number): string {
  const lines: string[] = []
  let [total, shown] = [0, 0]
  for (const [index, hunk] of hunks.entries()) {
    if (index > 0 && lines.length < maxLines) lines.push('   ...')
    let number = hunk.newStart
    for (const line of hunk.lines) {
      if (line.startsWith('-') || line.startsWith('\\')) continue
      total += 1
      if (lines.length < maxLines) {
        lines.push(numberedLine(line.slice(1), number, maxLineLength))
        shown += 1
      }
      number += 1
    }
  }
  return [...lines, ...(total > shown ? [`(and ${total - shown} more lines)`] : [])].join('\n')
}

function cut(text: string): string {
  if (text.length <= maxDiffLength) return text
  const end = text.lastIndexOf('\n', maxDiffLength)
  const kept = end <= 0 ? text.slice(0, maxDiffLength).toWellFormed() : text.slice(0, end)
  return `${kept}\n(the diff goes on: ${text.length - kept.length} more characters)\n`
}
