import { isRecord } from '../message.ts'
import { geminiLayout } from './dialects/gemini-fields.ts'
import { itemType } from './dialects/openai-responses-items.ts'

/** Whether the provider stores part of the history. Results may then belong to calls outside the request. */
export function historyElsewhere(value: unknown): boolean {
  if (isRecord(value) && (isNamed(value['previous_response_id']) || isNamed(value['conversation']))) return true
  // Anthropic's; the first request of a thread has all of it.
  if (isRecord(value) && isRecord(value['thread']) && value['thread']['type'] === 'continue') return true
  const input = isRecord(value) ? value['input'] : value
  if (Array.isArray(input) && input.some((item) => isRecord(item) && itemType(item) === 'item_reference')) return true
  const body = geminiLayout.find(value)?.body
  return isNamed(body?.['cachedContent']) || isNamed(body?.['cached_content'])
}

function isNamed(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isRecord(value)
}
