import type { Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message } from './message.ts'
import type { Policy } from './policy.ts'
import type { Report } from './report.ts'
import type { Measurement } from './session/session-state.ts'
import { emptyLedger, type Ledger } from './timing/ledger.ts'
import { settleLedger } from './timing/settle-ledger.ts'
import type { Timing, TimingName } from './timing/timing.ts'
import { normaliseUsage } from './usage.ts'
import { type BuiltView, buildView } from './view.ts'

/** What a conversation carries from one request to the next. Plain JSON. */
export interface ConversationState {
  /** The model of the last accepted request: another model has another cache. */
  readonly model: string | null
  readonly edits: readonly Edit[]
  readonly sent: string | null
  readonly ledger: Ledger
  /** What the last requests were estimated at and what the provider then counted, oldest first. Default: none. */
  readonly measurements?: readonly Measurement[]
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
  /** Tells that the provider accepted the last view, and what it reported as usage, in any provider's shape: later loads go by it. */
  readonly accepted: (usage?: unknown) => void
  readonly state: () => ConversationState
}

/**
 * Carries edits, what was sent, and the ledger from request to request, so that the caller only says `next` and `accepted`. What took
 * effect holds for the message of that id: an id has to name the same message for ever. Where it does not, as in a list that is
 * numbered anew, use `createTrimmer`.
 */
export function createConversation({ policies, timing = 'immediate', model, state }: ConversationOptions): Conversation {
  const sameModel = state !== undefined && (model === undefined || state.model === null || state.model === model)
  let current: ConversationState = {
    model: model ?? state?.model ?? null,
    edits: state?.edits ?? [],
    sent: sameModel ? state.sent : null,
    ledger: sameModel ? state.ledger : ledgerOfAnotherModel(state?.ledger),
    ...(sameModel && state.measurements !== undefined ? { measurements: state.measurements } : {}),
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
        facts:
          current.measurements === undefined || facts.measurements !== undefined
            ? facts
            : { ...facts, measurements: current.measurements },
        ledger: current.ledger,
      })
      pending = { built, last: messages.at(-1)?.id ?? null }
      return { messages: built.view, report: built.report, edits: built.edits, ledger: built.ledger }
    },
    accepted(reported) {
      if (pending === null)
        throw new Error('accepted: expected a view from next() first, got none since the last accepted request')
      const { built, last } = pending
      const usage = normaliseUsage(reported)
      const measured = { model: current.model ?? '', estimate: built.report.load.estimate, last }
      const measurements = usage === null ? current.measurements : [...(current.measurements ?? []), { ...measured, usage }]
      current = {
        ...current,
        edits: built.edits,
        sent: last,
        ledger: settleLedger(built.ledger, usage),
        ...(measurements === undefined ? {} : { measurements: measurements.slice(-mostMeasurements) }),
      }
      pending = null
    },
    state: () => current,
  }
}

/** What was saved stays saved; what one provider's cache has taught says nothing about another's. */
function ledgerOfAnotherModel(ledger: Ledger = emptyLedger): Ledger {
  return { debts: {}, bank: ledger.bank, cacheLifetimeSeconds: null, untrimmed: ledger.untrimmed ?? 0 }
}

/** More than loads are worked out from, few enough to store. */
const mostMeasurements = 20
