import { costOfTurn, type Price, type Usage, usageTotal } from '@plimsoll/core/bill'
import type { ModelClient } from '../model/model-client.ts'
import type { StoredSession } from '../session/session.ts'
import type { SessionCost } from './agent.ts'
import { sideUsageIn } from './side-usage.ts'

/** The price of a model as a session names it; null where nobody knows. */
export type PriceOf = (model: string) => Price | null

/**
 * What a session has cost so far, over all its branches: what was rewound was paid for too, and so was what models were asked beside
 * the conversation. Each entry is read once, so asking again costs next to nothing as long as the prices come from the same function.
 */
export function costOfSession(session: StoredSession, priceOf: PriceOf): SessionCost {
  const known = remembered.get(session)
  const sum = known?.priceOf === priceOf ? known : { priceOf, entries: 0, cost: nothing }
  const heads = session.heads()
  let { cost } = sum
  for (let index = sum.entries; index < heads.length; index += 1) {
    const head = heads[index]
    const call = head?.type === 'usage' || head?.type === 'note' ? callIn(head.id, session) : null
    if (call !== null) cost = withCall(cost, call, priceOf)
  }
  remembered.set(session, { priceOf, entries: heads.length, cost })
  return cost
}

/** The prices of a context; where it knows of no other, those of other models in the session are not known. */
export function pricesOf({ model, priceOf }: { readonly model: ModelClient; readonly priceOf?: PriceOf }): PriceOf {
  if (priceOf !== undefined) return priceOf
  let known = prices.get(model)
  if (known === undefined) {
    known = (name): Price | null => (name === model.name ? model.price : null)
    prices.set(model, known)
  }
  return known
}

// What a session has cost is remembered by the function that gives the prices.
const prices = new WeakMap<ModelClient, PriceOf>()

// Entries never change, and the list of them only grows.
const remembered = new WeakMap<
  StoredSession,
  { readonly priceOf: PriceOf; readonly entries: number; readonly cost: SessionCost }
>()

const nothing: SessionCost = {
  dollars: 0,
  unpriced: 0,
  requests: 0,
  usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  keepAlive: { times: 0, dollars: 0 },
}

/** What a model was paid for; null for the model where nobody wrote it down. */
interface PaidCall {
  readonly model: string | null
  readonly usage: Usage
  readonly isKeepAlive: boolean
}

function callIn(id: string, session: StoredSession): PaidCall | null {
  const entry = session.entry(id)
  if (entry?.type !== 'usage') return sideUsageIn(entry)
  const request = session.entry(entry.request)
  return { model: request?.type === 'request' ? request.model : null, usage: entry.usage, isKeepAlive: false }
}

function withCall(sum: SessionCost, { model, usage, isKeepAlive }: PaidCall, priceOf: PriceOf): SessionCost {
  // A provider that said nothing about usage is written down with zeros, and was hardly free.
  const cost = model !== null && usageTotal(usage) > 0 ? costOfTurn(usage, priceOf(model)) : null
  return {
    dollars: sum.dollars + (cost?.dollars ?? 0),
    unpriced: sum.unpriced + (cost === null ? 1 : 0),
    requests: sum.requests + 1,
    usage: added(sum.usage, usage),
    keepAlive: isKeepAlive
      ? { times: sum.keepAlive.times + 1, dollars: sum.keepAlive.dollars + (cost?.dollars ?? 0) }
      : sum.keepAlive,
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
