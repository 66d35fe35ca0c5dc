import type { Failure } from '../failure/classify-failure.ts'
import type { ModelFacts } from './catalogue.ts'

/**
 * What is known of a model after a provider refused a request and named its limit: that is the window, whatever was believed before.
 * The very same facts where the refusal names none, names another kind of limit, or tells nothing new.
 */
export function withReportedLimit(facts: ModelFacts, failure: Failure): ModelFacts {
  const { kind, limit, requested } = failure
  // Limits per minute, of bytes and of the answer alone are of other kinds.
  if (kind !== 'overflow' && kind !== 'output_reservation') return facts
  if (limit === null || !Number.isSafeInteger(limit) || limit <= 0) return facts
  // Who refuses less than is allowed contradicts itself.
  if (requested !== null && requested <= limit) return facts
  if (limit === facts.window || limit === facts.inputLimit) return facts
  const { inputLimit, outputLimit } = facts
  return {
    ...facts,
    window: limit,
    inputLimit: inputLimit !== null && inputLimit < limit ? inputLimit : null,
    outputLimit: outputLimit !== null && outputLimit < limit ? outputLimit : null,
    source: 'reported',
  }
}
