import { applyEdits, type Edit } from '../edit.ts'
import { firstSight } from '../gateway/first-sight.ts'
import { isReplacement } from './targets.ts'
import type { Timing } from './timing.ts'

/**
 * Never changes what the provider has been shown, cached or not: what is in force stays, and only what is proposed for new messages is
 * added. Repairs of pairs take effect all the same, as the provider would refuse the request without them.
 */
export const unseenOnly: Timing = (input) => {
  const repairs = input.proposals.filter((edit) => !isReplacement(edit))
  const { apply, ...rest } = firstSight(input)
  if (repairs.length === 0) return { apply, ...rest }
  const left = new Set(applyEdits(input.messages, repairs).map(({ id }) => id))
  const stands = (edit: Edit) => edit.kind !== 'replace' || left.has(edit.message)
  return { ...rest, apply: [...repairs, ...apply.filter(stands)] }
}
