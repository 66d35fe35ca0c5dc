import { perList } from '../derive.ts'
import { isRecord, type Message } from '../message.ts'
import { type Patch, type Path, patchValue } from '../text/patch.ts'
import type { Codec, Dialect, Piece, RawMessage, Reading, Request } from './dialect.ts'
import { messagesLayout, ReadError, requestOf } from './dialect.ts'
import { placesOf, vendorMessagePatches, viewPatches } from './view-patches.ts'

export interface VendorMessage {
  /** The position in the list; -1 for a system prompt outside of it. */
  readonly index: number
  /** One entry of the list, or several in a row; for a system prompt, the object that holds it. */
  readonly entries: readonly RawMessage[]
  readonly field?: string
  readonly pieces: readonly Piece[]
  readonly messages: readonly Message[]
}

/** Makes a codec from a dialect. A message is read once, unless it was changed in place. */
export function createCodec(dialect: Dialect): Codec {
  const layout = dialect.layout ?? messagesLayout
  const remembered = new WeakMap<object, RememberedMessage>()
  /** Messages that nobody changes in place, and that do not depend on later ones: only new ones are looked at. */
  const readFixed = perList({
    start: () => ({ ...emptyList(), link: dialect.createLinker?.(nothing) }),
    add(read, raw: RawMessage, index) {
      const entries = entriesAt([raw], 0, index)
      const links = read.link === undefined ? [] : [read.link(raw, index)]
      addTo(read, readEntries(entries, index, links, true))
    },
    finish: ({ vendorMessages, messages, holders }): ReadList => ({
      vendorMessages: vendorMessages.slice(),
      messages: messages.slice(),
      holders: holders.slice(),
    }),
  })()
  let prompt: (Omit<VendorMessage, 'entries'> & { readonly content: unknown; readonly likeness: Likeness }) | null = null

  return {
    name: dialect.name,
    detect: dialect.detect,
    read(value, { isFixed = false } = {}) {
      const request = requestOf(value, layout)
      const system = readSystem(request.body)
      const isAlone = dialect.joins === undefined && (dialect.createLinker === undefined || dialect.linksBack === true)
      const inList = isFixed && isAlone ? readFixed(request.list as readonly RawMessage[]) : readList(request, isFixed)
      return readingOf(dialect, layout.blocks, inList, system, request)
    },
  }

  function readList(request: Request, isFixed: boolean): ReadList {
    const read = emptyList()
    const link = dialect.createLinker?.(request)
    for (let index = 0; index < request.list.length; ) {
      const entries = entriesAt(request.list, index)
      const links = link === undefined ? [] : entries.map((raw, offset) => link(raw, index + offset))
      addTo(read, readEntries(entries, index, links, isFixed))
      index += entries.length
    }
    return read
  }

  function entriesAt(list: readonly unknown[], index: number, place = index): readonly RawMessage[] {
    const first = list[index]
    if (!isRecord(first)) throw new ReadError(`${layout.list}[${place}]`, layout.one, first)
    const entries = [first]
    if (dialect.joins?.(first) !== true) return entries
    for (let next = list[index + 1]; isRecord(next) && dialect.joins(next); next = list[index + entries.length])
      entries.push(next)
    return entries
  }

  function readEntries(
    entries: readonly RawMessage[],
    index: number,
    links: readonly (string | null)[],
    isFixed: boolean,
  ): VendorMessage {
    const first = entries[0] as RawMessage
    const known = remembered.get(first)
    const fresh = known !== undefined && isFresh(known, entries, links, isFixed)
    if (fresh && known.index === index) return known
    for (const [offset, raw] of entries.entries()) checkRole(raw, index + offset)
    // Moved within the list: new ids, but the same parts, so that facts derived from them stay valid.
    const pieces = fresh ? known.pieces : readPieces(entries, links)
    const messages = pieces.map((piece) => messageOf(piece, pieces.length === 1 ? String(index) : `${index}.${piece.first}`))
    const vendorMessage = { index, entries, pieces, messages, likenesses: entries.map(likenessOf), links }
    remembered.set(first, vendorMessage)
    return vendorMessage
  }

  function readPieces(entries: readonly RawMessage[], links: readonly (string | null)[]): readonly Piece[] {
    const pieces = entries.map((raw, entry) => dialect.read(raw, links[entry] ?? null))
    return entries.length === 1 ? (pieces[0] as readonly Piece[]) : [joined(pieces)]
  }

  function checkRole(raw: RawMessage, index: number): void {
    const { role } = raw
    if (dialect.accepts?.(raw) ?? (typeof role === 'string' && dialect.roles.includes(role))) return
    throw new ReadError(`${layout.list}[${index}].role`, `one of ${dialect.roles.join(', ')}`, role)
  }

  function readSystem(body: RawMessage | null): VendorMessage | null {
    if (dialect.system === null || body === null) return null
    const { field: name, alias } = dialect.system
    const field = alias !== undefined && body[name] === undefined ? alias : name
    const content = body[field]
    let known = prompt
    if (known === null || known.content !== content || known.field !== field || !isLike(content, known.likeness)) {
      const piece = dialect.system.read(content, field)
      if (piece === null) return null
      const likeness = likenessOf(content)
      known = { index: -1, field, pieces: [piece], messages: [messageOf(piece, 'system')], content, likeness }
      prompt = known
    }
    return { ...known, entries: [body] }
  }
}

interface ReadList {
  readonly vendorMessages: VendorMessage[]
  readonly messages: Message[]
  /** For each message. */
  readonly holders: VendorMessage[]
}

function emptyList(): ReadList {
  return { vendorMessages: [], messages: [], holders: [] }
}

function addTo({ vendorMessages, messages, holders }: ReadList, read: VendorMessage): void {
  vendorMessages.push(read)
  for (const message of read.messages) {
    messages.push(message)
    holders.push(read)
  }
}

const nothing: Request = { list: [], path: [], body: null }

interface RememberedMessage extends VendorMessage {
  readonly likenesses: readonly Likeness[]
  readonly links: readonly (string | null)[]
}

function isFresh(
  known: RememberedMessage,
  entries: readonly RawMessage[],
  links: readonly (string | null)[],
  isFixed: boolean,
): boolean {
  if (known.entries.length !== entries.length) return false
  for (let entry = 0; entry < entries.length; entry += 1) {
    if (known.entries[entry] !== entries[entry] || known.links[entry] !== links[entry]) return false
    if (!isFixed && !isLike(entries[entry], known.likenesses[entry] ?? null)) return false
  }
  return true
}

function joined(entries: readonly (readonly Piece[])[]): Piece {
  const pieces = entries.flat()
  const origins = entries.flatMap((each, entry) => each.flatMap((piece) => piece.origins.map((origin) => ({ ...origin, entry }))))
  const at = pieces.find((piece) => piece.at !== undefined)?.at
  const role = pieces[0]?.role ?? 'assistant'
  const parts = pieces.flatMap((piece) => piece.parts)
  return { role, parts, origins, first: 0, last: 0, ...(at === undefined ? {} : { at }) }
}

function messageOf({ role, parts, at }: Piece, id: string): Message {
  return { id, role, parts, ...(at === undefined ? {} : { at }) }
}

function readingOf(dialect: Dialect, blocks: string, inList: ReadList, system: VendorMessage | null, request: Request): Reading {
  const { vendorMessages, messages, holders } = inList
  if (system !== null) {
    vendorMessages.unshift(system)
    messages.unshift(...system.messages)
    holders.unshift(...system.messages.map(() => system))
  }
  const source = { dialect, vendorMessages, messages, root: request.path, blocks }
  let byId: ReadonlyMap<string, ReturnType<typeof placesOf>[number]> | undefined
  return {
    messages,
    holders,
    patchesIn: (holder, view) => vendorMessagePatches(source, holder as VendorMessage, view),
    patches(view) {
      if (view === messages) return []
      const patches = viewPatches(source, view)
      return request.isText === true ? textPatches(request, patches) : patches
    },
    locate(message, part) {
      byId ??= new Map(placesOf(vendorMessages).map((place, index) => [messages[index]?.id as string, place]))
      const found = byId.get(message)
      if (found === undefined) return { message, part }
      const { block = part, entry = 0 } = found.piece.origins[part] ?? {}
      const { index } = found.vendorMessage
      return { message: index < 0 ? message : String(index + entry), part: block }
    },
  }
}

function textPatches({ list, path }: Request, patches: readonly Patch[]): readonly Patch[] {
  const isInList = ({ path: place }: Patch) => path.every((step, index) => place[index] === step)
  const inList = patches.filter(isInList)
  if (inList.length === 0) return patches
  const changed = patchValue(
    list,
    inList.map((patch) => ({ ...patch, path: patch.path.slice(path.length) as Path })),
  ) as readonly RawMessage[]
  const [only] = changed
  const isText = changed.length === 1 && isRecord(only) && only['role'] === 'user' && typeof only['content'] === 'string'
  return [...patches.filter((patch) => !isInList(patch)), { op: 'set', path, value: isText ? only['content'] : changed }]
}

/** All names and values of a message; null if it is too large or too deep to be compared at every request. */
type Likeness = readonly unknown[] | null
const maxDepth = 12
const maxItems = 8000

export function likenessOf(value: unknown): Likeness {
  const seen: unknown[] = []
  return note(value, 0, seen) ? seen : null
}

export function isLike(value: unknown, likeness: Likeness): boolean {
  return likeness !== null && compare(value, likeness, 0) === likeness.length
}

function note(value: unknown, depth: number, seen: unknown[]): boolean {
  seen.push(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= maxDepth || seen.length > maxItems) return false
  if (Array.isArray(value)) {
    seen.push(value.length)
    return value.every((item) => note(item, depth + 1, seen))
  }
  for (const key in value) {
    seen.push(key)
    if (!note((value as RawMessage)[key], depth + 1, seen)) return false
  }
  seen.push(end)
  return true
}

function compare(value: unknown, seen: readonly unknown[], start: number): number {
  if (!Object.is(seen[start], value)) return -1
  let at = start + 1
  if (typeof value !== 'object' || value === null) return at
  if (Array.isArray(value)) {
    if (seen[at] !== value.length) return -1
    at += 1
    for (let index = 0; index < value.length && at >= 0; index += 1) at = compare(value[index], seen, at)
    return at
  }
  for (const key in value) {
    if (seen[at] !== key) return -1
    at = compare((value as RawMessage)[key], seen, at + 1)
    if (at < 0) return -1
  }
  return seen[at] === end ? at + 1 : -1
}

const end = Symbol('end')
