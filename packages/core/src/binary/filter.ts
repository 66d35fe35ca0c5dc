import { type ModelStrings, modelStrings } from '../strings/specification.ts'
import { jsonText, parseJson } from '../text/json.ts'
import { detached, utf8Length } from '../text/lines.ts'
import { diffValue, patchText } from '../text/patch.ts'
import {
  type Block,
  backslashUnit,
  base64Unit,
  blockAround,
  markUnit,
  type Span,
  skip,
  skipBack,
  spaceUnit,
} from './base64-block.ts'
import { looksLikeBase64 } from './looks-like-base64.ts'

/** Shows a placeholder in place of binary data, and counts what it took out. Never changes what it is given. */
export interface BinaryFilter {
  /** The text without base64; JSON text is filtered inside its strings. The very same text when there is nothing to filter. */
  readonly text: (text: string) => string
  /** The value without base64, at any depth; parts with nothing to filter keep their identity. */
  readonly value: (value: unknown) => unknown
  readonly removed: () => number
}

/** A copy of the value with binary data replaced by placeholders, or the very same value when there is none. */
export function filterBinaryValue(value: unknown, strings: ModelStrings): unknown {
  return createBinaryFilter(strings).value(value)
}

/** The text with binary data replaced by placeholders, or the very same text when there is none. */
export function filterBinaryText(text: string, strings: ModelStrings): string {
  return createBinaryFilter(strings).text(text)
}

/** A filter that writes its placeholders in these strings, with a count of its own. */
export function createBinaryFilter(strings: ModelStrings): BinaryFilter {
  let removed = 0
  // What became of each object: shared ones are walked once, and one that contains itself is not walked forever.
  const walked = new Map<object, unknown>()

  function filterText(text: string, depth: number): string {
    if (depth < deepest && mayHoldBinary(text)) {
      const json = parseJson(text)
      if (json !== undefined) return patchText(text, diffValue(json, filterValue(json, depth + 1), []))
      if (isJsonLines(text))
        return text
          .split('\n')
          .map((line) => filterText(line, depth + 1))
          .join('\n')
    }
    const spans = findBase64(text)
    if (spans.length === 0) return text
    const pieces: string[] = []
    let position = 0
    for (const { start, end } of spans) {
      pieces.push(text.slice(position, start), strings.largeDataFiltered(kilobytes(end - start)))
      position = end
      removed += end - start
    }
    return detached(pieces.join('') + text.slice(position))
  }

  function filterValue(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return filterText(value, depth)
    // Typed arrays hold no strings, and walking a megabyte of bytes one by one would take long.
    if (typeof value !== 'object' || value === null || depth > deepest || ArrayBuffer.isView(value)) return value
    const known = walked.get(value)
    if (known !== undefined) return known
    walked.set(value, value)
    const result = Array.isArray(value) ? filterList(value, depth) : filterObject(value as Fields, depth)
    walked.set(value, result)
    return result
  }

  function filterList(list: readonly unknown[], depth: number): readonly unknown[] {
    let copy: unknown[] | null = null
    for (let index = 0; index < list.length; index += 1) {
      const item = filterValue(list[index], depth + 1)
      if (item === list[index]) continue
      copy ??= list.slice()
      copy[index] = item
    }
    return copy ?? list
  }

  function filterObject(object: Fields, depth: number): Fields {
    let copy: Record<string, unknown> | null = null
    for (const key of Object.keys(object)) {
      const value = object[key]
      const filtered = known.has(key) ? filterField(value) : filterValue(value, depth + 1)
      if (filtered === value) continue
      // A spread copies a field called `__proto__` as a field, and a field that is there can be assigned like any other.
      copy ??= { ...object }
      copy[key] = filtered
    }
    return copy ?? object
  }

  function filterField(value: unknown): unknown {
    const holdsData =
      typeof value === 'string'
        ? value !== '' && !isBinaryPlaceholder(value, strings)
        : typeof value === 'object' && value !== null
    if (!holdsData) return value
    const size = typeof value === 'string' ? value.length : utf8Length(jsonText(value))
    removed += size
    return strings.binaryFiltered(kilobytes(size))
  }

  return { text: (text) => filterText(text, 0), value: (value) => filterValue(value, 0), removed: () => removed }
}

type Fields = Readonly<Record<string, unknown>>

/** Deeper values stay as they are: the stack must hold, and `diffValue` enters no deeper either. */
const deepest = 100

function mayHoldBinary(text: string): boolean {
  const trimmed = text.trim()
  const brackets = `${trimmed.at(0)}${trimmed.at(-1)}`
  return (brackets === '{}' || brackets === '[]') && (namesBinaryField(text) || mayHoldBase64(text))
}

function isJsonLines(text: string): boolean {
  return (
    text.includes('\n') &&
    namesBinaryField(text) &&
    text.split('\n').every((line) => line.trim() === '' || parseJson(line) !== undefined)
  )
}

/** The fields of a tool's answer that hold binary data by their name, whatever their size. */
export const binaryFields: readonly string[] = ['imageBase64', 'screenshotData', 'pdfImages', 'audioData', 'videoData']

function namesBinaryField(text: string): boolean {
  return binaryFields.some((field) => {
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + field.length)) {
      endOfName.lastIndex = at + field.length
      if (endOfName.test(text)) return true
    }
    return false
  })
}

// The quote may be escaped several times over, and so may white space in front of the colon.
const endOfName = /\\*"(?:\s|\\+[nrt])*:/y

const known = new Set(binaryFields)

/** A size as the placeholders state it: in units of 1024, with one decimal. */
export function kilobytes(length: number): string {
  return (length / 1024).toFixed(1)
}

function isBinaryPlaceholder(text: string, strings: ModelStrings): boolean {
  if (text.length > 1000) return false
  const sizes = text.match(/\d+\.\d/g) ?? ['0.0']
  return sizes.some((size) =>
    [modelStrings, strings].some(
      ({ binaryFiltered, largeDataFiltered }) => text === binaryFiltered(size) || text === largeDataFiltered(size),
    ),
  )
}

/** A tool result with placeholders in place of binary data; the very same value if there is none. */
export function sanitizeToolResultForHistory<Result>(result: Result): Result {
  // Fields that hold binary data become strings; everything else keeps its type.
  return filterBinaryValue(result, modelStrings) as Result
}

/** The same for results that a history already holds as JSON text. What is not JSON comes back unchanged. */
export function sanitizeToolResultsJson(content: string): string {
  const value = parseJson(content)
  return typeof value === 'object' && value !== null ? filterBinaryText(content, modelStrings) : content
}

const sizeThreshold = 10_000

/**
 * The stretches of a text that are base64 longer than the threshold, in order: data URIs, unbroken runs, and runs wrapped into
 * lines of one width. What stands around them is not part of them; where nothing but white space does, the whole text is one.
 *
 * Told by the shape alone, so it is careful: what is not clearly base64 stays.
 */
export function findBase64(text: string): readonly Span[] {
  const spans: Span[] = []
  // Nothing before this was left unexamined, so that each character is looked at a bounded number of times.
  let examined = 0
  for (let at = 0; text.length > sizeThreshold && at < text.length; at += sampleStep) {
    if (at < examined || !isSampleOf(text, at, base64Unit | spaceUnit | markUnit)) continue
    const block = blockAround(text, at, examined)
    examined = block.end
    const isWhole = skipBack(text, block.start, spaceUnit, 0) === 0 && skip(text, block.end, spaceUnit) === text.length
    const span = isWhole ? { start: 0, end: text.length } : block
    if (span.end - span.start <= sizeThreshold) continue
    if (block.isDataUri || looksLikeBase64(text, block, isAlone(text, block))) spans.push(span)
  }
  return spans
}

/** Whether a JSON text may hold such a stretch in one of its strings, told from samples without parsing it. */
export function mayHoldBase64(json: string): boolean {
  for (let at = 0; json.length > sizeThreshold && at < json.length; at += sampleStep) {
    if (isSampleOf(json, at, base64Unit | spaceUnit | markUnit | backslashUnit)) return true
  }
  return false
}

// Whatever is longer than the threshold holds at least three samples, even when the first falls on the head of a data URI.
const sampleStep = 2500
const sampleLength = 1024

function isSampleOf(text: string, at: number, kinds: number): boolean {
  return skip(text, at, kinds, at + sampleLength) === at + sampleLength
}

function isAlone(text: string, { start, end, width }: Block): boolean {
  if (skipBack(text, start, spaceUnit, 0) !== 0) return false
  const last = skip(text, end, spaceUnit)
  const rest = skip(text, last, base64Unit)
  return rest - last < width && skip(text, rest, spaceUnit) === text.length
}
