import { hash } from 'node:crypto'
import type { Message, Part } from '@plimsoll/core'
import { maxTokens, usageTotal } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import { titleText } from '../../session/shown-message.ts'
import { createUniqueIds, type Draft, reasoningParts, resultPart, settleDrafts, textParts } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, type Time, textAt, timeAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, readSessionOf, type Take } from '../log-reader.ts'
import { readUsage } from '../read-usage.ts'

/**
 * Copilot CLI: events in order, `{ type, data, id, timestamp }`. An answer has its calls with it, and the end of each execution its
 * result. Usage for each response is optional; without it, the end of a run has sums by model.
 */
export const copilot: LogReader = {
  name: 'copilot',
  detect: (entry) => {
    const type = textAt(entry, 'type') ?? ''
    return isRecord(entry['data']) && /^(?:session|user|assistant|tool|system|subagent)\.[a-z_]{1,40}$/.test(type.slice(0, 60))
  },
  start,
}

function start(notes: LogNotes, take: Take) {
  const unique = createUniqueIds()
  const drafts: { readonly draft: Draft; readonly order: number }[] = []
  const usages: FoundUsage[] = []
  const sums: FoundUsage[] = []
  const events = new Map<string, number>()
  const answered = new Set<string>()
  const counted = new Set<string>()
  let order = 0
  let session: string | null = null
  let root: string | null = null
  let model: string | null = null
  let title: string | null = null
  let asked: string | null = null
  let system: string | null = null
  let spoken: Answer | null = null
  /** Answers by the provider's id of their response. */
  const answers = new Map<string, Answer>()
  const called = new Map<string, string>()
  /** Usage that came before the answer it belongs to. */
  let early: FoundUsage | null = null
  let sidechains = 0
  let abandoned = 0

  const adders: Readonly<Record<string, (data: Fields, head: Head) => boolean>> = {
    'session.compaction_complete': addSummary,
    'session.context_cleared': (data, head) => addSummary({ summaryContent: data['initialMessage'] }, head),
    'session.shutdown': addSums,
    'session.snapshot_rewind': (data) => rewind(textAt(data, 'upToEventId')),
    'system.message': addSystem,
    'user.message': addUser,
    'assistant.message': addAnswer,
    'assistant.usage': addUsage,
    'tool.execution_complete': addResult,
  }
  return { add, finish }

  function add(entry: Fields, line: number): void {
    const id = textAt(entry, 'id')
    if (id !== null && events.has(id)) return notes.skip(line, 'repeated')
    order += 1
    if (id !== null) events.set(id, order)
    const type = textAt(entry, 'type') ?? 'entry without a type'
    const data = fieldsAt(entry, 'data')
    // Events of a sub-agent name the call that started it.
    const isInner = textAt(data, 'parentToolCallId') !== null || textAt(entry, 'agentId') !== null
    const head: Head = { id: id ?? `line-${line}`, time: timeAt(entry, 'timestamp'), isInner }
    if (isInner && type === 'assistant.usage') addUsage(data, head)
    if (isInner && (type === 'assistant.message' || type === 'tool.execution_complete')) sidechains += 1
    else if (isInner || !addEvent(type, data, head)) notes.pass(type)
  }

  /** Returns whether an event is part of the conversation, or describes it. */
  function addEvent(type: string, data: Fields, head: Head): boolean {
    if (type === 'session.start') {
      session ??= textAt(data, 'sessionId')
      root ??= textAt(fieldsAt(data, 'context'), 'cwd')
    }
    if (type === 'session.start' || type === 'session.model_change')
      model = textAt(data, type === 'session.start' ? 'selectedModel' : 'newModel') ?? model
    else if (type === 'session.title_changed') title = textAt(data, 'title') ?? title
    else return Object.hasOwn(adders, type) && (adders[type]?.(data, head) ?? false)
    return true
  }

  function addSummary(data: Fields, { id, time }: Head): boolean {
    const parts = textParts(data, 'summaryContent')
    if (data['success'] === false || parts.length === 0) return false
    return push({ id: unique(id), role: 'system', parts, ...time, summary: true })
  }

  function rewind(event: string | null): boolean {
    const last = event === null ? undefined : events.get(event)
    if (last === undefined) return false
    while ((drafts.at(-1)?.order ?? 0) > last) {
      drafts.pop()
      abandoned += 1
    }
    return true
  }

  /** The log repeats the prompt at every turn. */
  function addSystem(data: Fields, { id, time }: Head): boolean {
    const text = textAt(data, 'content')
    const known = text === null ? null : hash('sha256', text, 'base64url')
    if (text === null || known === system) return false
    system = known
    return push({ id: unique(id), role: 'system', parts: [{ type: 'text', text }], ...time })
  }

  function addUser(data: Fields, { id, time }: Head): boolean {
    const content = textAt(data, 'content')
    // The client sends more than the user typed.
    const text = textAt(data, 'transformedContent') ?? content
    const blobs = listAt(data, 'attachments').filter((item) => isRecord(item) && item['type'] === 'blob')
    const media = blobs.map((item): Part => {
      return { type: 'media', mediaType: textAt(fieldsOf(item), 'mimeType') ?? 'vendor/blob', data: item }
    })
    const parts: readonly Part[] = text === null ? media : [{ type: 'text', text }, ...media]
    if (parts.length === 0) return false
    const source = textAt(data, 'source')
    const added = (source !== null && source !== 'user') || data['isAutopilotContinuation'] === true
    if (!added && content !== null) asked ??= titleText(content)
    return push({ id: unique(id), role: 'user', parts, ...time }, added)
  }

  function addAnswer(data: Fields, { id, time }: Head): boolean {
    const calls = listAt(data, 'toolRequests').flatMap(readCall)
    const parts: readonly Part[] = [...reasoningParts(data, 'reasoningText'), ...textParts(data, 'content'), ...calls]
    if (parts.length === 0) return false
    model = textAt(data, 'model') ?? model
    for (const part of parts) if (part.type === 'tool-call') called.set(part.callId, part.tool)
    const response = textAt(data, 'apiCallId')
    const begun = response === null ? undefined : answers.get(response)
    if (begun !== undefined && goOn(begun, parts)) return true
    const message = take({ id: unique(id), role: 'assistant', parts, ...time })
    spoken = { id: message.id, parts: [...message.parts], isCounted: false }
    if (response !== null) answers.set(response, spoken)
    drafts.push({ draft: { message: { ...message, parts: spoken.parts } }, order })
    if (early !== null) count(spoken, early)
    early = null
    return true
  }

  /** A response with reasoning in between comes in several events. */
  function goOn({ id, parts: said }: Answer, parts: readonly Part[]): boolean {
    if (drafts.at(-1)?.draft.message.id !== id) return false
    for (const part of take({ id, role: 'assistant', parts }).parts) said.push(part)
    return true
  }

  function addUsage(data: Fields, { time, isInner }: Head): boolean {
    const call = textAt(data, 'apiCallId')
    const reported = readUsage(tokenFields(data))
    if (reported === null || (call !== null && counted.has(call))) return false
    if (call !== null) counted.add(call)
    const found = { ...reported, model: textAt(data, 'model') ?? model, at: time.at }
    // A request may be for a sub-agent, a summary or a tool, not for the conversation.
    if (isInner || ['initiator', 'interactionType'].some((field) => othersKinds.test(textAt(data, field) ?? ''))) {
      usages.push(found)
      return false
    }
    const answer = (call === null ? undefined : answers.get(call)) ?? spoken
    if (answer === null || answer.isCounted) early = found
    else count(answer, found)
    return true
  }

  /** A run that was resumed usually goes on with the sums of the one before. */
  function addSums(data: Fields, { id, time }: Head): boolean {
    for (const [name, metrics] of Object.entries(fieldsAt(data, 'modelMetrics'))) {
      const reported = readUsage(tokenFields(fieldsAt(fieldsOf(metrics), 'usage')), undefined, maxTokens)
      if (reported === null) continue
      const { count: requests } = fieldsAt(fieldsOf(metrics), 'requests')
      const number = typeof requests === 'number' && requests >= 1 ? Math.min(Math.floor(requests), 10_000) : 1
      const before = sums.findLast((one) => one.model === name)
      const goesOn = before?.usage != null && reported.usage != null && usageTotal(before.usage) <= usageTotal(reported.usage)
      if (goesOn) sums.splice(sums.indexOf(before), 1)
      sums.push({ ...reported, model: name, at: time.at, answer: `${session}/${id}/${name}`, answers: number })
    }
    return false
  }

  function count(answer: Answer, found: NonNullable<typeof early>): void {
    answer.isCounted = true
    usages.push({ ...found, after: answer.id })
  }

  function addResult(data: Fields, { id, time }: Head): boolean {
    const callId = textAt(data, 'toolCallId')
    if (callId === null || data['isUserRequested'] === true || answered.has(callId)) return false
    answered.add(callId)
    const tool = textAt(data, 'toolName') ?? called.get(callId) ?? null
    called.delete(callId)
    const text = textAt(fieldsAt(data, 'result'), 'content') ?? textAt(fieldsAt(data, 'error'), 'message') ?? ''
    const isError = typeof data['success'] === 'boolean' ? !data['success'] : undefined
    return push({ id: unique(id), role: 'tool', parts: [resultPart(callId, tool, text, isError)], ...time })
  }

  function push(message: Message, added = false): true {
    drafts.push({ draft: { message: take(message), added }, order })
    return true
  }

  function finish() {
    if (drafts.length === 0) return []
    const messages = settleDrafts(drafts.map(({ draft }) => draft))
    return [
      readSessionOf({
        id: session,
        title: title ?? asked,
        root,
        model,
        messages,
        usages: usages.length === 0 ? sums : usages,
        sidechains,
        abandoned,
      }),
    ]
  }
}

interface Answer {
  readonly id: string
  readonly parts: Part[]
  isCounted: boolean
}

const othersKinds = /^(?:sub-agent|mcp-sampling|conversation-(?:subagent|sampling|background|compaction))$/

interface Head {
  /** Whether it is an event of a sub-agent. */
  readonly isInner: boolean
  readonly id: string
  readonly time: Time
}

function tokenFields(data: Fields): Fields {
  return {
    prompt_tokens: data['inputTokens'],
    completion_tokens: data['outputTokens'],
    reasoningTokens: data['reasoningTokens'],
    prompt_tokens_details: { cached_tokens: data['cacheReadTokens'], cache_write_tokens: data['cacheWriteTokens'] },
  }
}

function readCall(call: unknown): readonly Part[] {
  const callId = isRecord(call) ? textAt(call, 'toolCallId') : null
  if (!isRecord(call) || callId === null) return []
  return [{ type: 'tool-call', callId, tool: textAt(call, 'name') ?? '', input: call['arguments'] ?? {} }]
}
