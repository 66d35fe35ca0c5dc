import { beginsLikeJson, escapedLineAround, shorten, unescaped, wholeCharacters } from '../text/lines.ts'
import { terminalText } from '../text/terminal-text.ts'
import { type CandidatePool, findTriggers, isDetail, ranks, type Salience, salienceOf } from './salient.ts'

/** A stretch of a text to be read, with what stands around it in its first and last line. */
export interface Stretch {
  readonly text: string
  /** Where in `text` the stretch begins and ends. It ends after a line, or within one longer than `longestLine`. */
  readonly from: number
  readonly to: number
  /** Where `text` begins, in UTF-16 units of all that was scanned. */
  readonly offset: number
}

/** Of longer lines only what is near a trigger is looked at. */
export const longestLine = 4096
/** How far before the trigger. */
export const longestBefore = 1024
/** How far behind its beginning. */
export const longestBehind = longestLine - longestBefore

const linesBelow = 8

/**
 * Finds the salient lines of a text that comes in stretches, whatever the stretches, and counts its lines on the way. Lines of at most
 * `width` units go to the pool.
 */
export function createSalientReader(pool: CandidatePool, width: number) {
  let line = 1
  let lineStart = 0
  let isJson = false
  let isIgnored = false
  // The end of the last piece that was looked at.
  let seen = 0
  // Lines below a failure that may still belong to it, and the last one that was found to.
  let below = 0
  let lastDetail = -1

  /** One search for triggers; the newlines between two of them are only counted. */
  function read(stretch: Stretch): void {
    const { text, from, to, offset } = stretch
    const beginLine = (index: number) => {
      lineStart = offset + index
      isJson = beginsLikeJson(text, index)
    }
    if (lineStart === offset + from) beginLine(from)
    if (below > 0) readBelow(stretch, from, line)
    let newline = text.indexOf('\n', from)
    if (isIgnored) {
      isIgnored = newline === -1
      seen = offset + (newline === -1 ? to : newline)
    }
    const passLines = (before: number) => {
      let last = -1
      for (; newline !== -1 && newline < before; newline = text.indexOf('\n', last + 1)) {
        line += 1
        last = newline
      }
      if (last !== -1) beginLine(last + 1)
    }
    const nextTrigger = findTriggers(text)
    for (let hit = nextTrigger(Math.max(from, seen - offset)); hit !== -1 && hit < to; hit = nextTrigger(seen - offset)) {
      passLines(hit)
      const piece = pieceAround(text, hit, newline === -1 ? text.length : newline, offset)
      seen = offset + piece.end
      pool.settle(offset + piece.start)
      if (consider(text, piece, offset) && piece.end === newline) {
        below = linesBelow
        readBelow(stretch, newline + 1, line + 1)
      }
    }
    passLines(Number.POSITIVE_INFINITY)
  }

  function pieceAround(text: string, hit: number, lineEnd: number, offset: number): Piece {
    const first = Math.max(0, lineStart - offset)
    const isLong = offset + lineEnd - lineStart > longestLine
    const start = isLong ? Math.max(first, seen - offset, hit - longestBefore) : first
    const end = isLong ? Math.min(lineEnd, hit + longestBehind) : lineEnd
    if (!isJson) return { start, end }
    const escaped = escapedLineAround(text.slice(start, end), hit - start)
    return { start: start + escaped.start, end: start + escaped.end }
  }

  function consider(text: string, { start, end }: Piece, offset: number): boolean {
    const piece = wholeCharacters(text, start, end)
    const shown = terminalText(isJson ? unescaped(piece) : piece)
    const salience = salienceOf(shown)
    return salience !== null && keep(shown, salience, line, { start, end }, offset)
  }

  function keep(shown: string, { rank, at, length }: Salience, number: number, { start, end }: Piece, offset: number): boolean {
    const place = { start: offset + start, end: offset + end, count: 1, alike: 0 }
    return pool.add({ ...place, rank, line: number, text: shorten(shown, { at, length }, width) })
  }

  /** Frames and comparisons right below a failure. Goes on in the next stretch when this one ends first. */
  function readBelow({ text, to, offset }: Stretch, from: number, firstLine: number): void {
    let start = from
    for (let number = firstLine; below > 0 && start < to; number += 1) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const tooLong = end - start > longestLine
      below = tooLong ? 0 : below - 1
      const shown = tooLong || offset + start <= lastDetail ? '' : terminalText(text.slice(start, end))
      // A line with a trigger of its own is found by the search.
      if (isDetail(shown) && salienceOf(shown) === null) {
        lastDetail = offset + start
        keep(shown, { rank: ranks.detail, at: 0, length: 0 }, number, { start, end }, offset)
      }
      start = end + 1
    }
  }

  return {
    read,
    /** Lines follow which are not to be read. */
    skip(lines: number): void {
      line += lines
    },
    /** Another line begins at a place, whatever came before. */
    startLine(place: number): void {
      lineStart = place
      seen = place
      below = 0
      isIgnored = false
    },
    /** The rest of a line follows, or a beginning of one, that is not worth a look. */
    ignoreLine(): void {
      isIgnored = true
      below = 0
    },
    line: () => line,
  }
}

interface Piece {
  readonly start: number
  readonly end: number
}
