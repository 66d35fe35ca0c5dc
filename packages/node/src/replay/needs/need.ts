import type { Message } from '@plimsoll/core'
import type { RecordedSession } from '../record-session.ts'

/** What a string that an action uses is: classes N1 to N7. */
export type NeedClass = 'edit-anchor' | 'path' | 'symbol' | 'opaque-id' | 'error-line' | 'answer-fact' | 'user-rule'

/** A string that an action of the agent used and that it can only have from an earlier tool result or call. */
export interface Need {
  readonly class: NeedClass
  readonly text: string
  /** The step whose answer uses it. */
  readonly step: number
  /** Which edit of the step it is an anchor of, by the id of the call; null for other classes. */
  readonly edit: string | null
  /** The parts of the same segment, before the answer, whose originals contain it, newest first. */
  readonly suppliers: readonly Supplier[]
}

/** A part of the conversation that holds something needed later. */
export interface Supplier {
  readonly message: string
  readonly part: number
  /**
   * A call's arguments and what the model thought are its own words: as long as they are shown, what they hold was not needed from a
   * tool. What a person said is never needed from one, and has to stay.
   */
  readonly from: 'result' | 'call' | 'thought' | 'person'
}

/** Whether a supplier holds the model's own words, which a policy may hide all the same. */
export function isOwnWords({ from }: Pick<Supplier, 'from'>): boolean {
  return from === 'call' || from === 'thought'
}

/** In view; had back by a handle in view; found by a search with words in view; not to be had. */
export type NeedState = 'view' | 'handle' | 'query' | 'lost'

/** Finds everything that later actions needed from earlier tool output. The same for every policy, counted once. */
export type FindNeeds = (session: RecordedSession, options?: NeedOptions) => readonly Need[]

/** What is known besides the session itself. */
export interface NeedOptions {
  /** Strings that so many other sessions use that anybody could have guessed them. Default: none. */
  readonly common?: ReadonlySet<string>
}

/** What became of one need in one view. */
export interface NeedOutcome {
  readonly need: Need
  readonly state: NeedState
  /** The supplier that would have to be had back; null for what is in view. */
  readonly supplier: Supplier | null
  /** The text that recall would bring, or the whole result where it must be made again; empty for what is in view. */
  readonly recalled: string
  /** What was asked for before that and did not hold it: whoever asks for a piece cannot know that it is the wrong one. Default: nothing was. */
  readonly tried?: string
}

/** Says what became of the needs of one step, in a view of the messages that step was sent. Needs that a shown call or thought holds are left out. */
export type JudgeNeeds = (
  needs: readonly Need[],
  originals: readonly Message[],
  view: readonly Message[],
) => readonly NeedOutcome[]
