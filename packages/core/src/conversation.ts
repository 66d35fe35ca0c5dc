import type { TimingName } from './config.ts'
import { perList } from './derive.ts'
import { checkedMessages, checkNow, checkPolicies, UsageError } from './engine/check-use.ts'
import { createPlaces, type KnownRequest, readRequest } from './engine/known-request.ts'
import { locateReport } from './engine/locate-report.ts'
import { type ConversationState, type Prepared, prepare, type Sent, stateAfter } from './engine/prepare.ts'
import { type RequestFacts, requestFacts } from './engine/request-facts.ts'
import type { Facts } from './facts.ts'
import { isRecord, type Message } from './message.ts'
import type { HostRule } from './policies/host-rules.ts'
import type { Policy } from './policy.ts'
import { answerRecall, sourceOfMessages } from './recall/recall-tool.ts'
import { type StringsName, stringsNamed } from './strings/strings-for.ts'
import { describeValue } from './text/json.ts'
import { type Patch, patchValue } from './text/patch.ts'
import { emptyLedger } from './timing/ledger.ts'
import type { Timing } from './timing/timing.ts'
import type { Codec } from './wire/dialect.ts'
import { historyElsewhere } from './wire/history-elsewhere.ts'

/** Options of `createConversation`. */
export interface ConversationOptions {
  /** Run in this order: `economyPolicies`, `specPolicies`, those that `policiesNamed` returns, or your own. */
  readonly policies: readonly Policy[]
  /** When edits apply: `immediate`, or once they are worth rewriting the cache (`economic`). Default: `auto`, the latter, with a codec; else `immediate`. */
  readonly timing?: TimingName | Timing
  /** One of `codecs`: `next` then takes requests in that API format and matches messages by content. Default: none, and `next` takes messages with stable ids. */
  readonly codec?: Codec
  /** Edits that the host forbids, such as everything but tool results (`results-only`). Default: none. */
  readonly rules?: readonly HostRule[]
  /** Language of the text inserted for the model, fixed for the conversation. Default: `specification`. */
  readonly strings?: StringsName
  /** The model's name, by which its window, prices and cache are looked up, unless requests name it. */
  readonly model?: string
  /** Continues an earlier conversation from its `state()`. Default: nothing was sent yet. */
  readonly state?: ConversationState
}

/** A conversation over many requests. */
export interface Conversation {
  /** Prepares the next request from the full, untrimmed history. Stores nothing until `accepted` is called. Throws `UsageError` on invalid input. */
  readonly next: (messages: readonly Message[], facts: Facts) => Prepared
  /** Call once the provider accepted a request, with its usage in any provider's format. Default: the last request; pass `prepared.sent` if several are open. Never throws. */
  readonly accepted: (usage?: unknown, sent?: Sent) => void
  /** Answers a model's call of `recallTool`, whose arguments are `input`, from the history last passed to `next`. Returns the text for the tool result. */
  readonly recall: (input: unknown) => string
  /** The state as plain JSON, to store and to continue from with the option `state`. */
  readonly state: () => ConversationState
}

/** A conversation whose requests are in a provider's own format. */
export interface RequestConversation extends Omit<Conversation, 'next'> {
  /** Prepares the next request, or list of messages, from the full, untrimmed history. Throws `ReadError` if the codec cannot read it. */
  readonly next: <Request>(request: Request, facts: RequestFacts) => PreparedRequest<Request>
}

/** A request in a provider's own format, ready to send. */
export interface PreparedRequest<Request> extends Omit<Prepared, 'adopt' | 'untouched'> {
  /** The given request with trimmed content replaced; the same object if nothing was. */
  readonly request: Request
  /** The changes, for callers that edit the request's JSON text with `patchText`. */
  readonly patches: readonly Patch[]
  readonly adopt: (held: Parameters<Prepared['adopt']>[0]) => PreparedRequest<Request>
  readonly untouched: () => PreparedRequest<Request>
}

/**
 * Trims the requests of one conversation. For each request, pass the full history to `next`, send what it returns, and pass the
 * answer's usage to `accepted`. Keeps the active edits and what was sent in between. Library, agent, gateway and replay all use it.
 *
 * @example
 * const conversation = createConversation({ codec: codecs.anthropic, policies: economyPolicies })
 * const { request, report } = conversation.next(body, { now: Date.now() })
 * conversation.accepted(answer.usage)
 */
export function createConversation(options: ConversationOptions & { readonly codec: Codec }): RequestConversation
export function createConversation(options: ConversationOptions & { readonly codec?: never }): Conversation
export function createConversation(options: ConversationOptions): Conversation | RequestConversation {
  checkOptions(options)
  const { policies, rules = [], codec, timing = codec === undefined ? 'immediate' : 'auto' } = options
  let state = startOf(options)
  let pending: Sent | null = null
  let latest = 0
  let requests = 0
  let last: { readonly messages: readonly Message[]; readonly prepared: Prepared; readonly facts: Facts } | null = null
  const strings = stringsNamed(state.strings ?? 'specification')

  function next(messages: readonly Message[], facts: Facts, model: string | null, isWhole: boolean): Prepared {
    const known = strings === undefined || facts.strings !== undefined ? facts : { ...facts, strings }
    requests += 1
    // If the provider stores part of the history, the rest cannot be judged.
    const now = { policies: isWhole ? policies : [], timing, rules, number: requests }
    const prepared = prepare(messages, state, model, known, now)
    last = { messages, prepared, facts: known }
    return prepared
  }

  function nextMessages(given: readonly Message[], facts: Facts, model: string | null): Prepared {
    const messages = checkedMessages('next', given)
    if (facts?.now !== undefined || !isRecord(facts)) checkNow('next', facts as RequestFacts)
    const prepared = withMessages(next(messages, facts, model, true), messages)
    pending = prepared.sent
    return prepared
  }

  function nextRequest<Request>(dialect: Codec, request: Request, facts: RequestFacts): PreparedRequest<Request> {
    checkNow('next', facts)
    const read = readRequest(dialect, request)
    const model = read.model ?? options.model
    const before = state.firstSeen ?? {}
    const timeOf = (id: string) => (Object.hasOwn(before, id) ? (before[id] as number) : facts.now)
    const firstSeen = Object.fromEntries(read.messages.map(({ id }) => [id, timeOf(id)]))
    const known = requestFacts({ request, reading: read.reading, messages: read.messages, model, firstSeen, facts })
    const prepared = asRequest(request, read, next(read.messages, known, model ?? null, !historyElsewhere(request)), firstSeen)
    pending = prepared.sent
    return prepared
  }

  const rest: Omit<Conversation, 'next'> = {
    accepted(usage, given) {
      const sent = given ?? pending
      // Ignore a value that did not come from `next`: a host must not fail because of it.
      if (!isRecord(sent) || !Array.isArray(sent.edits) || !isRecord(sent.ledger)) return
      // The same request may be named by its own record, by the adopted one, or not at all.
      if (sent.number === pending?.number) pending = null
      const after = stateAfter(state, sent, usage)
      // A request prepared before an accepted one only adds the provider's count.
      state = sent.number < latest ? { ...state, measurements: after.measurements ?? [] } : after
      latest = Math.max(latest, sent.number)
    },
    recall: (input) => answerRecall(input, sourceOfMessages(last?.messages ?? [], last?.prepared.edits), last?.facts ?? {}),
    state: () => state,
  }
  const { model = state.model } = options
  if (codec === undefined)
    return { next: (messages: readonly Message[], facts: Facts) => nextMessages(messages, facts, model), ...rest }
  return { next: <Request>(request: Request, facts: RequestFacts) => nextRequest(codec, request, facts), ...rest }
}

function checkOptions(options: ConversationOptions): void {
  if (!isRecord(options)) throw new UsageError(`createConversation: expected { policies }, got ${describeValue(options)}`)
  const { policies, codec } = options
  checkPolicies('createConversation', policies)
  if ('codec' in options && typeof codec?.read !== 'function')
    throw new UsageError(`createConversation: expected codec to be one of codecs, got ${describeValue(codec)}`)
}

function startOf({ state, model, strings = 'specification' }: ConversationOptions): ConversationState {
  const started = state ?? { model: null, edits: [], sent: null, ledger: emptyLedger }
  const named = started.model === null && model !== undefined && started.sent === null ? { ...started, model } : started
  return named.strings !== undefined || strings === 'specification' ? named : { ...named, strings }
}

function withMessages(prepared: Prepared, messages: readonly Message[]): Prepared {
  // Field by field: a copy would evaluate the getter `fresh`.
  return {
    messages: prepared.messages,
    report: prepared.report,
    edits: prepared.edits,
    get fresh() {
      return prepared.fresh
    },
    ledger: prepared.ledger,
    sent: { ...prepared.sent, messages: idsOf(messages) },
    logged: prepared.logged,
    released: prepared.released,
    adopt: (held) => withMessages(prepared.adopt(held), messages),
    untouched: () => withMessages(prepared.untouched(), messages),
  }
}

const idsOf = perList({
  start: (): string[] => [],
  add(ids, { id }: Message) {
    ids.push(id)
  },
  finish: (ids): readonly string[] => ids.slice(),
})()

function asRequest<Request>(
  request: Request,
  read: KnownRequest,
  prepared: Prepared,
  firstSeen: Readonly<Record<string, number>>,
): PreparedRequest<Request> {
  const { reading, messages } = read
  const places = createPlaces(reading, messages)
  const patches = reading.patches(prepared.messages.map(places.asRead))
  return {
    messages: prepared.messages,
    edits: prepared.edits,
    get fresh() {
      return prepared.fresh
    },
    ledger: prepared.ledger,
    request: patchValue(request, patches) as Request,
    patches,
    report: locateReport(prepared.report, prepared.edits, places.locate),
    sent: { ...prepared.sent, firstSeen },
    logged: prepared.logged,
    released: prepared.released,
    adopt: (held) => asRequest(request, read, prepared.adopt(held), firstSeen),
    untouched: () => asRequest(request, read, prepared.untouched(), firstSeen),
  }
}

/** The old name of `createConversation` with a codec. Will be removed in the next release. */
export function createTrimmer(options: ConversationOptions & { readonly codec: Codec }): RequestConversation {
  return createConversation(options)
}
