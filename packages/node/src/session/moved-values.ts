import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { type Entry, type MovedValue, type ReadLine, readLine, writeLine } from '@plimsoll/core/session'
import { type Blob, blobOf } from './blob-store.ts'
import type { StoredSession } from './session.ts'

/** Base64 from this many characters on is stored as bytes. */
const minLength = 4096

/** Images are not nested deeper, and the stack is not used further. */
const maxDepth = 500

/** Values below one of these are content; all others are names, which stay in the log. */
const contentKeys: ReadonlySet<string | number> = new Set(['parts', 'with', 'parameters', 'data'])

/** Moves base64, data URLs and bytes out of an entry. An entry without any is returned unchanged. */
export function moveOut(entry: Entry) {
  const moved: MovedValue[] = []
  const blobs: Blob[] = []
  const walk = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === 'string' || value instanceof Uint8Array) {
      const found = path.some((step) => contentKeys.has(step)) ? binaryOf(value) : null
      if (found === null) return value
      const blob = blobOf(found.bytes)
      blobs.push(blob)
      const { form, prefix } = found
      moved.push({ path, sha256: blob.sha256, bytes: blob.bytes.byteLength, form, ...(prefix === '' ? {} : { prefix }) })
      return ''
    }
    if (typeof value !== 'object' || value === null || path.length >= maxDepth) return value
    return mapped(value, (child, key) => walk(child, [...path, key]))
  }
  return { entry: walk(entry, []) as Entry, moved, blobs }
}

/** Puts a value back into its place in a freshly parsed entry. False if there is no such place. */
export function moveBack(entry: Entry, path: MovedValue['path'], value: unknown): boolean {
  let place: unknown = entry
  for (const step of path.slice(0, -1)) place = ownValue(place, step)
  const last = path.at(-1)
  if (last === undefined || ownValue(place, last) === undefined) return false
  Object.defineProperty(place, last, { value, writable: true, enumerable: true, configurable: true })
  return true
}

export function valueOf({ form, prefix = '' }: MovedValue, bytes: Buffer): string | Uint8Array {
  switch (form) {
    case 'base64':
    case 'base64url':
      return `${prefix}${bytes.toString(form)}`
    case 'text':
      return bytes.toString('utf8')
    case 'bytes':
      return new Uint8Array(bytes)
  }
}

function binaryOf(value: string | Uint8Array): { form: MovedValue['form']; prefix: string; bytes: Uint8Array } | null {
  if (typeof value !== 'string') return { form: 'bytes', prefix: '', bytes: value }
  if (value.length < minLength) return null
  const prefix = /^data:[^,]{0,200};base64,/i.exec(value)?.[0] ?? ''
  const encoded = prefix === '' ? value : value.slice(prefix.length)
  const form = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? 'base64' : /^[\w-]+={0,2}$/.test(encoded) ? 'base64url' : null
  if (form === null && prefix === '') return null
  if (form !== null) {
    const bytes = Buffer.from(encoded, form)
    if (bytes.toString(form) === encoded) return { form, prefix, bytes }
  }
  // Unusual base64 would come back differently, so the text itself is stored.
  return value.isWellFormed() ? { form: 'text', prefix: '', bytes: Buffer.from(value, 'utf8') } : null
}

function mapped(value: object, change: (child: unknown, key: string | number) => unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(change)
    return list.every((child, index) => child === value[index]) ? value : list
  }
  let isChanged = false
  const fields = Object.entries(value).map(([key, child]): [string, unknown] => {
    const next = change(child, key)
    isChanged ||= next !== child
    return [key, next]
  })
  return isChanged ? Object.fromEntries(fields) : value
}

function ownValue(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string | number, unknown>)[key]
}

/** Bytes have no form in JSON, so they are written as text. */
interface InlineBytes extends MovedValue {
  readonly data?: string
}

export function portableLine(entry: Entry): string {
  const { entry: left, moved, blobs } = moveOut(entry)
  if (!moved.some(({ form }) => form === 'bytes')) return writeLine(entry)
  const inline: InlineBytes[] = []
  for (const [index, value] of moved.entries()) {
    const bytes = Buffer.from(blobs[index]?.bytes ?? [])
    if (value.form === 'bytes') inline.push({ ...value, data: bytes.toString('base64') })
    else moveBack(left, value.path, valueOf(value, bytes))
  }
  return writeLine(left, inline)
}

/** Reads such a line. `beside` is an entry whose content is in another file. Never throws. */
export function readPortableLine(line: string): ReadLine | { readonly kind: 'beside' } {
  const read = readLine(line)
  if (read.kind !== 'entry') return read
  for (const value of read.moved as readonly InlineBytes[]) {
    if (typeof value.data !== 'string') return { kind: 'beside' }
    moveBack(read.entry, value.path, valueOf(value, Buffer.from(value.data, 'base64')))
  }
  const { entry } = read
  const isExtract = entry.type === 'message' && entry.message.parts.some((part) => part.type === 'tool-result' && part.blob)
  return isExtract ? { kind: 'beside' } : { kind: 'entry', entry, moved: [] }
}

/** An entry with complete results instead of extracts. Lost ones stay extracts, and are counted. */
export function fullEntry(entry: Entry, session: StoredSession): { readonly entry: Entry; readonly lost: number } {
  if (entry.type !== 'message') return { entry, lost: 0 }
  let lost = 0
  const whole = (part: ToolResultPart): ToolResultPart => {
    if (part.blob === undefined) return part
    const found = session.whole(part)
    if ('part' in found) return found.part
    lost += 1
    const { blob: _, ...extract } = part
    return extract
  }
  const message = withParts(entry.message, (part) => (part.type === 'tool-result' ? whole(part) : part))
  return { entry: message === entry.message ? entry : { ...entry, message }, lost }
}

/** A message with its parts changed; the same object if none did. */
export function withParts(message: Message, change: (part: Part) => Part): Message {
  const parts = message.parts.map(change)
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
}
