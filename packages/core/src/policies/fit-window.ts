import { fitRequest } from '../fit/ladder.ts'
import { fitWindowName, type Policy } from '../policy.ts'

/**
 * Keeps a request within the window and the provider's other limits. Does nothing while it fits; otherwise shrinks it to four fifths, the past first
 * and what the model still waits for last. User and system text stays, or is quoted in a summary; everything removed can be recalled by a handle.
 * `buildView` runs it last, on what would be sent.
 */
export const fitWindow: Policy = {
  name: fitWindowName,
  plan: (messages, facts) => fitRequest(messages, facts).draft.edits(),
}
