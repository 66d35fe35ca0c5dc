import { withReportedLimit } from '@plimsoll/core'
import type { Failure } from '@plimsoll/core/wire'
import type { AskContext } from './ask-context.ts'
import type { BuiltRequest } from './build-request.ts'
import type { LearnedLimits } from './learned-limits.ts'

/**
 * What a refusal of a request that is too long teaches: the window that it names, and how the provider counts. Where it names none,
 * three quarters of what was sent are taken for the window.
 */
export function limitsFrom({ model }: AskContext, { request, window }: BuiltRequest, failure: Failure): Partial<LearnedLimits> {
  const { tokens, estimate } = request.report.load
  const named = namedWindow(model.facts.model, failure)
  if (named === null) {
    const guess = Math.floor(tokens * guessedShare)
    return guess < leastGuess || guess >= window ? {} : { window: guess, isGuessed: true, refused: null }
  }
  // Of a count that is not told it is known that it is more than the limit.
  const counted = failure.input ?? failure.requested ?? named + 1
  const input = Math.min(counted, estimate * mostFactor)
  const usage = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
  return { window: named, isGuessed: false, refused: { model: model.name, estimate, usage, last: request.last } }
}

const guessedShare = 0.75
/** No model in use has a smaller window; a request that small was refused for something else. */
const leastGuess = 4096
/** No tokenizer counts more than so many times the estimate. */
export const mostFactor = 4

/** The limit that a refusal names, whatever was believed before; null where it names none, or contradicts itself. */
function namedWindow(model: string, failure: Failure): number | null {
  const nothing = { model, window: null, inputLimit: null, outputLimit: null, hasPromptCache: null, source: null }
  // What one request may have in a minute is a window too, as far as this request goes.
  const kind = failure.kind === 'tpm_single_request' ? 'overflow' : failure.kind
  return withReportedLimit(nothing, { ...failure, kind }).window
}
