import { costOfTurn, normaliseUsage, type Price, type Usage, usageTotal } from '@plimsoll/core/bill'
import type { Entry, NewEntry } from '@plimsoll/core/session'
import type { ModelClient } from '../../model/model-client.ts'
import type { Payment } from '../../model/side-calls.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { Emit, SideCall } from '../../shared/event.ts'
import type { SessionCost } from '../agent.ts'

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

/** What such a call took. */
export interface SideUsage {
  readonly model: string
  readonly usage: Usage
  readonly what: SideCall
  /** Whether it was worked out here, because the answer broke off before anybody said it. */
  readonly isEstimated: boolean
  /** For a prompt that was kept alive: when, in milliseconds, and what that took in tokens of input at its full price. */
  readonly kept?: { readonly at: number; readonly spent: number }
}

/** The entry that keeps what a call beside the conversation took. */
export function sideUsageEntry({ model, usage, what, isEstimated, kept }: SideUsage): NewEntry {
  const more = { ...(isEstimated ? { isEstimated } : {}), ...(kept === undefined ? {} : { kept }) }
  return { type: 'note', code: sideUsageNote, data: { model, usage, what, ...more } }
}

/** What an entry says about such a call: its model, its tokens and what it was for; null for any other entry. A log may hold anything. */
export function sideUsageIn(
  entry: Entry | null,
): (Pick<SideUsage, 'model' | 'usage'> & { readonly isKeepAlive: boolean }) | null {
  if (entry?.type !== 'note' || entry.code !== sideUsageNote) return null
  const model = entry.data?.['model']
  const usage = normaliseUsage(entry.data?.['usage'])
  return typeof model === 'string' && usage !== null ? { model, usage, isKeepAlive: entry.data?.['what'] === 'keep-alive' } : null
}

const sideUsageNote = 'side-usage'

/** Who pays for what models are asked beside a conversation. */
export interface PayingOptions {
  readonly session: OpenSession
  readonly emit: Emit
  /** The price of any model; always the same function. */
  readonly priceOf: PriceOf
  /** Dollars that the session may cost. Default: any amount. */
  readonly mostDollars?: number | null | undefined
}

/**
 * How calls of a model beside the conversation are paid for: what each took is written into the session and told, and none is made
 * that could cost more than the session may, as far as its tokens are known beforehand.
 */
export function payingFor(what: SideCall, model: string, options: PayingOptions): Required<Payment> {
  const { session, emit, priceOf, mostDollars = null } = options
  return {
    async onUsage({ usage, isEstimated, durationMs }) {
      await session.append([sideUsageEntry({ model, usage, what, isEstimated })])
      const { dollars, unpriced } = costOfSession(session, priceOf)
      const cost = costOfTurn(usage, priceOf(model))
      emit({ type: 'usage', data: { what, usage, cost, total: { dollars, unpriced }, firstMs: null, durationMs } })
    },
    mayAsk({ input, output }) {
      if (mostDollars === null) return true
      const cost = costOfTurn({ input, cacheRead: 0, cacheWrite: 0, output }, priceOf(model))
      // What has no price cannot be held to a limit.
      return cost !== null && costOfSession(session, priceOf).dollars + cost.dollars <= mostDollars
    },
  }
}
