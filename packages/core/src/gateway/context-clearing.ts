import type { ReplaceEdit } from '../edit.ts'
import type { Message, Part } from '../message.ts'
import type { Tokenizer } from '../tokens.ts'

/** What an edit of `context_management` works on. */
export interface Clearing {
  readonly messages: readonly Message[]
  /** All that the prompt takes, with what stands before the messages. */
  readonly inputTokens: number
  readonly tokenizer: Tokenizer
  readonly editOf: (message: Message, part: number, shown: Part) => ReplaceEdit
}
