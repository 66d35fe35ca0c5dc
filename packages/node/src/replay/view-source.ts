import { createConversation, type Edit, type Facts, type Message, recallTool, type Tokenizer } from '@plimsoll/core'
import type { CacheTerms, Usage } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { keptAlive, type Ledger, mayKeepAlive } from '@plimsoll/core/policies'
import { systemPrompt } from '../layers/assemble-layers.ts'
import type { Need } from './needs/need.ts'
import type { PolicySet } from './policy-sets.ts'
import type { RecordedSession } from './record-session.ts'

/** What one request of a policy set shows. */
export interface ShownView {
  readonly view: readonly Message[]
  readonly edits: readonly Edit[]
  readonly reported: readonly ReportedEdit[]
  /** The first message that may change later because an edit of it waits; null for none. */
  readonly waiting: string | null
  /** Edits that are proposed and do not pay yet. */
  readonly waits: readonly ReportedEdit[]
}

/** A policy set on its way through one session. It never sees what comes later. */
export interface ViewSource {
  readonly next: (messages: readonly Message[], now: number) => ShownView
  readonly accepted: (usage: Usage) => void
  /** Whether what was saved so far covers keeping a prompt of so many tokens alive. */
  readonly mayKeepAlive: (tokens: number) => boolean
  readonly keptAlive: (at: number, tokens: number) => void
}

/** Windows play no part here: what was recorded did fit. */
const endless = { context_window: 100_000_000, request_limits: { max_bytes: null, max_images: null } }

/** Starts a policy set on a session. */
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
  const { policies, timing, rules = [] } = set
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
  return {
    next(recorded, now) {
      const messages = session.format === 'plimsoll' ? recorded : recorded.map(asSent)
      const { messages: seen, edits, report } = conversation.next(messages, session.hasTimes ? { ...facts, now } : facts)
      const view = seen.some((message) => summaries.has(message)) ? seen.map(asRecorded) : seen
      const reported = [...report.edits, ...report.withdrawn]
      return { view, edits, reported, waiting: report.waiting[0]?.message ?? null, waits: report.waiting }
    },
    accepted: (usage) => conversation.accepted(usage),
    mayKeepAlive: (kept) => mayKeepAlive(conversation.state().ledger, kept, terms),
    keptAlive: (at, kept) => withLedger((ledger) => keptAlive(ledger, at, kept, terms)),
  }
}

// Messages never change.
const sent = new WeakMap<Message, Message>()
const summaries = new WeakMap<Message, Message>()

/** A message as library and gateway read it from a request: another agent's summary is a user's text like any other there. */
function asSent(message: Message): Message {
  if (message.summary !== true) return message
  let known = sent.get(message)
  if (known === undefined) {
    const { summary: _summary, ...rest } = message
    known = rest
    sent.set(message, known)
    summaries.set(known, message)
  }
  return known
}

/** The message of the log, for those who look at the view. */
function asRecorded(message: Message): Message {
  return summaries.get(message) ?? message
}

function plainSource(show: (messages: readonly Message[], now: number) => readonly Message[]): ViewSource {
  return {
    next: (messages, now) => ({ view: show(messages, now), edits: [], reported: [], waiting: null, waits: [] }),
    accepted: () => undefined,
    mayKeepAlive: () => false,
    keptAlive: () => undefined,
  }
}

/** What stands before the messages in every request as it was recorded: prompt and tool definitions. */
export const overheadTokens = 20_000

/** The same for a policy set: whoever lets the model have things back has to tell it so, and pays for that in every request. */
export function overheadOf({ canRecall }: Pick<PolicySet, 'canRecall'>, tokens: Tokenizer): number {
  return canRecall === true ? overheadTokens + recallTokens(tokens) : overheadTokens
}

/** The definition of the recall tool, and what the agent's own prompt says of it. */
function recallTokens(tokens: Tokenizer): number {
  const { name, description, inputSchema } = recallTool
  const prompt = (tools: readonly { readonly name: string }[]) =>
    tokens.count(systemPrompt({ root: '/', platform: 'linux', tools }))
  return tokens.count(JSON.stringify({ name, description, input_schema: inputSchema })) + prompt([recallTool]) - prompt([])
}
