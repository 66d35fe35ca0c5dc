import type { Message } from '../message.ts'

/** Whole rounds that may be folded into a summary, with what stays. */
export interface Segment {
  /** The messages to fold, in order: user, assistant and tool messages of whole rounds; never a summary or system message. */
  readonly messages: readonly Message[]
  /** What stays after them: the kept rounds. */
  readonly kept: readonly Message[]
  /** Summaries that were written before and stay as they are. */
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
