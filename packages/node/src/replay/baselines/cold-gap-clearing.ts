import { type Facts, type Message, type Policy, toolResults } from '@plimsoll/core'
import { usualTerms } from '@plimsoll/core/bill'
import { clearedBefore, clearResult } from './clear-result.ts'
import { maskedLine } from './mask-old-results.ts'

const name = 'cold-gap-clearing'
const keep = 10

/**
 * Masks all but the last ten results, but only after a pause in which the provider forgot the prompt: five minutes, unless its cache
 * lasts longer. What was masked stays masked.
 */
export const coldGapClearing: Policy = {
  name,
  plan(messages, facts) {
    const results = toolResults(messages, facts)
    const wasCleared = clearedBefore(name, facts)
    const old = isAfterGap(messages, facts) ? results.length - keep : 0
    return results.flatMap((result, index) => (index < old || wasCleared(result) ? [clearResult(name, result, maskedLine)] : []))
  },
}

/** The last answer is the last that is known of the request before. */
function isAfterGap(messages: readonly Message[], { now, firstSeen, cache = usualTerms }: Facts): boolean {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  const at = answer?.at ?? (answer === undefined ? undefined : firstSeen?.(answer.id))
  if (now === undefined || at === undefined || cache.lifetimeSeconds === null) return false
  return now - at > cache.lifetimeSeconds * 1000
}
