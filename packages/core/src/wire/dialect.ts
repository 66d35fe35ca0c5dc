import {
  isRecord,
  type Message,
  type Part,
  type ReasoningPart,
  type Role,
  type ToolCallPart,
  type ToolResultPart,
} from '../message.ts'
import { describeValue } from '../text/json.ts'
import type { Patch, Path } from '../text/patch.ts'

/** How one vendor writes requests; `createCodec` makes a codec of it. */
export interface Dialect {
  readonly name: string
  readonly detect: (value: unknown) => boolean
  readonly roles: readonly string[]
  /** Whether a message may be in the list. Default: if it has one of the roles. */
  readonly accepts?: (raw: RawMessage) => boolean
  /** How its requests are laid out. Default: a list `messages`, whose entries have their blocks under `content`. */
  readonly layout?: Layout
  /** Null in dialects where the system prompt is a message. */
  readonly system: SystemField | null
  /** Reads one message. `link` is what `createLinker` said about it. */
  readonly read: (raw: RawMessage, link: string | null) => readonly Piece[]
  /** The vendor's value of a result, a call or a thought once another one takes its place. Default for thoughts: another text. */
  readonly rewriteResult: (block: RawMessage, before: ToolResultPart, after: ToolResultPart) => unknown
  readonly rewriteCall: (block: RawMessage, after: ToolCallPart) => unknown
  readonly rewriteReasoning?: (block: RawMessage, before: ReasoningPart, after: ReasoningPart) => unknown
  /** The vendor's value of a part once one of another type takes its place. Content that was no list of blocks has to become one. */
  readonly replace: (value: unknown, before: Part, after: Part) => unknown
  /** Writes a message the request does not have yet. */
  readonly write: (message: Message, findCall: FindCall) => readonly unknown[]
  readonly sharing: Sharing | null
  /** For dialects where the meaning of a message depends on those before it. Asked about every message in order. */
  readonly createLinker?: (request: Request) => (raw: RawMessage, index: number) => string | null
  /** For dialects that list what the model did piece by piece: whether an entry is such a piece. Neighbours make up one message. */
  readonly joins?: (raw: RawMessage) => boolean
}

/** A vendor's message, known only to be an object. */
export type RawMessage = Readonly<Record<string, unknown>>

export type FindCall = (callId: string | null) => ToolCallPart | undefined

/** A message as read, before it has an id: all of a vendor's message, or a run of its blocks. */
export interface Piece {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly origins: readonly Origin[]
  /** The first and last block it covers. */
  readonly first: number
  readonly last: number
  readonly at?: number
}

/** Where a part comes from: the number a report gives it, and the path of its value inside the vendor's message. */
export interface Origin {
  readonly block: number
  readonly path: Path
  /** Which of the entries that make up the message it is in. Default: the first. */
  readonly entry?: number
}

interface SystemField {
  readonly field: string
  readonly alias?: string
  /** Reads its content, null if that is not a prompt; paths begin with the name given. */
  readonly read: (content: unknown, field: string) => Piece | null
}

/** How a dialect puts several results into one message. */
export interface Sharing {
  /** Whether results may be added to the blocks of this message. */
  readonly takesResults: (raw: RawMessage) => boolean
  /** Whether other text may be between the results of such a message. */
  readonly takesText: boolean
  readonly blocks: (message: Message, findCall: FindCall) => readonly unknown[]
  /** A new message of nothing but these results. */
  readonly around: (blocks: readonly unknown[]) => unknown
}

/** Reads a vendor's requests as messages and says which places differ in a view. What a view leaves alone keeps its very bytes. */
export interface Codec {
  readonly name: string
  /** Whether a parsed value has the marks of this dialect, for telling dialects apart. */
  readonly detect: (value: unknown) => boolean
  /** Throws `ReadError` if the value is not of this dialect. `isFixed`: no value is ever changed in place. Default: it may be. */
  readonly read: (value: unknown, options?: { readonly isFixed?: boolean }) => Reading
}

export interface Reading {
  readonly messages: readonly Message[]
  /** The changes to the original value that turn it into this view of `messages`. No change, no patches. */
  readonly patches: (view: readonly Message[]) => readonly Patch[]
  /** Where a message and its part are in the input, as a report names them: the index as a string, and the block's index. */
  readonly locate: (message: string, part: number) => { readonly message: string; readonly part: number }
}

/** A value that is not what a dialect expects. The message names the place, what was expected and what came. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  readonly place: string

  constructor(place: string, expected: string, came: unknown) {
    super(`${place}: expected ${expected}, got ${describeValue(came)}`)
    this.place = place
  }
}

/** The messages of a request, or of a log that holds them the same way. */
export interface Request {
  readonly list: readonly unknown[]
  readonly path: Path
  readonly body: RawMessage | null
  /** Set if the request holds one text, which the list stands for. */
  readonly isText?: true
}

export interface Layout {
  /** The field that holds the list of messages. */
  readonly list: string
  /** The field of a message that holds its blocks. */
  readonly blocks: string
  /** The entries of the list as an error names them, many of them and one. */
  readonly many: string
  readonly one: string
  readonly find: (value: unknown) => Request | null
}

/** The layout most dialects share: the value itself is the list, or its field `messages`. */
export const messagesLayout: Layout = {
  list: 'messages',
  blocks: 'content',
  many: 'messages',
  one: 'a message object',
  find: findRequest,
}

/** Finds the messages of a request. Throws `ReadError` if there are none. */
export function requestOf(value: unknown, { list, many, find }: Layout): Request {
  const request = find(value)
  if (request !== null) return request
  if (isRecord(value)) throw new ReadError(list, `a list of ${many}`, value[list])
  throw new ReadError('conversation', `a list of ${many} or an object with "${list}"`, value)
}

export function findRequest(value: unknown): Request | null {
  return findList(value, 'messages')
}

/** Finds a list: the value itself, or a field of it. */
export function findList(value: unknown, field: string): Request | null {
  if (Array.isArray(value)) return { list: value as readonly unknown[], path: [], body: null }
  if (!isRecord(value) || !Array.isArray(value[field])) return null
  return { list: value[field] as readonly unknown[], path: [field], body: value }
}
