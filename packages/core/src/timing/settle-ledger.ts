import { learnLifetime } from '../bill/learned-lifetime.ts'
import type { Usage } from '../facts.ts'
import type { Ledger } from './ledger.ts'

/** The ledger after the provider has said what it read from its cache: how long it really keeps things is learned from that. */
export function settleLedger(ledger: Ledger, usage: Usage | null): Ledger {
  const { expected, learned = null, ...rest } = ledger
  if (expected === undefined || usage === null) return ledger
  return { ...rest, learned: learnLifetime(learned, { gapSeconds: expected.gapSeconds, expectedTokens: expected.tokens, usage }) }
}
