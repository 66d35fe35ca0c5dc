import { countLines } from '../text/code-points.ts'
import type { Notice } from './notice.ts'
import type { Scan } from './scan.ts'

/** The whole lines of the original that a head and the last `back` units of a text show; the first and the last at least. */
export function shownLines(scan: Scan, head: string, back: number): Notice['shown'] {
  const last = lastLine(scan)
  const headIsWhole =
    head.endsWith('\n') || (head.length < scan.prefix.length ? scan.prefix[head.length] === '\n' : scan.wholeLines.before)
  const tail = scan.suffix.slice(scan.suffix.length - back)
  const tailIsWhole = back < scan.suffix.length ? scan.suffix[scan.suffix.length - back - 1] === '\n' : scan.wholeLines.after
  const firstBreak = tail.indexOf('\n')
  const wholeBack = tailIsWhole ? back : firstBreak === -1 ? 0 : back - firstBreak - 1
  return [
    [1, Math.max(1, linesInHead(scan, head) - (headIsWhole ? 0 : 1))],
    [Math.min(last, last - linesInTail(scan, wholeBack) + 1), last],
  ]
}

/** The number of the last line. */
export function lastLine(scan: Scan): number {
  return scan.numbered + (scan.endsWithNewline ? 0 : 1)
}

/** Lines of the original that a head shows, the last one perhaps in part. */
function linesInHead(scan: Scan, head: string): number {
  // A folded line counts once its text is there, with or without the newline after it.
  return countLines(head) + foldedWithin(scan, 0, head.length + 1)
}

/** Lines of the original that the last `back` units show, the first one perhaps in part. */
export function linesInTail(scan: Scan, back: number): number {
  return countLines(scan.suffix.slice(scan.suffix.length - back)) + foldedWithin(scan, scan.length - back, scan.length)
}

/** How many more lines than are to be seen stand between two places. */
export function foldedWithin(scan: Scan, from: number, to: number): number {
  return scan.folds.reduce((sum, fold) => (fold.at > from && fold.at <= to ? sum + fold.newlines : sum), 0)
}
