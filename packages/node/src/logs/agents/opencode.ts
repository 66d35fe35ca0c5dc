import type { Message, Part } from '@plimsoll/core'
import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { createUniqueIds, type Draft, fieldsAt, listAt, resultPart, settleDrafts, textAt, timeAt } from '../draft.ts'
import {
  createRecordReader,
  type Fields,
  type LogNotes,
  type ReadSession,
  type ReportedUsage,
  readSessionOf,
  type Take,
} from '../log-reader.ts'

/** Opencode, as `opencode export` writes it: what is known of the session under `info`, and messages with their parts. */
export const opencode = createRecordReader({
  name: 'opencode',
  detect: (entry) =>
    isRecord(entry['info']) &&
    listAt(entry, 'messages')
      .slice(0, 20)
      .some((message) => isRecord(message) && isRecord(message['info']) && Array.isArray(message['parts'])),
  read: (entry, notes, take) => opencodeSession(fieldsAt(entry, 'info'), listAt(entry, 'messages'), notes, take),
})

/** The conversation of an opencode session: its own fields, and messages as `{ info, parts }` in order. */
export function opencodeSession(info: Fields, list: Iterable<unknown>, notes: LogNotes, take: Take): ReadSession | null {
  const unique = createUniqueIds()
  const drafts: Draft[] = []
  const usages: ReportedUsage[] = []
  const keptFrom = new Map<string, string>()
  /** The first message that each of opencode's own became. */
  const first = new Map<string, string>()
  const reverted = textAt(fieldsAt(info, 'revert'), 'messageID')
  let model: string | null = null
  let tail: string | null = null
  let abandoned = 0

  let line = 0
  for (const item of list) {
    line += 1
    const own = isRecord(item) ? fieldsAt(item, 'info') : {}
    const parts = isRecord(item) ? listAt(item, 'parts').filter(isRecord) : []
    const id = textAt(own, 'id') ?? `message-${line}`
    const { role } = own
    if (role !== 'user' && role !== 'assistant') {
      notes.skip(line, 'no-message')
      continue
    }
    // Ids grow with time; what stands behind a revert is only shown until somebody goes on.
    if (reverted !== null && id >= reverted) {
      abandoned += 1
      continue
    }
    const before = drafts.length
    if (role === 'user') addUser(own, parts, id)
    else if (own['summary'] === true) addSummary(own, parts, id)
    else addAnswer(own, parts, id)
    const made = drafts[before]?.message.id
    if (made === undefined) notes.pass('message without content')
    else first.set(id, made)
  }
  if (drafts.length === 0) return null
  return readSessionOf({
    id: textAt(info, 'id'),
    title: textAt(info, 'title'),
    root: textAt(info, 'directory'),
    model,
    messages: settleDrafts(drafts),
    usages,
    abandoned,
    keptFrom,
  })

  function addUser(own: Fields, parts: readonly Fields[], id: string): void {
    const compaction = parts.find((part) => part['type'] === 'compaction')
    if (compaction !== undefined) tail = textAt(compaction, 'tail_start_id')
    const said = parts.flatMap((part): readonly Part[] => {
      const text = part['type'] === 'text' && part['ignored'] !== true ? textAt(part, 'text') : null
      if (text !== null) return [{ type: 'text', text }]
      return part['type'] === 'file' ? fileParts(part) : []
    })
    if (said.length === 0) return
    const isSynthetic = parts.every((part) => part['type'] !== 'text' || part['synthetic'] === true)
    const message: Message = { id: unique(id), role: 'user', parts: said, ...createdAt(own) }
    drafts.push(isSynthetic ? { message: take(message), added: true } : { message: take(message) })
  }

  function addSummary(own: Fields, parts: readonly Fields[], id: string): void {
    const text = parts.flatMap((part) => (part['type'] === 'text' ? (textAt(part, 'text') ?? []) : [])).join('\n\n')
    const kept = tail === null ? undefined : first.get(tail)
    tail = null
    if (text === '') return
    const message: Message = { id: unique(id), role: 'system', parts: [{ type: 'text', text }], ...createdAt(own), summary: true }
    if (kept !== undefined) keptFrom.set(message.id, kept)
    drafts.push({ message: take(message) })
  }

  /** A message of older versions holds all steps of a turn; each is one response. */
  function addAnswer(own: Fields, parts: readonly Fields[], id: string): void {
    model = textAt(own, 'modelID') ?? model
    const steps = stepsOf(parts)
    steps.forEach((step, index) => {
      const said = step.flatMap(readSpoken)
      if (said.length === 0) return
      const started = step.flatMap((part) => timeAt(fieldsAt(part, 'time'), 'start').at ?? [])[0]
      const at = index === 0 || started === undefined ? createdAt(own) : { at: started }
      const message: Message = { id: unique(index === 0 ? id : `${id}.${index}`), role: 'assistant', parts: said, ...at }
      drafts.push({ message: take(message) })
      const finish = step.find((part) => part['type'] === 'step-finish')
      const tokens = finish === undefined && steps.length === 1 ? own['tokens'] : finish?.['tokens']
      const usage = stepUsage(tokens)
      if (usage !== null) usages.push({ after: message.id, usage, model: textAt(own, 'modelID') })
      for (const part of step) {
        const result = readResult(part, at)
        if (result !== null) drafts.push({ message: take({ ...result, id: unique(result.id) }) })
      }
    })
  }
}

function stepsOf(parts: readonly Fields[]): readonly (readonly Fields[])[] {
  const steps: Fields[][] = []
  for (const part of parts) {
    const current = steps.at(-1)
    if (current === undefined || part['type'] === 'step-start') steps.push([part])
    else current.push(part)
  }
  return steps
}

function readSpoken(part: Fields): readonly Part[] {
  const text = textAt(part, 'text')
  if (part['type'] === 'text') return text === null ? [] : [{ type: 'text', text }]
  if (part['type'] === 'reasoning') return text === null ? [] : [{ type: 'reasoning', text }]
  const callId = part['type'] === 'tool' ? textAt(part, 'callID') : null
  if (callId === null) return []
  return [{ type: 'tool-call', callId, tool: textAt(part, 'tool') ?? '', input: fieldsAt(part, 'state')['input'] ?? {} }]
}

function readResult(part: Fields, answered: { readonly at?: number }): Message | null {
  const callId = part['type'] === 'tool' ? textAt(part, 'callID') : null
  const state = fieldsAt(part, 'state')
  const { status } = state
  if (callId === null || (status !== 'completed' && status !== 'error')) return null
  const text = status === 'error' ? state['error'] : state['output']
  const media = listAt(state, 'attachments').filter(isRecord).flatMap(fileParts)
  const said: TextPart = { type: 'text', text: typeof text === 'string' ? text : '' }
  const content: ResultContent = media.length === 0 ? said : { type: 'list', items: [said, ...media] }
  const result = resultPart(callId, textAt(part, 'tool'), content, status === 'error' || undefined)
  const id = textAt(part, 'id') ?? `result-${callId}`
  return { id, role: 'tool', parts: [result], ...answered, ...timeAt(fieldsAt(state, 'time'), 'end') }
}

/** Text files and folders are put into words of their own, beside the part. */
function fileParts(part: Fields): readonly MediaPart[] {
  const mime = textAt(part, 'mime') ?? 'vendor/file'
  return mime === 'text/plain' || mime === 'application/x-directory' ? [] : [{ type: 'media', mediaType: mime, data: part }]
}

function createdAt(own: Fields): { readonly at?: number } {
  return timeAt(fieldsAt(own, 'time'), 'created')
}

/** What is cached stands beside the input. Reasoning stands beside the output, unless the total says it is a part of it. */
function stepUsage(tokens: unknown): Usage | null {
  if (!isRecord(tokens)) return null
  const cache = fieldsAt(tokens, 'cache')
  const { input, output } = tokens
  const usage = normaliseUsage({ input, output, cacheRead: cache['read'], cacheWrite: cache['write'] })
  const thought = normaliseUsage({ cacheRead: 0, input: tokens['reasoning'] })?.input ?? 0
  if (usage === null || thought === 0) return usage
  const { total } = tokens
  const isWithin = total === usage.input + usage.cacheRead + usage.cacheWrite + usage.output
  return isWithin ? usage : { ...usage, output: usage.output + thought }
}
