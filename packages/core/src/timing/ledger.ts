import { type LearnedLifetime, learnLifetime, learnTimes } from '../bill/learned-lifetime.ts'
import type { Facts, Usage } from '../facts.ts'

/**
 * State that timing keeps between requests. Plain JSON that travels with the conversation. Amounts are in tokens of input at full price, so they hold
 * at any price.
 */
export interface Ledger {
  /** The cost of carrying each pending edit so far, by message and part. */
  readonly debts: Readonly<Record<string, number>>
  /** Savings so far against sending everything: they may be risked. */
  readonly bank: number
  /** How long the provider really keeps a cached prefix, once learned. */
  readonly cacheLifetimeSeconds: number | null
  /** The cost of sending everything so far, without answers. */
  readonly untrimmed?: number
  /** The model of the last request: another model's cache does not have it. */
  readonly model?: string
  /** When the last request was made, in milliseconds. */
  readonly at?: number
  readonly prefix?: string
  /** Ids of its summaries. */
  readonly summaries?: readonly string[]
  readonly learned?: LearnedLifetime
  /** Prompts kept alive in pauses, once there were any: what they brought minus their cost, and tokens that would be gone if the last one had expired. */
  readonly kept?: {
    readonly balance: number
    readonly carried: number
    /** When the request before the pause was made, in milliseconds, while it lasts. */
    readonly since?: number
  }
  /** The last model that signs its thoughts together with everything before them, if one was asked. */
  readonly signedBy?: string
  /** For learning from the report on the last request: the time since the one before, and what should be cached. */
  readonly expected?: { readonly gapSeconds: number; readonly tokens: number }
}

/** The ledger of a new conversation. */
export const emptyLedger: Ledger = { debts: {}, bank: 0, cacheLifetimeSeconds: null }

/**
 * The amount to risk on an uncertain change: the savings so far, and a quarter of a percent of the untrimmed bill if known. With the definition of the recall tool, a
 * conversation stays within one percent of that bill.
 */
export function affordable({ bank, untrimmed = 0 }: Ledger): number {
  const amount = bank + untrimmed / 400
  return Number.isFinite(amount) ? amount : 0
}

/** The ledger for another model: savings stay, and so does the previous model. Carrying costs and what was learned about one cache do not apply to another. */
export function ledgerFor(ledger: Ledger, from: string | null, to: string | null): Ledger {
  if (from === null || to === null || from === to) return ledger
  return {
    debts: {},
    bank: ledger.bank,
    cacheLifetimeSeconds: null,
    untrimmed: ledger.untrimmed ?? 0,
    model: ledger.model ?? from,
    ...(ledger.signedBy === undefined ? {} : { signedBy: ledger.signedBy }),
    ...(ledger.summaries === undefined ? {} : { summaries: ledger.summaries }),
    ...(ledger.kept === undefined ? {} : { kept: { balance: ledger.kept.balance, carried: 0 } }),
  }
}

/** The ledger after a request whose timing keeps no accounts. */
export function notedLedger(ledger: Ledger, { now, prefix, model }: Facts, summaries: readonly string[]): Ledger {
  return {
    ...ledger,
    summaries,
    ...(now === undefined ? {} : { at: now }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(model === undefined ? {} : { model }),
  }
}

/** Learns from what the provider read from its cache how long it really keeps things, and from its times what they cost. */
export function settleLedger(given: Ledger, usage: Usage | null): Ledger {
  if (usage === null) return given
  const timed = learnTimes(given.learned ?? null, usage)
  const ledger = timed === null || timed === given.learned ? given : { ...given, learned: timed }
  const { expected, learned = null, ...rest } = ledger
  if (expected === undefined) return ledger
  return { ...rest, learned: learnLifetime(learned, { gapSeconds: expected.gapSeconds, expectedTokens: expected.tokens, usage }) }
}
