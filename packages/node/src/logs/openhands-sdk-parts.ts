import type { MediaPart, Part, ResultContent, TextPart, ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { fieldsAt, listAt, textAt } from './entry-fields.ts'
import type { Fields } from './log-reader.ts'

/** The words and pictures in content as the library writes it: text, one block, or a list of blocks. */
export function saidIn(content: unknown): readonly (TextPart | MediaPart)[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content]
  return list.flatMap((block): readonly (TextPart | MediaPart)[] => {
    const text = typeof block === 'string' ? block : isMapping(block) ? textAt(block, 'text') : null
    if (text !== null) return text === '' ? [] : [{ type: 'text', text }]
    const pictures = isMapping(block) ? listAt(block, 'image_urls') : []
    return pictures.map((data) => ({ type: 'media', mediaType: 'image/*', data }))
  })
}

/** What the model thought before it spoke. */
export function thoughtsIn(fields: Fields): readonly Part[] {
  const text = textAt(fields, 'reasoning_content')
  if (text !== null) return [{ type: 'reasoning', text }]
  return listAt(fields, 'thinking_blocks').flatMap((block): readonly Part[] => {
    const thinking = isMapping(block) ? textAt(block, 'thinking') : null
    return thinking === null ? [] : [{ type: 'reasoning', text: thinking }]
  })
}

/** The call that an action is, as the model wrote it; null where it has no id. */
export function callOf(event: Fields): ToolCallPart | null {
  const call = fieldsAt(event, 'tool_call')
  const callId = textAt(event, 'tool_call_id') ?? textAt(call, 'id')
  if (callId === null) return null
  const { kind: _, ...action } = fieldsAt(event, 'action')
  const written = call['arguments'] ?? fieldsAt(call, 'function')['arguments']
  return { type: 'tool-call', callId, tool: textAt(event, 'tool_name') ?? textAt(call, 'name') ?? '', input: written ?? action }
}

/** What came of a call: what was observed, why it was refused, or what went wrong. */
export function observationOf(event: Fields): ToolResultPart | null {
  const callId = textAt(event, 'tool_call_id')
  const refused = textAt(event, 'rejection_reason')
  const error = textAt(event, 'error')
  if (callId === null) return null
  const head = { type: 'tool-result', callId, tool: textAt(event, 'tool_name') } as const
  if (error !== null) return { ...head, content: { type: 'text', text: error }, isError: true }
  if (refused !== null) return { ...head, content: { type: 'text', text: `Action rejected: ${refused}` }, isError: true }
  const observation = fieldsAt(event, 'observation')
  const content = observedContent(observation, saidIn(event['extended_content']))
  return { ...head, content, ...(observation['is_error'] === true ? { isError: true } : {}) }
}

function observedContent(observation: Fields, added: readonly (TextPart | MediaPart)[]): ResultContent {
  const { kind: _, ...fields } = observation
  if (!('content' in observation || 'output' in observation)) return { type: 'json', value: fields }
  // A terminal adds how the command ended.
  const metadata = fieldsAt(observation, 'metadata')
  const words = [metadata['prefix'], observation['content'] ?? observation['output'], metadata['suffix']]
  const items = [...words.flatMap(saidIn), ...added]
  return items.every((item) => item.type === 'text')
    ? { type: 'text', text: items.map(({ text }) => text).join('') }
    : { type: 'list', items }
}
