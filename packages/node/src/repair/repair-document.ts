import { isRecord, withEscapedControls } from '@plimsoll/core/text'
import { patchText } from '@plimsoll/core/wire'
import { closeJson, findJsonExcess } from '../files/json-excess.ts'
import { findJsonFault } from '../files/json-fault.ts'
import type { Fields } from '../logs/fields.ts'
import type { LogReader } from '../logs/log-reader.ts'
import { logReaders } from '../logs/read-log.ts'
import { collectRows, type LogNames } from './collect-rows.ts'
import { type TakenImage, takeLargeImages, withImagePatches } from './lift-images.ts'
import type { Repair } from './repair.ts'
import { repairLine, withoutLoneSurrogates } from './repair-line.ts'
import { repairValue, rowPatches, type ValueRepairs } from './repair-value.ts'
import { rowFormatOf } from './row-formats.ts'

interface RepairedDocument {
  readonly text: string
  readonly repairs: readonly Repair[]
  readonly images: readonly TakenImage[]
}

/** Deeper values could overflow the stack, and more values would not fit into memory. */
const limits = { depth: 1000, values: 5_000_000 }

/** A repair can reveal more problems, which the next pass repairs. */
const maxPasses = 6

/** Repairs a text that is one JSON value; null if nothing of it can be read. */
export function repairDocument(given: string, names: LogNames, imageFolder: string | null): RepairedDocument | null {
  const readable = readableText(given)
  if (readable === null) return null
  let { text } = readable
  const repairs: Repair[] = [...readable.repairs]
  const images: TakenImage[] = []
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const value: unknown = JSON.parse(text)
    const found = repairParsed(value, names)
    const taken = imageFolder === null ? [] : takeLargeImages(value as Fields, imageFolder)
    const patches = withImagePatches(found.patches, taken)
    if (patches.length === 0) break
    for (const repair of found.repairs) repairs.push(repair)
    for (const image of taken) {
      images.push(image)
      repairs.push({ kind: 'lifted-image', line: messageOf(image.patch.path), file: image.file })
    }
    text = patchText(text, patches)
  }
  return { text, repairs, images }
}

function repairParsed(value: unknown, names: LogNames): ValueRepairs {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const reader = readerOf(items)
  const format = reader === null ? null : rowFormatOf(reader.name)
  if (reader === null || format === null || format.form === 'in-place') return repairValue(value, names)
  // If items are dropped first, the rest is repaired in the next pass.
  const gone = items.flatMap((item, index) => (isRecord(item) ? [] : [index]))
  if (gone.length > 0) {
    return {
      patches: gone.map((index) => ({ op: 'remove', path: [index] }) as const),
      repairs: gone.map((index) => ({ kind: 'dropped-entry', line: index + 1 }) as const),
    }
  }
  const rows = collectRows(format, reader, names)
  items.forEach((item, index) => rows.add(item as Fields, JSON.stringify(item), index + 1))
  const collected = rows.finish()
  return { patches: rowPatches(format, collected, (row) => items[row] as Fields), repairs: collected.repairs }
}

function readerOf(items: readonly unknown[]): LogReader | null {
  const first = items.find(isRecord)
  // A list of messages is treated as one, regardless of other fields.
  if (first === undefined || (typeof first['role'] === 'string' && !Array.isArray(first['parts']))) return null
  for (const item of items.slice(0, 50)) {
    const reader = isRecord(item) ? logReaders.find(({ detect }) => detect(item)) : undefined
    if (reader !== undefined) return reader
  }
  return null
}

/** The text as JSON that can be parsed: without invalid characters, and closed where it is cut off or garbled. */
function readableText(given: string): { readonly text: string; readonly repairs: readonly Repair[] } | null {
  const { texts, kinds } = repairLine(given, { parse: (text) => (isParsed(text) ? {} : undefined), isEntry: () => false })
  const [text] = texts
  if (text !== undefined) return { text, repairs: kinds.map((kind) => ({ kind, line: 1 })) }
  const bare = withEscapedControls(given.replace(/^\ufeff/, '').replaceAll('\0', ''))
  const fault = findJsonFault(bare)
  if (fault === null) return null
  const closed = closeJson(bare.slice(0, offsetOf(bare, fault.line, fault.column)))
  if (closed === null || !isParsed(closed)) return null
  return { text: withoutLoneSurrogates(closed) ?? closed, repairs: [{ kind: 'closed-document', line: fault.line }] }
}

function isParsed(text: string): boolean {
  if (findJsonExcess(text, limits) !== null) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let count = 1; count < line; count += 1) start = text.indexOf('\n', start) + 1
  return start + column - 1
}

/** The position of the message that a path leads into, from 1. */
function messageOf(path: readonly (string | number)[]): number {
  const index = path.find((step) => typeof step === 'number')
  return typeof index === 'number' ? index + 1 : 1
}
