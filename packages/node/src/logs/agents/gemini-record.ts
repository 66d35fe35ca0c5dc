import { handleOf, type Message, type Part } from '@plimsoll/core'
import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import { fieldsAt, listAt, resultPart, textAt, timeAt } from '../draft.ts'
import type { Fields, Take } from '../log-reader.ts'

/** What one record of a chat of Gemini CLI holds: something a person said, or a response with the results of its calls. */
export interface GeminiRecord {
  /** What was said; null where a record only answers calls. */
  readonly message: Message | null
  readonly results: readonly Message[]
  /** Whether the client said it in the person's name. */
  readonly isAdded: boolean
  readonly usage: Usage | null
  readonly model: string | null
  /** Equal for two records in which the same is said, so that a copy under another id is known. */
  readonly sameness: string
  /** What the person typed, where more than that was sent. */
  readonly typed: string | null
  /** Whether a response answers its calls itself; otherwise results stand in a record of the person. */
  readonly isResponse: boolean
}

export function isGeminiRecord(raw: Fields): boolean {
  return (raw['type'] === 'user' || raw['type'] === 'gemini') && ('content' in raw || Array.isArray(raw['toolCalls']))
}

/** Reads a record. Null where nothing is said. */
export function readGeminiRecord(raw: Fields, id: string, take: Take): GeminiRecord | null {
  const isResponse = raw['type'] === 'gemini'
  const time = timeAt(raw, 'timestamp')
  const content = listOf(raw['content'])
  const made = isResponse ? madeCalls(raw, content, id) : []
  const thoughts = isResponse ? thoughtParts(raw) : []
  const said = content.flatMap((part) => saidPart(part, isResponse && thoughts.length === 0, isResponse))
  const parts: readonly Part[] = [...thoughts, ...said, ...made.map(({ part }) => part)]
  const results = isResponse
    ? made.flatMap(({ call, part }) => resultOfCall(call, part.callId, part.tool))
    : content.flatMap(resultOfPart)
  if (parts.length === 0 && results.length === 0) return null
  const typed = listOf(raw['displayContent']).flatMap((part) => (isRecord(part) ? (textAt(part, 'text') ?? []) : []))
  return {
    message: parts.length === 0 ? null : take({ id, role: isResponse ? 'assistant' : 'user', parts, ...time }),
    results: results.map((result, place) => take({ ...time, ...result, id: `${id}.${place}` })),
    isAdded: !isResponse && said.length > 0 && said.every((part) => part.type === 'text' && isPreamble(part.text)),
    usage: isResponse ? normaliseUsage(raw['tokens']) : null,
    model: isResponse ? textAt(raw, 'model') : null,
    sameness: handleOf(JSON.stringify([raw['type'], said, made.map(({ part }) => [part.tool, part.input])])),
    typed: typed.length === 0 ? null : typed.join(''),
    isResponse,
  }
}

/** Where and when the session takes place, which the client tells before anybody speaks. */
function isPreamble(text: string): boolean {
  return text.startsWith('<session_context>')
}

type Result = Omit<Message, 'id'>

function listOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? (content as readonly unknown[]) : content === undefined || content === null ? [] : [content]
}

function saidPart(part: unknown, withThoughts: boolean, isResponse: boolean): readonly Part[] {
  const text = typeof part === 'string' ? part : isRecord(part) ? textAt(part, 'text') : null
  if (text === '' || !(isRecord(part) || text !== null)) return []
  if (text === null) return mediaPart(part)
  const isThought = isResponse && isRecord(part) && part['thought'] === true
  if (isThought) return withThoughts ? [{ type: 'reasoning', text }] : []
  return [{ type: 'text', text }]
}

function mediaPart(part: unknown): readonly MediaPart[] {
  for (const field of ['inlineData', 'fileData']) {
    const data = isRecord(part) ? fieldsAt(part, field) : {}
    const mediaType = textAt(data, 'mimeType')
    if (mediaType !== null) return [{ type: 'media', mediaType, data: part }]
  }
  return []
}

function thoughtParts(raw: Fields): readonly Part[] {
  return listAt(raw, 'thoughts').flatMap((thought): readonly Part[] => {
    if (!isRecord(thought)) return []
    const text = [textAt(thought, 'subject'), textAt(thought, 'description')].filter((line) => line !== null).join('\n')
    return text === '' ? [] : [{ type: 'reasoning', text }]
  })
}

interface MadeCall {
  readonly call: Fields
  readonly part: Extract<Part, { readonly type: 'tool-call' }>
}

/** The calls of a response stand beside it with what came of them, and in what was copied from the request among its parts. */
function madeCalls(raw: Fields, content: readonly unknown[], id: string): readonly MadeCall[] {
  const told = listAt(raw, 'toolCalls').filter(isRecord)
  const held = content.flatMap((part) => (isRecord(part) && isRecord(part['functionCall']) ? [part['functionCall']] : []))
  const calls = told.length > 0 ? told : held
  return calls.map((call, place) => ({
    call,
    part: {
      type: 'tool-call',
      callId: textAt(call, 'id') ?? `call-${id}.${place}`,
      tool: textAt(call, 'name') ?? '',
      input: call['args'] ?? {},
    },
  }))
}

function resultOfCall(call: Fields, callId: string, tool: string): readonly Result[] {
  const failed = call['status'] === 'error' || call['status'] === 'cancelled'
  const parts = listOf(call['result'])
  const answer = parts.find((part) => isRecord(part) && isRecord(part['functionResponse']))
  const response = isRecord(answer) ? fieldsAt(fieldsAt(answer, 'functionResponse'), 'response') : null
  const words = parts.filter((part) => typeof part === 'string').join('\n') || textAt(call, 'resultDisplay')
  if (response === null && (words === null || !(failed || parts.length > 0))) return []
  const content = response === null ? ({ type: 'text', text: words ?? '' } as const) : responseContent(response)
  return [toolResult(callId, tool, withMedia(content, parts.flatMap(mediaPart)), failed || 'error' in (response ?? {}), call)]
}

function resultOfPart(part: unknown): readonly Result[] {
  const answer = isRecord(part) ? part['functionResponse'] : null
  if (!isRecord(answer)) return []
  const response = fieldsAt(answer, 'response')
  return [toolResult(textAt(answer, 'id'), textAt(answer, 'name'), responseContent(response), 'error' in response, {})]
}

type PlainContent = TextPart | { readonly type: 'json'; readonly value: unknown }

function responseContent(response: Fields): PlainContent {
  const said = textAt(response, 'output') ?? textAt(response, 'error')
  return said === null ? { type: 'json', value: response } : { type: 'text', text: said }
}

function withMedia(content: PlainContent, media: readonly MediaPart[]) {
  if (media.length === 0) return content
  const text: TextPart = content.type === 'text' ? content : { type: 'text', text: JSON.stringify(content.value) }
  return { type: 'list', items: [text, ...media] } as const
}

function toolResult(
  callId: string | null,
  tool: string | null,
  content: PlainContent | ReturnType<typeof withMedia>,
  failed: boolean,
  call: Fields,
): Result {
  return { role: 'tool', parts: [resultPart(callId, tool, content, failed || undefined)], ...timeAt(call, 'timestamp') }
}
