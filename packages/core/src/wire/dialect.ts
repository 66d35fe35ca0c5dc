import type { Message, Part, Role, ToolCallPart } from '../message.ts'
import type { Path } from './patch.ts'

/** What one dialect has to say for itself; `createCodec` makes a codec of it. */
export interface Dialect {
  readonly name: string
  readonly detect: (value: unknown) => boolean
  /** The roles its messages may have. */
  readonly roles: readonly string[]
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
  readonly createLinker?: () => (raw: RawMessage, index: number) => string | null
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
}

/** The field of a request that holds the system prompt. */
export interface SystemField {
  readonly field: string
  /** Reads its content, null where that is no prompt; paths are relative to the request. */
  readonly read: (content: unknown) => Piece | null
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
