import { type Conversation, type ConversationOptions, type ConversationState, createConversation } from './conversation.ts'
import type { Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import { createAboveCheck } from './gateway/above-check.ts'
import { bindsThinking } from './gateway/bound-thinking.ts'
import { identifyMessages } from './gateway/identify-messages.ts'
import { locateReport } from './locate-report.ts'
import { isRecord, type Message } from './message.ts'
import type { Policy } from './policy.ts'
import type { RecallSource } from './recall/recall.ts'
import { answerRecall } from './recall/recall-tool.ts'
import { sourceOfMessages } from './recall/source-of-messages.ts'
import type { Report } from './report.ts'
import { requestFacts, type TrimmerFacts, textName } from './request-facts.ts'
import { unseenOnly } from './timing/unseen-only.ts'
import type { Codec, Reading } from './wire/codec.ts'
import { historyElsewhere } from './wire/history-elsewhere.ts'
import { patchValue } from './wire/patch.ts'

/** How the requests of one conversation are trimmed. */
export interface TrimmerOptions {
  /** The format of the requests: one of `codecs`. */
  readonly codec: Codec
  readonly policies: readonly Policy[]
  /** Default: `auto`, which spares the provider's cache. */
  readonly timing?: ConversationOptions['timing']
  /** The model the requests go to, where they do not name it themselves. */
  readonly model?: string
  /** Where an earlier trimmer left off, from `state()`. Default: nothing was sent yet. */
  readonly state?: TrimmerState
}

/** A request as it should be sent, and why. */
export interface TrimmedRequest<Request> {
  /** What was given, with what is shown differently replaced; the very same value where nothing is. */
  readonly request: Request
  /** The report, with messages named by their place in the request. */
  readonly report: Report
}

/** What a trimmer carries from one request to the next. Plain JSON. */
export interface TrimmerState extends ConversationState {
  /** When each message of the last request was first seen, in milliseconds. */
  readonly firstSeen: Readonly<Record<string, number>>
}

/** Trims the requests of one conversation, one after the other. */
export interface Trimmer {
  /** What to send in place of this request, or of this list of messages. Changes neither, and remembers nothing until `accepted`. */
  readonly next: <Request>(request: Request, facts: TrimmerFacts) => TrimmedRequest<Request>
  /** Tells that the provider accepted the last request, and what it reported as usage, in any provider's shape. */
  readonly accepted: (usage?: unknown) => void
  /** The answer to a model's call of `recallTool`, from the whole history that `next` was given last. */
  readonly recall: (input: unknown) => string
  readonly state: () => TrimmerState
}

/**
 * Trims the requests of a conversation in the provider's own format. Always give it the whole, untrimmed history: messages are known by
 * what they hold, so a history that was shortened or rewound in between is understood. The model's window and what its cache costs are
 * looked up by the model's name.
 *
 * @example
 * const trimmer = createTrimmer({ codec: codecs['openai-chat'], policies: economyPolicies })
 * const { request, report } = trimmer.next({ model, messages, tools }, { now: Date.now() })
 */
export function createTrimmer({ codec, policies, timing = 'auto', model: usualModel, state }: TrimmerOptions): Trimmer {
  let current: TrimmerState = state ?? { ...createConversation({ policies }).state(), firstSeen: {} }
  let pending: { readonly conversation: Conversation; readonly firstSeen: TrimmerState['firstSeen'] } | null = null
  let last: { readonly source: RecallSource; readonly facts: Facts } = { source: sourceOfMessages([]), facts: {} }
  return {
    next(request, facts) {
      const reading = codec.read(request)
      const messages = identifyMessages(reading.messages, textName)
      const model = modelOf(request) ?? usualModel
      const conversation = createConversation({
        // Where the provider holds part of the history, nobody can say what the rest of it is about.
        policies: historyElsewhere(request) ? [] : policies,
        timing: bindsThinking(model ?? null, messages) ? unseenOnly : timing,
        ...(model === undefined ? {} : { model }),
        state: { ...current, edits: stillTrue(current.edits, messages) },
      })
      const firstSeen = timesOf(messages, current.firstSeen, facts.now)
      const known = requestFacts({ request, reading, messages, model, firstSeen, facts })
      const view = conversation.next(messages, known)
      pending = { conversation, firstSeen }
      last = { source: sourceOfMessages(messages, view.edits), facts: known }
      const places = createPlaces(reading, messages)
      const patches = reading.patches(view.messages.map(places.asRead))
      return {
        request: patchValue(request, patches) as typeof request,
        report: locateReport(view.report, view.edits, places.locate),
      }
    },
    accepted(usage) {
      if (pending === null)
        throw new Error('accepted: expected a request from next() first, got none since the last accepted request')
      pending.conversation.accepted(usage)
      current = { ...pending.conversation.state(), firstSeen: pending.firstSeen }
      pending = null
    },
    recall: (input) => answerRecall(input, last.source, last.facts),
    state: () => current,
  }
}

function modelOf(request: unknown): string | undefined {
  const model = isRecord(request) ? request['model'] : undefined
  return typeof model === 'string' ? model : undefined
}

/** Without what says that lines stand above which a shortened history no longer has. */
function stillTrue(edits: readonly Edit[], messages: readonly Message[]): readonly Edit[] {
  const isTrue = createAboveCheck(messages)
  return edits.filter((edit) => edit.kind !== 'replace' || isTrue(edit))
}

function timesOf(messages: readonly Message[], before: TrimmerState['firstSeen'], now: number): TrimmerState['firstSeen'] {
  return Object.fromEntries(messages.map(({ id }) => [id, Object.hasOwn(before, id) ? (before[id] as number) : now]))
}

/** The way back from names that say what a message holds to those that say where it stands. */
function createPlaces(reading: Reading, messages: readonly Message[]) {
  const indexes = new Map(messages.map(({ id }, index) => [id, index]))
  return {
    asRead: (message: Message): Message => {
      const index = indexes.get(message.id)
      if (index === undefined) return message
      const original = reading.messages[index] as Message
      return message === messages[index] ? original : { ...message, id: original.id }
    },
    locate: (message: string, part: number) => {
      const index = indexes.get(message)
      return index === undefined ? { message, part } : reading.locate((reading.messages[index] as Message).id, part)
    },
  }
}
