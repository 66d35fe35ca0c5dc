import { perItem } from '../derive.ts'
import type { MediaPart, Message, Part, ResultContent, TextPart, ToolCallPart, ToolResultPart } from '../message.ts'
import { callInput, isRecord, resultText } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { jsonText } from '../text/json.ts'
import type { BlockPlace, RequestRules } from './request-rules.ts'

/** Omits or describes what a vendor would reject in a message. Returns any number of messages. */
export function fitDialect(message: Message, rules: RequestRules): readonly Message[] {
  if (message.role === 'tool') return fitResults(message, rules)
  const place = message.summary === true ? 'system' : message.role
  const parts = message.parts.flatMap((part) => fitPart(part, rules, place))
  if (parts.length === 0 && !(rules.takesBlankText && message.parts.length === 0)) return []
  return [isSame(parts, message.parts) ? message : { ...message, parts }]
}

function fitPart(part: Part, rules: RequestRules, place: BlockPlace): readonly Part[] {
  switch (part.type) {
    case 'text':
      return keepsText(part, rules) ? [part] : []
    case 'reasoning':
      // Emptied reasoning must not be sent; signed reasoning may have no text.
      return rules.takesReasoning && (part.text !== '' || part.providerOptions !== undefined) ? [part] : []
    case 'media':
      return [fitMedia(part, rules, place)]
    case 'tool-call':
      return [fitCall(part, rules)]
    case 'tool-result':
      // Only a tool message can contain a result.
      return [{ type: 'text', text: resultText(part) }]
  }
}

/** Results without a call id, and images allowed only in user messages, go into a user message. */
function fitResults(message: Message, rules: RequestRules): readonly Message[] {
  const results: Part[] = []
  const told: string[] = []
  const shown: MediaPart[] = []
  const hasResult = message.parts.some((part) => part.type === 'tool-result')
  for (const part of message.parts) {
    if (part.type === 'tool-result' && part.callId !== null) {
      results.push(fitResult(part, rules))
      // The user message may be the only place for an image from a tool.
      for (const item of part.content.type === 'list' ? part.content.items : [])
        if (item.type === 'media' && !isCarried(item, rules, 'result') && isCarried(item, rules, 'user')) shown.push(item)
    } else if (part.type === 'tool-result') told.push(resultText(part))
    else if (part.type === 'text') told.push(part.text)
    else if (part.type === 'media' && isCarried(part, rules, 'tool')) results.push(part)
    // Next to a result, media is the log's copy of it.
    else if (part.type === 'media' && !hasResult) told.push(nameOf(part).text)
  }
  const list: Message[] = results.length === 0 ? [] : [isSame(results, message.parts) ? message : { ...message, parts: results }]
  if (told.length === 0 && shown.length === 0) return list
  const text: TextPart = { type: 'text', text: `Tool results:\n${told.join('\n\n')}`.trimEnd() }
  return [...list, { id: `${message.id}:told`, role: 'user', parts: [text, ...shown] }]
}

function fitResult(part: ToolResultPart, rules: RequestRules): ToolResultPart {
  const callId = fitId(part.callId ?? '', rules)
  const content = fitContent(part, rules)
  return callId === part.callId && content === part.content ? part : { ...part, callId, content }
}

function fitContent(part: ToolResultPart, rules: RequestRules): ResultContent {
  const { content } = part
  if (content.type === 'text') return content
  // Skip values that JSON cannot represent.
  if (content.type === 'json') return content.value === '' || resultText(part) !== '' ? content : emptyText
  const items = content.items
    .map((item) => (item.type === 'media' ? fitMedia(item, rules, 'result') : item))
    .filter((item) => item.type === 'media' || keepsText(item, rules))
  if (items.length === 0) return emptyText
  return isSame(items, content.items) ? content : { type: 'list', items }
}

const emptyText: ResultContent = { type: 'text', text: '' }

function fitCall(part: ToolCallPart, rules: RequestRules): ToolCallPart {
  const callId = fitId(part.callId, rules)
  const input = rules.wantsObjects ? (callInput(part) ?? { input: part.input ?? null }) : part.input
  const { maxName } = rules
  const tool = maxName === null ? part.tool : part.tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxName) || '_'
  return callId === part.callId && input === part.input && tool === part.tool ? part : { ...part, callId, tool, input }
}

function fitMedia(part: MediaPart, rules: RequestRules, place: BlockPlace): MediaPart | TextPart {
  return isCarried(part, rules, place) ? part : nameOf(part)
}

function isCarried({ data }: MediaPart, rules: RequestRules, place: BlockPlace): boolean {
  return isRecord(data) && rules.carries(data, place) && isWritable(data)
}

const isWritable = perItem((data: object) => jsonText(data) !== '')()

function nameOf(part: MediaPart): TextPart {
  return { type: 'text', text: `[${part.mediaType}]` }
}

function keepsText({ text, providerOptions }: TextPart, rules: RequestRules): boolean {
  // A signature may belong to an empty text.
  return rules.takesBlankText === true || text.trim() !== '' || (rules.takesOptions === true && providerOptions !== undefined)
}

function fitId(callId: string, rules: RequestRules): string {
  return rules.callId.test(callId) ? callId : `call_${handleOf(callId)}`
}

export function isSame(list: readonly unknown[], other: readonly unknown[]): boolean {
  return list.length === other.length && list.every((item, index) => item === other[index])
}
