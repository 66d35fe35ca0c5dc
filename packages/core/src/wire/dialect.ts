import type { Message, Part, Role, ToolCallPart } from '../message.ts'
import type { Path } from '../text/patch.ts'
import type { Layout, Request } from './request.ts'

/** What one dialect has to say for itself; `createCodec` makes a codec of it. */
export interface Dialect {
  readonly name: string
  readonly detect: (value: unknown) => boolean
  /** The roles its messages may have. */
  readonly roles: readonly string[]
  /** What an entry of the list may be. Default: anything with one of the roles. */
  readonly accepts?: (raw: RawMessage) => boolean
  /** How its requests are laid out. Default: a list `messages`, whose entries have their blocks under `content`. */
  readonly layout?: Layout
  /** Where a request holds the system prompt, in dialects where it is not a message. */
  readonly system: SystemField | null
  /** Reads one message. `link` is what `createLinker` said about it. */
  readonly read: (raw: RawMessage, link: string | null) => readonly Piece[]
  /** The vendor's value of a part once another part stands in its place. */
  readonly rewrite: (value: unknown, before: Part, after: Part) => unknown
  /** A message the request does not have yet, as the dialect writes it. */
  readonly write: (message: Message, findCall: FindCall) => readonly unknown[]
  /** How results share a message, in dialects where they do. */
  readonly sharing: Sharing | null
  /** For dialects where what one message means depends on those before it. Asked about every message in order. */
  readonly createLinker?: (request: Request) => (raw: RawMessage, index: number) => string | null
  /** For dialects that list what the model did piece by piece: whether an entry is one of them. Neighbours make up one message. */
  readonly joins?: (raw: RawMessage) => boolean
}

/** A vendor's message, of which only its being an object is known. */
export type RawMessage = Readonly<Record<string, unknown>>

/** The call of an id, if the conversation has it. */
export type FindCall = (callId: string | null) => ToolCallPart | undefined

/** A message as read, before it has an id: all of a vendor's message, or a run of its blocks. */
export interface Piece {
  readonly role: Role
  readonly parts: readonly Part[]
  /** Where each part stands. */
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
  /** Which of the entries that make up the message it stands in. Default: the first. */
  readonly entry?: number
}

/** The field of a request that holds the system prompt. */
export interface SystemField {
  readonly field: string
  /** Another spelling of its name. Default: none. */
  readonly alias?: string
  /** Reads its content, null where that is no prompt; paths begin with the name given. */
  readonly read: (content: unknown, field: string) => Piece | null
}

/** How a dialect puts several results into one message. */
export interface Sharing {
  /** Whether results may be added to the blocks of this message. */
  readonly takesResults: (raw: RawMessage) => boolean
  /** Whether other text may stand between the results of such a message. */
  readonly takesText: boolean
  /** A message as blocks of such a message. */
  readonly blocks: (message: Message, findCall: FindCall) => readonly unknown[]
  /** A new message of nothing but these results. */
  readonly around: (blocks: readonly unknown[]) => unknown
}
