import { countNewlines } from '../../text/lines.ts'
import { findTriggers } from '../salient.ts'

interface Segment {
  readonly start: number
  readonly end: number
  /** Counted from 1. */
  readonly line: number
}

/** A longer line is read in segments: it may hold an entire log, or a list. */
export const maxLineLength = 4096
/** At which a segment ends at the next blank. */
const softLength = 300
const hardLength = 1000

/** Where the text of a segment may end that was split at a blank or within a word: what it says may go on. */
export function endOfShown(text: string, start: number, end: number): number {
  if (end - start < softLength || end - start > hardLength) return end
  const newline = text.slice(end, end + softLength).indexOf('\n')
  return newline === -1 ? Math.min(text.length, end + softLength) : end + newline
}

/** `start` and `end` are places in `text`, which itself starts at `offset`. */
export type Visit = (text: string, start: number, end: number, line: number, offset: number) => void

/** Splits a text that comes in pieces into its lines, and long ones into segments. Where pieces end does not matter. Linear in the text. */
export function createSegmenter(visit: Visit, firstLine = 1) {
  let line = firstLine
  let isInLong = false
  let pending = ''
  let offset = 0

  /** Visits what is certain, and returns where the rest starts. */
  function read(text: string, isEnd: boolean): number {
    let start = 0
    for (;;) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline
      const isComplete = newline !== -1 || isEnd
      isInLong ||= end - start > maxLineLength
      if (isInLong) {
        const last = isComplete ? end : end - hardLength - 1
        while (start < last) {
          const next = endOfSegment(text, start, end)
          visit(text, start, next, line, offset)
          start = next + (isWrittenNewline(text, next) ? 2 : 0)
        }
      } else if (isComplete && (newline !== -1 || end > start)) visit(text, start, end, line, offset)
      if (newline === -1) return isEnd ? text.length : start
      isInLong = false
      line += 1
      start = newline + 1
    }
  }

  return {
    write(piece: string): void {
      const text = pending === '' ? piece : pending + piece
      const rest = read(text, false)
      offset += rest
      pending = text.slice(rest)
    },
    end(): void {
      read(pending, true)
      pending = ''
    },
  }
}

/** Calls `visit` with each line of a text, and each segment of a long one. */
export function forEachSegment(text: string, firstLine: number, visit: (start: number, end: number, line: number) => void): void {
  const segmenter = createSegmenter((_, start, end, line, offset) => visit(offset + start, offset + end, line), firstLine)
  segmenter.write(text)
  segmenter.end()
}

/** Lines and segments with a word that may be salient, one for each text that differs in more than numbers. Linear in the text. */
export function* strikingIn(text: string, from: number, to: number, firstLine: number): Generator<Segment, void> {
  const nextTrigger = findTriggers(text)
  const seen = new Set<number>()
  let line = firstLine
  let counted = from
  // Kept from hit to hit: to look for it at each would read the rest of a long line each time.
  let lineEnd = -1
  for (let hit = nextTrigger(from); hit !== -1 && hit < to && seen.size < maxShapes; ) {
    if (hit > lineEnd) lineEnd = endOfLine(text, hit)
    const segment = segmentAround(text, hit, lineEnd)
    const shape = shapeOf(text, segment.start, segment.end)
    if (!seen.has(shape)) {
      seen.add(shape)
      line += countNewlines(text.slice(counted, segment.start))
      counted = segment.start
      yield { ...segment, line }
    }
    hit = nextTrigger(Math.max(hit + 1, segment.end))
  }
}

const maxShapes = 5000

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline
}

/** The line around a place, or the part of a long one. `end`: of the line. */
function segmentAround(text: string, at: number, end: number): { readonly start: number; readonly end: number } {
  let start = at
  while (start > 0 && at - start < maxLineLength && text.charCodeAt(start - 1) !== 0x0a) start -= 1
  if (end - start <= maxLineLength) return { start, end }
  let from = at
  while (from > start && at - from < softLength && !isBoundary(text, from - 1)) from -= 1
  if (from > start && isWrittenNewline(text, from - 1)) from += 1
  return { start: from, end: endOfSegment(text, at, end) }
}

function endOfSegment(text: string, start: number, end: number): number {
  const soft = start + softLength
  const last = Math.min(end, start + hardLength)
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at)
    // Few characters can end a segment.
    if (code > 0x7f || mayEnd[code] === 0) continue
    if (code === 0x20) {
      if (at >= soft) return at
    } else if (isBoundary(text, at)) return code === 0x5c ? Math.max(at, start + 1) : at + 1
  }
  return last
}

const mayEnd = Uint8Array.from({ length: 128 }, (_, code) => (' \\,;.>'.includes(String.fromCharCode(code)) ? 1 : 0))

/** At a written newline, a comma behind a bracket, a semicolon or a full stop before a blank, or between two tags. */
function isBoundary(text: string, at: number): boolean {
  switch (text.charCodeAt(at)) {
    case 0x5c: // \
      return isWrittenNewline(text, at)
    case 0x2c: // ,
      return isClosing(text.charCodeAt(at - 1))
    case 0x3b: // ;
    case 0x2e: // .
      return text.charCodeAt(at + 1) === 0x20
    case 0x3e: // >
      return text.charCodeAt(at + 1) === 0x3c
  }
  return false
}

function isWrittenNewline(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x5c && text.charCodeAt(at + 1) === 0x6e
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d || code === 0x29
}

function shapeOf(text: string, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x30 || code > 0x39) hash = (Math.imul(hash, 31) + code) | 0
  }
  return hash
}
