import { handleOf, type Message, type Part, type ToolResultPart } from '@plimsoll/core'
import { isRecord, messageText } from '@plimsoll/core/text'
import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import { contentParts, createUniqueIds, type Draft, resultContent, resultPart, settleDrafts, vendorPart } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, type Time, textAt, timeAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, readSessionOf, type Take } from '../log-reader.ts'
import { readUsage } from '../read-usage.ts'

/**
 * Codex rollouts: items of the Responses API in order, between events for the screen. Items that the model wrote in a row are one
 * message. Events show which texts the user typed; the client added the rest of the user's role.
 */
export const codex: LogReader = {
  name: 'codex',
  detect: (entry) =>
    (isRecord(entry['payload']) && typeof entry['type'] === 'string') ||
    'record_type' in entry ||
    (typeof entry['type'] === 'string' && itemTypes.test(entry['type']) && !('role' in entry && 'parts' in entry)),
  start,
}

/** Items are in a payload; the first versions wrote them bare. */
const itemTypes = /^(?:(?:function|custom_tool)_call(?:_output)?|local_shell_call)$/

function start(notes: LogNotes, take: Take) {
  const unique = createUniqueIds()
  const drafts: Draft[] = []
  const usages: FoundUsage[] = []
  /** Handles of the texts that the user typed, and of the text of each message in the user's role. */
  const typed = new Set<string>()
  const wordsOf = new Map<string, string>()
  const answered = new Set<string>()
  let answer: (Message & { readonly parts: Part[] }) | null = null
  let spoken: string | null = null
  let meta: Fields = {}
  /** The session that this one continues a copy of, or itself. A copy has the lines of the other, with times of its own. */
  let origin: string | null = null
  let model: string | null = null
  let isFast = false
  let title: string | null = null
  let counted: Fields | null = null
  let webSearches = 0
  return { add, finish }

  function add(entry: Fields, line: number): void {
    const payload = isRecord(entry['payload']) ? entry['payload'] : entry
    const type = textAt(entry, 'type')
    if (type === 'session_meta' || (type === null && 'instructions' in entry)) addMeta(payload)
    else if (type === 'turn_context') model = textAt(payload, 'model') ?? model
    else if (type === 'compacted') addSummary(payload, line, timeAt(entry, 'timestamp'))
    else if (type === 'event_msg') addEvent(payload)
    else if (type === 'response_item' || payload === entry) addItem(payload, line, timeAt(entry, 'timestamp'))
    else notes.pass(type ?? 'entry without a type')
  }

  function addMeta(payload: Fields): void {
    meta = 'id' in meta ? meta : payload
    const spawned = fieldsAt(fieldsAt(fieldsAt(payload, 'source'), 'subagent'), 'thread_spawn')
    origin = textAt(payload, 'forked_from_id') ?? textAt(spawned, 'parent_thread_id') ?? textAt(payload, 'id') ?? origin
  }

  function addItem(item: Fields, line: number, time: Time): void {
    const type = textAt(item, 'type') ?? (typeof item['role'] === 'string' ? 'message' : 'entry without a type')
    const callId = textAt(item, 'call_id')
    if (type === 'message') addMessage(item, line, time)
    else if (type === 'reasoning') {
      const blocks = [...listAt(item, 'summary'), ...listAt(item, 'content')]
      const text = blocks.flatMap((block) => textAt(fieldsOf(block), 'text') ?? []).join('\n\n')
      if (text === '') notes.pass('reasoning without text')
      else write({ type: 'reasoning', text }, line, time)
    } else if (type.endsWith('_output') && callId !== null) {
      if (answered.has(callId)) return notes.pass('further result of a call')
      answered.add(callId)
      say({ id: unique(`line-${line}`), role: 'tool', parts: [readResult(item, callId)], ...time })
    } else if (type.endsWith('_call') && callId !== null) {
      const tool = textAt(item, 'name') ?? type.slice(0, -'_call'.length)
      write({ type: 'tool-call', callId, tool, input: item['arguments'] ?? item['input'] ?? item['action'] }, line, time)
    } else if (type.endsWith('_call')) {
      if (type === 'web_search_call') webSearches += 1
      write(vendorPart(item), line, time)
    } else notes.pass(type)
  }

  function addMessage(item: Fields, line: number, time: Time): void {
    const parts = contentParts(item['content'], readBlock)
    if (parts === null) return notes.skip(line, 'no-message')
    if (parts.length === 0) return notes.pass('message without content')
    if (item['role'] === 'assistant') for (const part of parts) write(part, line, time)
    else say({ id: unique(`line-${line}`), role: item['role'] === 'user' ? 'user' : 'system', parts, ...time })
  }

  function write(part: Part, line: number, time: Time): void {
    answer ??= { id: unique(`line-${line}`), role: 'assistant', parts: [], ...time }
    answer.parts.push(part)
    spoken = answer.id
  }

  function say(message: Message): void {
    endAnswer()
    if (message.role === 'user' && message.parts.every((part) => part.type !== 'media')) {
      wordsOf.set(message.id, handleOf(messageText(message).trim()))
    }
    drafts.push({ message: take(message) })
  }

  function endAnswer(): void {
    if (answer !== null) drafts.push({ message: take(answer) })
    answer = null
  }

  function addSummary(payload: Fields, line: number, time: Time): void {
    const text = textAt(payload, 'message')
    // A summary made by the provider is encrypted.
    const sealed = listAt(payload, 'replacement_history').filter((item) => isRecord(item) && 'encrypted_content' in item)
    const parts: readonly Part[] = text === null ? sealed.map(vendorPart) : [{ type: 'text', text }]
    if (parts.length === 0) return notes.skip(line, 'no-message')
    say({ id: unique(`line-${line}`), role: 'system', parts, ...time, summary: true })
  }

  function addEvent(payload: Fields): void {
    const type = textAt(payload, 'type') ?? 'event without a type'
    notes.pass(`event/${type}`)
    if (type === 'user_message') typed.add(handleOf((textAt(payload, 'message') ?? '').trim()))
    if (type === 'thread_name_updated') title = textAt(payload, 'thread_name') ?? title
    if (type === 'token_count') addUsage(fieldsAt(payload, 'info'))
    if (type === 'thread_settings_applied') addSettings(fieldsAt(payload, 'thread_settings'))
  }

  function addSettings(settings: Fields): void {
    model = textAt(settings, 'model') ?? model
    isFast = /^(?:fast|priority)$/.test(textAt(settings, 'service_tier') ?? '')
  }

  /** The same count is reported again when nothing was sent in between. Some versions report only the sum so far, or no sum. */
  function addUsage(info: Fields): void {
    const total = isRecord(info['total_token_usage']) ? info['total_token_usage'] : null
    const last = isRecord(info['last_token_usage']) ? info['last_token_usage'] : total === null ? null : since(counted, total)
    const reported = readUsage(last)
    if (reported === null || spoken === null) return
    if (total !== null && JSON.stringify(total) === JSON.stringify(counted)) return
    counted = total
    usages.push({
      after: spoken,
      ...reported,
      ...(webSearches === 0 ? {} : { webSearches }),
      model: model !== null && isFast ? `${model}-fast` : model,
      ...(origin === null || total === null ? {} : { answer: JSON.stringify([origin, total, last]) }),
    })
    webSearches = 0
  }

  function finish() {
    endAnswer()
    if (drafts.length === 0) return []
    const authored = drafts.map(({ message }) => {
      const words = wordsOf.get(message.id)
      return { message, added: typed.size > 0 && words !== undefined && !typed.has(words) }
    })
    const messages = settleDrafts(authored)
    // The first versions name no model, and had this one unless the user chose another.
    const assumed = (textAt(meta, 'timestamp') ?? '9') < '2025-10' ? 'gpt-5' : null
    const billed = usages.map((usage) => ({ ...usage, model: usage.model ?? assumed }))
    const known = { id: textAt(meta, 'id'), title, root: textAt(meta, 'cwd'), model: model ?? assumed }
    return [readSessionOf({ ...known, messages, usages: billed })]
  }
}

/** What was added to a sum. A sum that became smaller has started again. */
function since(before: Fields | null, total: Fields): Fields {
  const added = Object.entries(total).map(([name, value]) => [name, Number(value) - Number(before?.[name] ?? 0)] as const)
  return added.some(([, count]) => count < 0) ? total : Object.fromEntries(added)
}

function readResult(item: Fields, callId: string): ToolResultPart {
  const { output } = item
  // Some versions wrap the answer together with whether the call succeeded.
  const wrapped = isRecord(output) && 'content' in output ? output : null
  const success = wrapped?.['success']
  const content = resultContent(wrapped === null ? output : wrapped['content'], readBlock)
  return resultPart(callId, textAt(item, 'name'), content, typeof success === 'boolean' ? !success : undefined)
}

function readBlock(block: unknown): TextPart | MediaPart {
  if (!isRecord(block)) return vendorPart(block)
  if (typeof block['text'] === 'string') return { type: 'text', text: block['text'] }
  if (block['type'] !== 'input_image') return vendorPart(block)
  const known = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec((textAt(block, 'image_url') ?? '').slice(0, 100))
  return { type: 'media', mediaType: known?.[1] ?? 'image/*', data: block }
}
