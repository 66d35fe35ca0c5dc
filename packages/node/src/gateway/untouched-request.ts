import type { DecidedRequest } from './decided-request.ts'

/** The same request as it is when its original bytes went out after all. */
export function untouched(decided: DecidedRequest): DecidedRequest {
  const { plan, understood } = decided
  return {
    ...decided,
    view: understood.messages,
    newEdits: [],
    edits: [],
    estimate: plan.tokensBefore ?? decided.estimate,
    plan: {
      ...plan,
      splices: [],
      tokensAfter: plan.tokensBefore,
      rules: [],
      appliedEdits: null,
      findings: [...plan.findings.filter(({ code }) => code !== 'too-late'), { code: 'too-late', count: 1 }],
    },
  }
}
