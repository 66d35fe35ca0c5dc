import type { Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message } from './message.ts'

/**
 * Proposes what may be shown differently. Pure: the same messages and facts give the same edits, nothing is changed, and an edit
 * that alters user text or splits a call from its result is refused by `buildView` with the policy's name.
 */
export interface Policy {
  readonly name: string
  /** Set if its edits leave out part of what results say, so that what later policies name is the result before it. */
  readonly cuts?: true
  readonly plan: (messages: readonly Message[], facts: Facts) => readonly Edit[]
}

/** The name of the policy, which edits carry and `buildView` asks for. */
export const fitWindowName = 'fit-window'
