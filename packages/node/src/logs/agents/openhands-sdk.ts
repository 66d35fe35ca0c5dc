import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Message, Part, ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { reasoningParts, resultPart, settleDrafts, textParts } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, textAt, timeAt } from '../fields.ts'
import { readFields } from '../log-lines.ts'
import { type FoundUsage, type LogNotes, type LogReader, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { countedUsage, countedWithCosts, type OpenHandsRun, readRuns } from './openhands.ts'

/**
 * The events of OpenHands since its first version as a library, each with its `kind`: as a list, in lines, or in the lines of an
 * evaluation under `history`. Calls of one response are separate events. In newer versions events are a tree by `parent_id`.
 */
export const openHandsSdk: LogReader = {
  name: 'openhands-sdk',
  detect: (entry) => isSdkEvent(entry) || listAt(entry, 'history').slice(0, 20).some(isSdkEvent),
  start: (notes, take) =>
    readRuns(
      ({ history }) => (Array.isArray(history) ? history : null),
      'llm',
      notes,
      () => createOpenHandsSdkEvents(notes, take),
    ),
}

interface SdkRun extends OpenHandsRun {
  readonly root?: string | null
  /** The current event of the conversation. Default: the last one. */
  readonly leaf?: string | null
}

function isSdkEvent(entry: unknown): boolean {
  return (
    isRecord(entry) &&
    typeof entry['source'] === 'string' &&
    /^[A-Z]\w{0,60}(?:Event|Observation)$|^Condensation/.test(textAt(entry, 'kind') ?? '')
  )
}

function createOpenHandsSdkEvents(notes: LogNotes, take: Take) {
  const steps = new Map<string, OpenHandsStep>()
  const answered = new Set<string>()
  return { add, finish }

  function add(event: Fields, line: number): void {
    const id = textAt(event, 'id') ?? `line-${line}`
    const kind = textAt(event, 'kind')
    if (kind === null) return notes.skip(line, 'no-message')
    if (steps.has(id)) return notes.skip(line, 'repeated')
    const read = readEvent(event, kind)
    if (read === null) notes.pass(kind)
    const message = read === null ? null : take({ ...read.message, id, ...timeAt(event, 'timestamp') })
    steps.set(id, {
      id,
      parent: 'parent_id' in event ? textAt(event, 'parent_id') : undefined,
      message,
      response: message?.role === 'assistant' ? textAt(event, 'llm_response_id') : null,
      forgotten: read?.forgotten,
      isAdded: read?.isAdded === true,
    })
  }

  function readEvent(event: Fields, kind: string): ReadEvent | null {
    switch (kind) {
      case 'SystemPromptEvent':
        return said('system', saidIn([event['system_prompt'], event['dynamic_context']]))
      case 'MessageEvent':
        return readMessage(event)
      case 'ActionEvent':
        return readAction(event)
      case 'ObservationEvent':
      case 'UserRejectObservation':
      case 'AgentErrorEvent':
        return readObservation(event)
      case 'Condensation': {
        const parts = textParts(event, 'summary')
        const forgotten = listAt(event, 'forgotten_event_ids')
        return parts.length === 0 ? null : { message: { role: 'system', parts, summary: true }, forgotten }
      }
      default:
        return null
    }
  }

  function readMessage(event: Fields): ReadEvent | null {
    const message = fieldsAt(event, 'llm_message')
    const isSpoken = event['source'] === 'agent' || message['role'] === 'assistant'
    const words = [...saidIn(message['content']), ...saidIn(event['extended_content'])]
    if (isSpoken) return said('assistant', [...thoughtsIn(message), ...words])
    const read = said('user', words)
    return read !== null && event['source'] !== 'user' ? { ...read, isAdded: true } : read
  }

  function readAction(event: Fields): ReadEvent | null {
    const call = callOf(event)
    const words = [...thoughtsIn(event), ...saidIn(event['thought'])]
    // The text of the call that ends the agent's turn is a message, whether or not the call is answered.
    if (call?.tool === 'finish') {
      answered.add(call.callId)
      return said('assistant', [...words, ...saidIn(fieldsAt(event, 'action')['message'])])
    }
    return said('assistant', call === null ? words : [...words, call])
  }

  function readObservation(event: Fields): ReadEvent | null {
    const result = observationOf(event)
    if (result?.callId == null || answered.has(result.callId)) return null
    answered.add(result.callId)
    return { message: { role: 'tool', parts: [result] } }
  }

  function finish({ id, model, usages, root, leaf }: SdkRun): ReadSession | null {
    const branch = new Set(branchTo(steps, leaf ?? null))
    const merged = mergeAnswers([...branch])
    const counted = new Map(usages.map((one) => [one['response_id'], one]))
    const named = usages.map((one) => textAt(one, 'model')).findLast((name) => name !== null) ?? model
    if (merged.length === 0) return null
    return readSessionOf({
      id,
      model: named,
      root: root ?? null,
      messages: settleDrafts(merged.map(({ message, isAdded }) => ({ message, added: isAdded }))),
      usages: merged.flatMap(({ message, response }): readonly FoundUsage[] => {
        const reported = response === null ? null : countedUsage(counted.get(response))
        return reported === null ? [] : [{ after: message.id, ...reported, model: named }]
      }),
      abandoned: [...steps.values()].filter((step) => step.message !== null && !branch.has(step)).length,
      keptFrom: keptBeside(merged),
    })
  }
}

interface ReadEvent {
  readonly message: Omit<Message, 'id'>
  readonly isAdded?: true
  readonly forgotten?: readonly unknown[]
}

function said(role: 'system' | 'user' | 'assistant', parts: readonly Part[]): ReadEvent | null {
  return parts.length === 0 ? null : { message: { role, parts } }
}

interface OpenHandsStep {
  readonly id: string
  /** Undefined if the log is not a tree. */
  readonly parent: string | null | undefined
  /** Null for an event outside the conversation, which only holds the tree together. */
  readonly message: Message | null
  readonly isAdded: boolean
  readonly response: string | null
  /** For a summary, the events that it replaced. */
  readonly forgotten: readonly unknown[] | undefined
}

/** A step with a message, and all events of its response. */
type SpokenStep = OpenHandsStep & { readonly message: Message; readonly events: readonly string[] }

/** The steps on the way to a leaf, or to the last step. Without a tree these are all. */
function branchTo(steps: ReadonlyMap<string, OpenHandsStep>, leaf: string | null): readonly OpenHandsStep[] {
  const all = [...steps.values()]
  const last = (leaf === null ? undefined : steps.get(leaf)) ?? all.at(-1)
  if (last?.parent === undefined || all.some(({ parent }) => parent === undefined)) return all
  const kept = new Set<OpenHandsStep>()
  for (let step: OpenHandsStep | undefined = last; step !== undefined && !kept.has(step); ) {
    kept.add(step)
    step = step.parent == null ? undefined : steps.get(step.parent)
  }
  return all.filter((step) => kept.has(step))
}

/** Joins the calls of one response in one message. */
function mergeAnswers(steps: readonly OpenHandsStep[]): readonly SpokenStep[] {
  const merged: (SpokenStep & { readonly events: string[]; readonly message: Message & { parts: Part[] } })[] = []
  for (const step of steps) {
    if (step.message === null) continue
    const last = merged.at(-1)
    if (last !== undefined && step.response !== null && last.response === step.response) {
      for (const part of step.message.parts) last.message.parts.push(part)
      last.events.push(step.id)
    } else merged.push({ ...step, message: { ...step.message, parts: [...step.message.parts] }, events: [step.id] })
  }
  return merged
}

/** For each summary, the first message after everything it replaced. */
function keptBeside(steps: readonly SpokenStep[]): ReadonlyMap<string, string> {
  const kept = new Map<string, string>()
  const places = new Map<unknown, number>()
  steps.forEach((step, index) => {
    for (const event of step.events) places.set(event, index)
    if (step.forgotten === undefined) return
    const last = step.forgotten.reduce<number>((max, event) => Math.max(max, places.get(event) ?? -1), -1)
    const first = steps[last + 1]
    if (last >= 0 && first !== undefined && first !== step) kept.set(step.message.id, first.message.id)
  })
  return kept
}

/** The texts and images in content as the library writes it: text, one block, or a list of blocks. */
function saidIn(content: unknown): readonly (TextPart | MediaPart)[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content]
  return list.flatMap((block): readonly (TextPart | MediaPart)[] => {
    const fields = typeof block === 'string' ? { text: block } : fieldsOf(block)
    if (textAt(fields, 'text') !== null) return textParts(fields, 'text')
    return listAt(fields, 'image_urls').map((data) => ({ type: 'media', mediaType: 'image/*', data }))
  })
}

function thoughtsIn(fields: Fields): readonly Part[] {
  if (textAt(fields, 'reasoning_content') !== null) return reasoningParts(fields, 'reasoning_content')
  return listAt(fields, 'thinking_blocks').flatMap((block) => reasoningParts(fieldsOf(block), 'thinking'))
}

function callOf(event: Fields): ToolCallPart | null {
  const call = fieldsAt(event, 'tool_call')
  const callId = textAt(event, 'tool_call_id') ?? textAt(call, 'id')
  if (callId === null) return null
  const { kind: _, ...action } = fieldsAt(event, 'action')
  const written = call['arguments'] ?? fieldsAt(call, 'function')['arguments']
  return { type: 'tool-call', callId, tool: textAt(event, 'tool_name') ?? textAt(call, 'name') ?? '', input: written ?? action }
}

function observationOf(event: Fields): ToolResultPart | null {
  const callId = textAt(event, 'tool_call_id')
  const refused = textAt(event, 'rejection_reason')
  const error = textAt(event, 'error')
  if (callId === null) return null
  const tool = textAt(event, 'tool_name')
  if (error !== null) return resultPart(callId, tool, error, true)
  if (refused !== null) return resultPart(callId, tool, `Action rejected: ${refused}`, true)
  const observation = fieldsAt(event, 'observation')
  const content = observedContent(observation, saidIn(event['extended_content']))
  return resultPart(callId, tool, content, observation['is_error'] === true || undefined)
}

function observedContent(observation: Fields, added: readonly (TextPart | MediaPart)[]): ResultContent {
  const { kind: _, ...fields } = observation
  if (!('content' in observation || 'output' in observation)) return { type: 'json', value: fields }
  // A terminal reports how the command ended.
  const metadata = fieldsAt(observation, 'metadata')
  const words = [metadata['prefix'], observation['content'] ?? observation['output'], metadata['suffix']]
  const items = [...words.flatMap(saidIn), ...added]
  return items.every((item) => item.type === 'text')
    ? { type: 'text', text: items.map(({ text }) => text).join('') }
    : { type: 'list', items }
}

const eventFile = /^event-(\d{5,9})-[\w-]{1,80}\.json$/

/** Whether a file is the first of those in which OpenHands keeps the events of a conversation; the others are next to it. */
export function isOpenHandsEventFile(path: string): boolean {
  return basename(dirname(path)) === 'events' && Number(eventFile.exec(basename(path))?.[1] ?? -1) === 0
}

/** The name of the first event in a folder of events; null if it is not such a folder. */
export function firstOpenHandsEvent(folder: string, names: readonly string[]): readonly string[] | null {
  if (basename(folder) !== 'events') return null
  const first = names.find((name) => isOpenHandsEventFile(join(folder, name)))
  return first === undefined ? null : [first]
}

/** Reads `events/event-<number>-<id>.json`, one event to a file, with the usage in `base_state.json`. */
export async function readOpenHandsStore(path: string, notes: LogNotes, take: Take): Promise<ReadSession | null> {
  const folder = dirname(path)
  const names = (await readdir(folder)).filter((name) => eventFile.test(name))
  names.sort((one, other) => numberOf(one) - numberOf(other))
  const events = createOpenHandsSdkEvents(notes, take)
  for (const [index, name] of names.entries()) {
    const event = await readFields(join(folder, name))
    if (event === null) notes.skip(index + 1, 'not-json')
    else events.add(event, index + 1)
  }
  const state = (await readFields(join(dirname(folder), 'base_state.json'))) ?? {}
  const metrics = Object.values(fieldsAt(fieldsAt(state, 'stats'), 'usage_to_metrics')).filter(isRecord)
  return events.finish({
    id: textAt(state, 'id') ?? basename(dirname(folder)),
    model: textAt(fieldsAt(fieldsAt(state, 'agent'), 'llm'), 'model'),
    usages: metrics.flatMap(countedWithCosts),
    root: textAt(fieldsAt(state, 'workspace'), 'working_dir'),
    leaf: textAt(state, 'leaf_event_id'),
  })
}

function numberOf(name: string): number {
  return Number(eventFile.exec(name)?.[1] ?? 0)
}
