import type { ModelStrings } from '../strings.ts'
import { removedBetween } from './candidates.ts'
import { countCodePoints, countLines, countNewlines, endOfFirst, startOfLast } from './code-points.ts'
import { keptLines } from './kept-lines.ts'
import type { Scan } from './scan.ts'

/** Which ends of a text a cut leaves. */
export type Shape = 'head-tail' | 'head'

/** How much may stay, and in whose name it is cut. */
export interface CutLimit {
  readonly maxChars: number
  readonly maxLines: number | null
  readonly by: 'cap' | 'tool'
  readonly strings: ModelStrings
}

/** A text within its limit, and how many salient lines of what was removed it shows. */
export interface CutText {
  readonly text: string
  readonly salientLines: number
}

/**
 * Cuts a scanned text that is over its limit. One marker says what is gone: that of the line limit when cutting lines is
 * enough, else that of the characters, else both limits bind and the marker of the characters stands. Salient lines that were
 * removed follow the marker; under a line limit the two ends give up to a fifth of their lines for them. Where limit or gain is
 * too small for a marker, the head alone is left.
 */
export function cut(scan: Scan, handle: string, limit: CutLimit, shape: Shape): CutText {
  const plans = [cutLines, cutChars, cutBoth]
  for (const plan of plans) {
    const pieces = plan(scan, limit, shape)
    if (pieces === null || !isWithin(pieces, scan, limit)) continue
    return assemble(pieces, scan, handle, limit) ?? { text: join(pieces, ''), salientLines: 0 }
  }
  return { text: headAlone(scan.prefix, limit), salientLines: 0 }
}

/** What a cut leaves: two verbatim slices and what is said between them. */
interface Pieces {
  readonly head: string
  readonly between: string
  readonly tail: string
  /** Where the tail starts, counted back from the end of the text. */
  readonly back: number
  /** The same cut with fewer lines at both ends, so that `lines` salient ones find room. */
  readonly withRoomFor?: (lines: number) => Pieces | null
  /** The most lines it can give. */
  readonly room?: number
}

/** The first and last lines, as many of each, around one marker line. */
function cutLines(scan: Scan, limit: CutLimit, shape: Shape): Pieces | null {
  const lines = scan.newlines + (scan.endsWithNewline ? 0 : 1)
  if (limit.maxLines === null || lines <= limit.maxLines) return null
  const keep = limit.maxLines - 2
  return keep <= 0 ? null : linesAround(scan, limit, shape, keep)
}

function linesAround(scan: Scan, limit: CutLimit, shape: Shape, keep: number): Pieces {
  const headLines = shape === 'head' ? keep : keep >> 1
  const tailLines = keep - headLines
  const head = firstLines(scan.prefix, headLines)
  const back = lastLinesLength(scan.suffix, tailLines)
  const tail = withoutLastNewline(scan.suffix.slice(scan.suffix.length - back))
  const shown = (headLines === 0 ? 0 : headLinesOf(head, scan)) + tailLinesOf(back, scan)
  const removed = scan.newlines + (scan.endsWithNewline ? 0 : 1) - shown
  return {
    head,
    between: `${headLines === 0 ? '' : '\n'}${limit.strings.cutByLines(removed)}\n`,
    tail,
    back,
    room: shape === 'head' ? 0 : Math.floor(keep / 5),
    withRoomFor: (room) => linesAround(scan, limit, shape, keep - room),
  }
}

/** The specification's arithmetic: two fifths of what the limit leaves after a reserve, at each end. */
function cutChars(scan: Scan, limit: CutLimit, shape: Shape): Pieces | null {
  const size = endSize(limit, shape)
  if (scan.chars <= limit.maxChars || size <= 0) return null
  const head = scan.prefix.slice(0, endOfFirst(scan.prefix, size))
  const tail = shape === 'head' ? '' : scan.suffix.slice(startOfLast(scan.suffix, size))
  return { head, between: charMarker(head, tail, scan, limit), tail, back: tail.length }
}

/** Both ends within both limits. */
function cutBoth(scan: Scan, limit: CutLimit, shape: Shape): Pieces | null {
  const chars = cutChars(scan, limit, shape)
  if (chars === null || limit.maxLines === null) return null
  const breaks = limit.maxLines - 1 - countNewlines(chars.between)
  if (breaks < 0) return null
  const headBreaks = shape === 'head' ? breaks : breaks >> 1
  const head = firstLines(chars.head, headBreaks + 1)
  const tail = chars.tail.slice(chars.tail.length - lastLinesLength(chars.tail, breaks - headBreaks + 1))
  return { head, between: charMarker(head, tail, scan, limit), tail, back: tail.length }
}

function endSize(limit: CutLimit, shape: Shape): number {
  const left = limit.maxChars - (limit.by === 'cap' ? 200 : 100)
  return shape === 'head' ? left : Math.trunc(left * 0.4)
}

function charMarker(head: string, tail: string, scan: Scan, { by, strings }: CutLimit): string {
  const chars = scan.chars - countCodePoints(head) - countCodePoints(tail)
  if (by === 'tool') return strings.cutByTool(chars)
  const folded = foldedWithin(scan, 0, head.length + 1) + foldedWithin(scan, scan.length - tail.length, scan.length)
  return strings.cutByCap(chars, scan.newlines - countNewlines(head) - countNewlines(tail) - folded)
}

function isWithin(pieces: Pieces, scan: Scan, limit: CutLimit): boolean {
  const text = join(pieces, '')
  const chars = countCodePoints(text)
  return chars <= limit.maxChars && chars < scan.chars && (limit.maxLines === null || countLines(text) <= limit.maxLines)
}

/** Adds the salient lines that the cut removed; null when there are none, or no room for one. */
function assemble(pieces: Pieces, scan: Scan, handle: string, limit: CutLimit): CutText | null {
  const removed = removedBetween(scan.candidates, pieces.head.length, scan.length - pieces.back)
  if (removed.length === 0 || pieces.head === '' || pieces.tail === '') return null
  const room = Math.min(pieces.room ?? 0, removed.length)
  const roomy = room > 0 ? (pieces.withRoomFor?.(room) ?? pieces) : pieces
  const text = join(roomy, '')
  const glue = roomy.between.endsWith('\n') ? '' : '\n'
  const kept = keptLines({
    candidates: roomy === pieces ? removed : removedBetween(scan.candidates, roomy.head.length, scan.length - roomy.back),
    notice: {
      shown: [
        [1, headLinesOf(roomy.head, scan)],
        [lastLine(scan) - tailLinesOf(roomy.back, scan) + 1, lastLine(scan)],
      ],
      lines: lastLine(scan),
      handle,
    },
    maxChars: Math.min(limit.maxChars, scan.chars - 1) - countCodePoints(text) - glue.length,
    maxLines: limit.maxLines === null ? Number.POSITIVE_INFINITY : limit.maxLines - countLines(text) - glue.length,
  })
  if (kept === null || roomy.head === '' || roomy.tail === '') return null
  return { text: join(roomy, glue + kept.text), salientLines: kept.lines }
}

/** Made anew, not strung together: the result must not hold on to the text it was cut from. */
function join({ head, between, tail }: Pieces, kept: string): string {
  return [head, between, kept, tail].join('')
}

function headAlone(prefix: string, { maxChars, maxLines }: CutLimit): string {
  const head = prefix.slice(0, endOfFirst(prefix, maxChars))
  return [maxLines === null ? head : firstLines(head, maxLines), ''].join('')
}

function lastLine(scan: Scan): number {
  return scan.numbered + (scan.endsWithNewline ? 0 : 1)
}

/** Lines of the original that the head shows, the last one perhaps in part. */
function headLinesOf(head: string, scan: Scan): number {
  // A folded line counts once its text is there, with or without the newline after it.
  return (head === '' ? 1 : countLines(head)) + foldedWithin(scan, 0, head.length + 1)
}

/** Lines of the original that the last `back` units show, the first one perhaps in part. */
function tailLinesOf(back: number, scan: Scan): number {
  return countLines(scan.suffix.slice(scan.suffix.length - back)) + foldedWithin(scan, scan.length - back, scan.length)
}

function foldedWithin(scan: Scan, from: number, to: number): number {
  return scan.folds.reduce((sum, fold) => (fold.at > from && fold.at <= to ? sum + fold.newlines : sum), 0)
}

/** The first lines of a text, without the newline after them. */
function firstLines(text: string, count: number): string {
  if (count <= 0) return ''
  let end = -1
  for (let left = count; left > 0; left -= 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return withoutLastNewline(text)
  }
  return text.slice(0, end)
}

function withoutLastNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** How many units the last lines take, with the newline at the very end. */
function lastLinesLength(text: string, count: number): number {
  if (count <= 0) return 0
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0; left -= 1) {
    start = start === 0 ? -1 : text.lastIndexOf('\n', start - 1)
    if (start === -1) return text.length
  }
  return text.length - start - 1
}
