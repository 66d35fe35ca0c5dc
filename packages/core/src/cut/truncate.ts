import type { TruncationStrategy } from '../config.ts'
import { createHasher } from '../text/hash.ts'
import { countCodePoints, countLines, createCodePointCounter, detached } from '../text/lines.ts'
import { terminalText } from '../text/terminal-text.ts'
import { type CutLimit, type CutText, cut, lastLine, type Owner, ownerOfExceeded, type Shape, withHandleLine } from './cut.ts'
import { cutAgain, type IsOriginal, maxHeld } from './earlier-cut.ts'
import { firstMatches } from './matches.ts'
import { maxRead, withNotable, withOdd } from './notable/notable-parts.ts'
import { createOddReader } from './notable/odd-lines.ts'
import { createScanner, type Scan, type Scanner } from './scan.ts'
import { cutStructured } from './structured.ts'

export interface Limit extends CutLimit {
  /** `summarize` needs a model and is treated as `head_tail`. */
  readonly strategy: TruncationStrategy
  /** For search results: `maxLines` counts matches. Default: false. */
  readonly matches?: boolean
  /** Lines of context kept after the last match shown. Default: all. */
  readonly context?: number
}

const anyOriginal: IsOriginal = () => true

export interface Truncation {
  readonly text: string
  readonly charsBefore: number
  readonly charsAfter: number
  /** The handle of the original: the hash of the text, or the handle that an already cut text names. */
  readonly handle: string
  readonly salientLines: number
  readonly limitedBy: Owner | null
  readonly kept: Shape | 'matches' | null
}

/**
 * Shortens a text to its limit. A text that fits is returned unchanged, so cutting twice changes nothing. The result never exceeds
 * the limit, is shorter than the text (unless only matches were cut) and does not keep the original in memory. No character is
 * split. Throws a `RangeError` for a limit that is not a number. `isOriginal` decides whether a cut text may name its original.
 */
export function truncate(text: string, limit: Limit, isOriginal: IsOriginal = anyOriginal): Truncation {
  const truncator = createTruncator(limit, isOriginal)
  truncator.write(text)
  return truncator.end()
}

/** Whether `truncate` would return the text unchanged. Cheaper than cutting it. */
export function fits(text: string, given: Limit): boolean {
  const limit = normal(given)
  const { maxChars, maxLines } = limit
  if (text.length > maxChars && (text.length > maxChars * 2 || countCodePoints(text) > maxChars)) return false
  // A text has at most as many lines and matches as characters.
  if (maxLines === null || text.length <= maxLines) return true
  return limit.matches === true ? cutMatches(text, limit, '') === text : countLines(text) <= maxLines
}

/** `truncate` for a text in pieces. Buffers the full text only to count matches or to keep structure. */
export function createTruncator(given: Limit, isOriginal: IsOriginal = anyOriginal) {
  const limit = normal(given)
  const needsAll = limit.matches === true || limit.strategy === 'structured'
  const retained = needsAll ? Number.POSITIVE_INFINITY : Math.max(maxRead, maxHeld(limit.maxChars))
  const hasher = createHasher()
  // Characters that are collapsed before the scanner sees them are counted here.
  const counter = limit.strategy === 'collapse' ? createCodePointCounter() : null
  // Buffered until it cannot fit. A text that was cut before is always small enough for this buffer.
  let whole = ''
  let reader: Pick<Scanner, 'write' | 'end'> | null = null
  const odd = showsNotable(limit) ? createOddReader() : null
  return {
    write(chunk: string): void {
      hasher.update(chunk)
      counter?.add(chunk)
      if (reader === null) {
        whole += chunk
        if (whole.length <= retained) return
        reader = createReader(limit)
      }
      const read = whole === '' ? chunk : whole
      whole = ''
      odd?.write(read)
      reader.write(read)
    },
    end(): Truncation {
      const handle = hasher.digest()
      const read = reader?.end() ?? null
      const scan = read === null || odd === null ? read : withOdd(read, odd.end(), limit.maxChars)
      const charsBefore = counter?.total() ?? scan?.chars ?? countCodePoints(whole)
      const result =
        scan === null ? cutWhole(whole, charsBefore, handle, limit, isOriginal) : cutScan(scan, charsBefore, handle, limit)
      if (result.limitedBy === null) return { ...result, charsBefore, charsAfter: charsBefore }
      const text = named(result, limit)
      return { ...result, text: detached(text), charsBefore, charsAfter: countCodePoints(text) }
    },
  }
}

/** Adds the handle of the original below a cut text that does not name it, if there is room. */
function named({ text, handle, kept }: Result, limit: Limit): string {
  if (limit.names !== 'always' || kept === 'matches' || text.includes(handle)) return text
  const longer = withHandleLine(text, handle)
  return fits(longer, limit) ? longer : text
}

type Result = Omit<Truncation, 'charsBefore' | 'charsAfter'>

function cutWhole(text: string, chars: number, handle: string, limit: Limit, isOriginal: IsOriginal): Result {
  if (fits(text, limit)) return { text, handle, salientLines: 0, limitedBy: null, kept: null }
  if (limit.matches === true) return cutSearch(text, chars, handle, limit, isOriginal)
  const structured = limit.strategy === 'structured' ? cutStructured(text, limit, handle) : null
  if (structured === null) return cutPlain(text, chars, handle, limit, isOriginal)
  const limitedBy = ownerOfExceeded(chars, countLines(text), limit)
  return resultOf({ text: structured, salientLines: 0, limitedBy }, handle, limit)
}

function cutSearch(text: string, chars: number, handle: string, limit: Limit, isOriginal: IsOriginal): Result {
  const matches = cutMatches(text, limit, handle)
  if (matches !== null) {
    const limitedBy = limit.linesBy ?? limit.by
    return { text: matches, handle, salientLines: 0, limitedBy, kept: 'matches' }
  }
  const byChars = { ...limit, maxLines: null }
  const result = cutPlain(text, chars, handle, byChars, isOriginal)
  if (fits(result.text, limit)) return result
  // Lines added by a cut can look like matches, and too many of them would be cut again.
  const plain = cutPlain(text, chars, handle, { ...byChars, salient: false }, isOriginal)
  return fits(plain.text, limit) ? plain : cutPlain(text, chars, handle, limit, isOriginal)
}

function cutPlain(text: string, chars: number, handle: string, limit: Limit, isOriginal: IsOriginal): Result {
  const again = cutAgain(text, handle, limit, shapeOf(limit), isOriginal)
  if (again !== null) return { ...again, kept: shapeOf(limit) }
  const reader = createReader(limit)
  reader.write(text)
  const scan = showsNotable(limit) ? withNotable(reader.end(), text, limit.maxChars) : reader.end()
  return cutScan(scan, chars, handle, limit)
}

/** The places of a collapsed text are others. */
function showsNotable({ salient, strategy }: Limit): boolean {
  return salient !== false && strategy !== 'collapse'
}

function createReader(limit: Limit): Pick<Scanner, 'write' | 'end'> {
  const scanner = createScanner(limit.maxChars)
  return limit.strategy === 'collapse' ? createCollapser(scanner) : scanner
}

function cutScan(scan: Scan, chars: number, handle: string, limit: Limit): Result {
  const isCollapsed = scan.prefix.length === scan.length && scan.chars < chars && fits(scan.prefix, limit)
  if (!isCollapsed) return resultOf(cut({ ...scan, chars }, handle, limit, shapeOf(limit)), handle, limit)
  const limitedBy = ownerOfExceeded(chars, lastLine(scan), limit)
  return resultOf({ text: scan.prefix, salientLines: 0, limitedBy }, handle, limit)
}

function resultOf(text: CutText, handle: string, limit: Limit): Result {
  return { ...text, handle, kept: shapeOf(limit) }
}

function cutMatches(text: string, limit: Limit, handle: string): string | null {
  const { maxLines } = limit
  return maxLines === null ? null : firstMatches(text, { ...limit, maxLines }, handle)
}

function shapeOf(limit: Limit): Shape {
  return limit.strategy === 'head_only' ? 'head' : 'head-and-tail'
}

function normal(limit: Limit): Limit {
  const { maxChars, maxLines } = limit
  return {
    ...limit,
    maxChars: wholeNumber('maxChars', maxChars),
    maxLines: maxLines === null ? null : wholeNumber('maxLines', maxLines),
  }
}

function wholeNumber(name: string, value: number): number {
  if (typeof value !== 'number' || Number.isNaN(value)) throw new RangeError(`${name}: expected a number, got ${String(value)}`)
  return Math.max(0, Math.floor(value))
}

function createCollapser(scanner: Scanner): Pick<Scanner, 'write' | 'end'> {
  let pending = ''
  let run: { readonly text: string; count: number } | null = null
  let inLongLine = false

  function passLine(line: string): void {
    const text = terminalText(line)
    if (run?.text === text) run.count += 1
    else {
      passRun()
      run = { text, count: 1 }
    }
  }

  function passRun(): void {
    if (run === null) return
    const { text, count } = run
    run = null
    const folded = `${text} (x${count})\n`
    if (folded.length < count * (text.length + 1)) {
      scanner.write(folded)
      scanner.fold(count - 1)
    } else scanner.write(`${text}\n`.repeat(count))
  }

  function passPiece(piece: string): void {
    passRun()
    scanner.write(terminalText(piece))
  }

  return {
    write(text) {
      pending = pending === '' ? text : pending + text
      let start = 0
      for (;;) {
        const newline = pending.indexOf('\n', start)
        const end = newline === -1 ? pending.length : newline
        for (; end - start > maxLineLength; start += maxLineLength) {
          passPiece(pending.slice(start, start + maxLineLength))
          inLongLine = true
        }
        if (newline === -1) break
        if (inLongLine) passPiece(pending.slice(start, newline + 1))
        else passLine(pending.slice(start, end))
        inLongLine = false
        start = newline + 1
      }
      pending = pending.slice(start)
    },
    end() {
      // A last line without a newline does not extend the run before it.
      if (inLongLine || pending !== '') passPiece(pending)
      else passRun()
      return scanner.end()
    },
  }
}

const maxLineLength = 65_536
