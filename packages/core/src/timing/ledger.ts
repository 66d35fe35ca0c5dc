import { type LearnedLifetime, learnLifetime } from '../bill/learned-lifetime.ts'
import type { Usage } from '../facts.ts'

/**
 * What timing remembers from one request to the next. Plain JSON that travels with the conversation. Amounts are in tokens of input
 * at its full price, so that they hold whatever the price is.
 */
export interface Ledger {
  /** What carrying an edit that waits has cost so far, by the message and part it is about. */
  readonly debts: Readonly<Record<string, number>>
  /** What was saved so far against sending everything: it may be risked. */
  readonly bank: number
  /** How long the provider really keeps a cached prefix, once learned. */
  readonly cacheLifetimeSeconds: number | null
  /** What sending everything would have cost so far, answers left out. */
  readonly untrimmed?: number
  /** The model of the last request: what was sent to it is in no other model's cache. */
  readonly model?: string
  /** When the last request was made, in milliseconds. */
  readonly at?: number
  /** What stood before its messages. */
  readonly prefix?: string
  /** Its summaries, by id. */
  readonly summaries?: readonly string[]
  /** What the provider's reports have taught about its cache. */
  readonly learned?: LearnedLifetime
  /** What the provider's report on the last request may teach: the time since the one before, and what should be cached. */
  readonly expected?: { readonly gapSeconds: number; readonly tokens: number }
}

/** The ledger of a conversation that has sent nothing. */
export const emptyLedger: Ledger = { debts: {}, bank: 0, cacheLifetimeSeconds: null }

/** What may be risked on a change that may not pay: what was saved so far, and one percent of the untrimmed bill; nothing where nobody knows. */
export function affordable({ bank, untrimmed = 0 }: Ledger): number {
  const amount = bank + untrimmed / 100
  return Number.isFinite(amount) ? amount : 0
}

/**
 * The ledger for requests to another model: savings stay, and so does the model that was asked before. What carrying an edit has cost
 * and what was learned about one cache say nothing about another.
 */
export function ledgerFor(ledger: Ledger, from: string | null, to: string | null): Ledger {
  if (from === null || to === null || from === to) return ledger
  return {
    debts: {},
    bank: ledger.bank,
    cacheLifetimeSeconds: null,
    untrimmed: ledger.untrimmed ?? 0,
    model: ledger.model ?? from,
  }
}

/** The ledger after the provider has said what it read from its cache: how long it really keeps things is learned from that. */
export function settleLedger(ledger: Ledger, usage: Usage | null): Ledger {
  const { expected, learned = null, ...rest } = ledger
  if (expected === undefined || usage === null) return ledger
  return { ...rest, learned: learnLifetime(learned, { gapSeconds: expected.gapSeconds, expectedTokens: expected.tokens, usage }) }
}
