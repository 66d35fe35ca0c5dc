import { isRecord } from '@plimsoll/core'

/**
 * A request of the chat completions whose marks for the cache stand where servers look for them: with the last text of a message,
 * not with the message. The very same where nothing is marked.
 */
export function withCacheMarks(body: Record<string, unknown>): Record<string, unknown> {
  const { messages } = body
  if (!Array.isArray(messages) || !messages.some(isMarked)) return body
  return { ...body, messages: messages.map((message: unknown) => (isMarked(message) ? withMarkInside(message) : message)) }
}

type Marked = Readonly<Record<string, unknown>> & { readonly cache_control: unknown }

function isMarked(message: unknown): message is Marked {
  return isRecord(message) && message['cache_control'] !== undefined
}

function withMarkInside({ cache_control, ...message }: Marked): Record<string, unknown> {
  const { content } = message
  if (typeof content === 'string' && content !== '')
    return { ...message, content: [{ type: 'text', text: content, cache_control }] }
  if (!Array.isArray(content)) return message
  const last = content.findLastIndex((block: unknown) => isRecord(block) && block['type'] === 'text')
  const marked = content.map((block: unknown, index) => (index === last && isRecord(block) ? { ...block, cache_control } : block))
  return { ...message, content: marked }
}
