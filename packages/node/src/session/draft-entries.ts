import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { checkEntry, type Entry, extractOf, type NewEntry, writeLine } from '@plimsoll/core/session'
import { modelStringsIn, type StringsName } from '@plimsoll/core/text'
import { type Blob, blobOf } from './blob-store.ts'
import { moveOut, withParts } from './moved-values.ts'
import { type Redact, redactEntry } from './redact-entry.ts'
import { SessionError } from './session-error.ts'

export interface EntryDraft {
  readonly entry: Entry
  readonly line: string
  readonly blobs: readonly Blob[]
}

export interface DraftPlace {
  readonly leaf: string
  readonly at: number
  readonly count: number
  readonly has: (id: string) => boolean
  readonly redact?: Redact | undefined
  /** Language of the text inserted for the model. Default: the specification's. */
  readonly strings?: StringsName | undefined
}

/** Gives new entries their places, checks them and moves large and binary content out. Throws for one that cannot be stored. */
export function draftEntries(entries: readonly NewEntry[], place: DraftPlace): readonly EntryDraft[] {
  if (!Array.isArray(entries)) throw bad('expected a list of entries')
  const drafts: EntryDraft[] = []
  const ids = new Set<string>()
  const has = (id: string) => ids.has(id) || place.has(id)
  let leaf = place.leaf
  for (const given of entries as readonly NewEntry[]) {
    const entry = placed(given, { ...place, leaf, has, count: place.count + drafts.length })
    drafts.push(draftOf(entry, place.redact, place.strings))
    ids.add(entry.id)
    leaf = entry.id
  }
  return drafts
}

function placed(given: NewEntry, { leaf, at, has, count }: DraftPlace): Entry {
  if (typeof given !== 'object' || given === null) throw bad('expected an object')
  const { type, parentId = leaf, ...rest } = given
  if ((type as string) === 'header') throw bad('a log has one header')
  if ('bytes' in rest || 'blobs' in rest || 'sum' in rest) throw bad('bytes, sum and blobs are names of the log itself')
  const id = given.type === 'message' ? messageId(given.message, has) : freeId(count, has)
  const { entry, wrong, newer } = checkEntry({ ...rest, type, id, parentId, at })
  if (entry === undefined) throw bad(`${type}: ${wrong ?? newer}`)
  if (!has(parentId)) throw new SessionError({ kind: 'no-entry', id: parentId })
  return entry
}

function messageId(message: Message | null | undefined, has: (id: string) => boolean): string {
  const id: unknown = message?.id
  if (typeof id !== 'string' || id === '') throw bad('a message without an id')
  if (has(id)) throw bad(`message ${JSON.stringify(id)} is in the session already`)
  return id
}

function freeId(count: number, has: (id: string) => boolean): string {
  for (let number = count; ; number += 1) if (!has(`e${number}`)) return `e${number}`
}

/** An entry that has its place, ready to be written. Throws if it cannot be stored. */
export function draftOf(given: Entry, redact?: Redact, strings?: StringsName): EntryDraft {
  try {
    const { fault, hasNegativeZero } = unstorable(given)
    if (fault !== null) throw bad(`${given.type}: ${fault}`)
    const exact = hasNegativeZero ? withNegativeZeros : (value: unknown) => value
    const extracts: Blob[] = []
    const take = (part: ToolResultPart) => extracted(part, extractOf(part, modelStringsIn(strings)), extracts, exact)
    const entry = withExtracts(redact === undefined ? given : redactEntry(given, redact), take)
    const { entry: left, moved, blobs } = moveOut(entry)
    return { entry, line: writeLine(exact(left) as Entry, moved), blobs: [...extracts, ...blobs] }
  } catch (error) {
    if (error instanceof SessionError) throw error
    // A getter that fails, or a text longer than a string can be.
    throw bad(`it cannot be written as JSON (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`)
  }
}

function withExtracts(entry: Entry, take: (part: ToolResultPart) => Part): Entry {
  if (entry.type !== 'message') return entry
  const message = withParts(entry.message, (part) => (part.type === 'tool-result' ? take(part) : part))
  return message === entry.message ? entry : { ...entry, message }
}

function extracted(
  part: ToolResultPart,
  extract: ReturnType<typeof extractOf>,
  blobs: Blob[],
  exact: (value: unknown) => unknown,
): Part {
  if (extract === null) return part
  const { content } = part
  const whole = content.type === 'json' ? JSON.stringify(exact(content.value)) : extract.whole
  const blob = blobOf(Buffer.from(whole, 'utf8'))
  blobs.push(blob)
  const { form, handle } = extract
  return { ...extract.part, blob: { sha256: blob.sha256, bytes: blob.bytes.byteLength, handle, form } }
}

function bad(reason: string): SessionError {
  return new SessionError({ kind: 'bad-entry', reason })
}

/** More levels than in any file from which messages are read. */
const maxLevels = 1200
const maxLevelsOfBytes = 400
/** A value that is shared many times at every level grows without end when it is written. */
const maxValues = 20_000_000

/**
 * Looks for what JSON would silently change or cannot write: NaN and infinity, values that are neither data nor bytes, and endless
 * nesting. A field that is undefined counts as absent. JSON omits the sign of a negative zero unless asked.
 */
function unstorable(entry: object): { readonly fault: string | null; readonly hasNegativeZero: boolean } {
  let hasNegativeZero = false
  let count = 0
  const waiting: Place[] = [{ value: entry, key: '', level: 0, inside: null }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, level } = place
    count += 1
    const fault = count > maxValues ? 'more values than can be counted' : faultOf(value, level, place.inside)
    if (fault !== null) return { fault: `${nameOf(place)} is ${fault}`, hasNegativeZero }
    hasNegativeZero ||= Object.is(value, -0)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue
    const push = (key: string | number, child: unknown) => waiting.push({ value: child, key, level: level + 1, inside: place })
    if (Array.isArray(value)) for (let key = value.length - 1; key >= 0; key -= 1) push(key, value[key])
    else for (const [key, child] of Object.entries(value)) push(key, child)
  }
  return { fault: null, hasNegativeZero }
}

/** The same value in a form in which JSON writes the sign of zero. */
function withNegativeZeros(value: unknown): unknown {
  if (Object.is(value, -0)) return (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON('-0')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withNegativeZeros)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withNegativeZeros(child)]))
}

interface Place {
  readonly value: unknown
  readonly key: string | number
  readonly level: number
  readonly inside: Place | null
}

function faultOf(value: unknown, level: number, inside: Place | null): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'undefined':
      return Array.isArray(inside?.value) ? 'undefined' : null
    case 'number':
      return Number.isFinite(value) ? null : `${value}, which JSON has no number for`
    case 'object':
      return value === null ? null : faultOfObject(value, level)
    case 'bigint':
    case 'function':
    case 'symbol':
      return `a ${typeof value}`
  }
}

function faultOfObject(value: object, level: number): string | null {
  if (level > maxLevels) return `nested more than ${maxLevels} levels deep, or in a circle`
  if (value instanceof Uint8Array) return level > maxLevelsOfBytes ? `bytes more than ${maxLevelsOfBytes} levels deep` : null
  if (Array.isArray(value)) return null
  const prototype: unknown = Object.getPrototypeOf(value)
  // In any realm, the prototype of a plain object has no prototype.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return `not a plain object (${Object.prototype.toString.call(value).slice(8, -1).slice(0, 40)})`
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function' ? 'an object with its own toJSON' : null
}

function nameOf(place: Place): string {
  const keys: (string | number)[] = []
  for (let at: Place | null = place; at?.inside != null; at = at.inside) keys.push(at.key)
  const shown = keys
    .reverse()
    .slice(0, 8)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key.slice(0, 40)}`))
  return `${shown.join('').replace(/^\./, '')}${keys.length > 8 ? '…' : ''}`
}
