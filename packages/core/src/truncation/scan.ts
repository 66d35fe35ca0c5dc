import { type Candidate, createCandidatePool } from './candidates.ts'
import { createCodePointCounter } from './code-points.ts'
import { beginsLikeJson, escapedLineAround, unescaped } from './escaped-lines.ts'
import { findTriggers, isDetail, ranks, salienceOf } from './salient.ts'
import { shorten, wholeCharacters } from './shorten.ts'
import { terminalText } from './terminal-text.ts'

/** What a cut has to know of a text: its measure, both ends, and the lines that would be missed. */
export interface Scan {
  /** Code points of the original, as far as an earlier cut tells. */
  readonly chars: number
  /** Newlines of the original, likewise. */
  readonly newlines: number
  /** Newlines of the text that line numbers refer to. */
  readonly numbered: number
  readonly endsWithNewline: boolean
  /** The verbatim beginning, as much as a cut can show. */
  readonly prefix: string
  /** The verbatim end, likewise. */
  readonly suffix: string
  /** Where the suffix ends, in the terms of `Candidate.start`. */
  readonly length: number
  readonly candidates: readonly Candidate[]
  /** Places where one line stands for more of them. */
  readonly folds: readonly Fold[]
}

/** A place after which more newlines count than the text shows. */
export interface Fold {
  readonly at: number
  readonly newlines: number
}

/** What an earlier cut took out. */
export interface Gap {
  readonly chars: number
  readonly newlines: number
  readonly numbered: number
  /** Salient lines the earlier cut kept. */
  readonly candidates: readonly Omit<Candidate, 'start' | 'end'>[]
}

/** Reads a text in pieces. The answer does not depend on where one piece ends and the next begins. */
export interface Scanner {
  readonly write: (text: string) => void
  /** Says that the line just written stands for more lines. */
  readonly fold: (newlines: number) => void
  /** Says that something was cut out here before: the prefix ends and the suffix begins. */
  readonly gap: (removed: Gap) => void
  readonly end: () => Scan
}

/** A scanner for a limit of `maxChars` code points. Memory depends on the limit, not on the text. */
export function createScanner(maxChars: number): Scanner {
  const keep = maxChars * 2 + 2
  const width = Math.min(widestLine, Math.max(80, Math.floor(maxChars / 40)))
  const pool = createCandidatePool(keep, Math.ceil(maxChars / 24) + 16)
  const chars = createCodePointCounter()
  let removedChars = 0
  let folds: Fold[] = []
  let pending = ''
  let prefix = ''
  let prefixOpen = true
  let ends: string[] = []
  let endsLength = 0
  let length = 0
  let lastUnit = ''
  let newlines = 0
  let line = 1
  let atLineStart = true
  let jsonLine = false
  // Lines below a failure that may still belong to it, and the last one that was found to.
  let below = 0
  let lastDetail = -1

  function scanBlock(block: string): void {
    chars.add(block)
    lastUnit = block.slice(-1)
    if (prefixOpen && prefix.length < keep) prefix += block.slice(0, keep - prefix.length)
    ends.push(block)
    endsLength += block.length
    while (endsLength - (ends[0] as string).length >= keep) endsLength -= (ends.shift() as string).length
    const firstLine = line
    findSalient(block)
    newlines += line - firstLine
    length += block.length
  }

  /** One search for triggers; the newlines between two of them are only counted. */
  function findSalient(block: string): void {
    let lineStart = 0
    let newline = block.indexOf('\n')
    if (below > 0) readBelow(block, 0, line)
    if (atLineStart) jsonLine = beginsLikeJson(block, 0)
    const nextTrigger = findTriggers(block)
    for (let hit = nextTrigger(0), end = 0; hit !== -1; hit = nextTrigger(end)) {
      while (newline !== -1 && newline < hit) {
        line += 1
        lineStart = newline + 1
        newline = block.indexOf('\n', lineStart)
        jsonLine = beginsLikeJson(block, lineStart)
      }
      let start = lineStart + Math.floor((hit - lineStart) / longestSegment) * longestSegment
      end = Math.min(newline === -1 ? block.length : newline, start + longestSegment)
      if (jsonLine) {
        const piece = escapedLineAround(block.slice(start, end), hit - start)
        end = start + piece.end
        start += piece.start
      }
      if (consider(block, start, end) && end === newline) {
        below = linesBelow
        readBelow(block, newline + 1, line + 1)
      }
    }
    let last = lineStart
    for (; newline !== -1; newline = block.indexOf('\n', last)) {
      line += 1
      last = newline + 1
    }
    // The next block goes on with this line when it is a long one.
    atLineStart = last === block.length
    if (!atLineStart && last > lineStart) jsonLine = beginsLikeJson(block, last)
  }

  /** Keeps a line when it is salient; whether it was a failure of a new kind. */
  function consider(block: string, start: number, end: number): boolean {
    const piece = wholeCharacters(block, start, end)
    const text = terminalText(jsonLine ? unescaped(piece) : piece)
    const salience = salienceOf(text)
    if (salience === null) return false
    const { rank, at } = salience
    const isNew = pool.add({ rank, start: length + start, end: length + end, line, text: shorten(text, at, width), count: 1 })
    return isNew && rank === ranks.failure
  }

  /** Frames and comparisons right below a failure. Goes on in the next block when this one ends first. */
  function readBelow(block: string, from: number, firstLine: number): void {
    let start = from
    for (let number = firstLine; below > 0 && start < block.length; number += 1) {
      const newline = block.indexOf('\n', start)
      const end = newline === -1 ? block.length : newline
      const tooLong = end - start > longestSegment || (newline === -1 && end - start === longestSegment)
      below = tooLong ? 0 : below - 1
      const text = tooLong || length + start <= lastDetail ? '' : terminalText(block.slice(start, end))
      // A line with a trigger of its own is found by the search.
      if (isDetail(text) && salienceOf(text) === null) {
        lastDetail = length + start
        pool.add({
          rank: ranks.detail,
          start: length + start,
          end: length + end,
          line: number,
          text: shorten(text, 0, width),
          count: 1,
        })
      }
      start = end + 1
    }
  }

  function flush(): void {
    if (pending !== '') scanBlock(pending)
    pending = ''
  }

  return {
    write(text) {
      pending = pending === '' ? text : pending + text
      if (pending.length < blockLength) return
      const end = lastBoundary(pending)
      scanBlock(pending.slice(0, end))
      pending = pending.slice(end)
    },
    fold(more) {
      flush()
      line += more
      newlines += more
      folds.push({ at: length, newlines: more })
      // Only folds near the two ends will ever be asked for.
      if (folds.length > keep) folds = folds.filter(({ at }) => at <= keep || at >= length - keep)
    },
    gap(removed) {
      flush()
      for (const candidate of removed.candidates) {
        pool.add({ ...candidate, start: length, end: length + 1 })
        length += 1
      }
      length += 1
      removedChars += removed.chars
      newlines += removed.newlines
      line += removed.numbered
      prefixOpen = false
      ends = []
      endsLength = 0
      atLineStart = true
      below = 0
    },
    end() {
      flush()
      const suffix = ends.join('')
      return {
        chars: chars.total() + removedChars,
        newlines,
        numbered: line - 1,
        endsWithNewline: lastUnit === '\n',
        prefix,
        suffix: suffix.slice(Math.max(0, suffix.length - keep)),
        length,
        candidates: pool.all(),
        folds,
      }
    },
  }
}

// Longer lines are looked at in pieces of this many units, counted from the start of the line, so that the pieces do not depend
// on how the text arrived.
const longestSegment = 4096
const blockLength = 65_536
const widestLine = 200
const linesBelow = 8

/** The last place where a block may end: after a newline, or between two pieces of a long line. */
function lastBoundary(text: string): number {
  const lineStart = text.lastIndexOf('\n') + 1
  const rest = text.length - lineStart
  return rest <= longestSegment ? lineStart : lineStart + Math.floor((rest - 1) / longestSegment) * longestSegment
}
