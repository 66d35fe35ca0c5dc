import { isRecord, withEscapedControls } from '@plimsoll/core/text'
import { patchText } from '@plimsoll/core/wire'
import { closeJson, findJsonExcess } from '../files/json-excess.ts'
import { findJsonFault } from '../files/json-fault.ts'
import type { Fields, LogReader } from '../logs/log-reader.ts'
import { logReaders } from '../logs/log-readers.ts'
import type { Mend } from '../shared/mend.ts'
import { collectRows, type LogNames } from './collect-rows.ts'
import { type TakenImage, takeLargeImages, withImagePatches } from './lift-images.ts'
import { mendLine, withoutLoneSurrogates } from './mend-line.ts'
import { mendValue, rowPatches, type ValueMends } from './mend-value.ts'
import { rowFormatOf } from './row-formats.ts'

/** What a JSON document became. */
export interface RepairedDocument {
  readonly text: string
  readonly mends: readonly Mend[]
  readonly images: readonly TakenImage[]
}

/** No conversation nests like this, and what does could not be walked safely; more values would not fit into memory. */
const limits = { depth: 1000, values: 5_000_000 }

/** Each pass mends what the one before has laid open; a few are enough for anything. */
const mostPasses = 6

/** Mends a text that is one JSON value; null where nothing can be read of it. */
export function repairDocument(given: string, names: LogNames, imageFolder: string | null): RepairedDocument | null {
  const readable = readableText(given)
  if (readable === null) return null
  let { text } = readable
  const mends: Mend[] = [...readable.mends]
  const images: TakenImage[] = []
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const value: unknown = JSON.parse(text)
    const found = mendParsed(value, names)
    const taken =
      imageFolder === null || !(isRecord(value) || Array.isArray(value)) ? [] : takeLargeImages(value as Fields, imageFolder)
    const patches = withImagePatches(found.patches, taken)
    if (patches.length === 0) break
    for (const mend of found.mends) mends.push(mend)
    for (const image of taken) {
      images.push(image)
      mends.push({ kind: 'lifted-image', line: messageOf(image.patch.path), file: image.file })
    }
    text = patchText(text, patches)
  }
  return { text, mends, images }
}

/** A list of some agent's entries, or anything that holds whole conversations. */
function mendParsed(value: unknown, names: LogNames): ValueMends {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const reader = readerOf(items)
  const format = reader === null ? null : rowFormatOf(reader.name)
  if (reader === null || format === null || format.form === 'in-place') return mendValue(value, names)
  const rows = collectRows(format, reader, names)
  const kept = items.flatMap((item, index) => (isRecord(item) ? [index] : []))
  for (const index of kept) rows.add(items[index] as Fields, JSON.stringify(items[index]), index + 1)
  const collected = rows.finish()
  const patches = rowPatches(format, collected, (row) => items[kept[row] ?? 0] as Fields)
  // Where an item is left out first, the rest is mended in the next pass.
  if (kept.length < items.length) {
    const gone = items.flatMap((item, index) => (isRecord(item) ? [] : [index]))
    return {
      patches: gone.map((index) => ({ op: 'remove', path: [index] }) as const),
      mends: gone.map((index) => ({ kind: 'dropped-entry', line: index + 1 }) as const),
    }
  }
  return { patches, mends: collected.mends }
}

function readerOf(items: readonly unknown[]): LogReader | null {
  const first = items.find(isRecord)
  // Whatever else a list of messages carries, it is one.
  if (first === undefined || (typeof first['role'] === 'string' && !Array.isArray(first['parts']))) return null
  for (const item of items.slice(0, 50)) {
    const reader = isRecord(item) ? logReaders.find(({ detect }) => detect(item)) : undefined
    if (reader !== undefined) return reader
  }
  return null
}

/** The text as JSON that can be parsed: without what never belongs there, and closed where it breaks off or is garbled. */
function readableText(given: string): { readonly text: string; readonly mends: readonly Mend[] } | null {
  const { texts, kinds } = mendLine(given, { parse: (text) => (isParsed(text) ? {} : undefined), isEntry: () => false })
  const [whole] = texts
  if (whole !== undefined) return { text: whole, mends: kinds.map((kind) => ({ kind, line: 1 })) }
  const bare = withEscapedControls(given.replace(/^\ufeff/, '').replaceAll('\0', ''))
  const fault = findJsonFault(bare)
  if (fault === null) return null
  const closed = closeJson(bare.slice(0, offsetOf(bare, fault.line, fault.column)))
  if (closed === null || !isParsed(closed)) return null
  return { text: withoutLoneSurrogates(closed) ?? closed, mends: [{ kind: 'closed-document', line: fault.line }] }
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

/** The position of the message that a place lies in, from 1. */
function messageOf(path: readonly (string | number)[]): number {
  const index = path.find((step) => typeof step === 'number')
  return typeof index === 'number' ? index + 1 : 1
}
