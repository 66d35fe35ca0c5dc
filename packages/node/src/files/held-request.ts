import { codecs } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { ReadError } from '@plimsoll/core/wire'

/** The items or contents of a request whose dialect lists no messages; null for anything else, and for what that dialect refuses. */
export function heldRequest(entry: unknown): readonly unknown[] | null {
  if (!isRecord(entry)) return null
  const codec = [codecs['openai-responses'], codecs.gemini].find(({ detect }) => detect(entry))
  if (codec === undefined) return null
  try {
    codec.read(entry)
  } catch (error) {
    if (error instanceof ReadError) return null
    throw error
  }
  const list = requestList(entry)
  return Array.isArray(list) ? list : [{ role: 'user', content: list }]
}

/** What a request holds for a model, whatever its dialect calls it: the value itself, or what is held under a name. */
export function requestList(request: unknown): unknown {
  if (!isRecord(request)) return request
  const { messages, input, contents } = request
  if (Array.isArray(messages)) return messages
  const held = input ?? contents
  if (held !== undefined) return held
  for (const field of ['generateContentRequest', 'generate_content_request', 'request']) {
    const inner = request[field]
    if (isRecord(inner) && Array.isArray(inner['contents'])) return inner['contents']
  }
  return messages
}

/** Counts the messages of a conversation and what stands in their lists: parts, calls, and the parts of results. Stops above a limit. */
export function countParts(messages: readonly unknown[], limit: number): number {
  let count = messages.length
  for (const message of messages) {
    for (const key of listKeys) {
      const list = listAt(message, key)
      count += list.length
      if (count > limit) return count
      for (const part of list) count += listAt(part, 'content').length + listAt(fieldOf(part, 'output'), 'value').length
    }
    if (count > limit) return count
  }
  return count
}

/** The lists of a message, in every dialect, of which each item becomes a part. */
const listKeys = ['content', 'tool_calls', 'parts'] as const

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}

function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined
}
