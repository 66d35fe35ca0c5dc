import { promptTotal } from '@plimsoll/core/bill'
import type { GatewayConversation, GatewayRequest } from '../../store/gateway-record.ts'

export interface SavingsConversation
  extends Pick<GatewayConversation, 'isHeldOut' | 'requests' | 'dollars' | 'untrimmedDollars' | 'unpriced'> {
  /** How often its prompts were sent again so that they stay cached, which is not in `requests`, and for how much. Default: never. */
  readonly keptAlive?: { readonly times: number; readonly dollars: number }
  /** Tokens of its prompts as the client sent them, of all requests with a price. Default: unknown. */
  readonly inputTokens?: number
  /** The tokens of its requests without a price. Default: unknown. */
  readonly unpricedTokens?: SavingsTokens
  /** By how many dollars `untrimmedDollars` may be off, because the provider never counted such content. Default: by little. */
  readonly untrimmedDoubt?: number
  /** Dollars for definitions of tools that it never called, by name. Default: unknown. */
  readonly unusedTools?: ReadonlyMap<string, number>
}

export interface SavingsTokens {
  readonly requests: number
  /** As the provider counted, else as estimated. */
  readonly sent: number
  /** The part of `sent` that the provider read from its cache, and the rest. */
  readonly cached: number
  readonly uncached: number
  /** The same prompts untrimmed, and the difference. */
  readonly untrimmed: number
  readonly removed: number
  /** Requests for which the provider reported nothing. */
  readonly estimated: number
}

export type Savings = ReturnType<typeof summariseSavings>

/** How far the estimate of the untrimmed cost may be off if all content is known, as a part of it. */
const usualDoubt = 0.03

/** Conversations that each side needs for a comparison. */
export const minHeldOut = 20

/** The result of trimming in dollars, and in tokens for requests without a price, with a comparison of untouched conversations. */
export function summariseSavings(conversations: Iterable<SavingsConversation>) {
  const all = Array.from(conversations)
  const paid = sum(all, ({ dollars }) => dollars)
  const untrimmed = sum(all, ({ untrimmedDollars }) => untrimmedDollars)
  const net = untrimmed - paid
  const untrimmedDoubt = sum(all, (conversation) => conversation.untrimmedDoubt ?? 0)
  return {
    conversations: all.length,
    requests: sum(all, ({ requests }) => requests),
    /** Requests without a price, which are not in the dollars. */
    unpriced: sum(all, ({ unpriced }) => unpriced),
    paid,
    /** The cost of the same requests untrimmed, by the cache model. */
    untrimmed,
    /** By how many dollars `untrimmed` may be off: providers never counted such content as was removed. */
    untrimmedDoubt,
    /** Whether that is more than the usual error of such an estimate. */
    isDoubtful: untrimmedDoubt > untrimmed * usualDoubt,
    /** Part of `paid`: prompts that were sent again so that they stay cached. */
    keptAlive: {
      times: sum(all, ({ keptAlive }) => keptAlive?.times ?? 0),
      dollars: sum(all, ({ keptAlive }) => keptAlive?.dollars ?? 0),
    },
    /** Part of `paid`: definitions of tools that their conversation never called. Null if no tools are known. */
    unusedTools: unusedToolsOf(all),
    net,
    // Sums of many small amounts are off by their last digits.
    isLoss: net < -1e-9 * Math.max(1, untrimmed),
    /** `net` as a part of `untrimmed`. */
    share: untrimmed > 0 ? net / untrimmed : null,
    /** Null if there are none, or they were not counted. */
    unpricedTokens: sumTokens(all.flatMap((conversation) => conversation.unpricedTokens ?? [])),
    /** Null if no conversation was left untouched. */
    holdOut: compare(all.filter((conversation) => pricedRequests(conversation) > 0)),
  }
}

/** Adds up the tokens of all requests that an upstream accepted and that have no cost. Null if there are none. */
export function unpricedTokens(
  requests: Iterable<Pick<GatewayRequest, 'cost' | 'status' | 'usage' | 'tokensBefore' | 'tokensAfter'>>,
): SavingsTokens | null {
  const list: SavingsTokens[] = []
  for (const { cost, status, usage, tokensBefore, tokensAfter } of requests) {
    if (Number.isFinite(cost?.dollars) || status === null || status < 200 || status >= 300) continue
    const sent = usage === null ? tokensAfter : promptTotal(usage)
    const cached = usage?.cacheRead ?? 0
    // Our estimate of the removed content, in the provider's tokens.
    const removed = tokensAfter > 0 ? ((tokensBefore - tokensAfter) * sent) / tokensAfter : 0
    const estimated = usage === null ? 1 : 0
    list.push({ requests: 1, sent, cached, uncached: sent - cached, untrimmed: sent + removed, removed, estimated })
  }
  return sumTokens(list)
}

function sumTokens(list: readonly SavingsTokens[]): SavingsTokens | null {
  if (list.length === 0) return null
  const untrimmed = Math.round(sum(list, (tokens) => tokens.untrimmed))
  const sent = sum(list, (tokens) => tokens.sent)
  return {
    requests: sum(list, ({ requests }) => requests),
    sent,
    cached: sum(list, ({ cached }) => cached),
    uncached: sum(list, ({ uncached }) => uncached),
    untrimmed,
    removed: untrimmed - sent,
    estimated: sum(list, ({ estimated }) => estimated),
  }
}

function compare(conversations: readonly SavingsConversation[]) {
  const touched = conversations.filter(({ isHeldOut }) => !isHeldOut)
  const held = conversations.filter(({ isHeldOut }) => isHeldOut)
  if (held.length === 0) return null
  const trimmed = armOf(touched)
  const untouched = armOf(held)
  const isEnough = touched.length >= minHeldOut && held.length >= minHeldOut
  return {
    trimmed,
    untouched,
    isEnough,
    /** The change in cost of a request, and of a million tokens as clients sent them; null if unknown. */
    perRequest: isEnough ? changeBetween(touched, held, pricedRequests) : null,
    perMillion: isEnough ? changeBetween(touched, held, ({ inputTokens }) => inputTokens ?? null) : null,
  }
}

type AmountOf = (conversation: SavingsConversation) => number | null

function changeBetween(touched: readonly SavingsConversation[], held: readonly SavingsConversation[], amountOf: AmountOf) {
  const one = rated(touched, amountOf)
  const other = rated(held, amountOf)
  if (one === null || other === null) return null
  const rateOf = (list: readonly Rated[]) => sum(list, ({ dollars }) => dollars) / sum(list, ({ amount }) => amount)
  const change = rateOf(one) / rateOf(other) - 1
  const interval = changeInterval(one, other)
  if (interval === null || !Number.isFinite(change)) return null
  // The change is a part of the untouched side: -0.1 is a tenth cheaper. It is certain if zero is outside of the interval.
  return { change, interval, isCertain: interval[0] > 0 || interval[1] < 0 }
}

function rated(conversations: readonly SavingsConversation[], amountOf: AmountOf): readonly Rated[] | null {
  const amounts = conversations.map(amountOf)
  if (amounts.includes(null)) return null
  return conversations.map(({ dollars }, index) => ({ dollars, amount: amounts[index] as number }))
}

function armOf(conversations: readonly SavingsConversation[]) {
  const requests = sum(conversations, pricedRequests)
  const dollars = sum(conversations, (conversation) => conversation.dollars)
  const isKnown = conversations.every(({ inputTokens }) => inputTokens !== undefined)
  const inputTokens = isKnown ? sum(conversations, (conversation) => conversation.inputTokens ?? 0) : null
  return {
    conversations: conversations.length,
    requests,
    dollars,
    inputTokens,
    dollarsPerRequest: requests > 0 ? dollars / requests : null,
    dollarsPerMillion: inputTokens !== null && inputTokens > 0 ? (dollars / inputTokens) * 1_000_000 : null,
  }
}

function pricedRequests({ requests, unpriced }: SavingsConversation): number {
  return Math.max(requests - unpriced, 0)
}

function sum<Item>(list: readonly Item[], amountOf: (item: Item) => number): number {
  let total = 0
  for (const item of list) {
    const amount = amountOf(item)
    if (Number.isFinite(amount)) total += amount
  }
  return total
}

interface Rated {
  readonly dollars: number
  readonly amount: number
}

/** The 95 % interval of the change by drawing from both lists; the same lists give the same answer. Null if it cannot be computed. */
export function changeInterval(list: readonly Rated[], base: readonly Rated[]): readonly [low: number, high: number] | null {
  if (list.length === 0 || base.length === 0) return null
  const next = createNumbers()
  const draws = Math.min(1000, Math.max(100, Math.floor(2_000_000 / (list.length + base.length))))
  const changes: number[] = []
  for (let draw = 0; draw < draws; draw += 1) {
    const change = drawnRate(list, next) / drawnRate(base, next) - 1
    if (Number.isFinite(change)) changes.push(change)
  }
  if (changes.length < draws / 2) return null
  changes.sort((one, other) => one - other)
  const changeAt = (share: number) => changes[Math.min(changes.length - 1, Math.floor(share * changes.length))] as number
  return [changeAt(0.025), changeAt(0.975)]
}

function drawnRate(list: readonly Rated[], next: (count: number) => number): number {
  let dollars = 0
  let amount = 0
  for (let count = 0; count < list.length; count += 1) {
    const drawn = list[next(list.length)] as Rated
    dollars += drawn.dollars
    amount += drawn.amount
  }
  return dollars / amount
}

/** Random places in a list, in the same order every time. */
function createNumbers(): (count: number) => number {
  let state = 0x2545f491
  return (count) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.floor(((state >>> 0) / 0x1_0000_0000) * count)
  }
}

function unusedToolsOf(conversations: readonly SavingsConversation[]) {
  const known = conversations.flatMap(({ unusedTools }) => unusedTools ?? [])
  if (known.length === 0) return null
  const byName = new Map<string, number>()
  for (const costs of known) for (const [name, dollars] of costs) byName.set(name, (byName.get(name) ?? 0) + dollars)
  const most = [...byName].map(([name, dollars]) => ({ name, dollars })).toSorted((one, other) => other.dollars - one.dollars)
  return { conversations: known.length, dollars: sum(most, ({ dollars }) => dollars), most: most.slice(0, 3) }
}
