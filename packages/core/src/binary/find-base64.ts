/** A stretch of a text, its end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Base64 up to this length is left alone. */
const sizeThreshold = 10_000

/**
 * The stretches of a text that are base64 longer than the threshold, in order: data URIs, unbroken runs, and runs wrapped into
 * lines of one width. What stands around them is not part of them; where nothing but white space does, the whole text is one.
 *
 * Told by the shape alone, so it is careful: outside data URIs a sample must show capitals, small letters and digits, which
 * hexadecimal, repeated characters and words in one case do not.
 */
export function findBase64(text: string): readonly Span[] {
  const spans: Span[] = []
  // Nothing before this was left unexamined, so that each character is looked at a bounded number of times.
  let examined = 0
  for (let at = 0; text.length > sizeThreshold && at < text.length; at += sampleStep) {
    if (at < examined || !isSampleOf(text, at, base64Unit | spaceUnit)) continue
    const block = blockAround(text, at, examined)
    examined = block.end
    const span = isWhole(text, block) ? { start: 0, end: text.length } : block
    if (span.end - span.start > sizeThreshold && (block.isDataUri || isVaried(text, block))) spans.push(span)
  }
  return spans
}

/** Whether a JSON text may hold such a stretch in one of its strings, told from samples without parsing it. */
export function mayHoldBase64(json: string): boolean {
  for (let at = 0; json.length > sizeThreshold && at < json.length; at += sampleStep) {
    if (isSampleOf(json, at, base64Unit | spaceUnit | backslashUnit)) return true
  }
  return false
}

// Whatever is longer than the threshold holds at least three samples, even when the first falls on the head of a data URI.
const sampleStep = 2500
const sampleLength = 1024
/** No encoder wraps more narrowly, and most lists of words, paths and identifiers are narrower. */
const narrowestLine = 60
const longestGap = 64
const longestHead = 256

const base64Unit = 1
const spaceUnit = 2
const backslashUnit = 4
const units = new Uint8Array(128)
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') units[unit.charCodeAt(0)] = base64Unit
for (const unit of ' \t\r\n') units[unit.charCodeAt(0)] = spaceUnit
units['\\'.charCodeAt(0)] = backslashUnit

interface Block extends Span {
  readonly isDataUri: boolean
}

function isSampleOf(text: string, at: number, kinds: number): boolean {
  return skip(text, at, kinds, at + sampleLength) === at + sampleLength
}

/** The block a position lies in: its own run of base64, and the lines above and below that belong to it. */
function blockAround(text: string, at: number, floor: number): Block {
  const inside = skip(text, at, spaceUnit)
  const first = skipBack(text, inside, base64Unit, floor)
  const last = skip(text, inside, base64Unit)
  const head = dataUriHead(text, first, floor)
  // The first line of a data URI is as long as its head leaves it; the line below tells the width.
  const width = head === null ? last - first : lineBelow(text, last)
  const above = head === null ? linesAbove(text, first, width, floor) : { start: head, characters: 0, isDataUri: true }
  return { start: above.start, end: linesBelow(text, last, width, above.characters + last - first), isDataUri: above.isDataUri }
}

function linesAbove(text: string, first: number, width: number, floor: number) {
  let start = first
  let characters = 0
  for (;;) {
    const end = skipBack(text, start, spaceUnit, Math.max(floor, start - longestGap))
    const line = skipBack(text, end, base64Unit, floor)
    if (end === start || line === end || width < narrowestLine) return { start, characters, isDataUri: false }
    const head = dataUriHead(text, line, floor)
    if (head !== null) return { start: head, characters: characters + end - line, isDataUri: true }
    if (end - line !== width) return { start, characters, isDataUri: false }
    start = line
    characters += width
  }
}

/** Where the block ends whose line ends at `last`, when so many characters of it stand above that. */
function linesBelow(text: string, last: number, width: number, above: number): number {
  let end = last
  let characters = above
  while (text[end] !== '=') {
    const line = skip(text, end, spaceUnit, end + longestGap)
    const lineEnd = skip(text, line, base64Unit)
    if (line === end || line === lineEnd || lineEnd - line > width || width < narrowestLine) return end
    if (lineEnd - line < width) {
      // One long line is not wrapped, so what stands below it is something else.
      const wrapped = characters >= 2 * width
      return wrapped && isLastLine(text, line, lineEnd, characters + lineEnd - line) ? skipPadding(text, lineEnd) : end
    }
    characters += width
    end = lineEnd
  }
  return skipPadding(text, end)
}

/** A short line ends the data, unless it reads like a word that merely stands below it. */
function isLastLine(text: string, start: number, end: number, characters: number): boolean {
  if (text[end] === '=') return true
  if (end < text.length && !/[\s"'`)\]}<]/.test(text.charAt(end))) return false
  const line = text.slice(start, end)
  if (characters % 4 === 0) return !/^(?:[A-Z]?[a-z]+|[A-Z]+|\d+)$/.test(line)
  return characters % 4 !== 1 && line.length >= 20 && isVaried(text, { start, end })
}

function lineBelow(text: string, end: number): number {
  const line = skip(text, end, spaceUnit, end + longestGap)
  return skip(text, line, base64Unit) - line
}

/** Where the head of the data URI starts whose body begins here, or null when there is none. */
function dataUriHead(text: string, body: number, floor: number): number | null {
  const end = skipBack(text, body, spaceUnit, Math.max(floor, body - longestGap))
  if (text[end - 1] !== ',') return null
  const from = Math.max(floor, end - longestHead)
  const head = /data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,$/i.exec(text.slice(from, end))
  return head === null ? null : from + head.index
}

/** Looks at about a kilobyte, spread over the whole. */
function isVaried(text: string, { start, end }: Span): boolean {
  const windows = 16
  const length = 64
  let sample = ''
  for (let index = 0; index < windows; index += 1) {
    const from = start + Math.floor(((end - start) * index) / windows)
    sample += text.slice(from, Math.min(end, from + length))
  }
  return /[A-Z]/.test(sample) && /[a-z]/.test(sample) && /[0-9]/.test(sample)
}

function isWhole(text: string, { start, end }: Span): boolean {
  return skipBack(text, start, spaceUnit, 0) === 0 && skip(text, end, spaceUnit) === text.length
}

function isUnit(text: string, index: number, kinds: number): boolean {
  const unit = text.charCodeAt(index)
  return unit < 128 && ((units[unit] as number) & kinds) !== 0
}

function skip(text: string, from: number, kinds: number, limit = text.length): number {
  const end = Math.min(limit, text.length)
  let index = from
  while (index < end && isUnit(text, index, kinds)) index += 1
  return index
}

function skipBack(text: string, from: number, kinds: number, floor: number): number {
  let index = from
  while (index > floor && isUnit(text, index - 1, kinds)) index -= 1
  return index
}

function skipPadding(text: string, from: number): number {
  let index = from
  while (index < from + 2 && text[index] === '=') index += 1
  return index
}
