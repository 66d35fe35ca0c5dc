import type { Edit, FoldEdit } from '../edit.ts'
import type { Measurement } from '../facts.ts'
import type { Message } from '../message.ts'
import type { Ledger } from '../timing/ledger.ts'
import type { HeaderEntry } from './entry.ts'

/** What one branch of a log amounts to: everything the next request is made of. */
export interface SessionState {
  readonly header: HeaderEntry
  /** The last entry of the branch, which the next one continues. */
  readonly leaf: string
  /** The messages of the branch in order, with the summaries of `folds` in place of what they stand for. */
  readonly messages: readonly Message[]
  /** The folds in force, in the order they were made. A later one may stand for the summaries of earlier ones. */
  readonly folds: readonly FoldEdit[]
  /** Every other edit in force. */
  readonly edits: readonly Edit[]
  /** Messages the user wants whole. */
  readonly pins: readonly string[]
  /** The last message of the last request that the provider accepted on this branch. */
  readonly sent: string | null
  /** The model of that request. */
  readonly model: string | null
  readonly ledger: Ledger
  /** What requests of this branch were estimated at and what the provider then counted, oldest first, at most 50. */
  readonly measurements: readonly Measurement[]
}
