import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { type Entry, type MovedValue, type ReadLine, readLine, writeLine } from '@plimsoll/core/session'
import { type Blob, blobOf } from './blob-store.ts'
import type { StoredSession } from './session.ts'

/** Base64 from this many characters on is kept as the bytes it stands for. */
const leastLength = 4096

/** Nobody hides a picture deeper, and no stack has to hold more. */
const mostDepth = 500

/** What stands below one of these is content; all else is names, which the log itself has to hold. */
const contentKeys: ReadonlySet<string | number> = new Set(['parts', 'with', 'parameters', 'data'])

/** Moves base64, data URLs and bytes out of an entry. An entry that has none comes back as it is. */
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
    if (typeof value !== 'object' || value === null || path.length >= mostDepth) return value
    return mapped(value, (child, key) => walk(child, [...path, key]))
  }
  return { entry: walk(entry, []) as Entry, moved, blobs }
}

/** Puts a value back where it stood in a freshly parsed entry. False when there is no such place. */
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
  if (value.length < leastLength) return null
  const prefix = /^data:[^,]{0,200};base64,/i.exec(value)?.[0] ?? ''
  const encoded = prefix === '' ? value : value.slice(prefix.length)
  const form = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? 'base64' : /^[\w-]+={0,2}$/.test(encoded) ? 'base64url' : null
  if (form === null && prefix === '') return null
  if (form !== null) {
    const bytes = Buffer.from(encoded, form)
    if (bytes.toString(form) === encoded) return { form, prefix, bytes }
  }
  // An encoder's quirks would be lost on the way back, so the text itself is kept.
  return value.isWellFormed() ? { form: 'text', prefix: '', bytes: Buffer.from(value, 'utf8') } : null
}

/** The same value with its children replaced; the very same one when none changed. */
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

/** A value that only bytes can be, and those bytes as text: the one thing that has no place in JSON. */
interface InlineBytes extends MovedValue {
  readonly data?: string
}

/** An entry as a line that needs no file beside it, without its end. */
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

/** Reads such a line. `beside` stands for an entry whose content lies in a file beside the log it comes from. Never throws. */
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

/** An entry with the complete results in place of extracts. What is lost stays an extract, and is counted. */
export function wholeEntry(entry: Entry, session: StoredSession): { readonly entry: Entry; readonly lost: number } {
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

/** A message with its parts changed; the very same one where none is. */
export function withParts(message: Message, change: (part: Part) => Part): Message {
  const parts = message.parts.map(change)
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
}
