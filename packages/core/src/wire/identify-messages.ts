import type { Message } from '../message.ts'
import { canonicalMessage } from './canonical-text.ts'

/** Makes a short name of a text; the same for the same text, and for no other. */
export type HashText = (text: string) => string

/**
 * The same messages under names that say what they hold and not where they stand: a hash of content and call ids, with a number behind
 * it where the same message comes again. What was named before is not read again, and an unchanged message is the same object as the
 * last time.
 */
export function identifyMessages(messages: readonly Message[], hash: HashText): readonly Message[] {
  const seen = new Map<string, number>()
  return messages.map((message) => {
    const name = nameOf(message, hash)
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    return renamed(message, times === 0 ? name : `${name}-${times}`)
  })
}

/**
 * Hashes of the beginnings of a conversation, each one message longer than the one before. `seed` tells conversations apart that have
 * the same messages and are none the less not the same.
 */
export function chainOf(ids: readonly string[], hash: HashText, seed = ''): readonly string[] {
  let last = hash(`chain:${seed}`)
  return ids.map((id) => {
    last = hash(`${last} ${id}`)
    return last
  })
}

/** The same as `chainOf` of the messages' ids. A message that comes again behind the same ones is not hashed again. */
export function chainOfMessages(messages: readonly Message[], hash: HashText, seed = ''): readonly string[] {
  let last = hash(`chain:${seed}`)
  return messages.map((message) => {
    let link = links.get(message)
    if (link === undefined || link.after !== last || link.hash !== hash) {
      link = { after: last, hash, chain: hash(`${last} ${message.id}`) }
      links.set(message, link)
    }
    last = link.chain
    return last
  })
}

interface Link {
  /** The chain of the messages before it. */
  readonly after: string
  readonly hash: HashText
  readonly chain: string
}

const links = new WeakMap<Message, Link>()

interface Named {
  readonly role: Message['role']
  readonly summary: true | undefined
  readonly hash: HashText
  readonly name: string
  /** The message under its name, as it was given out last. */
  given: Message | null
}

// By the list of parts: a message that only moved is another object with the same parts.
const named = new WeakMap<readonly object[], Named>()

function nameOf(message: Message, hash: HashText): string {
  const known = named.get(message.parts)
  if (known !== undefined && known.role === message.role && known.summary === message.summary && known.hash === hash)
    return known.name
  const name = hash(canonicalMessage(message))
  named.set(message.parts, { role: message.role, summary: message.summary, hash, name, given: null })
  return name
}

function renamed(message: Message, id: string): Message {
  const known = named.get(message.parts)
  const given = known?.given
  if (given !== null && given !== undefined && given.id === id && given.at === message.at) return given
  const made: Message = { ...message, id }
  if (known !== undefined) known.given = made
  return made
}
