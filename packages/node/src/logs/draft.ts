import type { Message, Part } from '@plimsoll/core'

/** A message that was read, before its conversation is put together. */
export interface Draft {
  readonly message: Message
  /** Set where the user's role is only the way in: the client added it, and no person wrote it. */
  readonly added?: true
}

/**
 * Makes messages of drafts. What a client added on its own goes with the person's message beside it, as a provider gets it; where
 * there is none, or nobody has spoken yet, it is a system message. So a round begins only where a person spoke.
 */
export function settleDrafts(drafts: readonly Draft[]): readonly Message[] {
  const messages: Message[] = []
  let said: { readonly message: Message; readonly parts: Part[] } | null = null
  let waiting: Message[] = []
  let spoken = false
  const close = () => {
    if (said !== null)
      messages.push(said.parts.length === said.message.parts.length ? said.message : { ...said.message, parts: said.parts })
    for (const message of waiting) messages.push({ ...message, role: 'system' })
    said = null
    waiting = []
  }
  for (const { message, added } of drafts) {
    if (added === true) {
      if (said === null) waiting.push(message)
      else append(said.parts, message)
    } else if (message.role === 'user') {
      const before = spoken && said === null ? waiting : []
      if (before.length > 0) waiting = []
      close()
      said = { message, parts: [] }
      for (const earlier of before) append(said.parts, earlier)
      append(said.parts, message)
      spoken = true
    } else {
      close()
      messages.push(message)
    }
  }
  close()
  return messages
}

/** Gives an id back, or one made of it where it is taken. */
export function createUniqueIds(): (id: string) => string {
  const taken = new Map<string, number>()
  return (id) => {
    let free = id
    for (let number = (taken.get(id) ?? 0) + 1; taken.has(free); number += 1) {
      taken.set(id, number)
      free = `${id}~${number + 1}`
    }
    taken.set(free, 0)
    return free
  }
}

function append(parts: Part[], { parts: more }: Message): void {
  for (const part of more) parts.push(part)
}
