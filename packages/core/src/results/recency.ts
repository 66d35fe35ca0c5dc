import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import type { PlacedResult } from './tool-results.ts'

/**
 * Results newest first: by time, and by place where times are equal (later is newer). In a log that has times, a result without
 * one takes no part; in a log that has none, the place decides.
 */
export function newestFirst(messages: readonly Message[], results: readonly PlacedResult[]): readonly PlacedResult[] {
  const known = orders.get(results)
  if (known !== undefined) return known
  const order = sortNewestFirst(messages, results)
  orders.set(results, order)
  return order
}

/** Says when a result was given: its own time, or the host's first sight of it in a log without times; null when nobody knows. */
export function createClock(messages: readonly Message[], facts: Facts): (result: PlacedResult) => number | null {
  const { firstSeen } = facts
  const asks = firstSeen !== undefined && !hasTimes(messages)
  return (result) => result.message.at ?? (asks ? (firstSeen(result.message.id) ?? null) : null)
}

// `toolResults` gives the same list for the same messages, so its order is worked out once for all policies.
const orders = new WeakMap<readonly PlacedResult[], readonly PlacedResult[]>()

function hasTimes(messages: readonly Message[]): boolean {
  return messages.some((message) => message.at !== undefined)
}

function sortNewestFirst(messages: readonly Message[], results: readonly PlacedResult[]): readonly PlacedResult[] {
  if (!hasTimes(messages)) return results.toReversed()
  const timed: PlacedResult[] = []
  let latest = Number.NEGATIVE_INFINITY
  let inOrder = true
  for (const result of results) {
    const at = result.message.at
    if (at === undefined) continue
    if (at < latest) inOrder = false
    else latest = at
    timed.push(result)
  }
  // The sort keeps the order of the log where times are equal.
  if (!inOrder) timed.sort((a, b) => (a.message.at as number) - (b.message.at as number))
  return timed.reverse()
}
