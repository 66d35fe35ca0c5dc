import type { ModelStrings } from '../strings/specification.ts'
import { detached } from '../text/detached.ts'
import { diffValue } from '../text/diff-value.ts'
import { parseJson } from '../text/parse-json.ts'
import { patchText } from '../text/patch.ts'
import { isBinaryField, namesBinaryField } from './binary-fields.ts'
import { isBinaryPlaceholder, kilobytes, serialisedBytes } from './binary-placeholder.ts'
import { findBase64, mayHoldBase64 } from './find-base64.ts'

/** Shows a placeholder in place of binary data, and counts what it took out. Never changes what it is given. */
export interface BinaryFilter {
  /** The text without base64; JSON text is filtered inside its strings. The very same text when there is nothing to filter. */
  readonly text: (text: string) => string
  /** The value without base64, at any depth; parts with nothing to filter keep their identity. */
  readonly value: (value: unknown) => unknown
  /** How many characters it has replaced so far. */
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
      if (isJsonLines(text)) return mapLines(text, (line) => filterText(line, depth + 1))
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
      const filtered = isBinaryField(key) ? filterField(value) : filterValue(value, depth + 1)
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
    const size = typeof value === 'string' ? value.length : serialisedBytes(value)
    removed += size
    return strings.binaryFiltered(kilobytes(size))
  }

  return { text: (text) => filterText(text, 0), value: (value) => filterValue(value, 0), removed: () => removed }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Deeper values stay as they are: no tool nests so far, and the stack must hold. No more than `diffValue` enters, which would have
 * the rest of such a value written anew.
 */
const deepest = 100

/** Whether a text is worth parsing: it has the brackets of JSON, and something that would be filtered may be in it. */
function mayHoldBinary(text: string): boolean {
  const trimmed = text.trim()
  const bracketed = (trimmed.startsWith('{') && trimmed.endsWith('}')) || (trimmed.startsWith('[') && trimmed.endsWith(']'))
  return bracketed && (namesBinaryField(text) || mayHoldBase64(text))
}

/** Whether every line is JSON by itself, and some of them may have a field that holds binary data by its name. */
function isJsonLines(text: string): boolean {
  return (
    text.includes('\n') &&
    namesBinaryField(text) &&
    text.split('\n').every((line) => line.trim() === '' || parseJson(line) !== undefined)
  )
}

function mapLines(text: string, change: (line: string) => string): string {
  return text.split('\n').map(change).join('\n')
}
