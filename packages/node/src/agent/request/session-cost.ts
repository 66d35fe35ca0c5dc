import { costOfTurn, normaliseUsage, type Price, type Usage, usageTotal } from '@plimsoll/core/bill'
import type { Entry, NewEntry } from '@plimsoll/core/session'
import type { ModelClient } from '../../model/model-client.ts'
import type { Payment } from '../../model/side-calls.ts'
import type { StoredSession } from '../../session/session.ts'
import type { SideCall } from '../../shared/event.ts'
import type { AgentOptions, SessionCost } from '../agent.ts'

/** Null if unknown. */
export type PriceOf = (model: string) => Price | null

/** The cost over all branches, with calls outside the conversation. Reads each entry only once for the same `priceOf`. */
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

/** The prices of a context. Default: only the price of its model is known. */
export function pricesOf({ model, priceOf }: { readonly model: ModelClient; readonly priceOf?: PriceOf }): PriceOf {
  if (priceOf !== undefined) return priceOf
  const known = prices.get(model) ?? ((name) => (name === model.name ? model.price : null))
  prices.set(model, known)
  return known
}

// The cost is cached by the function that gives the prices.
const prices = new WeakMap<ModelClient, PriceOf>()

// Entries never change, and their list only grows.
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

function callIn(id: string, session: StoredSession) {
  const entry = session.entry(id)
  if (entry?.type !== 'usage') return sideUsageIn(entry)
  const request = session.entry(entry.request)
  return { model: request?.type === 'request' ? request.model : null, usage: entry.usage, isKeepAlive: false }
}

type PaidCall = NonNullable<ReturnType<typeof callIn>>

function withCall(sum: SessionCost, { model, usage, isKeepAlive }: PaidCall, priceOf: PriceOf): SessionCost {
  // Missing usage is stored as zeros, and was hardly free.
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

export interface SideUsage {
  readonly model: string
  readonly usage: Usage
  readonly what: SideCall
  /** Whether the provider reported none, because the answer was cut off. */
  readonly isEstimated: boolean
  /** For a prompt that was kept alive: when, in milliseconds, and its cost in tokens of input at full price. */
  readonly kept?: { readonly at: number; readonly spent: number }
}

export function sideUsageEntry({ model, usage, what, isEstimated, kept }: SideUsage): NewEntry {
  const more = { ...(isEstimated ? { isEstimated } : {}), ...(kept === undefined ? {} : { kept }) }
  return { type: 'note', code: sideUsageNote, data: { model, usage, what, ...more } }
}

/** Reads such an entry; null for any other. A log may hold anything. */
export function sideUsageIn(
  entry: Entry | null,
): (Pick<SideUsage, 'model' | 'usage'> & { readonly isKeepAlive: boolean }) | null {
  if (entry?.type !== 'note' || entry.code !== sideUsageNote) return null
  const model = entry.data?.['model']
  const usage = normaliseUsage(entry.data?.['usage'])
  return typeof model === 'string' && usage !== null ? { model, usage, isKeepAlive: entry.data?.['what'] === 'keep-alive' } : null
}

const sideUsageNote = 'side-usage'

export interface PayingOptions extends Pick<AgentOptions, 'session' | 'emit' | 'priceOf'> {
  /** Dollars. Default: no limit. */
  readonly maxDollars?: number | null | undefined
}

/** Stores and reports the usage of calls outside the conversation, and rejects those that could exceed the limit. */
export function payingFor(what: SideCall, model: string, options: PayingOptions): Required<Payment> {
  const { session, emit, priceOf, maxDollars = null } = options
  return {
    async onUsage({ usage, isEstimated, durationMs }) {
      await session.append([sideUsageEntry({ model, usage, what, isEstimated })])
      const { dollars, unpriced } = costOfSession(session, priceOf)
      const cost = costOfTurn(usage, priceOf(model))
      emit({ type: 'usage', data: { what, usage, cost, total: { dollars, unpriced }, firstMs: null, durationMs } })
    },
    mayAsk({ input, output }) {
      if (maxDollars === null) return true
      const cost = costOfTurn({ input, cacheRead: 0, cacheWrite: 0, output }, priceOf(model))
      // Calls without a price cannot be limited.
      return cost !== null && costOfSession(session, priceOf).dollars + cost.dollars <= maxDollars
    },
  }
}
