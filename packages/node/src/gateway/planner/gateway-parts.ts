import { type Message, type Part, perList } from '@plimsoll/core'
import { defaultEconomyRules, isThought } from '@plimsoll/core/policies'
import { inputText } from '@plimsoll/core/text'
import { canonicalPart, type HashText } from '@plimsoll/core/wire'
import type { DecisionKey } from '../../store/gateway-record.ts'

export interface GatewayPart extends DecisionKey {
  readonly message: string
  /** Its `partKey`. */
  readonly place: string
  /** A tool result, a call with long arguments, or a thought. */
  readonly content: Part
  /** Identifies everything before it, if a call of another conversation may have the same id; else null. */
  readonly trail: string | null
}

/**
 * The tool results, long calls and thoughts of a conversation, with keys by which they are found again: results and calls anywhere, thoughts only
 * here.
 */
export function gatewayParts(messages: readonly Message[], hash: HashText): readonly GatewayPart[] {
  return partsOf(hash)(messages)
}

const partsOf = perList({
  start: (_hash: HashText) => ({ parts: [] as GatewayPart[], trailOf: createTrails() }),
  add({ parts, trailOf }, message: Message, _index, hash) {
    trailOf.add(message)
    if (message.role !== 'tool' && message.role !== 'assistant') return
    for (let part = 0; part < message.parts.length; part += 1) {
      const content = message.parts[part] as Part
      const known = made.get(content)
      if (
        known === undefined &&
        !(message.role === 'tool' ? content.type === 'tool-result' : isThought(content) || isLongCall(content))
      )
        continue
      const callId = callIdOf(content)
      const trail = (known?.isCommon ?? isCommonCallId(callId)) ? trailOf.last(hash) : null
      if (known !== undefined && known.hash === hash && isSame(known.made, message.id, part, trail)) {
        parts.push(known.made)
        continue
      }
      const original = hash(canonicalPart(content))
      const place = `${message.id}.${part}`
      const one = { message: message.id, place, key: callId ?? message.id, part, original, content, trail }
      made.set(content, { hash, isCommon: trail !== null, made: one })
      parts.push(one)
    }
  },
  finish: ({ parts }): readonly GatewayPart[] => parts.slice(),
})

export function callIdOf(part: Part): string | null {
  return part.type === 'tool-result' || part.type === 'tool-call' ? part.callId : null
}

/** Whether a call has arguments that may be shortened: only texts of more than this many characters are. */
function isLongCall(part: Part): boolean {
  return part.type === 'tool-call' && inputText(part).length > defaultEconomyRules.argumentsOver
}

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
