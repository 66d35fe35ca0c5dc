import { isRecord } from '../../message.ts'
import type { RawMessage } from '../dialect.ts'
import { historyElsewhere } from '../history-elsewhere.ts'
import { textField } from '../message-fields.ts'
import { findList, type Layout, type Request } from '../request.ts'
import { callItems, itemType, outputItems } from './openai-responses-items.ts'

/** How requests of the Responses API are laid out: items under `input`, or one text in their place. */
export const responsesLayout: Layout = {
  list: 'input',
  blocks: 'content',
  many: 'items',
  one: 'an item object',
  find: (value) => findList(value, 'input') ?? findText(value),
}

/** Whether a value has the marks of the Responses API. */
export function isResponses(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isRecord(item) && !('role' in item) && isCallOrOutput(item))
  if (!isRecord(value) || Array.isArray(value['messages'])) return false
  const { input } = value
  if (typeof input === 'string') return typeof value['model'] === 'string'
  return Array.isArray(input) && input.some((item) => isRecord(item) && itemType(item) !== null)
}

/**
 * Says of an answer which call it is for, and of a call that it is `pending`. Where the history is elsewhere, so may be the call or the
 * answer; a call that runs on by itself is answered when it is done.
 */
export function linkItems({ list, body }: Request): (raw: RawMessage) => string | null {
  const isElsewhere = historyElsewhere(body ?? list)
  const asked = new Map<string, string>()
  const answered = new Set<string>()
  for (const raw of list) {
    if (!isRecord(raw) || !callItems.has(raw['type'])) continue
    const callId = textField(raw, 'call_id')
    if (callId === null) continue
    asked.set(callId, callId)
    // Answers of the local shell name the item.
    const id = raw['type'] === 'local_shell_call' ? textField(raw, 'id') : null
    if (id !== null && !asked.has(id)) asked.set(id, callId)
  }
  const answeredBy = (raw: RawMessage): string | null => {
    const named = textField(raw, 'call_id') ?? (raw['type'] === 'local_shell_call_output' ? textField(raw, 'id') : null)
    return named === null ? null : (asked.get(named) ?? (isElsewhere ? null : named))
  }
  for (const raw of list) {
    const callId = isRecord(raw) && outputItems.has(raw['type']) ? answeredBy(raw) : null
    if (callId !== null) answered.add(callId)
  }
  return (raw) => {
    if (outputItems.has(raw['type'])) return answeredBy(raw)
    if (!callItems.has(raw['type']) || answered.has(textField(raw, 'call_id') ?? '')) return null
    return isElsewhere || raw['async'] === true ? pending : null
  }
}

/** What is said of a call that may legally have no answer in the request. */
export const pending = 'pending'

function isCallOrOutput(item: RawMessage): boolean {
  return (callItems.has(item['type']) || outputItems.has(item['type'])) && typeof item['call_id'] === 'string'
}

function findText(value: unknown): Request | null {
  if (!isRecord(value) || typeof value['input'] !== 'string') return null
  const content = value['input']
  let item = items.get(value)
  if (item?.content !== content) {
    item = { role: 'user', content }
    items.set(value, item)
  }
  return { list: [item], path: ['input'], body: value, isText: true }
}

// The same item for the same request, so that what was read of it is known.
const items = new WeakMap<object, { readonly role: 'user'; readonly content: string }>()
