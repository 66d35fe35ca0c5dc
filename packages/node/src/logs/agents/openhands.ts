import type { Message, Part, ToolCallPart } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart } from '@plimsoll/core/wire'
import { createUniqueIds, type Draft, reasoningParts, resultPart, settleDrafts, textParts } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, textAt, timeAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { type Reported, readUsage } from '../read-usage.ts'

/** OpenHands: actions and observations, as a list or in lines of an evaluation under `history`; the oldest lists hold pairs. */
export const openHands: LogReader = {
  name: 'openhands',
  detect: (entry) => isEvent(entry) || listAt(entry, 'history').flat().slice(0, 20).some(isEvent),
  start: (notes, take) => {
    const eventsIn = (entry: Fields) => (isEvent(entry) ? null : listAt(entry, 'history').flat())
    return readRuns(eventsIn, 'llm_config', notes, () => createOpenHandsEvents(notes, take))
  },
}

/** Reads loose events as one conversation, and each line of an evaluation, which holds a list of events, as another. */
export function readRuns(
  eventsIn: (entry: Fields) => readonly unknown[] | null,
  settings: string,
  notes: LogNotes,
  create: () => OpenHandsEvents,
) {
  const sessions: ReadSession[] = []
  let loose: OpenHandsEvents | null = null
  return {
    add(entry: Fields, line: number): void {
      const list = eventsIn(entry)
      if (list === null) {
        loose ??= create()
        return loose.add(entry, line)
      }
      const events = create()
      for (const [index, event] of list.entries()) {
        if (isRecord(event)) events.add(event, index + 1)
        else notes.skip(line, 'not-an-object')
      }
      const session = events.finish({
        id: textAt(entry, 'instance_id'),
        model: textAt(fieldsAt(fieldsAt(entry, 'metadata'), settings), 'model'),
        usages: countedWithCosts(fieldsAt(entry, 'metrics')),
      })
      if (session === null) notes.skip(line, 'no-message')
      else sessions.push(session)
    },
    finish() {
      const last = loose?.finish({ id: null, model: null, usages: [] }) ?? null
      return last === null ? sessions : [...sessions, last]
    },
  }
}

export interface OpenHandsRun {
  readonly id: string | null
  readonly model: string | null
  readonly usages: readonly Fields[]
}

interface OpenHandsEvents {
  readonly add: (event: Fields, line: number) => void
  /** Returns null without any message. */
  readonly finish: (run: OpenHandsRun) => ReadSession | null
}

function createOpenHandsEvents(notes: LogNotes, take: Take): OpenHandsEvents {
  const unique = createUniqueIds()
  const drafts: Draft[] = []
  const answers: { readonly id: string; readonly response: string | null; readonly reported: Reported | null }[] = []
  const responses = new Set<string>()
  /** Unanswered calls by the event that made them, the newest last. */
  const open = new Map<string, ToolCallPart>()
  const known = new Map<string, ToolCallPart>()
  /** The first message at or after an event, by the event's number. */
  const places: { readonly event: number; readonly message: string }[] = []
  /** How many of them condensations have forgotten so far. */
  let forgottenPlaces = 0
  /** For each summary, the range of places before it that it kept. */
  const kept = new Map<string, readonly [from: number, to: number]>()
  let model: string | null = null

  return { add, finish }

  function add(event: Fields, line: number): void {
    const action = textAt(event, 'action')
    const observation = textAt(event, 'observation')
    const before = drafts.length
    if (action !== null) addAction(event, action, line)
    else if (observation !== null) addObservation(event, observation, line)
    else notes.skip(line, 'no-message')
    const said = drafts[before]?.message.id
    if (said !== undefined && typeof event['id'] === 'number') places.push({ event: event['id'], message: said })
  }

  function addAction(event: Fields, action: string, line: number): void {
    // The oldest versions wrote the arguments next to the name of the action.
    const args = isRecord(event['args']) ? event['args'] : event
    if (action === 'system') return say('system', contentOf(args), event, line)
    // The oldest versions have no source: only messages of the agent wait for a response.
    const isSpoken = event['source'] === undefined ? args['wait_for_response'] === true : event['source'] === 'agent'
    if (action === 'message') return say(isSpoken ? 'assistant' : 'user', contentOf(args), event, line)
    if (action === 'condensation') return addSummary(event, args, line)
    const call = fieldsAt(event, 'tool_call_metadata')
    if (textAt(call, 'tool_call_id') !== null) return addCalls(event, args, call, line)
    const isOfAgent = event['source'] === undefined || event['source'] === 'agent'
    if (!isOfAgent || bookkeeping.has(action)) return notes.pass(`action/${action}`)
    if (action === 'finish') return say('assistant', lastWords({}, args), event, line)
    const made: ToolCallPart = { type: 'tool-call', callId: `call-${eventName(event, line)}`, tool: action, input: inputOf(args) }
    awaitAnswer(eventName(event, line), made)
    say('assistant', [...textParts(args, 'thought'), made], event, line)
  }

  /** Calls of one response are separate events, each with the complete response. */
  function addCalls(event: Fields, args: Fields, call: Fields, line: number): void {
    const response = fieldsAt(call, 'model_response')
    const answer = fieldsAt(fieldsOf(listAt(response, 'choices')[0]), 'message')
    const name = textAt(response, 'id')
    const callId = textAt(call, 'tool_call_id') as string
    model = textAt(response, 'model') ?? model
    if (name !== null && responses.has(name)) {
      const made = known.get(callId)
      if (made === undefined) notes.pass('call that its response does not have')
      else awaitAnswer(eventName(event, line), made)
      return
    }
    if (name !== null) responses.add(name)
    // The call by which the agent ends its turn is never answered: its text is a message.
    const reported = { reported: readUsage(response['usage']), response: name }
    if (textAt(event, 'action') === 'finish') return say('assistant', lastWords(answer, args), event, line, reported)
    const calls = listAt(answer, 'tool_calls').flatMap(readCall)
    const own: ToolCallPart = { type: 'tool-call', callId, tool: textAt(call, 'function_name') ?? '', input: inputOf(args) }
    const all = calls.some((made) => made.callId === callId) ? calls : [own]
    for (const made of all) known.set(made.callId, made)
    awaitAnswer(eventName(event, line), known.get(callId) ?? own)
    const said = textAt(answer, 'content') === null ? textParts(args, 'thought') : textParts(answer, 'content')
    say('assistant', [...reasoningParts(answer, 'reasoning_content'), ...said, ...all], event, line, reported)
  }

  function awaitAnswer(event: string, made: ToolCallPart): void {
    open.set(event, made)
    const [oldest] = open.keys()
    if (open.size > maxOpen && oldest !== undefined) open.delete(oldest)
  }

  function addObservation(event: Fields, observation: string, line: number): void {
    const content = event['content']
    const callId = textAt(fieldsAt(event, 'tool_call_metadata'), 'tool_call_id')
    const cause = event['cause']
    const asked =
      (callId === null ? undefined : known.get(callId)) ??
      (typeof cause === 'number' || typeof cause === 'string' ? open.get(`event-${cause}`) : undefined) ??
      (cause === undefined && observation !== 'error'
        ? [...open.values()].findLast(({ tool }) => tool === observation)
        : undefined)
    if (asked === undefined || typeof content !== 'string') {
      const isComplaint = observation === 'error' && typeof content === 'string' && content !== ''
      if (!isComplaint) return notes.pass(`observation/${observation}`)
      // The client reports errors to the model in the user's role.
      return void push({ role: 'user', parts: [{ type: 'text', text: content }] }, event, line, true)
    }
    for (const [name, made] of open) if (made === asked) open.delete(name)
    known.delete(asked.callId)
    const failed = observation === 'error' || event['success'] === false
    const result = resultPart(asked.callId, asked.tool, content, failed || undefined)
    push({ role: 'tool', parts: [result] }, event, line)
  }

  function addSummary(event: Fields, args: Fields, line: number): void {
    const parts = textParts(args, 'summary')
    if (parts.length === 0) return notes.pass('action/condensation')
    const forgotten = listAt(args, 'forgotten_event_ids').filter((number) => typeof number === 'number')
    const end = args['forgotten_events_end_id']
    const last = typeof end === 'number' ? end : forgotten.reduce((max, number) => Math.max(max, number), -1)
    while ((places[forgottenPlaces]?.event ?? Number.POSITIVE_INFINITY) <= last) forgottenPlaces += 1
    const id = push({ role: 'system', parts, summary: true }, event, line)
    if (last >= 0) kept.set(id, [forgottenPlaces, places.length])
  }

  function say(role: Message['role'], parts: readonly Part[], event: Fields, line: number, answer = unreported): void {
    if (parts.length === 0) return notes.pass('message without content')
    const id = push({ role, parts }, event, line)
    if (role === 'assistant') answers.push({ id, ...answer })
  }

  function push({ role, parts, summary }: Omit<Message, 'id'>, event: Fields, line: number, added = false): string {
    const id = unique(eventName(event, line))
    const message = { id, role, parts, ...timeAt(event, 'timestamp'), ...(summary === undefined ? {} : { summary }) }
    drafts.push({ message: take(message), added })
    return id
  }

  function finish(run: OpenHandsRun): ReadSession | null {
    if (drafts.length === 0) return null
    const counted = new Map(run.usages.map((one) => [one['response_id'], one]))
    const used = model ?? run.model
    const usages = answers.flatMap(({ id, response, reported }): readonly FoundUsage[] => {
      const own = countedUsage(response === null ? undefined : counted.get(response))
      const found = reported ?? own
      return found === null ? [] : [{ after: id, ...own, ...found, model: used }]
    })
    const messages = settleDrafts(drafts)
    return readSessionOf({ id: run.id, model: used, messages, usages, keptFrom: keptIn(messages) })
  }

  /** A message that the client added may be joined with the user's: then the next one is the first that was kept. */
  function keptIn(messages: readonly Message[]): ReadonlyMap<string, string> {
    const shown = new Set(messages.map(({ id }) => id))
    const nearest: number[] = []
    for (let at = places.length - 1; at >= 0; at -= 1)
      nearest[at] = shown.has(places[at]?.message ?? '') ? at : (nearest[at + 1] ?? places.length)
    return new Map(
      [...kept].flatMap(([summary, [from, to]]) => {
        const first = nearest[from] ?? to
        return first < to ? [[summary, places[first]?.message ?? ''] as const] : []
      }),
    )
  }
}

/** A call that is older than this many never gets an answer. */
const maxOpen = 100

const unreported: { readonly reported: Reported | null; readonly response: string | null } = { reported: null, response: null }

/** Actions of the client itself. */
const bookkeeping = new Set('change_agent_state recall null pause resume stop loop_recovery start_hook_task'.split(' '))

/** Fields of an action that are not arguments of the tool. */
const notArguments = new Set([
  ...'thought action action_risk is_confirmed confirmation_state security_risk keep_prompt kernel_init_code'.split(' '),
  ...'blocking hidden is_input is_static impl_source translated_ipython_code source id timestamp message'.split(' '),
])

function inputOf(args: Fields): Fields {
  return Object.fromEntries(Object.entries(args).filter(([field]) => !notArguments.has(field)))
}

function eventName(event: Fields, line: number): string {
  const { id } = event
  return typeof id === 'number' || typeof id === 'string' ? `event-${id}` : `line-${line}`
}

function contentOf(args: Fields): readonly Part[] {
  const urls = [...listAt(args, 'image_urls'), ...listAt(args, 'images_urls')]
  return [...textParts(args, 'content'), ...urls.map((data): MediaPart => ({ type: 'media', mediaType: 'image/*', data }))]
}

function lastWords(answer: Fields, args: Fields): readonly Part[] {
  const words = [textAt(answer, 'content'), textAt(args, 'thought'), textAt(args, 'final_thought')]
  return [...new Set(words)].filter((text) => text !== null).map((text): Part => ({ type: 'text', text }))
}

function readCall(call: unknown): readonly ToolCallPart[] {
  const callId = textAt(fieldsOf(call), 'id')
  if (callId === null) return []
  const named = fieldsAt(fieldsOf(call), 'function')
  return [{ type: 'tool-call', callId, tool: textAt(named, 'name') ?? '', input: named['arguments'] }]
}

/** Reads a usage of OpenHands, whose prompt includes what was read from and written to the cache. */
export function countedUsage(counted: Fields | undefined): Reported | null {
  if (counted === undefined) return null
  const usage = {
    prompt_tokens: counted['prompt_tokens'],
    completion_tokens: counted['completion_tokens'],
    prompt_tokens_details: { cached_tokens: counted['cache_read_tokens'], cache_write_tokens: counted['cache_write_tokens'] },
  }
  return readUsage(usage, counted['cost'])
}

/** The usages of responses. Costs are a list of their own, in the same order, unless some are unknown. */
export function countedWithCosts(metrics: Fields): readonly Fields[] {
  const counted = listAt(metrics, 'token_usages').filter(isRecord)
  const costs = listAt(metrics, 'costs')
  return costs.length === counted.length
    ? counted.map((one, index) => ({ ...one, cost: fieldsOf(costs[index])['cost'] }))
    : counted
}

function isEvent(entry: unknown): entry is Fields {
  if (!isRecord(entry) || 'role' in entry) return false
  const isNamed = typeof entry['action'] === 'string' || typeof entry['observation'] === 'string'
  return isNamed && ['source', 'action_risk', 'extras', 'args', 'content', 'is_confirmed'].some((field) => field in entry)
}
