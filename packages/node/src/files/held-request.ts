import { codecs, ReadError } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'

/** The items or contents of a request whose dialect lists no messages; null for anything else, and for what that dialect refuses. */
export function heldRequest(entry: unknown): readonly unknown[] | null {
  if (!isMapping(entry)) return null
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
  if (!isMapping(request)) return request
  const { messages, input, contents } = request
  if (Array.isArray(messages)) return messages
  const held = input ?? contents
  if (held !== undefined) return held
  for (const field of ['generateContentRequest', 'generate_content_request', 'request']) {
    const inner = request[field]
    if (isMapping(inner) && Array.isArray(inner['contents'])) return inner['contents']
  }
  return messages
}
