import { createConversation, type Edit, type Facts, type Message, recallTool, type Tokenizer } from '@plimsoll/core'
import type { CacheTerms, Usage } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { keepAliveAfter, keptAlive, type Ledger } from '@plimsoll/core/policies'
import { systemPrompt } from '../layers/assemble-layers.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import { overheadTokens } from './bill/both-sides.ts'
import type { Need } from './needs/need.ts'
import { type PolicySet, rulesFor } from './policy-sets.ts'
import type { RecordedSession } from './record-session.ts'

export interface ShownView {
  readonly view: readonly Message[]
  readonly edits: readonly Edit[]
  readonly reported: readonly ReportedEdit[]
  /** The first message that may change later because an edit of it is pending. */
  readonly firstPending: string | null
  /** Edits that are not worth it yet. */
  readonly pending: readonly ReportedEdit[]
}

/** A policy set in one session. It never sees later messages. */
export interface ViewSource {
  readonly next: (messages: readonly Message[], now: number) => ShownView
  readonly accepted: (usage: Usage) => void
  /** After how many seconds a prompt of this many tokens, sent again so often, is sent once more; null if it is not. */
  readonly keepAliveAfter: (tokens: number, times: number) => number | null
  readonly keptAlive: (at: number, tokens: number) => void
}

/** Windows do not matter here: the recorded requests did fit. */
const endless = { context_window: 100_000_000, request_limits: { max_bytes: null, max_images: null } }

export function createViewSource(
  set: PolicySet,
  session: RecordedSession,
  needs: readonly Need[],
  terms: CacheTerms,
  tokens: Tokenizer,
): ViewSource {
  const shown = set.show?.(session, needs)
  if (shown !== undefined) return plainSource((messages) => messages.map(shown))
  const transform = set.transform?.()
  if (transform !== undefined) return plainSource((messages, now) => transform(messages, { now }))
  if (set.policies.length === 0) return plainSource((messages) => messages)
  const { policies, timing } = set
  const rules = rulesFor(set, session)
  const options = { policies, timing, rules, ...(session.model === null ? {} : { model: session.model }) }
  let conversation = createConversation(options)
  const facts: Facts = {
    ...(session.root === undefined ? {} : { root: session.root }),
    platform: 'linux',
    config: endless,
    tokens,
    overhead: overheadOf(set, tokens),
    cache: terms,
  }
  const withLedger = (change: (ledger: Ledger) => Ledger) => {
    const state = conversation.state()
    conversation = createConversation({ ...options, state: { ...state, ledger: change(state.ledger) } })
  }
  const hasSummaries =
    session.format !== 'plimsoll' && session.segments.some((list) => list.some(({ summary }) => summary === true))
  let released: () => number = () => 0
  return {
    next(recorded, now) {
      const messages = hasSummaries ? recorded.map(asSent) : recorded
      const prepared = conversation.next(messages, session.hasTimes ? { ...facts, now } : facts)
      const { messages: seen, edits, report } = prepared
      released = prepared.released
      const view =
        hasSummaries && seen.some((message) => summaries.has(message)) ? seen.map((one) => summaries.get(one) ?? one) : seen
      const reported = [...report.edits, ...report.withdrawn]
      return { view, edits, reported, firstPending: report.waiting[0]?.message ?? null, pending: report.waiting }
    },
    accepted: (usage) => conversation.accepted(usage),
    keepAliveAfter: (kept, times) =>
      keepAliveAfter({ ledger: conversation.state().ledger, terms, tokens: kept, released: released(), times }),
    keptAlive: (at, kept) => withLedger((ledger) => keptAlive(ledger, at, kept, terms)),
  }
}

// Messages never change.
const sent = new WeakMap<Message, Message>()
const summaries = new WeakMap<Message, Message>()

/** A message as library and gateway read it from a request: another agent's summary is plain user text there. */
function asSent(message: Message): Message {
  if (message.summary !== true) return message
  return getOrMake(sent, message, () => {
    const { summary: _summary, ...rest } = message
    summaries.set(rest, message)
    return rest
  })
}

function plainSource(show: (messages: readonly Message[], now: number) => readonly Message[]): ViewSource {
  return {
    next: (messages, now) => ({ view: show(messages, now), edits: [], reported: [], firstPending: null, pending: [] }),
    accepted: () => undefined,
    keepAliveAfter: () => null,
    keptAlive: () => undefined,
  }
}

/** The same for a policy set: one with recall has to explain it to the model in every request. */
export function overheadOf({ canRecall }: Pick<PolicySet, 'canRecall'>, tokens: Tokenizer): number {
  return canRecall === true ? overheadTokens + recallTokens(tokens) : overheadTokens
}

/** The definition of the recall tool, and its part of the agent's own prompt. */
function recallTokens(tokens: Tokenizer): number {
  const { name, description, inputSchema } = recallTool
  const prompt = (tools: readonly { readonly name: string }[]) =>
    tokens.count(systemPrompt({ root: '/', platform: 'linux', tools }))
  return tokens.count(JSON.stringify({ name, description, input_schema: inputSchema })) + prompt([recallTool]) - prompt([])
}
