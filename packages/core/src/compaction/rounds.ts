import { perList } from '../derive.ts'
import type { Message } from '../message.ts'

/** Whole rounds that may be folded into a summary, with what stays. */
export interface Segment {
  /** The messages to fold, in order: user, assistant and tool messages of whole rounds; never a summary or system message. */
  readonly messages: readonly Message[]
  readonly kept: readonly Message[]
  readonly summaries: readonly Message[]
  /** How many whole rounds are folded, and how many are kept. */
  readonly rounds: { readonly folded: number; readonly kept: number }
}

/** Writes the text of a summary. Fails by throwing; the caller has an answer to that. */
export type SummaryWriter = (segment: Segment, options: SummaryOptions) => Promise<string>

/** What a writer is told besides the messages. */
export interface SummaryOptions {
  /** What the user wants the summary to pay attention to. */
  readonly focus?: string
  /** Tells how far the work is: characters written so far. */
  readonly progress?: (written: number) => void
  /** Ends the work. Structurally an `AbortSignal`. */
  readonly signal?: unknown
}

/** A user's message with everything up to the next one, as indexes into the conversation, both inclusive. */
export interface Round {
  readonly first: number
  readonly last: number
}

/** Whether a message opens a round: a person wrote it. */
export function opensRound(message: Message): boolean {
  return message.role === 'user' && message.summary !== true
}

/** The rounds in order, each from a message that a person wrote to the next. What comes before the first belongs to none. */
export const roundsOf = perList({
  start: () => ({ starts: [] as number[], length: 0 }),
  add(state, message: Message, index) {
    state.length = index + 1
    if (opensRound(message)) state.starts.push(index)
  },
  finish: ({ starts, length }): readonly Round[] =>
    starts.map((first, index) => ({ first, last: (starts[index + 1] ?? length) - 1 })),
})()
