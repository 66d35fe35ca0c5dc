import { type Message, type Part, perList, type ToolResultPart } from '@plimsoll/core'
import { canonicalPart, type HashText } from '@plimsoll/core/wire'
import type { DecisionKey } from '../../store/gateway-record.ts'

export interface GatewayPart extends DecisionKey {
  readonly message: string
  /** Its `partKey`. */
  readonly place: string
  readonly content: ToolResultPart
  /** Identifies everything before it, if a call of another conversation may have the same id; else null. */
  readonly trail: string | null
}

/** The tool results of a conversation, with keys by which they are found again anywhere. */
export function gatewayParts(messages: readonly Message[], hash: HashText): readonly GatewayPart[] {
  return partsOf(hash)(messages)
}

const partsOf = perList({
  start: (_hash: HashText) => ({ parts: [] as GatewayPart[], trailOf: createTrails() }),
  add({ parts, trailOf }, message: Message, _index, hash) {
    trailOf.add(message)
    if (message.role !== 'tool') return
    for (let part = 0; part < message.parts.length; part += 1) {
      const content = message.parts[part] as Part
      if (content.type !== 'tool-result') continue
      const known = made.get(content)
      const trail = (known?.isCommon ?? isCommonCallId(content.callId)) ? trailOf.last(hash) : null
      if (known !== undefined && known.hash === hash && isSame(known.made, message.id, part, trail)) {
        parts.push(known.made)
        continue
      }
      const original = hash(canonicalPart(content))
      const place = `${message.id}.${part}`
      const one = { message: message.id, place, key: content.callId ?? message.id, part, original, content, trail }
      made.set(content, { hash, isCommon: trail !== null, made: one })
      parts.push(one)
    }
  },
  finish: ({ parts }): readonly GatewayPart[] => parts.slice(),
})

// The same part is the same object in every request, so that what is known of it is found at once.
const made = new WeakMap<Part, { readonly hash: HashText; readonly isCommon: boolean; readonly made: GatewayPart }>()

function isSame(known: GatewayPart, message: string, part: number, trail: string | null): boolean {
  return known.message === message && known.part === part && known.trail === trail
}

/** Hashes of the conversation up to and with the last message, computed as far as they are needed. */
function createTrails() {
  let last = ''
  let waiting: Message[] = []
  return {
    // System prompts may change from request to request.
    add: (message: Message) => void (message.role !== 'system' && waiting.push(message)),
    last(hash: HashText): string {
      for (const message of waiting) last = prefixHash(last, message, hash)
      waiting = []
      return last
    },
  }
}

const trails = new WeakMap<Message, { readonly after: string; readonly hash: HashText; readonly trail: string }>()

function prefixHash(after: string, message: Message, hash: HashText): string {
  const known = trails.get(message)
  if (known !== undefined && known.after === after && known.hash === hash) return known.trail
  const trail = hash(`${after} ${message.id}`)
  trails.set(message, { after, hash, trail })
  return trail
}

/** Some servers number the calls of each conversation from zero, and a dialect without ids names calls by content. In doubt: yes. */
export function isCommonCallId(id: string | null): boolean {
  return id === null || id.startsWith('function:') || !id.split(/[^A-Za-z0-9]+/).some(isRandom)
}

/** A random id has at least eight letters and digits that are not a counter. */
function isRandom(piece: string): boolean {
  return piece.length >= 8 && /\d/.test(piece) && !/^(?:[A-Za-z]+\d{1,4}|0*\d{1,7})$/.test(piece)
}
