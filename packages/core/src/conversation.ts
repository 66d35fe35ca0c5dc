import type { Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message } from './message.ts'
import type { Policy } from './policy.ts'
import type { Report } from './report.ts'
import { emptyLedger, type Ledger, type Timing, type TimingName } from './timing.ts'
import { type BuiltView, buildView } from './view.ts'

/** What a conversation carries from one request to the next. Plain JSON. */
export interface ConversationState {
  /** The model of the last accepted request: another model has another cache. */
  readonly model: string | null
  readonly edits: readonly Edit[]
  readonly sent: string | null
  readonly ledger: Ledger
}

/** How a conversation is carried on. */
export interface ConversationOptions {
  readonly policies: readonly Policy[]
  /** Default: `immediate`. */
  readonly timing?: TimingName | Timing
  /** The model the requests go to. */
  readonly model?: string
  /** Where an earlier conversation left off, from `state()`. Default: nothing was sent yet. */
  readonly state?: ConversationState
}

/** What to send, why, and what would be in force once it was accepted. */
export interface NextView {
  readonly messages: readonly Message[]
  readonly report: Report
  readonly edits: readonly Edit[]
  readonly ledger: Ledger
}

/** A conversation over many requests. */
export interface Conversation {
  /** What to send for these messages. Changes nothing until `accepted` is called. */
  readonly next: (messages: readonly Message[], facts: Facts) => NextView
  /** Tells that the provider accepted the last view. The usage it reported is for timings to come; nothing reads it yet. */
  readonly accepted: (usage?: unknown) => void
  readonly state: () => ConversationState
}

/** Carries edits, what was sent, and the ledger from request to request, so that the caller only says `next` and `accepted`. */
export function createConversation({ policies, timing = 'immediate', model, state }: ConversationOptions): Conversation {
  const sameModel = state !== undefined && (model === undefined || state.model === null || state.model === model)
  let current: ConversationState = {
    model: model ?? state?.model ?? null,
    edits: state?.edits ?? [],
    sent: sameModel ? state.sent : null,
    ledger: state?.ledger ?? emptyLedger,
  }
  let pending: { readonly built: BuiltView; readonly last: string | null } | null = null
  return {
    next(messages, facts) {
      // After a rewind the last request may not be on this branch any more; `buildView` then takes everything as seen.
      const built = buildView({
        messages,
        edits: current.edits,
        sent: current.sent,
        timing,
        policies,
        facts,
        ledger: current.ledger,
      })
      pending = { built, last: messages.at(-1)?.id ?? null }
      return { messages: built.view, report: built.report, edits: built.edits, ledger: built.ledger }
    },
    accepted() {
      if (pending === null)
        throw new Error('accepted: expected a view from next() first, got none since the last accepted request')
      current = { ...current, edits: pending.built.edits, sent: pending.last, ledger: pending.built.ledger }
      pending = null
    },
    state: () => current,
  }
}
