import type { Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message } from './message.ts'

/** Proposes edits. Pure. `buildView` rejects edits that alter user text or split a call from its result, naming the policy. */
export interface Policy {
  readonly name: string
  /** Set if its edits shorten results, so that later policies refer to the original result. */
  readonly cuts?: true
  readonly plan: (messages: readonly Message[], facts: Facts) => readonly Edit[]
}

export const fitWindowName = 'fit-window'

/** Edits that a user asked for: `buildView` makes them for `facts.hides`, whatever the policies. */
export const hideItemName = 'hide-item'
