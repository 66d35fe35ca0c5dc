import type { Message, Part, ReplaceEdit, Tokenizer } from '@plimsoll/core'

/** What an edit of `context_management` works on. */
export interface Clearing {
  readonly messages: readonly Message[]
  /** All that the prompt takes, with what stands before the messages. */
  readonly inputTokens: number
  readonly tokenizer: Tokenizer
  readonly editOf: (message: Message, part: number, shown: Part) => ReplaceEdit
}
