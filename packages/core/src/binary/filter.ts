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

/** Replaces binary data with placeholders and counts what it removed. Never mutates its input. */
export interface BinaryFilter {
  /** Filters inside the strings of JSON text. Returns the same text if there is nothing to filter. */
  readonly text: (text: string) => string
  /** Filters at any depth; parts with nothing to filter keep their identity. */
  readonly value: (value: unknown) => unknown
  readonly removed: () => number
}

export function filterBinaryValue(value: unknown, strings: ModelStrings): unknown {
  return createBinaryFilter(strings).value(value)
}

export function filterBinaryText(text: string, strings: ModelStrings): string {
  return createBinaryFilter(strings).text(text)
}

export function createBinaryFilter(strings: ModelStrings): BinaryFilter {
  let removed = 0
  // Visits shared objects once, and stops at circular ones.
  const walked = new Map<object, unknown>()

  function filterText(text: string, depth: number): string {
    if (depth < maxDepth && mayHoldBinary(text)) {
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
    // Typed arrays contain no strings, and walking them byte by byte would be slow.
    if (typeof value !== 'object' || value === null || depth > maxDepth || ArrayBuffer.isView(value)) return value
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
      // A spread copies an own `__proto__` field as a field, which can then be assigned like any other.
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

/** Deeper values are left unchanged to protect the stack; `diffValue` stops there too. */
const maxDepth = 100

/** Whether a text need not be searched. */
export function isPlainText(text: string): boolean {
  return text.length <= sizeThreshold && !mayHoldBinary(text)
}

function mayHoldBinary(text: string): boolean {
  const trimmed = text.trim()
  const last = trimmed.startsWith('{') ? '}' : trimmed.startsWith('[') ? ']' : null
  return last !== null && trimmed.endsWith(last) && (namesBinaryField(text) || mayHoldBase64(text))
}

function isJsonLines(text: string): boolean {
  return (
    text.includes('\n') &&
    namesBinaryField(text) &&
    text.split('\n').every((line) => line.trim() === '' || parseJson(line) !== undefined)
  )
}

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

// The quote may be escaped several times, and so may white space before the colon.
const endOfName = /\\*"(?:\s|\\+[nrt])*:/y

const known = new Set(binaryFields)

export function kilobytes(length: number): string {
  return (length / 1024).toFixed(1)
}

function isBinaryPlaceholder(text: string, strings: ModelStrings): boolean {
  if (text.length > 1000) return false
  const bare = text.replace(/; recall [0-9a-f]{12}\]$/, ']')
  const sizes = bare.match(/\d{1,12}\.\d/g) ?? ['0.0']
  return sizes.some((size) =>
    [modelStrings, strings].some(({ binaryFiltered, largeDataFiltered }) =>
      [binaryFiltered(size), largeDataFiltered(size)].some((placeholder) => placeholder === text || placeholder === bare),
    ),
  )
}

/** Replaces binary data in a tool result with placeholders; returns the same value if there is none. */
export function sanitizeToolResultForHistory<Result>(result: Result): Result {
  // Fields that hold binary data become strings; everything else keeps its type.
  return filterBinaryValue(result, modelStrings) as Result
}

/** The same for results stored as JSON text. Other text is returned unchanged. */
export function sanitizeToolResultsJson(content: string): string {
  const value = parseJson(content)
  return typeof value === 'object' && value !== null ? filterBinaryText(content, modelStrings) : content
}

const sizeThreshold = 10_000

/** Finds data URIs, unbroken runs and runs wrapped into lines of one width. Anything that is not clearly base64 stays. */
export function findBase64(text: string): readonly Span[] {
  const spans: Span[] = []
  // Everything before this was examined, so each character is visited a bounded number of times.
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

/** Checks samples for base64 without parsing the JSON. */
export function mayHoldBase64(json: string): boolean {
  for (let at = 0; json.length > sizeThreshold && at < json.length; at += sampleStep) {
    if (isSampleOf(json, at, base64Unit | spaceUnit | markUnit | backslashUnit)) return true
  }
  return false
}

// Base64 above the threshold covers at least three samples, even if the first falls on the head of a data URI.
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
