import type { Edit } from '../edit.ts'
import type { Message } from '../message.ts'
import { hideItemName } from '../policy.ts'
import type { Ledger } from '../timing/ledger.ts'
import { buildView } from './build-view.ts'
import { pricesOf } from './request-facts.ts'

/** What hiding a result changes in the next request. */
export interface HidingCost {
  /** Tokens that are no longer sent. 0: it has no result to hide. */
  readonly saved: number
  /** Tokens after it that are written to the cache again. */
  readonly rewritten: number
  /** Cost of writing them; null if the price is unknown. */
  readonly dollars: number | null
}

/** The price of hiding a message's result now: everything after it that is cached is written again. */
export function hidingCost(
  { messages, edits, sent, ledger, model }: HidingState,
  message: string,
  { now, hides = [] }: { readonly now?: number; readonly hides?: readonly string[] } = {},
): HidingCost {
  const facts = { ...(now === undefined ? {} : { now }), ...(model === null ? {} : { model }), ...pricesOf(model ?? undefined) }
  const { report } = buildView({
    messages,
    edits,
    sent,
    ledger,
    policies: [],
    timing: 'economic',
    facts: { ...facts, hides: [...hides, message] },
  })
  const hidden = report.edits.filter((edit) => edit.policy === hideItemName && edit.message === message)
  const { rewrite } = report
  return {
    saved: hidden.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0),
    rewritten: rewrite?.tokens ?? 0,
    dollars: rewrite === null ? 0 : rewrite.dollars,
  }
}

interface HidingState {
  readonly messages: readonly Message[]
  readonly edits: readonly Edit[]
  readonly sent: string | null
  readonly ledger: Ledger
  readonly model: string | null
}
