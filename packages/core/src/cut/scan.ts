import { beginsLikeJson, createCodePointCounter, escapedLineAround, shorten, unescaped, wholeCharacters } from '../text/lines.ts'
import { terminalText } from '../text/terminal-text.ts'
import {
  type Candidate,
  type CandidatePool,
  createCandidatePool,
  findTriggers,
  frameOf,
  isDetail,
  ranks,
  type Salience,
  salienceOf,
} from './salient.ts'

/** Everything a cut needs to know about a text, which itself may be too long for memory. */
export interface Scan {
  /** Code points of the original, including those an earlier cut removed. */
  readonly chars: number
  readonly newlines: number
  /** Newlines of the text that line numbers refer to. */
  readonly numbered: number
  readonly endsWithNewline: boolean
  readonly prefix: string
  readonly suffix: string
  readonly length: number
  readonly candidates: readonly Candidate[]
  readonly folds: readonly Fold[]
  /** Whether prefix and suffix end with complete lines at an earlier cut. */
  readonly wholeLines: WholeLines
}

export interface WholeLines {
  readonly before: boolean
  readonly after: boolean
}

/** A place after which more newlines count than the text shows. */
export interface Fold {
  readonly at: number
  readonly newlines: number
}

export interface Gap {
  readonly chars: number
  readonly newlines: number
  readonly numbered: number
  readonly candidates: readonly Omit<Candidate, 'start' | 'end'>[]
  readonly wholeLines: WholeLines
}

export type Scanner = ReturnType<typeof createScanner>

/** Reads a text in pieces of any size, in memory that depends only on the limit. */
export function createScanner(maxChars: number) {
  const keep = maxChars * 2 + 2
  const pool = createCandidatePool(keep, Math.ceil(maxChars / 24) + 16)
  const reader = createSalientReader(pool, lineWidth(maxChars))
  const chars = createCodePointCounter()
  let removedChars = 0
  // Newlines that the reader did not count as lines.
  let unnumbered = 0
  let folds: Fold[] = []
  // The part of an unfinished line that was already read.
  let readBefore = ''
  let pending = ''
  let prefix = ''
  let prefixOpen = true
  let ends: string[] = []
  let endsLength = 0
  let length = 0
  let lastUnit = ''
  let wholeLines: WholeLines = { before: true, after: true }

  function scanPending(end: number): void {
    if (end === 0) return
    const block = pending.slice(0, end)
    chars.add(block)
    lastUnit = block.slice(-1)
    if (prefixOpen && prefix.length < keep) prefix += block.slice(0, keep - prefix.length)
    ends.push(block)
    endsLength += block.length
    while (endsLength - (ends[0] as string).length >= keep) endsLength -= (ends.shift() as string).length
    const text = readBefore + pending
    const to = readBefore.length + end
    reader.read({ text, from: readBefore.length, to, offset: length - readBefore.length })
    readBefore = text.slice(Math.max(text.lastIndexOf('\n', to - 1) + 1, to - maxBefore), to)
    pending = pending.slice(end)
    length += end
  }

  return {
    write(text: string): void {
      pending = pending === '' ? text : pending + text
      if (pending.length < blockLength) return
      // After a newline, or within a long line with enough context read after it.
      const lineStart = pending.lastIndexOf('\n') + 1
      scanPending(pending.length - lineStart <= maxLineLength ? lineStart : pending.length - maxAfter)
    },
    fold(more: number): void {
      scanPending(pending.length)
      reader.skip(more)
      folds.push({ at: length, newlines: more })
      if (folds.length > keep) folds = folds.filter(({ at }) => at <= keep || at >= length - keep)
    },
    /** An earlier cut is here: the prefix ends and the suffix starts. */
    gap(removed: Gap): void {
      // The earlier cut counted partially shown lines as removed.
      if (!removed.wholeLines.before) {
        scanPending(pending.lastIndexOf('\n') + 1)
        reader.ignoreLine()
      }
      scanPending(pending.length)
      for (const candidate of removed.candidates) {
        pool.add({ ...candidate, start: length, end: length + 1 })
        length += 1
      }
      length += 1
      removedChars += removed.chars
      unnumbered += removed.newlines - removed.numbered
      reader.skip(removed.numbered)
      reader.startLine(length)
      if (!removed.wholeLines.after) reader.ignoreLine()
      readBefore = ''
      prefixOpen = false
      ends = []
      endsLength = 0
      wholeLines = removed.wholeLines
    },
    end(): Scan {
      scanPending(pending.length)
      const suffix = ends.join('')
      const numbered = reader.line() - 1
      return {
        chars: chars.total() + removedChars,
        newlines: numbered + unnumbered,
        numbered,
        endsWithNewline: lastUnit === '\n',
        prefix,
        suffix: suffix.slice(Math.max(0, suffix.length - keep)),
        length,
        candidates: pool.all(length),
        folds,
        wholeLines,
      }
    },
  }
}

/** How much of a line is shown after a cut. */
export function lineWidth(maxChars: number): number {
  return Math.min(maxLineWidth, Math.max(80, Math.floor(maxChars / 40)))
}

const blockLength = 8192
const maxLineWidth = 200

interface Stretch {
  readonly text: string
  /** The stretch ends after a line, or within one longer than `maxLineLength`. */
  readonly from: number
  readonly to: number
  readonly offset: number
}

const maxLineLength = 4096
const maxBefore = 1024
const maxAfter = maxLineLength - maxBefore

const linesBelow = 8
/** Frames of libraries that do not count among the lines below a failure. */
const maxLibraryFrames = 60

function createSalientReader(pool: CandidatePool, width: number) {
  let line = 1
  let lineStart = 0
  let isJson = false
  let isIgnored = false
  let seen = 0
  // Lines below a failure that may still belong to it, and the last one that did.
  let below = 0
  let passing = 0
  // Frames of a library may have another line each: the function, or its code.
  let passingOther = 0
  let lastDetail = -1

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
        passing = maxLibraryFrames
        passingOther = 0
        readBelow(stretch, newline + 1, line + 1)
      }
    }
    passLines(Number.POSITIVE_INFINITY)
  }

  function pieceAround(text: string, hit: number, lineEnd: number, offset: number): Piece {
    const first = Math.max(0, lineStart - offset)
    const isLong = offset + lineEnd - lineStart > maxLineLength
    const start = isLong ? Math.max(first, seen - offset, hit - maxBefore) : first
    const end = isLong ? Math.min(lineEnd, hit + maxAfter) : lineEnd
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

  function readBelow({ text, to, offset }: Stretch, from: number, firstLine: number): void {
    let start = from
    for (let number = firstLine; below > 0 && start < to; number += 1) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const tooLong = end - start > maxLineLength
      const near = tooLong ? '' : terminalText(text.slice(start, end))
      const frame = frameOf(near)
      if (frame === 'library' && passing > 0) {
        passing -= 1
        passingOther = 1
      } else if (frame === null && passingOther > 0 && !tooLong) passingOther = 0
      else below = tooLong ? 0 : below - 1
      const shown = offset + start <= lastDetail ? '' : near
      // A line with its own trigger is found by the search.
      if (isDetail(shown) && salienceOf(shown) === null) {
        lastDetail = offset + start
        keep(shown, { rank: ranks.detail, at: 0, length: 0 }, number, { start, end }, offset)
      }
      start = end + 1
    }
  }

  return {
    read,
    skip(lines: number): void {
      line += lines
    },
    startLine(place: number): void {
      lineStart = place
      seen = place
      below = 0
      isIgnored = false
    },
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
