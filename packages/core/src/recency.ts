import type { Facts } from './facts.ts'
import type { Message } from './message.ts'
import type { PlacedResult } from './tool-results.ts'

/** A result and its time: milliseconds, or null in a log where nothing has a time. */
export interface TimedResult {
  readonly result: PlacedResult
  readonly at: number | null
}

/**
 * Results newest first: by time, and by place where times are equal (later is newer). In a log that has times, a result without
 * one takes no part; in a log that has none, the place decides and the host's first sight gives the age.
 */
export function newestFirst(messages: readonly Message[], results: readonly PlacedResult[], facts: Facts): readonly TimedResult[] {
  const known = orders.get(results)
  if (known !== undefined && known.firstSeen === facts.firstSeen) return known.order
  const order = sortNewestFirst(messages, results, facts)
  orders.set(results, { firstSeen: facts.firstSeen, order })
  return order
}

// `toolResults` gives the same list for the same messages, so its order is worked out once for all policies.
const orders = new WeakMap<readonly PlacedResult[], { readonly firstSeen: Facts['firstSeen']; readonly order: readonly TimedResult[] }>()

function sortNewestFirst(messages: readonly Message[], results: readonly PlacedResult[], facts: Facts): readonly TimedResult[] {
  if (!messages.some((message) => message.at !== undefined)) {
    return results.map((result) => ({ result, at: facts.firstSeen?.(result.message.id) ?? null })).reverse()
  }
  const timed: { result: PlacedResult; at: number }[] = []
  let inOrder = true
  for (const result of results) {
    const at = result.message.at
    if (at === undefined) continue
    if (timed.length > 0 && (timed.at(-1) as TimedResult & { at: number }).at > at) inOrder = false
    timed.push({ result, at })
  }
  if (!inOrder) timed.sort((a, b) => a.at - b.at || a.result.index - b.result.index || a.result.partIndex - b.result.partIndex)
  return timed.reverse()
}
