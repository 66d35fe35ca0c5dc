import type { ModelStrings } from '../strings/specification.ts'
import { countCodePoints, countLines, countNewlines, endOfFirst, startOfLast } from '../text/code-points.ts'
import { firstLines, lastLinesLength, withoutLastNewline } from '../text/line-ends.ts'
import { keptLines } from './kept-lines.ts'
import { removedKinds } from './removed-kinds.ts'
import type { Scan } from './scan.ts'
import { foldedWithin, lastLine, linesInTail, shownLines } from './shown-lines.ts'

/** Which ends of a text a cut leaves. */
export type Shape = 'head-and-tail' | 'head'

/** Whose limit it is: the global cap, or one of the tool's own. */
export type Owner = 'cap' | 'tool'

/** How much may stay, and in whose name it is cut. */
export interface CutLimit {
  /** In code points. */
  readonly maxChars: number
  /** Null: no line limit. A newline at the very end begins no line. */
  readonly maxLines: number | null
  /** Whose limit the characters are, which decides marker and reserve: the global cap's, or the tool's own. */
  readonly by: Owner
  /** Whose limit the lines are. Default: the same. */
  readonly linesBy?: Owner
  readonly strings: ModelStrings
  /** Whether salient lines of what is removed are shown. Default: true. */
  readonly salient?: boolean
}

/** A text within its limit, how many salient lines of what was removed it shows, and whose limit cut it. */
export interface CutText {
  readonly text: string
  readonly salientLines: number
  readonly limitedBy: Owner
}

/**
 * Cuts a scanned text that is over its limit. One marker says what is gone: that of the line limit when cutting lines is
 * enough, else that of the characters, else both limits bind and the marker of the characters stands. Salient lines that were
 * removed follow the marker; under a line limit the two ends give up to a fifth of their lines for them, and as many as it takes
 * for the marker to pay for itself. Where the limit is too small for a marker, the head alone is left.
 */
export function cut(scan: Scan, handle: string, limit: CutLimit, shape: Shape): CutText {
  const exceeded = ownerOfExceeded(scan.chars, linesOf(scan), limit)
  const plans = [
    { plan: cutLines, limitedBy: limit.linesBy ?? limit.by },
    { plan: cutChars, limitedBy: limit.by },
    { plan: cutBoth, limitedBy: exceeded },
  ]
  for (const { plan, limitedBy } of plans) {
    let plain: Pieces | null = null
    for (const pieces of plan(scan, limit, shape)) {
      if (!isWithin(pieces, scan, limit)) continue
      const assembled = assemble(pieces, scan, handle, limit)
      if (assembled !== null) return { ...assembled, limitedBy }
      plain ??= pieces
      if (!removesSalient(pieces, scan, limit)) break
    }
    if (plain !== null) return { text: join(plain, ''), salientLines: 0, limitedBy }
  }
  return { text: headAlone(scan.prefix, limit), salientLines: 0, limitedBy: exceeded }
}

/** Whose limit a text of so many characters and lines exceeds: the tool's where one of its own is among them. */
export function ownerOfExceeded(chars: number, lines: number, { maxChars, maxLines, by, linesBy = by }: CutLimit): Owner {
  const tool = (chars > maxChars && by === 'tool') || (maxLines !== null && lines > maxLines && linesBy === 'tool')
  return tool ? 'tool' : 'cap'
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

/**
 * The first and last lines, as many of each, around one marker line; then the same with ever fewer of them, for texts whose lines
 * are so short that the marker is longer than what it stands for.
 */
function* cutLines(scan: Scan, limit: CutLimit, shape: Shape): Generator<Pieces, void> {
  if (limit.maxLines === null || linesOf(scan) <= limit.maxLines) return
  const keep = limit.maxLines - 2
  for (let given = 0; given < keep; given = given === 0 ? 2 : given * 2) {
    yield linesAround(scan, limit, shape, keep - given)
    // With too many characters as well, cutting those is the better way.
    if (scan.chars > limit.maxChars) return
  }
}

function linesAround(scan: Scan, limit: CutLimit, shape: Shape, keep: number): Pieces {
  const headLines = shape === 'head' ? keep : keep >> 1
  const tailLines = keep - headLines
  const head = firstLines(scan.prefix, headLines)
  const back = lastLinesLength(scan.suffix, tailLines)
  const tail = withoutLastNewline(scan.suffix.slice(scan.suffix.length - back))
  // The newline of its last line is not in the head, so an empty end of it is a line of its own.
  const inHead = headLines === 0 ? 0 : countNewlines(head) + 1 + foldedWithin(scan, 0, head.length + 1)
  const shown = inHead + linesInTail(scan, back)
  return {
    head,
    between: `${headLines === 0 ? '' : '\n'}${limit.strings.cutByLines(linesOf(scan) - shown)}\n`,
    tail,
    back,
    room: shape === 'head' ? 0 : Math.floor(keep / 5),
    withRoomFor: (room) => linesAround(scan, limit, shape, keep - room),
  }
}

/** The specification's arithmetic: two fifths of what the limit leaves after a reserve, at each end. */
function cutChars(scan: Scan, limit: CutLimit, shape: Shape): readonly Pieces[] {
  const size = endSize(limit, shape)
  if (scan.chars <= limit.maxChars || size <= 0) return []
  const head = scan.prefix.slice(0, endOfFirst(scan.prefix, size))
  const tail = shape === 'head' ? '' : scan.suffix.slice(startOfLast(scan.suffix, size))
  return [{ head, between: charMarker(head, tail, scan, limit), tail, back: tail.length }]
}

/** Both ends within both limits. */
function cutBoth(scan: Scan, limit: CutLimit, shape: Shape): readonly Pieces[] {
  const [chars] = cutChars(scan, limit, shape)
  if (chars === undefined || limit.maxLines === null) return []
  const breaks = limit.maxLines - 1 - countNewlines(chars.between)
  if (breaks < 0) return []
  const headBreaks = shape === 'head' ? breaks : breaks >> 1
  const head = firstLines(chars.head, headBreaks + 1)
  const tail = chars.tail.slice(chars.tail.length - lastLinesLength(chars.tail, breaks - headBreaks + 1))
  return [{ head, between: charMarker(head, tail, scan, limit), tail, back: tail.length }]
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

function removesSalient({ head, back }: Pieces, scan: Scan, { salient }: CutLimit): boolean {
  return salient !== false && removedKinds(scan.candidates, head.length, scan.length - back).length > 0
}

/** Adds the salient lines that the cut removed; null when there are none, or no room for one. */
function assemble(pieces: Pieces, scan: Scan, handle: string, limit: CutLimit): Omit<CutText, 'limitedBy'> | null {
  if (limit.salient === false) return null
  const removed = removedKinds(scan.candidates, pieces.head.length, scan.length - pieces.back)
  if (removed.length === 0 || pieces.head === '' || pieces.tail === '') return null
  const different = removed.reduce((sum, { lines }) => sum + lines.length, 0)
  const room = Math.min(pieces.room ?? 0, different)
  const roomy = room > 0 ? (pieces.withRoomFor?.(room) ?? pieces) : pieces
  if (roomy.head === '' || roomy.tail === '') return null
  const text = join(roomy, '')
  const glue = roomy.between.endsWith('\n') ? '' : '\n'
  const kept = keptLines({
    kinds: roomy === pieces ? removed : removedKinds(scan.candidates, roomy.head.length, scan.length - roomy.back),
    notice: { shown: shownLines(scan, roomy.head, roomy.back), lines: lastLine(scan), handle },
    maxChars: Math.min(limit.maxChars, scan.chars - 1) - countCodePoints(text) - glue.length,
    maxLines: (limit.maxLines ?? Number.MAX_SAFE_INTEGER) - countLines(text) - glue.length,
  })
  return kept === null ? null : { text: join(roomy, glue + kept.text), salientLines: kept.lines }
}

function join({ head, between, tail }: Pieces, kept: string): string {
  return head + between + kept + tail
}

function headAlone(prefix: string, { maxChars, maxLines }: CutLimit): string {
  const head = prefix.slice(0, endOfFirst(prefix, maxChars))
  return maxLines === null ? head : firstLines(head, maxLines)
}

/** Lines of the original, as far as an earlier cut tells. */
function linesOf(scan: Scan): number {
  return scan.newlines + (scan.endsWithNewline ? 0 : 1)
}
