import type { Message, ToolCallPart } from '../message.ts'
import { handleOf } from '../text/hash.ts'

/**
 * The same messages, with an id of its own for every call: some servers number their calls anew in each answer, which other vendors
 * refuse. The first call of an id keeps it, later ones and their results get another, the same whenever it is asked. Expects
 * results right after their calls. Messages without such a call stay the very same.
 */
export function uniqueCalls(messages: readonly Message[]): readonly Message[] {
  const ids = new Set<string>()
  let calls = 0
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== 'tool-call') continue
      calls += 1
      ids.add(part.callId)
    }
  }
  if (ids.size === calls) return messages
  const counts = new Map<string, number>()
  /** The ids that the results of the latest calls have to name, by the one they do. */
  let renamed = new Map<string, string[]>()
  return messages.map((message) => {
    if (message.role === 'assistant') {
      renamed = new Map()
      return withParts(message, (part) => (part.type === 'tool-call' ? rename(part, ids, counts, renamed) : part))
    }
    if (message.role !== 'tool') return message
    return withParts(message, (part) => {
      const callId = part.type === 'tool-result' && part.callId !== null ? renamed.get(part.callId)?.shift() : undefined
      return part.type !== 'tool-result' || callId === undefined || callId === part.callId ? part : { ...part, callId }
    })
  })
}

function rename(part: ToolCallPart, ids: Set<string>, counts: Map<string, number>, renamed: Map<string, string[]>): ToolCallPart {
  let count = counts.get(part.callId) ?? 0
  let callId = part.callId
  for (; count > 0 && ids.has(callId); count += 1) callId = `call_${handleOf(`${part.callId} ${count}`)}`
  ids.add(callId)
  counts.set(part.callId, Math.max(1, count))
  const waiting = renamed.get(part.callId)
  if (waiting === undefined) renamed.set(part.callId, [callId])
  else waiting.push(callId)
  return callId === part.callId ? part : { ...part, callId }
}

function withParts(message: Message, change: (part: Message['parts'][number]) => Message['parts'][number]): Message {
  const parts = message.parts.map(change)
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
}
