import type { CacheTerms } from '../facts.ts'
import type { Ledger } from './ledger.ts'

/** How to keep a prompt in the provider's cache during a pause. */
export interface KeepAlivePlan {
  /** Seconds after the last request, and after each refresh. */
  readonly everySeconds: number
  /** The maximum per pause. */
  readonly times: number
}

/**
 * How often refreshing the prompt is worth it if the conversation may not continue: longer, the cheaper reading is than rewriting. Null if the
 * provider's lifetime is too long for it or unknown.
 */
export function planKeepAlive({ read, write, lifetimeSeconds }: CacheTerms): KeepAlivePlan | null {
  if (lifetimeSeconds === null || !(lifetimeSeconds >= shortest && lifetimeSeconds <= longest) || !(read * 2 < write)) return null
  return { everySeconds: lifetimeSeconds - margin, times: Math.max(1, Math.min(maxTimes, Math.round(share / read))) }
}

/** Whether the savings so far cover one more refresh of a prompt of this many tokens. */
export function mayKeepAlive(ledger: Ledger, tokens: number, { read }: CacheTerms): boolean {
  return tokens * read <= ledger.bank
}

export function keptAlive(ledger: Ledger, at: number, tokens: number, { read }: CacheTerms): Ledger {
  return { ...ledger, at, bank: ledger.bank - tokens * read }
}

/** Seconds: a request needs time to arrive, and clocks differ. */
const margin = 20
const shortest = 60
const longest = 600
const share = 0.2
const maxTimes = 8
