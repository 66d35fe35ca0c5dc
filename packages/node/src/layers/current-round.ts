import type { Message } from '@plimsoll/core'
import { roundsOf } from '@plimsoll/core/compaction'

/** A conversation as a request sees it: what is over, what is asked now, and what was done about it so far. */
export interface CurrentRound {
  /** The rounds before the current one, with summaries and whatever stands before the first round. */
  readonly history: readonly Message[]
  /** What the user wrote last; null in a conversation where nobody wrote anything yet. */
  readonly input: Message | null
  /** The steps of the running round, in full. */
  readonly scratchpad: readonly Message[]
}

/** Splits a conversation at the user's latest message. Every message is in exactly one place, and none is copied. */
export function currentRound(messages: readonly Message[]): CurrentRound {
  const first = roundsOf(messages).at(-1)?.first
  const input = first === undefined ? undefined : messages[first]
  if (first === undefined || input === undefined) return { history: messages, input: null, scratchpad: [] }
  return { history: messages.slice(0, first), input, scratchpad: messages.slice(first + 1) }
}
