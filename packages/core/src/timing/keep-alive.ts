import type { CacheTerms } from '../facts.ts'
import type { Ledger } from './ledger.ts'

/** How a prompt is kept in the provider's cache while nothing is asked. */
export interface KeepAlivePlan {
  /** Seconds after the last request, and after each time it was kept alive. */
  readonly everySeconds: number
  /** How many times at most, in one pause. */
  readonly times: number
}

/**
 * How often asking for the prompt again pays while nobody knows whether the conversation goes on: the cheaper reading is against
 * writing anew, the longer. Null where the provider forgets too late for it, or does not say when.
 */
export function planKeepAlive({ read, write, lifetimeSeconds }: CacheTerms): KeepAlivePlan | null {
  if (lifetimeSeconds === null || !(lifetimeSeconds >= shortest && lifetimeSeconds <= longest) || !(read * 2 < write)) return null
  return { everySeconds: lifetimeSeconds - margin, times: Math.max(1, Math.min(most, Math.round(share / read))) }
}

/** Whether keeping a prompt of so many tokens alive once more is covered by what was saved so far. */
export function mayKeepAlive(ledger: Ledger, tokens: number, { read }: CacheTerms): boolean {
  return tokens * read <= ledger.bank
}

/** The ledger after a prompt of so many tokens was kept alive. */
export function keptAlive(ledger: Ledger, at: number, tokens: number, { read }: CacheTerms): Ledger {
  return { ...ledger, at, bank: ledger.bank - tokens * read }
}

/** Seconds: a request needs time to arrive, and clocks differ. */
const margin = 20
const shortest = 60
const longest = 600
/** What may be spent on one pause, as a share of what the prompt costs uncached. */
const share = 0.2
const most = 8
