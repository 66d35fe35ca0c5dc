import { perList } from '../derive.ts'
import type { Message } from '../message.ts'

/** The rounds that a compaction replaces with a summary. */
export interface Segment {
  /** In order: user, assistant and tool messages of complete rounds; never a summary or system message. */
  readonly messages: readonly Message[]
  readonly kept: readonly Message[]
  readonly summaries: readonly Message[]
  readonly rounds: { readonly folded: number; readonly kept: number }
}

/** Writes the text of a summary. Throws on failure. */
export type SummaryWriter = (segment: Segment, options: SummaryOptions) => Promise<string>

/** Options for a `SummaryWriter`. */
export interface SummaryOptions {
  /** The user's request on what to focus on. */
  readonly focus?: string
  /** Reports the number of characters written so far. */
  readonly progress?: (written: number) => void
  /** Structurally an `AbortSignal`. */
  readonly signal?: unknown
}

/** A user message and everything up to the next one, as inclusive indexes. */
export interface Round {
  readonly first: number
  readonly last: number
}

export function opensRound(message: Message): boolean {
  return message.role === 'user' && message.summary !== true
}

/** The rounds in order. Messages before the first user message belong to none. */
export const roundsOf = perList({
  start: () => ({ starts: [] as number[], length: 0 }),
  add(state, message: Message, index) {
    state.length = index + 1
    if (opensRound(message)) state.starts.push(index)
  },
  finish: ({ starts, length }): readonly Round[] =>
    starts.map((first, index) => ({ first, last: (starts[index + 1] ?? length) - 1 })),
})()
