import { filterBinaryName, withoutBinary } from '../binary/filter-binary.ts'
import { once, perItem } from '../derive.ts'
import { placesOf } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { inputText, type MediaPart, type Message, type Part, type ToolCallPart } from '../message.ts'
import { resultHandle, transcriptHandle } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import { jsonText } from '../text/json.ts'

export type Sources = ReturnType<typeof createSources>

/** Looks up the logged original of a shown part, so that a cut is made from the original and names it. Lazy. */
export function createSources(messages: readonly Message[], facts: Facts) {
  const originals = facts.originals ?? messages
  const places = once(() => placesOf(originals))
  const inserted = once(() => new Map(facts.inserted?.map((other) => [other.id, other])))
  const answers = once(() => answersIn(originals))
  const find = (id: string) => places().get(id)
  const original = (message: Message, index: number): Source => {
    const shown = message.parts[index] as Part
    // A result that was moved to its call may have been cut before that.
    const answer = shown.type === 'tool-result' && shown.callId !== null ? answers().get(shown.callId) : undefined
    const found = originals[find(message.id) ?? -1] ?? answer ?? inserted().get(message.id)
    const stored = found === undefined ? null : placeIn(found, shown, index)
    return stored ?? { message, index, part: shown }
  }
  const filters = facts.policies?.includes(filterBinaryName) === true
  return {
    /** The logged part, with binary data filtered if configured; the given part if the log has no such message. */
    part(message: Message, index: number): Part {
      const { part } = original(message, index)
      return filters && part.type === 'tool-result' ? withoutBinary(part, facts) : part
    },
    /** For an image, the handle of its message. */
    handle(message: Message, index: number): string {
      const source = original(message, index)
      return source.part.type === 'media' ? transcriptHandle([source.message]) : partHandle(source.part)
    },
    /** Distinguishes the original of a part from any other. */
    identity: (message: Message, index: number) => partHandle(original(message, index).part),
    /** The logged messages between two ids; null if either is missing. */
    between(first: string, last: string): readonly Message[] | null {
      const [from, to] = [find(first), find(last)]
      return from === undefined || to === undefined ? null : originals.slice(from, to + 1)
    },
    has: (id: string) => find(id) !== undefined,
  }
}

interface Source {
  readonly message: Message
  readonly index: number
  readonly part: Part
}

function answersIn(messages: readonly Message[]): ReadonlyMap<string | null, Message | null> {
  const answers = new Map<string | null, Message | null>()
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-result') answers.set(part.callId, answers.has(part.callId) ? null : message)
    }
  }
  return answers
}

/** Finds a part in its original, usually at the same index unless earlier parts were removed to repair pairs. */
function placeIn(message: Message, shown: Part, index: number): Source | null {
  const { parts } = message
  const isSame = (part: Part | undefined) => part?.type === shown.type && callIdOf(part) === callIdOf(shown)
  const place = isSame(parts[index]) ? index : 'callId' in shown ? parts.findIndex(isSame) : -1
  const part = parts[place]
  return part === undefined ? null : { message, index: place, part }
}

function callIdOf(part: Part): string | null | undefined {
  return 'callId' in part ? part.callId : undefined
}

function partHandle(part: Part): string {
  if (part.type === 'tool-result') return resultHandle(part)
  return part.type === 'text' || part.type === 'reasoning' ? handleOf(part.text) : dataHandle(part)
}

const dataHandle = perItem((part: ToolCallPart | MediaPart) =>
  handleOf(part.type === 'tool-call' ? inputText(part) : jsonText(part.data)),
)()
