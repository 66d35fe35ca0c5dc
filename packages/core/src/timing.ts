import type { Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message } from './message.ts'

/** Decides which proposed edits take effect now and which wait. Pure, like everything here. */
export type Timing = (input: TimingInput) => TimingDecision

/** The timings by name; this version has `immediate`. */
export type TimingName = 'immediate' | 'economic' | 'auto'

/** What a timing decides on. */
export interface TimingInput {
  /** What the policies propose for this request, in order. */
  readonly proposals: readonly Edit[]
  /** What took effect in the last accepted request. */
  readonly inForce: readonly Edit[]
  /** The messages the proposals are about. */
  readonly messages: readonly Message[]
  readonly facts: Facts
  readonly ledger: Ledger
}

/** What takes effect now, what waits, and what to remember. */
export interface TimingDecision {
  readonly apply: readonly Edit[]
  readonly waiting: readonly Edit[]
  readonly ledger: Ledger
}

/** What timing remembers from one request to the next. Plain JSON that travels with the conversation. */
export interface Ledger {
  /** Money already lost by carrying an edit that waits, by edit id. */
  readonly debts: Readonly<Record<string, number>>
  /** Savings that may be risked. */
  readonly bank: number
  /** How long the provider really keeps a cached prefix, once learned. */
  readonly cacheLifetimeSeconds: number | null
}

/** The ledger of a conversation that has sent nothing. */
export const emptyLedger: Ledger = { debts: {}, bank: 0, cacheLifetimeSeconds: null }

/** Every proposal takes effect at once. */
export const immediate: Timing = ({ proposals, ledger }) => ({ apply: proposals, waiting: [], ledger })

/** The timing a name stands for. Throws for the names that this version does not have. */
export function timingNamed(name: TimingName): Timing {
  if (name === 'immediate') return immediate
  throw new Error(`timing "${name}" is not part of this version: expected "immediate" or a function of your own`)
}
