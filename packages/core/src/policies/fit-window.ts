import { fitRequest } from '../fit/ladder.ts'
import { fitWindowName, type Policy } from '../policy.ts'

/**
 * The last resort that keeps a request within the window and the provider's other limits: does nothing while it fits, and then
 * shrinks it to four fifths, the past first and what the model still waits for last. What people and the system said stays as it
 * is, or is quoted in a summary; whatever goes can be asked back by a handle. `buildView` runs it last, on what would be sent.
 */
export const fitWindow: Policy = {
  name: fitWindowName,
  plan: (messages, facts) => fitRequest(messages, facts).draft.edits(),
}
