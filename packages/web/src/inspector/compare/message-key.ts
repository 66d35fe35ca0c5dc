import type { Message, Part } from '@plimsoll/core'

const keys = new WeakMap<Message, string>()

/** What a message says, as one text: two messages with the same key are the same to a model, whatever their ids and times. */
export function messageKey(message: Message): string {
  const known = keys.get(message)
  if (known !== undefined) return known
  const key = textOf(message)
  keys.set(message, key)
  return key
}

/** What a part says, likewise. */
export function partKey(part: Part): string {
  // Models never see it.
  return JSON.stringify(part.type === 'tool-result' ? { ...part, metadata: undefined } : part)
}

function textOf({ role, parts, id }: Message): string {
  try {
    return `${role}\n${parts.map(partKey).join('\n')}`
  } catch {
    // What is nested without end has no text; it is the same as itself only.
    return `${role} ${id}`
  }
}
