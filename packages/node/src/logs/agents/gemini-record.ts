import { hash } from 'node:crypto'
import type { Message, Part, ToolCallPart } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { resultPart } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, textAt, timeAt } from '../fields.ts'
import type { Take } from '../log-reader.ts'
import { readUsage } from '../read-usage.ts'

export type GeminiRecord = NonNullable<ReturnType<typeof readGeminiRecord>>

export function isGeminiRecord(raw: Fields): boolean {
  return (raw['type'] === 'user' || raw['type'] === 'gemini') && ('content' in raw || Array.isArray(raw['toolCalls']))
}

/** A message of the user, or a response with the results of its calls; null if it is empty. */
export function readGeminiRecord(raw: Fields, id: string, take: Take) {
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
  const typed = listOf(raw['displayContent']).flatMap((part) => textAt(fieldsOf(part), 'text') ?? [])
  return {
    message: parts.length === 0 ? null : take({ id, role: isResponse ? 'assistant' : 'user', parts, ...time }),
    results: results.map((result, place) => take({ ...time, ...result, id: `${id}.${place}` })),
    // Where and when the session takes place, which the client sends before the first message of the user.
    isAdded:
      !isResponse && said.length > 0 && said.every((part) => part.type === 'text' && part.text.startsWith('<session_context>')),
    reported: isResponse ? readUsage(raw['tokens']) : null,
    model: isResponse ? textAt(raw, 'model') : null,
    // Equal for two records with the same content, so that a copy under another id is recognized.
    sameness: hash('sha256', JSON.stringify([raw['type'], said, made.map(({ part }) => [part.tool, part.input])]), 'base64url'),
    // The text that the user typed, if more than that was sent.
    typed: typed.length === 0 ? null : typed.join(''),
    isResponse,
  }
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
    const mediaType = textAt(fieldsAt(fieldsOf(part), field), 'mimeType')
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

/** The calls of a response are listed next to it with their results, and among its parts if those were copied from a request. */
function madeCalls(raw: Fields, content: readonly unknown[], id: string) {
  const listed = listAt(raw, 'toolCalls').filter(isRecord)
  const held = content.map((part) => fieldsOf(part)['functionCall']).filter(isRecord)
  return (listed.length > 0 ? listed : held).map((call, place) => {
    const callId = textAt(call, 'id') ?? `call-${id}.${place}`
    const part: ToolCallPart = { type: 'tool-call', callId, tool: textAt(call, 'name') ?? '', input: call['args'] ?? {} }
    return { call, part }
  })
}

function resultOfCall(call: Fields, callId: string, tool: string): readonly Result[] {
  const failed = call['status'] === 'error' || call['status'] === 'cancelled'
  const parts = listOf(call['result'])
  const answer = parts.map((part) => fieldsOf(part)['functionResponse']).find(isRecord)
  const response = answer === undefined ? null : fieldsAt(answer, 'response')
  const words = parts.filter((part) => typeof part === 'string').join('\n') || textAt(call, 'resultDisplay')
  if (response === null && (words === null || !(failed || parts.length > 0))) return []
  const content = response === null ? ({ type: 'text', text: words ?? '' } as const) : responseContent(response)
  const isError = failed || 'error' in (response ?? {}) || undefined
  const result = resultPart(callId, tool, withMedia(content, parts.flatMap(mediaPart)), isError)
  return [{ role: 'tool', parts: [result], ...timeAt(call, 'timestamp') }]
}

function resultOfPart(part: unknown): readonly Result[] {
  const answer = fieldsOf(part)['functionResponse']
  if (!isRecord(answer)) return []
  const response = fieldsAt(answer, 'response')
  const result = resultPart(
    textAt(answer, 'id'),
    textAt(answer, 'name'),
    responseContent(response),
    'error' in response || undefined,
  )
  return [{ role: 'tool', parts: [result] }]
}

type PlainContent = TextPart | { readonly type: 'json'; readonly value: unknown }

function responseContent(response: Fields): PlainContent {
  const said = textAt(response, 'output') ?? textAt(response, 'error')
  return said === null ? { type: 'json', value: response } : { type: 'text', text: said }
}

function withMedia(content: PlainContent, media: readonly MediaPart[]): ResultContent {
  if (media.length === 0) return content
  const text: TextPart = content.type === 'text' ? content : { type: 'text', text: JSON.stringify(content.value) }
  return { type: 'list', items: [text, ...media] }
}
