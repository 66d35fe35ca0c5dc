import { isMapping } from '../config/mapping.ts'

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
  return isMapping(value) ? value[key] : undefined
}
