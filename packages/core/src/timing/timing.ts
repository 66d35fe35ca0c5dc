import type { TimingName } from '../config.ts'
import type { Edit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import type { TimingAccount } from '../report.ts'
import { economic } from './economic.ts'
import type { Ledger } from './ledger.ts'
import type { Moment } from './moment.ts'

/** Decides which proposed edits take effect now and which wait. Pure, like everything here. */
export type Timing = (input: TimingInput) => TimingDecision

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
  /** What of the conversation the provider still has in its cache. */
  readonly moment: Moment
}

/** What takes effect now, what waits, and what to remember. */
export interface TimingDecision {
  readonly apply: readonly Edit[]
  readonly waiting: readonly Edit[]
  readonly ledger: Ledger
  /** The numbers behind it, for the report. Default: none. */
  readonly account?: TimingAccount
}

/** Every proposal takes effect at once. */
export const immediate: Timing = ({ proposals, ledger }) => ({ apply: proposals, waiting: [], ledger })

/** The timing a name stands for. */
export function timingNamed(name: TimingName): Timing {
  if (name === 'immediate') return immediate
  if (name === 'economic' || name === 'auto') return economic
  throw new Error(`timing ${JSON.stringify(name)}: expected "immediate", "economic", "auto" or a function of your own`)
}
