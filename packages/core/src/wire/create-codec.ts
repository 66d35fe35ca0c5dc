import { isRecord, type Message } from '../message.ts'
import { type Codec, ReadError, type Reading } from './codec.ts'
import type { Dialect, Piece, RawMessage } from './dialect.ts'
import { isLike, type Likeness, likenessOf } from './likeness.ts'
import { requestOf } from './request.ts'
import { viewPatches } from './view-patches.ts'

/** One vendor's message with what was read from it. */
export interface VendorMessage {
  /** The position in the list; -1 for a system prompt outside of it. */
  readonly index: number
  readonly raw: RawMessage
  readonly pieces: readonly Piece[]
  /** The pieces with their ids. */
  readonly messages: readonly Message[]
}

/** Makes a codec of a dialect. A message that was read before is not read again, unless it was changed in place. */
export function createCodec(dialect: Dialect): Codec {
  const remembered = new WeakMap<object, RememberedMessage>()
  let rememberedSystem: {
    readonly content: unknown
    readonly likeness: Likeness
    readonly pieces: readonly Piece[]
    readonly messages: readonly Message[]
  } | null = null

  return {
    name: dialect.name,
    detect: dialect.detect,
    read(value) {
      const request = requestOf(value)
      const vendorMessages: VendorMessage[] = []
      const first = readSystem(request.body)
      if (first !== null) vendorMessages.push(first)
      const link = dialect.createLinker?.()
      for (let index = 0; index < request.list.length; index += 1) {
        const raw = request.list[index]
        if (!isRecord(raw)) throw new ReadError(`messages[${index}]`, 'a message object', raw)
        vendorMessages.push(readVendorMessage(raw, index, link?.(raw, index) ?? null))
      }
      return readingOf(dialect, vendorMessages, request.path)
    },
  }

  function readVendorMessage(raw: RawMessage, index: number, link: string | null): VendorMessage {
    const known = remembered.get(raw)
    const fresh = known !== undefined && known.link === link && isLike(raw, known.likeness)
    if (fresh && known.index === index) return known
    if (typeof raw['role'] !== 'string' || !dialect.roles.includes(raw['role'])) {
      throw new ReadError(`messages[${index}].role`, `one of ${dialect.roles.join(', ')}`, raw['role'])
    }
    // Moved within the list: other ids, but the same parts, so that what is known about them stays known.
    const pieces = fresh ? known.pieces : dialect.read(raw, link)
    const messages = pieces.map((piece) => messageOf(piece, pieces.length === 1 ? String(index) : `${index}.${piece.first}`))
    const vendorMessage: RememberedMessage = { index, raw, pieces, messages, likeness: likenessOf(raw), link }
    remembered.set(raw, vendorMessage)
    return vendorMessage
  }

  function readSystem(body: RawMessage | null): VendorMessage | null {
    if (dialect.system === null || body === null) return null
    const content = body[dialect.system.field]
    if (rememberedSystem === null || rememberedSystem.content !== content || !isLike(content, rememberedSystem.likeness)) {
      const piece = dialect.system.read(content)
      if (piece === null) return null
      rememberedSystem = { content, likeness: likenessOf(content), pieces: [piece], messages: [messageOf(piece, 'system')] }
    }
    return { index: -1, raw: body, pieces: rememberedSystem.pieces, messages: rememberedSystem.messages }
  }
}

interface RememberedMessage extends VendorMessage {
  readonly likeness: Likeness
  readonly link: string | null
}

function messageOf(piece: Piece, id: string): Message {
  return { id, role: piece.role, parts: piece.parts, ...(piece.at === undefined ? {} : { at: piece.at }) }
}

function readingOf(dialect: Dialect, vendorMessages: readonly VendorMessage[], root: readonly (string | number)[]): Reading {
  const messages: Message[] = []
  for (const vendorMessage of vendorMessages) for (const message of vendorMessage.messages) messages.push(message)
  let byId: Map<string, { readonly vendorMessage: VendorMessage; readonly piece: Piece }> | undefined
  return {
    messages,
    patches: (view) => (view === messages ? [] : viewPatches({ dialect, vendorMessages, messages, root }, view)),
    locate(message, part) {
      byId ??= new Map(
        vendorMessages.flatMap((vendorMessage) =>
          vendorMessage.messages.map(
            ({ id }, index) => [id, { vendorMessage, piece: vendorMessage.pieces[index] as Piece }] as const,
          ),
        ),
      )
      const found = byId.get(message)
      if (found === undefined) return { message, part }
      return {
        message: found.vendorMessage.index < 0 ? message : String(found.vendorMessage.index),
        part: found.piece.origins[part]?.block ?? part,
      }
    },
  }
}
