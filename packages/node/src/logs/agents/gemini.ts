import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import { createUniqueIds, resultPart, vendorPart } from '../draft.ts'
import { type Fields, fieldsAt, listAt, textAt, timeAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, readSessionOf, type Take } from '../log-reader.ts'
import { readUsage } from '../read-usage.ts'

/** Gemini's contents: a list of `{ role, parts }`, or a request or checkpoint that holds one. */
export const gemini: LogReader = {
  name: 'gemini',
  detect: (entry) => isContent(entry) || heldContents(entry)?.some((held) => isRecord(held) && isContent(held)) === true,
  start,
}

/** Parts with a `type` are another vendor's. */
function isContent(entry: Fields): boolean {
  const { role, parts } = entry
  if (!Array.isArray(parts) || !(role === undefined || (typeof role === 'string' && roles.has(role)))) return false
  return (parts as readonly unknown[]).some((part) => isRecord(part) && !('type' in part) && knownField(part) !== undefined)
}

function knownField(part: Fields): string | undefined {
  return knownFields.find((field) => field in part)
}

const roles = new Set(['user', 'model', 'function', 'system'])
const knownFields = 'text functionCall functionResponse inlineData fileData executableCode codeExecutionResult'.split(' ')

function heldContents(entry: Fields): readonly unknown[] | null {
  for (const field of ['contents', 'history']) if (Array.isArray(entry[field])) return listAt(entry, field)
  return null
}

function start(notes: LogNotes, take: Take) {
  const unique = createUniqueIds()
  const messages: Message[] = []
  const usages: FoundUsage[] = []
  /** Calls without an id by tool: for each content the unanswered ones, oldest first from `next` on. */
  const open = new Map<string, { readonly content: string; readonly ids: string[]; next: number }[]>()
  let model: string | null = null
  let session: string | null = null

  return { add, finish }

  function add(entry: Fields, line: number): void {
    const held = isContent(entry) ? null : heldContents(entry)
    if (held === null) return addContent(entry, String(line), line)
    model = textAt(entry, 'model') ?? model
    session = textAt(entry, 'sessionId') ?? session
    const system = entry['systemInstruction'] ?? entry['system_instruction']
    if (isRecord(system)) addContent({ ...system, role: 'system' }, 'system', line)
    held.forEach((content, index) => {
      if (isRecord(content)) addContent(content, `${line}.${index + 1}`, index + 1)
      else notes.skip(index + 1, 'not-an-object')
    })
  }

  function addContent(content: Fields, id: string, line: number): void {
    if (!Array.isArray(content['parts'])) return notes.skip(line, 'no-message')
    const role = content['role'] === 'model' ? 'assistant' : content['role'] === 'system' ? 'system' : 'user'
    const time = timeAt(content, 'timestamp')
    let run: Part[] = []
    let first = 0
    const isSplit = listAt(content, 'parts').some((part) => isRecord(part) && isRecord(part['functionResponse']))
    const close = () => {
      if (run.length > 0) messages.push(take({ id: unique(isSplit ? `${id}.${first}` : id), role, parts: run, ...time }))
      run = []
    }
    let count = 0
    listAt(content, 'parts').forEach((raw, index) => {
      const part = readPart(raw, role === 'assistant', `${id}.${index}`)
      if (part === null) return
      count += 1
      if (part.type === 'tool-result') {
        close()
        messages.push(take({ id: unique(`${id}.${index}`), role: 'tool', parts: [part], ...time }))
      } else {
        if (run.length === 0) first = index
        run.push(part)
      }
    })
    close()
    if (count === 0) notes.pass('message without content')
    const reported = readUsage(content['usageMetadata'])
    const last = messages.at(-1)
    if (reported !== null && count > 0 && role === 'assistant' && last !== undefined)
      usages.push({ after: last.id, ...reported, model })
  }

  function readPart(raw: unknown, isSpoken: boolean, place: string): Part | null {
    if (!isRecord(raw)) return vendorPart(raw)
    if (typeof raw['text'] === 'string') {
      if (raw['text'] === '') return null
      return { type: raw['thought'] === true && isSpoken ? 'reasoning' : 'text', text: raw['text'] }
    }
    if (isRecord(raw['functionCall']) && isSpoken) return readCall(raw['functionCall'], place)
    if (isRecord(raw['functionResponse'])) return readResult(raw['functionResponse'])
    return readMedia(raw)
  }

  function readCall(call: Fields, place: string): Part {
    const tool = textAt(call, 'name') ?? ''
    const given = textAt(call, 'id')
    const callId = given ?? `call-${place}`
    if (given === null) wait(tool, place.slice(0, place.lastIndexOf('.')), callId)
    return { type: 'tool-call', callId, tool, input: call['args'] ?? {} }
  }

  function readResult(answer: Fields): ToolResultPart {
    const tool = textAt(answer, 'name')
    const response = fieldsAt(answer, 'response')
    const { output, error } = response
    const failed = error !== undefined && error !== null
    const value = failed ? error : output !== undefined && Object.keys(response).length === 1 ? output : response
    const content = typeof value === 'string' ? value : ({ type: 'json', value } as const)
    return resultPart(textAt(answer, 'id') ?? nextOpen(tool ?? ''), tool, content, failed || undefined)
  }

  function wait(tool: string, content: string, callId: string): void {
    const waiting = open.get(tool) ?? []
    const last = waiting.at(-1)
    if (last?.content === content) last.ids.push(callId)
    else waiting.push({ content, ids: [callId], next: 0 })
    open.set(tool, waiting)
  }

  /** Without ids, answers belong to the nearest content with calls, in their order. */
  function nextOpen(tool: string): string | null {
    const waiting = open.get(tool) ?? []
    for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
      const callId = last.ids[last.next]
      last.next += 1
      if (callId !== undefined) return callId
      waiting.pop()
    }
    return null
  }

  function finish() {
    return messages.length === 0 ? [] : [readSessionOf({ id: session, model, messages, usages })]
  }
}

function readMedia(raw: Fields): TextPart | MediaPart {
  for (const field of ['inlineData', 'fileData']) {
    const data = raw[field]
    if (isRecord(data)) return { type: 'media', mediaType: textAt(data, 'mimeType') ?? `vendor/${field}`, data: raw }
  }
  const kind = knownField(raw)
  return kind === undefined ? vendorPart(raw) : { type: 'media', mediaType: `vendor/${kind}`, data: raw }
}
