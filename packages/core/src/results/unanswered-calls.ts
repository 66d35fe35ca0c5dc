import type { Message, Part, ToolCallPart } from '../message.ts'

/** The calls of one message, while their answers are looked for. */
export interface UnansweredCalls {
  /** Whether a call of this id waits for an answer, which it then has got. Where several do, the first one gets it. */
  readonly answer: (callId: string) => boolean
  /** Those that still wait, in order. */
  readonly left: () => readonly ToolCallPart[]
}

/** The calls of a message, all of them unanswered. Linear over all answers, also where very many calls share an id. */
export function createUnansweredCalls({ parts }: Message): UnansweredCalls {
  if (!parts.some(isCall)) return noCalls
  const answered = new Set<number>()
  // The last place first, so that the first one can be taken from the end.
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

/** What a message without calls has. */
export const noCalls: UnansweredCalls = { answer: () => false, left: () => [] }

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call'
}
