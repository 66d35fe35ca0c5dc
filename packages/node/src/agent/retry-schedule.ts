import type { ModelCallError } from '../model/model-client.ts'

/** What becomes of a request that failed for reasons that pass. */
export type NextTry =
  /** It is sent again after so many milliseconds. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** It is not; where the provider says when it may be, that is so many milliseconds away. */
  | { readonly kind: 'give-up'; readonly ms: number | null }

/**
 * When to ask again after the `failures`-th failure in a row: after 1, 2, 4, 8 and 16 seconds, a fifth more or less by chance, or when
 * the provider says. Who says more than a minute is not waited for, nor is a third answer that nobody understands: `alike` of the
 * latest failures are answers that could not be understood in the same way. `random` gives numbers from 0 to 1.
 */
export function nextTry(
  { isTransient, retryAfter }: Pick<ModelCallError, 'isTransient' | 'retryAfter'>,
  failures: number,
  random: () => number,
  alike = 0,
): NextTry {
  const asked = retryAfter !== null && Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : null
  const isOften = failures > mostRetries || alike >= mostAlike
  if (!isTransient || isOften || (asked ?? 0) > longestWait) return { kind: 'give-up', ms: asked }
  // Many clients were refused at the same moment; they should not all come back at the same moment.
  return { kind: 'wait', ms: asked ?? Math.round(1000 * 2 ** (failures - 1) * (0.8 + 0.4 * random())) }
}

/** How often a request is sent again. */
const mostRetries = 5
/** How many answers that cannot be understood are paid for. */
const mostAlike = 2
const longestWait = 60_000
