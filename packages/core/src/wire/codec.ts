import type { Message } from '../message.ts'
import { describeValue } from '../text/describe-value.ts'
import type { Patch } from '../text/patch.ts'

/**
 * One vendor's request format, as a lens: reads a parsed request (or a bare list of messages) into messages, and says which
 * places of the original differ in a view. What a view leaves alone keeps its very bytes.
 */
export interface Codec {
  readonly name: string
  /** Whether a parsed value has the marks of this dialect, for telling dialects apart. */
  readonly detect: (value: unknown) => boolean
  /** Throws `ReadError`, naming the place, when the value is not a conversation in this dialect. */
  readonly read: (value: unknown, options?: ReadOptions) => Reading
}

/** What a codec may rely on. */
export interface ReadOptions {
  /** Whether no value is ever changed in place, so that what was read before need not be looked over. Default: it may be. */
  readonly isFixed?: boolean
}

/** A request as messages, and the way back. */
export interface Reading {
  readonly messages: readonly Message[]
  /** The changes to the original value that turn it into this view of `messages`. No change, no patches. */
  readonly patches: (view: readonly Message[]) => readonly Patch[]
  /** Where a message and its part stand in the input, as a report names them: the index as a string, and the block's index. */
  readonly locate: (message: string, part: number) => { readonly message: string; readonly part: number }
}

/** A value that is not what a dialect expects. The message names the place, what was expected and what came. */
export class ReadError extends Error {
  override readonly name = 'ReadError'
  /** Such as `messages[3].role`. */
  readonly place: string

  constructor(place: string, expected: string, came: unknown) {
    super(`${place}: expected ${expected}, got ${describeValue(came)}`)
    this.place = place
  }
}
