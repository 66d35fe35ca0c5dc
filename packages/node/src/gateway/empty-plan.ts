import type { Plan } from './planner.ts'

/** A plan that changes nothing, and says nothing. */
export const emptyPlan: Plan = {
  splices: [],
  tokensBefore: null,
  tokensAfter: null,
  rules: [],
  prefixKept: null,
  findings: [],
  appliedEdits: null,
}
