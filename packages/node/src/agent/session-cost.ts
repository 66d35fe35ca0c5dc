import { costOfTurn, type Price, type Usage, type UsageEntry, usageTotal } from '@plimsoll/core'
import type { StoredSession } from '../session/session.ts'
import type { SessionCost } from './agent.ts'

/** The price of a model as a session names it; null where nobody knows. */
export type PriceOf = (model: string) => Price | null

/**
 * What a session has cost so far, over all its branches: what was rewound was paid for too. Each entry is read once, so asking
 * again costs next to nothing as long as the prices come from the same function.
 */
export function costOfSession(session: StoredSession, priceOf: PriceOf): SessionCost {
  const known = remembered.get(session)
  const sum = known?.priceOf === priceOf ? known : { priceOf, entries: 0, cost: nothing }
  const heads = session.heads()
  let { cost } = sum
  for (let index = sum.entries; index < heads.length; index += 1) {
    const head = heads[index]
    const entry = head?.type === 'usage' ? session.entry(head.id) : null
    if (entry?.type === 'usage') cost = withRequest(cost, entry, session, priceOf)
  }
  remembered.set(session, { priceOf, entries: heads.length, cost })
  return cost
}

// Entries never change, and the list of them only grows.
const remembered = new WeakMap<
  StoredSession,
  { readonly priceOf: PriceOf; readonly entries: number; readonly cost: SessionCost }
>()

const nothing: SessionCost = { dollars: 0, unpriced: 0, requests: 0, usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } }

function withRequest(sum: SessionCost, { request, usage }: UsageEntry, session: StoredSession, priceOf: PriceOf): SessionCost {
  const entry = session.entry(request)
  const price = entry?.type === 'request' ? priceOf(entry.model) : null
  // A provider that said nothing about usage is written down with zeros, and was hardly free.
  const cost = usageTotal(usage) > 0 ? costOfTurn(usage, price) : null
  return {
    dollars: sum.dollars + (cost?.dollars ?? 0),
    unpriced: sum.unpriced + (cost === null ? 1 : 0),
    requests: sum.requests + 1,
    usage: added(sum.usage, usage),
  }
}

function added(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
  }
}
