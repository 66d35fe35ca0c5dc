import { createCodePointCounter } from '../text/lines.ts'
import { type Candidate, createCandidatePool } from './salient.ts'
import { createSalientReader, longestBefore, longestBehind, longestLine } from './salient-reader.ts'

/** What a cut has to know of a text: its measure, both ends, and the lines that would be missed. */
export interface Scan {
  /** Code points of the original, as far as an earlier cut tells. */
  readonly chars: number
  readonly newlines: number
  /** Newlines of the text that line numbers refer to. */
  readonly numbered: number
  readonly endsWithNewline: boolean
  /** The verbatim beginning, as much as a cut can show. */
  readonly prefix: string
  readonly suffix: string
  /** Where the suffix ends, in the terms of `Candidate.start`. */
  readonly length: number
  readonly candidates: readonly Candidate[]
  /** Places where one line stands for more of them. */
  readonly folds: readonly Fold[]
  /** Whether prefix and suffix, where they end at an earlier cut, end there with whole lines. */
  readonly wholeLines: WholeLines
}

/** Whether the last line before a cut and the first one after it are there from beginning to end. */
export interface WholeLines {
  readonly before: boolean
  readonly after: boolean
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
  readonly candidates: readonly Omit<Candidate, 'start' | 'end'>[]
  readonly wholeLines: WholeLines
}

export type Scanner = ReturnType<typeof createScanner>

/**
 * Reads a text in pieces for a limit of `maxChars` code points. The answer does not depend on where one piece ends and the next begins,
 * and memory on the limit alone.
 */
export function createScanner(maxChars: number) {
  const keep = maxChars * 2 + 2
  const width = Math.min(widestLine, Math.max(80, Math.floor(maxChars / 40)))
  const pool = createCandidatePool(keep, Math.ceil(maxChars / 24) + 16)
  const reader = createSalientReader(pool, width)
  const chars = createCodePointCounter()
  let removedChars = 0
  // Newlines that the reader did not count as lines.
  let unnumbered = 0
  let folds: Fold[] = []
  // What was read of a line that goes on.
  let behind = ''
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
    const text = behind + pending
    const to = behind.length + end
    reader.read({ text, from: behind.length, to, offset: length - behind.length })
    behind = text.slice(Math.max(text.lastIndexOf('\n', to - 1) + 1, to - longestBefore), to)
    pending = pending.slice(end)
    length += end
  }

  return {
    write(text: string): void {
      pending = pending === '' ? text : pending + text
      if (pending.length >= blockLength) scanPending(lastBoundary(pending))
    },
    /** The line just written stands for more lines. */
    fold(more: number): void {
      scanPending(pending.length)
      reader.skip(more)
      folds.push({ at: length, newlines: more })
      // Only folds near the two ends will ever be asked for.
      if (folds.length > keep) folds = folds.filter(({ at }) => at <= keep || at >= length - keep)
    },
    /** Something was cut out here before: the prefix ends and the suffix begins. */
    gap(removed: Gap): void {
      // The earlier cut has counted the lines it left in part among those it removed.
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
      behind = ''
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

const blockLength = 8192
const widestLine = 200

/** The last place where a block may end: after a newline, or within a long line with as much behind it as a look takes. */
function lastBoundary(text: string): number {
  const lineStart = text.lastIndexOf('\n') + 1
  return text.length - lineStart <= longestLine ? lineStart : text.length - longestBehind
}
