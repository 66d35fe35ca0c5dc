import { perList } from '../derive.ts'
import type { Message, Part, ToolCallPart, ToolResultPart } from '../message.ts'

export interface ResultPlace {
  readonly index: number
  readonly partIndex: number
  readonly part: ToolResultPart
}

/** A call with no result right after it. */
export interface OpenCall {
  readonly call: ToolCallPart
  /** The index of the assistant message, and of the last result that follows it, if any. */
  readonly asked: number
  readonly end: number
  /** A result found elsewhere; null if there is none. */
  readonly strayed: ResultPlace | null
}

export interface Pairs {
  readonly open: readonly OpenCall[]
  readonly standing: (index: number, partIndex: number, part: ToolResultPart) => 'answers' | 'strayed' | 'doubled' | 'orphan'
}

/** The common case, without bookkeeping: each call is answered in order by the messages that follow it. */
export const isPaired = perList({
  /** `open` are the ids of the pending calls, the first one last. */
  start: () => ({ open: [] as string[], isBroken: false }),
  add(state, { role, parts }: Message) {
    if (role === 'tool') {
      const [answer] = parts
      const isNext = answer?.type === 'tool-result' && state.open.length > 0 && answer.callId === state.open.pop()
      if (!isNext || parts.some(({ type }, index) => index > 0 && type === 'tool-result')) state.isBroken = true
    } else if (state.open.length > 0) state.isBroken = true
    else if (role === 'assistant') {
      const calls = parts.filter(isCall)
      if (calls.some(({ pending }) => pending === true)) state.isBroken = true
      state.open = calls.map(({ callId }) => callId).reverse()
    }
  },
  finish: ({ open, isBroken }) => !isBroken && open.length === 0,
})()

/**
 * Finds the result of every call: among the tool messages right after it, else further down unless a call of the same id precedes it, else right
 * before it if no call of that id came earlier, as in a reversed list. Linear over all calls.
 */
export function pairUp(messages: readonly Message[]): Pairs {
  const places = placesById(messages)
  const answering = new Set<string>()
  const strayed = new Set<string>()
  const answered = new Set<string>()
  const open: OpenCall[] = []
  for (let asked = 0; asked < messages.length; asked += 1) {
    const message = messages[asked] as Message
    const waiting = message.role === 'assistant' ? createUnansweredCalls(message) : noCalls
    if (waiting === noCalls) continue
    let end = asked
    while (messages[end + 1]?.role === 'tool') {
      end += 1
      for (const [partIndex, part] of (messages[end] as Message).parts.entries()) {
        if (part.type !== 'tool-result' || part.callId === null || !waiting.answer(part.callId)) continue
        answered.add(part.callId)
        answering.add(key(end, partIndex))
      }
    }
    let start = asked
    while (messages[start - 1]?.role === 'tool') start -= 1
    for (const call of waiting.left()) {
      if (call.pending === true) continue
      const found = places.get(call.callId)?.next(start, end) ?? null
      if (found !== null) {
        answered.add(call.callId)
        strayed.add(key(found.index, found.partIndex))
      }
      open.push({ call, asked, end, strayed: found })
    }
  }
  return {
    open,
    standing(index, partIndex, { callId }) {
      const place = key(index, partIndex)
      if (callId === null || answering.has(place)) return 'answers'
      if (strayed.has(place)) return 'strayed'
      return answered.has(callId) ? 'doubled' : 'orphan'
    },
  }
}

function key(index: number, partIndex: number): string {
  return `${index}.${partIndex}`
}

export function hasCalls({ role, parts }: Message): boolean {
  return role === 'assistant' && parts.some((part) => part.type === 'tool-call')
}

interface Places {
  /** The next result that may answer a call whose neighbours reach from `start` to `end`. Calls must be asked about in order. */
  readonly next: (start: number, end: number) => ResultPlace | null
}

function placesById(messages: readonly Message[]): ReadonlyMap<string, Places> {
  const listed = new Map<string, (ResultPlace | { readonly index: number; readonly part: ToolCallPart })[]>()
  for (const [index, message] of messages.entries()) {
    for (const [partIndex, part] of message.parts.entries()) {
      if ((part.type !== 'tool-call' && part.type !== 'tool-result') || part.callId === null) continue
      const place = part.type === 'tool-call' ? { index, part } : { index, partIndex, part }
      const known = listed.get(part.callId)
      if (known === undefined) listed.set(part.callId, [place])
      else known.push(place)
    }
  }
  return new Map([...listed].map(([callId, places]) => [callId, createPlaces(places)]))
}

function createPlaces(places: readonly (ResultPlace | { readonly index: number; readonly part: ToolCallPart })[]): Places {
  const firstCall = places.find(({ part }) => part.type === 'tool-call')?.index ?? Number.POSITIVE_INFINITY
  let cursor = 0
  return {
    next(start, end) {
      for (; cursor < places.length; cursor += 1) {
        const place = places[cursor] as (typeof places)[number]
        if (!('partIndex' in place)) {
          if (place.index > end) return null
          continue
        }
        const isEarly = place.index >= start && place.index < firstCall
        if (!isEarly && place.index <= end) continue
        cursor += 1
        return place
      }
      return null
    },
  }
}

export interface UnansweredCalls {
  /** Answers the first pending call of this id; false if there is none. */
  readonly answer: (callId: string) => boolean
  /** Those still pending, in order. */
  readonly left: () => readonly ToolCallPart[]
}

/** Linear over all answers, even if very many calls share an id. */
export function createUnansweredCalls({ parts }: Message): UnansweredCalls {
  if (!parts.some(isCall)) return noCalls
  const answered = new Set<number>()
  // The last place first, so that the first one can be popped.
  const places = new Map<string, number[]>()
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index] as Part
    if (!isCall(part)) continue
    const known = places.get(part.callId)
    if (known === undefined) places.set(part.callId, [index])
    else known.push(index)
  }
  return {
    answer(callId) {
      const place = places.get(callId)?.pop()
      if (place === undefined) return false
      answered.add(place)
      return true
    },
    left: () => parts.filter((part, index): part is ToolCallPart => isCall(part) && !answered.has(index)),
  }
}

export const noCalls: UnansweredCalls = { answer: () => false, left: () => [] }

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call'
}
