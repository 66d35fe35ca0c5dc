import type { TimingName } from '../config.ts'
import type { Edit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import type { TimingAccount } from '../report.ts'
import { economic } from './economic.ts'
import { type Ledger, notedLedger } from './ledger.ts'
import { type Moment, summariesIn } from './moment.ts'

/** Decides which proposed edits take effect now and which wait. Pure. */
export type Timing = (input: TimingInput) => TimingDecision

export interface TimingInput {
  /** The policies' proposals for this request, in order. */
  readonly proposals: readonly Edit[]
  /** The edits of the last accepted request. */
  readonly inForce: readonly Edit[]
  /** The messages the proposals are about. */
  readonly messages: readonly Message[]
  readonly facts: Facts
  readonly ledger: Ledger
  /** The state of the provider's cache. */
  readonly moment: Moment
}

export interface TimingDecision {
  readonly apply: readonly Edit[]
  readonly waiting: readonly Edit[]
  readonly ledger: Ledger
  /** Numbers for the report. Default: none. */
  readonly account?: TimingAccount
}

export const immediate: Timing = ({ proposals, ledger }) => ({ apply: proposals, waiting: [], ledger })

/** `immediate` for hosts whose decisions are final: active edits stay, proposed again or not. */
export const atOnce: Timing = (input) => {
  const { moment, ledger, facts } = input
  const uncached: Moment = { ...moment, coldFrom: 0, terms: { read: 1, write: 1, lifetimeSeconds: null } }
  return {
    apply: economic({ ...input, moment: uncached }).apply,
    waiting: [],
    ledger: notedLedger(ledger, facts, summariesIn(input.messages)),
  }
}

export function timingNamed(name: TimingName): Timing {
  if (name === 'immediate') return immediate
  if (name === 'economic' || name === 'auto') return economic
  throw new Error(`timing ${JSON.stringify(name)}: expected "immediate", "economic", "auto" or a function of your own`)
}
