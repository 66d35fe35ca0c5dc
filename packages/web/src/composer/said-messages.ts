import type { ChatMessage } from '@plimsoll/core'
import { isSaid, saidText } from '@plimsoll/core'

/** Something the user said, by the id of its message. */
export interface SaidMessage {
  readonly id: string
  readonly text: string
  readonly number: number
}

/** What the user said in some messages, newest first. Summaries, which stand there as if the user had said them, are none. */
export function saidMessages(messages: readonly ChatMessage[]): readonly SaidMessage[] {
  return messages
    .filter(({ message }) => isSaid(message))
    .map(({ message, number }) => ({ id: message.id, text: saidText(message), number }))
    .toReversed()
}
