import { isUtf8 } from 'node:buffer'
import { isShared } from '../relay/read-request-body.ts'
import { oldestOfLargest } from '../turns.ts'

/** A request's body as a parsed value, with the places of its fields and messages. */
export interface ReadBody {
  /** Replaced by a copy once the request is planned, if they are in memory that is used again. */
  bytes: Buffer
  /** As from `JSON.parse`. It shares objects with earlier bodies, so it must never be changed. */
  readonly value: Readonly<Record<string, unknown>>
  readonly fields: readonly BodyField[]
  readonly list: BodyList | null
  /** Whether a field occurs twice: readers do not agree on which one counts. */
  readonly hasTwins: boolean
}

/** A field of the body; its span is that of its value. */
export interface BodyField extends ByteSpan {
  readonly name: string
  readonly nameStart: number
  readonly value: unknown
}

export interface BodyList {
  readonly name: string
  readonly spans: readonly ByteSpan[]
  readonly values: readonly unknown[]
}

export type BodyReader = ReturnType<typeof createBodyReader>

interface BodyReaderOptions {
  /** Default: 64. */
  readonly maxBodies?: number
  /** Bytes of all of them together. Default: 64 MB. */
  readonly maxBytes?: number
  /** Bytes of one of them; a larger one is read in full each time. Default: 16 MB. */
  readonly maxBodyBytes?: number
  /** Messages of a body; one with more is not read. Default: 20,000. */
  readonly maxMessages?: number
}

/** Reads bodies, and parses only what earlier bodies did not have. */
export function createBodyReader({
  maxBodies = 64,
  maxBytes = 64_000_000,
  maxBodyBytes = 16_000_000,
  maxMessages = 20_000,
}: BodyReaderOptions = {}) {
  let kept: readonly KeptBody[] = []
  /** Memory of bodies that were continued: new memory for each request would keep the collector busy. Some of it may still be read. */
  const ours = new WeakSet<ArrayBufferLike>()
  let left: ArrayBufferLike[] = []
  let spare: ArrayBufferLike[] = []

  function ownBytes(given: Buffer): Buffer {
    const isLarge = given.byteLength >= roundTo && given.byteLength <= maxSpareBytes
    const size = isLarge ? Math.ceil(given.byteLength / roundTo) * roundTo : given.byteLength
    const memory = spare.find(({ byteLength }) => byteLength === size) ?? new ArrayBuffer(size)
    spare = spare.filter((each) => each !== memory)
    if (isLarge) ours.add(memory)
    const own = Buffer.from(memory, 0, given.byteLength)
    own.set(given)
    return own
  }

  function keep(body: ReadBody, owner: string, continued: ReadBody | null): void {
    if (continued !== null && ours.has(continued.bytes.buffer)) left = [continued.bytes.buffer, ...left].slice(0, maxSpare)
    const next = [{ owner, body }, ...kept.filter((each) => each.body !== continued)]
    // Whoever has most gives up its oldest: one owner with many conversations must not cost the others theirs.
    while (next.length > maxBodies)
      next.splice(
        oldestOfLargest(next, () => 1),
        1,
      )
    while (bytesOf(next) > maxBytes) next.splice(oldestOfLargest(next, sizeOf), 1)
    kept = next
  }

  return {
    /**
     * Reads a body whose messages are in the field `list`. Values that an earlier body of the same owner had in the same place, byte for
     * byte, are not parsed again and are the same objects. Null if it is not a JSON object or not UTF-8, or nested too deep. Throws
     * `TooManyError` if it has too many messages.
     */
    read(given: Uint8Array, list: string, owner: string): ReadBody | null {
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
      const own = kept.filter((each) => each.owner === owner).map(({ body }) => body)
      const near = own.find((body) => looksLike(bytes, body.bytes)) ?? null
      const earlier: EarlierBodies = {
        bodies: near === null ? own : [near],
        shared: near === null ? 0 : sameBytes(bytes, 0, near.bytes, 0),
      }
      try {
        const { body, continued } = readBytes(bytes, { name: list, max: maxMessages }, earlier)
        if (bytes.length > maxBodyBytes) return body
        // A small view would keep all of a large buffer in memory.
        if (!isShared(bytes) && bytes.buffer.byteLength > bytes.byteLength * 2) body.bytes = ownBytes(bytes)
        keep(body, owner, continued)
        return body
      } catch (error) {
        if (error instanceof NotJsonError || error instanceof SyntaxError) return null
        throw error
      }
    },
    /** Moves what is kept out of memory that others may use again. */
    settle(): void {
      for (const { body } of kept) if (isShared(body.bytes)) body.bytes = ownBytes(body.bytes)
    },
    /** Tells that no body is being read, so that memory can be used again. */
    rest(): void {
      spare = [...left, ...spare].slice(0, maxSpare)
      left = []
    },
    /** The bodies that are kept, and the memory of them and for the next ones. */
    kept() {
      const memory = kept.map(({ body: { bytes } }) => (ours.has(bytes.buffer) ? bytes.buffer.byteLength : bytes.byteLength))
      const waiting = [...left, ...spare].map(({ byteLength }) => byteLength)
      return { bodies: kept.length, bytes: [...memory, ...waiting].reduce((sum, each) => sum + each, 0) }
    },
  }
}

/** A longer body mostly fits into the memory of the one that it continues. */
const roundTo = 64 * 1024
const maxSpare = 4
const maxSpareBytes = 4 * 2 ** 20

interface KeptBody {
  readonly owner: string
  readonly body: ReadBody
}

interface EarlierBodies {
  /** Only the one that is continued, if it was found by a look at a few places. */
  readonly bodies: readonly ReadBody[]
  /** How many bytes are the same from the start, if there is one. */
  readonly shared: number
}

/** Whether a body has the same bytes as an earlier one in a few places; a wrong guess costs time and changes nothing. */
function looksLike(bytes: Buffer, earlier: Buffer): boolean {
  return [0.5, 0.75, 0.94].every((share) => {
    const at = Math.floor(earlier.length * share)
    for (let index = at; index < at + 24; index += 1) if (bytes[index] !== earlier[index]) return false
    return true
  })
}

const sizeOf = ({ body }: KeptBody) => body.bytes.length

const bytesOf = (bodies: readonly KeptBody[]) => bodies.reduce((sum, each) => sum + sizeOf(each), 0)

function readBytes(
  bytes: Buffer,
  wanted: WantedList,
  earlier: EarlierBodies,
): { readonly body: ReadBody; readonly continued: ReadBody | null } {
  if (!isUtf8(bytes.subarray(lastCharacter(bytes, earlier.shared)))) throw new NotJsonError('not UTF-8')
  const fields: BodyField[] = []
  const names = new Set<string>()
  let list: BodyList | null = null
  let continued: ReadBody | null = null
  let hasTwins = false
  let position = skipSpace(bytes, 0)
  if (bytes[position] !== openBrace) throw new NotJsonError('not an object')
  position = skipSpace(bytes, position + 1)
  while (bytes[position] !== closeBrace) {
    if (fields.length > 0) {
      if (bytes[position] !== comma) throw new NotJsonError(`expected a comma at ${position}`)
      position = skipSpace(bytes, position + 1)
    }
    const nameStart = position
    const nameEnd = skipString(bytes, position)
    const name = parse(bytes, { start: nameStart, end: nameEnd }) as string
    position = skipSpace(bytes, nameEnd)
    if (bytes[position] !== colon) throw new NotJsonError(`expected a colon at ${position}`)
    const start = skipSpace(bytes, position + 1)
    if (names.has(name)) hasTwins = true
    names.add(name)
    if (name === wanted.name) {
      const read = bytes[start] === openBracket ? readList(bytes, start, wanted, earlier) : null
      list = read?.list ?? null
      continued = read?.continued ?? null
      const span = read === null ? { start, end: skipValue(bytes, start) } : { start, end: read.end }
      fields.push({ name, nameStart, ...span, value: list?.values ?? parse(bytes, span) })
    } else fields.push({ name, nameStart, ...readField(bytes, start, name, earlier.bodies) })
    position = skipSpace(bytes, (fields.at(-1) as BodyField).end)
  }
  if (skipSpace(bytes, position + 1) !== bytes.length) throw new NotJsonError('unexpected text after the object')
  return { body: { bytes, value: objectOf(fields), fields, list, hasTwins }, continued }
}

/** The start of the last character of the first bytes: it may be another one than in the body that has the same bytes. */
function lastCharacter(bytes: Buffer, length: number): number {
  let start = Math.max(0, length - 1)
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}

const maxTried = 4

function readField(
  bytes: Buffer,
  start: number,
  name: string,
  earlier: readonly ReadBody[],
): Pick<BodyField, 'start' | 'end' | 'value'> {
  for (const body of earlier.slice(0, maxTried)) {
    const known = body.fields.find((field) => field.name === name)
    const end = known === undefined ? null : sameEnd(bytes, start, body.bytes, known)
    if (known !== undefined && end !== null) return { start, end, value: known.value }
  }
  const end = skipValue(bytes, start)
  return { start, end, value: parse(bytes, { start, end }) }
}

interface ReadList {
  readonly list: BodyList
  readonly end: number
  readonly continued: ReadBody | null
}

interface WantedList {
  readonly name: string
  readonly max: number
}

function readList(bytes: Buffer, opening: number, { name, max }: WantedList, { bodies, shared }: EarlierBodies): ReadList {
  let spans: ByteSpan[] = []
  let values: unknown[] = []
  let known: readonly KnownList[] = bodies.flatMap((body) => (body.list === null ? [] : [{ body, list: body.list, shared: 0 }]))
  let position = skipSpace(bytes, opening + 1)
  while (bytes[position] !== closeBracket) {
    if (spans.length > 0) {
      if (bytes[position] !== comma) throw new NotJsonError(`expected a comma at ${position}`)
      position = skipSpace(bytes, position + 1)
    }
    const index = spans.length
    if (index >= max) throw new TooManyError()
    const found = findKnown(bytes, position, index, known)
    // A conversation is known by its first message; after it, only bodies with the same start are looked at.
    if (index === 0) known = known.filter((each) => each.shared > 0)
    const begun = index === 0 ? longestStart(bytes, position, known, shared) : null
    if (begun !== null) {
      spans = begun.spans
      values = begun.values
      position = skipSpace(bytes, (spans.at(-1) as ByteSpan).end)
      continue
    }
    const span = { start: position, end: found?.end ?? skipValue(bytes, position) }
    spans.push(span)
    values.push(found === null ? parse(bytes, span) : found.value)
    position = skipSpace(bytes, span.end)
  }
  const nearest = known.reduce<KnownList | null>((best, each) => (best === null || each.shared > best.shared ? each : best), null)
  const isContinued = nearest !== null && nearest.shared * 2 >= nearest.list.spans.length
  return { list: { name, spans, values }, end: position + 1, continued: isContinued ? nearest.body : null }
}

interface KnownList {
  readonly body: ReadBody
  readonly list: BodyList
  shared: number
}

/** The messages that a list has in common with the one of an earlier body, without a byte that differs in between. Null if there is none. */
function longestStart(
  bytes: Buffer,
  start: number,
  known: readonly KnownList[],
  shared: number,
): { spans: ByteSpan[]; values: unknown[] } | null {
  let best: { readonly each: KnownList; readonly count: number } | null = null
  const alike = known.length < 2 ? known : known.filter((each) => startsAlike(bytes, start, each))
  for (const each of (alike.length === 0 ? known : alike).slice(0, maxTried)) {
    const { spans } = each.list
    const from = (spans[0] as ByteSpan).start
    const until = from === start && shared > start ? shared : from + sameBytes(bytes, start, each.body.bytes, from)
    // The byte after a message belongs to it: a number may continue.
    let count = spans.length
    while (count > 0 && (spans[count - 1] as ByteSpan).end >= until) count -= 1
    if (count > (best?.count ?? 0)) best = { each, count }
  }
  if (best === null) return null
  const { each, count } = best
  each.shared = count
  const spans = each.list.spans.slice(0, count)
  const moved = start - (spans[0] as ByteSpan).start
  return {
    spans: moved === 0 ? spans : spans.map((span) => ({ start: span.start + moved, end: span.end + moved })),
    values: each.list.values.slice(0, count),
  }
}

/** Many conversations have the same system prompt: whether the next messages are the same as well. */
function startsAlike(bytes: Buffer, start: number, { body, list: { spans } }: KnownList): boolean {
  const first = (spans[0] as ByteSpan).start
  const length = (spans[Math.min(spans.length, fewMessages) - 1] as ByteSpan).end - first
  return start + length <= bytes.length && bytes.compare(body.bytes, first, first + length, start, start + length) === 0
}

const fewMessages = 4

/** How many bytes are the same from these places on. */
function sameBytes(one: Buffer, oneStart: number, other: Buffer, otherStart: number): number {
  const max = Math.min(one.length - oneStart, other.length - otherStart)
  const isSame = (from: number, to: number) =>
    one.compare(other, otherStart + from, otherStart + to, oneStart + from, oneStart + to) === 0
  let same = 0
  for (let step = 65_536; step > 0; ) {
    const to = Math.min(max, same + step)
    if (to > same && isSame(same, to)) same = to
    else step = Math.floor(step / 2)
    if (same === max) break
  }
  return same
}

function findKnown(bytes: Buffer, start: number, index: number, known: readonly KnownList[]) {
  let found: { readonly end: number; readonly value: unknown } | null = null
  for (const each of known) {
    const span = each.list.spans[index]
    const end = span === undefined ? null : sameEnd(bytes, start, each.body.bytes, span)
    if (end === null) continue
    each.shared += 1
    found ??= { end, value: each.list.values[index] }
    // All that match are needed for the first message only.
    if (index > 0) break
  }
  return found
}

/** The end of a value that is the same as one of an earlier body, byte for byte, or null. */
function sameEnd(bytes: Buffer, start: number, earlier: Buffer, span: ByteSpan): number | null {
  const end = start + span.end - span.start
  if (end > bytes.length || bytes[start] !== earlier[span.start]) return null
  if (bytes.compare(earlier, span.start, span.end, start, end) !== 0) return null
  // A number may continue, unlike a list, an object or a string.
  const first = bytes[start] as number
  const isClosed = first === openBrace || first === openBracket || first === 0x22
  return isClosed || end === bytes.length || endsScalar(bytes[end] as number) ? end : null
}

function parse(bytes: Buffer, { start, end }: ByteSpan): unknown {
  return JSON.parse(bytes.toString('utf8', start, end)) as unknown
}

function objectOf(fields: readonly BodyField[]): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {}
  // Defined, not assigned: a field called `__proto__` must stay a field.
  for (const field of fields)
    Object.defineProperty(value, field.name, { value: field.value, writable: true, enumerable: true, configurable: true })
  return value
}

export interface ByteSpan {
  readonly start: number
  readonly end: number
}

class NotJsonError extends Error {
  override readonly name = 'NotJsonError'
}

export class TooManyError extends Error {
  override readonly name = 'TooManyError'
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let position = start
  for (;;) {
    const byte = bytes[position]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return position
    position += 1
  }
}

/** The position after the value that starts here. Only as strict as needed for a value that is JSON; its parser checks that. */
function skipValue(bytes: Uint8Array, start: number): number {
  const byte = bytes[start]
  if (byte === quote) return skipString(bytes, start)
  if (byte === openBracket || byte === openBrace) return skipContainer(bytes, start)
  let position = start
  while (position < bytes.length && !endsScalar(bytes[position] as number)) position += 1
  if (position === start) throw new NotJsonError(`unexpected byte or end at ${start}`)
  return position
}

function skipString(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== quote) throw new NotJsonError(`expected a string at ${start}`)
  for (let position = start + 1; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === quote) return position + 1
    if (byte === backslash) position += 1
  }
  throw new NotJsonError('a string without end')
}

function endsScalar(byte: number): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace || byte <= 0x20
}

/** Deeper than any request, and far from the limit of the stack. */
const maxDepth = 500

/** Counts instead of recursing: a value may be nested deeper than the stack. */
function skipContainer(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let position = start; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === quote) position = skipString(bytes, position) - 1
    else if (byte === openBracket || byte === openBrace) {
      depth += 1
      if (depth > maxDepth) throw new NotJsonError(`nested more than ${maxDepth} deep`)
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  throw new NotJsonError('a list or object without end')
}

const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const quote = 0x22
const backslash = 0x5c
