import { rememberGrowth } from '../derive.ts'
import type { Message } from '../message.ts'

/** A user's message with everything up to the next one, as indexes into the conversation, both inclusive. */
export interface Round {
  readonly first: number
  readonly last: number
}

/**
 * The rounds of a conversation in order. Each opens at a message that a person wrote and holds any number of steps; what stands
 * before the first such message belongs to no round. A summary opens none, whatever its role.
 */
export function roundsOf(messages: readonly Message[]): readonly Round[] {
  return read(messages)
}

/** Whether a message opens a round: a person wrote it. */
export function opensRound(message: Message): boolean {
  return message.role === 'user' && message.summary !== true
}

const read = rememberGrowth({
  start: () => ({ starts: [] as number[] }),
  extend({ starts }, messages, from) {
    for (let index = from; index < messages.length; index += 1) if (opensRound(messages[index] as Message)) starts.push(index)
  },
  finish: ({ starts }, messages): readonly Round[] =>
    starts.map((first, index) => ({ first, last: (starts[index + 1] ?? messages.length) - 1 })),
})
