import { promptTotal, type Usage } from '@plimsoll/core/bill'
import { keptAlive, type Ledger, settleLedger } from '@plimsoll/core/policies'
import type { Entry, SessionState } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { noCache } from '../model/prompt-cache.ts'
import { branchBack } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'
import { sideUsageIn } from './side-usage.ts'

/** A prompt that was sent again so that the provider keeps it. */
export interface KeptPrompt {
  readonly at: number
  readonly usage: Usage
  /** What that took, in tokens of input at its full price. */
  readonly spent: number
}

/** What was sent again since the last request of a branch that was answered, oldest first. */
export function keptSince(session: StoredSession, { leaf, model }: SessionState): readonly KeptPrompt[] {
  const kept: KeptPrompt[] = []
  for (const { type, id } of branchBack(session, leaf)) {
    if (type === 'usage') break
    const note = type === 'note' ? keptIn(session.entry(id), model) : null
    if (note !== null) kept.push(note)
  }
  return kept.reverse()
}

/** The ledger of a branch with what has been spent, and learned, on keeping its last prompt alive. */
export function ledgerInForce(session: StoredSession, state: SessionState): Ledger {
  return keptSince(session, state).reduce((ledger, { at, usage, spent }) => {
    const gapSeconds = ledger.at === undefined ? null : Math.max(0, (at - ledger.at) / 1000)
    const after = keptAlive(ledger, at, spent, noCache)
    return gapSeconds === null ? after : settleLedger({ ...after, expected: { gapSeconds, tokens: promptTotal(usage) } }, usage)
  }, state.ledger)
}

function keptIn(entry: Entry | null, model: string | null): KeptPrompt | null {
  const note = sideUsageIn(entry)
  if (entry?.type !== 'note' || note === null || !note.isKeepAlive || note.model !== model) return null
  const { usage } = note
  const kept = entry.data?.['kept']
  // A log may hold anything; what cannot be right is taken to have cost all of it, when it was written down.
  const { at, spent } = isRecord(kept) ? kept : {}
  return { usage, at: isAmount(at) ? at : entry.at, spent: isAmount(spent) ? spent : promptTotal(usage) }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}
