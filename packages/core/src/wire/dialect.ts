import type { Message, Part, ReasoningPart, Role, ToolCallPart, ToolResultPart } from '../message.ts'
import { isRecord } from '../message.ts'
import { describeValue } from '../text/json.ts'
import type { Patch, Path } from '../text/patch.ts'

/** A vendor's API format; `createCodec` makes a codec of it. */
export interface Dialect {
  readonly name: string
  readonly detect: (value: unknown) => boolean
  readonly roles: readonly string[]
  /** Whether a message may be in the list. Default: if it has one of the roles. */
  readonly accepts?: (raw: RawMessage) => boolean
  /** Default: a list `messages`, whose entries have their blocks under `content`. */
  readonly layout?: Layout
  /** Null if the system prompt is a message. */
  readonly system: SystemField | null
  readonly read: (raw: RawMessage, link: string | null) => readonly Piece[]
  /** Changes the vendor's value of a result, a call or reasoning. Default for reasoning: replaces its text. */
  readonly rewriteResult: (block: RawMessage, before: ToolResultPart, after: ToolResultPart) => unknown
  readonly rewriteCall: (block: RawMessage, after: ToolCallPart) => unknown
  readonly rewriteReasoning?: (block: RawMessage, before: ReasoningPart, after: ReasoningPart) => unknown
  /** Replaces the vendor's value with a part of another type. Content that is not a list must become one. */
  readonly replace: (value: unknown, before: Part, after: Part) => unknown
  readonly write: (message: Message, findCall: FindCall) => readonly unknown[]
  readonly sharing: Sharing | null
  /** If the meaning of a message depends on earlier ones. Called for every message in order. */
  readonly createLinker?: (request: Request) => (raw: RawMessage, index: number) => string | null
  /** Whether its linker looks at nothing but the messages before. Default: no. */
  readonly linksBack?: boolean
  /** Whether an entry is one piece of what the model did. Neighbouring pieces form one message. */
  readonly joins?: (raw: RawMessage) => boolean
}

export type RawMessage = Readonly<Record<string, unknown>>
export type FindCall = (callId: string | null) => ToolCallPart | undefined

/** A message without an id: a vendor's message, or a run of its blocks. */
export interface Piece {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly origins: readonly Origin[]
  readonly first: number
  readonly last: number
  readonly at?: number
}

/** Where a part comes from: its number in reports, and the path of its value inside the vendor's message. */
export interface Origin {
  readonly block: number
  readonly path: Path
  readonly entry?: number
}

interface SystemField {
  readonly field: string
  readonly alias?: string
  readonly read: (content: unknown, field: string) => Piece | null
}

export interface Sharing {
  readonly takesResults: (raw: RawMessage) => boolean
  readonly takesText: boolean
  readonly blocks: (message: Message, findCall: FindCall) => readonly unknown[]
  readonly around: (blocks: readonly unknown[]) => unknown
}

/** Reads a vendor's requests as messages and writes views back as patches. Unchanged content keeps its bytes. */
export interface Codec {
  readonly name: string
  readonly detect: (value: unknown) => boolean
  /** Throws `ReadError` if the value has another format. `isFixed`: values are never changed in place. Default: they may be. */
  readonly read: (value: unknown, options?: { readonly isFixed?: boolean }) => Reading
}

/** A request as messages, and the way back. */
export interface Reading {
  readonly messages: readonly Message[]
  /** The entries of the input that hold each message: the same object for as long as they stay the same, in the same place. Default: unknown. */
  readonly holders?: readonly Holder[]
  /** The changes inside one of the holders, if it is to show these messages instead of its own, one for one. Default: unknown. */
  readonly patchesIn?: (holder: Holder, view: readonly Message[]) => readonly Patch[]
  /** The changes that turn the original value into this view of `messages`; empty if it is unchanged. */
  readonly patches: (view: readonly Message[]) => readonly Patch[]
  /** Where a message and its part are in the input, as a report names them: the index as a string, and the block's index. */
  readonly locate: (message: string, part: number) => { readonly message: string; readonly part: number }
}

export interface Holder {
  /** Where the first entry is in the list; -1 for a system prompt outside of it. */
  readonly index: number
  readonly entries: readonly RawMessage[]
}

/** Input of the wrong shape. The message names the place, what was expected and what was found. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly place: string

  constructor(place: string, expected: string, came: unknown) {
    super(`${place}: expected ${expected}, got ${describeValue(came)}`)
    this.place = place
  }
}

export interface Request {
  readonly list: readonly unknown[]
  readonly path: Path
  readonly body: RawMessage | null
  /** Set if the request has a single text instead of the list. */
  readonly isText?: true
}

export interface Layout {
  readonly list: string
  readonly blocks: string
  readonly many: string
  readonly one: string
  readonly find: (value: unknown) => Request | null
}

export const messagesLayout: Layout = {
  list: 'messages',
  blocks: 'content',
  many: 'messages',
  one: 'a message object',
  find: findRequest,
}

export function requestOf(value: unknown, { list, many, find }: Layout): Request {
  const request = find(value)
  if (request !== null) return request
  if (isRecord(value)) throw new ReadError(list, `a list of ${many}`, value[list])
  throw new ReadError('conversation', `a list of ${many} or an object with "${list}"`, value)
}

export function findRequest(value: unknown): Request | null {
  return findList(value, 'messages')
}

export function findList(value: unknown, field: string): Request | null {
  if (Array.isArray(value)) return { list: value as readonly unknown[], path: [], body: null }
  if (!isRecord(value) || !Array.isArray(value[field])) return null
  return { list: value[field] as readonly unknown[], path: [field], body: value }
}
