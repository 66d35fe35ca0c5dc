import { looksLikePiece } from './looks-like-base64.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** One run of base64 characters, or lines of one width separated by white space or the line prefixes of a listing. */
export interface Block extends Span {
  readonly isDataUri: boolean
  /** Where each full-width line starts; a single entry if the data is not wrapped. */
  readonly lines: readonly number[]
  readonly width: number
  /** Whether a shorter last line ends the data, as in a stream but not in a list. */
  readonly ends: boolean
}

/** The block at a position: its run of base64, and the lines above and below that belong to it. */
export function blockAround(text: string, at: number, floor: number): Block {
  const inside = endOfMatch(prefixHere, text, skip(text, at, spaceUnit))
  const first = skipBack(text, inside, base64Unit, floor)
  const last = endOfRun(text, inside)
  const head = dataUriHead(text, first, floor)
  // The first line of a data URI is shortened by its head, so the next line gives the width.
  const width = head === null ? last - first : lineBelow(text, last)
  if (width < minLineWidth || width > maxLineWidth || last - first > width) {
    const end = skipPadding(text, last)
    return { start: head ?? first, end, isDataUri: head !== null, lines: [first], width: last - first, ends: false }
  }
  const above = head === null ? linesAbove(text, first, width, floor) : { start: head, lines: [], partial: 0 }
  const lines = above.lines.toReversed()
  lines.push(first)
  const below = linesBelow(text, last, width, above.partial + above.lines.length * width + last - first)
  for (const line of below.lines) lines.push(line)
  return {
    start: above.start,
    end: below.end,
    isDataUri: head !== null || above.partial > 0,
    lines,
    width,
    ends: below.ends,
  }
}

/** Encoders rarely use narrower lines, but lists of words, paths and identifiers do. */
const minLineWidth = 40
const maxLineWidth = 256
const maxGap = 64
const maxHead = 256

// Prefixes that tools print before each line of a file: a line number with a separator, or quote marks.
const prefix = String.raw`(?:\d{1,7}(?:\t|[ \t]?[→|:][ \t]?)|>[> \t]{0,8})`
const prefixHere = new RegExp(prefix, 'y')
const prefixBelow = new RegExp(String.raw`[ \t\r]{0,8}\n[ \t]{0,16}${prefix}`, 'y')
const prefixAbove = new RegExp(String.raw`[ \t\r]{0,8}\n[ \t]{0,16}${prefix}$`)

function linesAbove(text: string, first: number, width: number, floor: number) {
  const lines: number[] = []
  let start = first
  for (;;) {
    const line =
      lineEndingAt(text, skipBack(text, start, spaceUnit, Math.max(floor, start - maxGap)), start, width, floor) ??
      lineEndingAt(text, startOfPrefix(text, start, floor), start, width, floor)
    if (line === null) return { start, lines, partial: 0 }
    if (line.head !== null) return { start: line.head, lines, partial: line.length }
    start = line.start
    lines.push(start)
  }
}

function lineEndingAt(text: string, end: number, below: number, width: number, floor: number) {
  if (end === below) return null
  const start = skipBack(text, end, base64Unit, Math.max(floor, end - width - 1))
  const length = end - start
  const head = length > 0 && length <= width ? dataUriHead(text, start, floor) : null
  return head !== null || length === width ? { start, length, head } : null
}

function linesBelow(text: string, last: number, width: number, above: number) {
  const lines: number[] = []
  let end = last
  let characters = above
  while (text[end] !== '=') {
    const gap = skip(text, end, spaceUnit, end + maxGap)
    const plainEnd = endOfRun(text, gap)
    // A line number before the data looks like a short line.
    const start = gap > end && plainEnd - gap === width ? gap : Math.max(gap, endOfMatch(prefixBelow, text, end))
    const lineEnd = start === gap ? plainEnd : endOfRun(text, start)
    const length = lineEnd - start
    if (start === end || length === 0 || length > width) return { lines, end, ends: false }
    if (length < width) {
      // A single line is not wrapped, so a short line below it is something else.
      const ends = characters >= 2 * width && isLastLine(text, start, lineEnd, characters + length)
      return { lines, end: ends ? skipPadding(text, lineEnd) : end, ends }
    }
    characters += width
    end = lineEnd
    lines.push(start)
  }
  return { lines, end: skipPadding(text, end), ends: false }
}

/** A short line ends the data, unless it looks like a word. */
function isLastLine(text: string, start: number, end: number, characters: number): boolean {
  if (text[end] === '=') return true
  if (end < text.length && !/[\s"'`)\]}<]/.test(text.charAt(end))) return false
  const line = text.slice(start, end)
  if (characters % 4 === 0) return /^A+$/.test(line) || !/^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(line)
  return characters % 4 !== 1 && line.length >= 8 && looksLikePiece(line)
}

function lineBelow(text: string, end: number): number {
  const line = skip(text, end, spaceUnit, end + maxGap)
  return endOfRun(text, line) - line
}

function dataUriHead(text: string, body: number, floor: number): number | null {
  const end = skipBack(text, body, spaceUnit, Math.max(floor, body - maxGap))
  if (text[end - 1] !== ',') return null
  const from = Math.max(floor, end - maxHead)
  const head = /data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,$/i.exec(text.slice(from, end))
  return head === null ? null : from + head.index
}

function startOfPrefix(text: string, end: number, floor: number): number {
  const match = prefixAbove.exec(text.slice(Math.max(floor, end - maxGap), end))
  return match === null ? end : end - match[0].length
}

function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  const match = pattern.exec(text)
  return match === null ? from : from + match[0].length
}

function skipPadding(text: string, from: number): number {
  return text[from] !== '=' ? from : text[from + 1] === '=' ? from + 2 : from + 1
}

/** Standard or URL-safe alphabet, without padding. */
export const base64Unit = 1
export const spaceUnit = 2
export const backslashUnit = 4
/** Separators that tools print after a line number or for a quote. */
export const markUnit = 8

export function skip(text: string, from: number, kinds: number, limit = text.length): number {
  const end = Math.min(limit, text.length)
  let index = from
  while (index < end && isUnit(text.charCodeAt(index), kinds)) index += 1
  return index
}

export function skipBack(text: string, from: number, kinds: number, floor: number): number {
  let index = from
  while (index > floor && isUnit(text.charCodeAt(index - 1), kinds)) index -= 1
  return index
}

function endOfRun(text: string, from: number): number {
  // A regular expression avoids recompiling a hot loop for each call on a megabyte of text. One that matched the run itself would
  // overflow its stack in a run of 50 MB.
  outside.lastIndex = from
  return outside.test(text) ? outside.lastIndex - 1 : Math.max(from, text.length)
}

const outside = /[^A-Za-z0-9+/_-]/g

const units = new Uint8Array(128)
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') units[unit.charCodeAt(0)] = base64Unit
for (const unit of ' \t\r\n') units[unit.charCodeAt(0)] = spaceUnit
for (const unit of '>|:') units[unit.charCodeAt(0)] = markUnit
units['\\'.charCodeAt(0)] = backslashUnit
const arrow = '→'.charCodeAt(0)

function isUnit(unit: number, kinds: number): boolean {
  return unit < 128 ? ((units[unit] as number) & kinds) !== 0 : unit === arrow && (kinds & markUnit) !== 0
}
