import type { Message, Part, ToolResultPart } from '@plimsoll/core'
import { canonicalPart, type HashText } from '@plimsoll/core/wire'
import type { DecisionKey } from '../../store/gateway-record.ts'

/** A part of a request that a gateway may decide about. */
export interface GatewayPart extends DecisionKey {
  /** The id of its message. */
  readonly message: string
  readonly content: ToolResultPart
  /** Names all that stands before it, where a call of another conversation may have the same id; null where none has. */
  readonly trail: string | null
}

/** The tool results of a conversation, each named so that it is known wherever it comes again. */
export function gatewayParts(messages: readonly Message[], hash: HashText): readonly GatewayPart[] {
  const parts: GatewayPart[] = []
  const trailOf = createTrails(messages, hash)
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') continue
    for (let part = 0; part < message.parts.length; part += 1) {
      const content = message.parts[part] as Part
      if (content.type !== 'tool-result') continue
      const original = originalOf(content, hash)
      const trail = isCommonCallId(content.callId) ? trailOf(index) : null
      parts.push({ message: message.id, key: content.callId ?? message.id, part, original, content, trail })
    }
  }
  return parts
}

/** Names for the beginnings of a conversation, up to a message and with it; worked out only as far as somebody asks. */
function createTrails(messages: readonly Message[], hash: HashText): (index: number) => string {
  let last = ''
  let next = 0
  return (index) => {
    for (; next <= index; next += 1) {
      const message = messages[next] as Message
      // What is said to a model beforehand may change from request to request.
      if (message.role !== 'system') last = trailBehind(last, message, hash)
    }
    return last
  }
}

// A message mostly comes again behind the same ones.
const trails = new WeakMap<Message, { readonly after: string; readonly hash: HashText; readonly trail: string }>()

function trailBehind(after: string, message: Message, hash: HashText): string {
  const known = trails.get(message)
  if (known !== undefined && known.after === after && known.hash === hash) return known.trail
  const trail = hash(`${after} ${message.id}`)
  trails.set(message, { after, hash, trail })
  return trail
}

const originals = new WeakMap<Part, { readonly hash: HashText; readonly original: string }>()

function originalOf(part: ToolResultPart, hash: HashText): string {
  const known = originals.get(part)
  if (known?.hash === hash) return known.original
  const original = hash(canonicalPart(part))
  originals.set(part, { hash, original })
  return original
}

/**
 * Whether other conversations may have calls of the same id: some servers number their calls from nought in each conversation, and a
 * dialect without ids names calls by what they ask for. In doubt it is common.
 */
export function isCommonCallId(id: string | null): boolean {
  return id === null || id.startsWith('function:') || !id.split(/[^A-Za-z0-9]+/).some(isChance)
}

/** Letters and digits that nobody counted up: an id that was drawn has some eight of them at least. */
function isChance(word: string): boolean {
  return word.length >= 8 && /\d/.test(word) && !/^(?:[A-Za-z]+\d{1,4}|0*\d{1,7})$/.test(word)
}
