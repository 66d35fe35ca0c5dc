import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'

/** A conversation that took place, as the requests it was made of. */
export interface RecordedSession {
  /** The file it comes from and, where that holds several, its number. */
  readonly name: string
  /** The reader that read it. */
  readonly format: string
  /** The model that answered most. */
  readonly model: string | null
  readonly root?: string
  /** The conversation between compactions: each begins with what was left of the one before. */
  readonly segments: readonly (readonly Message[])[]
  readonly steps: readonly RecordedStep[]
  /** Whether the log says when things happened. */
  readonly hasTimes: boolean
}

/** One request that was sent, and the answer to it. */
export interface RecordedStep {
  /** The segment it belongs to, and how many of its messages were sent. */
  readonly segment: number
  readonly length: number
  /** The answer, which stands right behind them in the segment; its first message where the log has it in several. */
  readonly answer: Message
  /** When it was sent, in milliseconds; where the log has no times, all of them are sent at once. */
  readonly at: number
  /** Whether a person was waited for before it. */
  readonly afterPerson: boolean
  /** What the provider reported, where the log has it. */
  readonly usage: Usage | null
  /** Tokens of the answer: as reported where that can be, else counted. */
  readonly output: number
}
