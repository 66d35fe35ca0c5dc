import type { Message, Part } from '@plimsoll/core'
import type { Supplier } from './need.ts'

/** A part of the conversation and what a view shows in its place. */
export interface ShownPart {
  readonly original: Part
  /** The message that it belongs to, and its place. */
  readonly message: Message
  readonly index: number
  /** Null where the view has nothing in its place. */
  readonly shown: Part | null
}

/** Finds what a view shows of parts; null for a part that the messages do not have. Mostly the view stands message by message as they do. */
export function createShownParts(
  segment: readonly Message[],
  originals: readonly Message[],
  view: readonly Message[],
): (supplier: Supplier) => ShownPart | null {
  const places = placesIn(segment)
  let moved: Moved | null = null
  return (supplier) => {
    const index = (places.get(supplier.message) ?? []).findLast((place) => place < originals.length)
    const message = index === undefined ? undefined : originals[index]
    const original = message?.parts[supplier.part]
    if (index === undefined || message === undefined || original === undefined) return null
    const aligned = view[index]
    if (aligned === message) return { original, message, index, shown: original }
    if (aligned?.id === message.id) return { original, message, index, shown: aligned.parts[supplier.part] ?? null }
    moved ??= findMoved(view)
    const shown = moved.byId.get(message.id)?.parts[supplier.part] ?? moved.byCall.get(callOf(original) ?? '')
    return { original, message, index, shown: shown ?? null }
  }
}

interface Moved {
  readonly byId: ReadonlyMap<string, Message>
  /** Results by the call they answer: one that strayed is shown elsewhere. */
  readonly byCall: ReadonlyMap<string, Part>
}

function findMoved(view: readonly Message[]): Moved {
  const byId = new Map<string, Message>()
  const byCall = new Map<string, Part>()
  for (const message of view) {
    byId.set(message.id, message)
    for (const part of message.parts) {
      const call = callOf(part)
      if (call !== null) byCall.set(call, part)
    }
  }
  return { byId, byCall }
}

function callOf(part: Part): string | null {
  return part.type === 'tool-result' ? part.callId : null
}

// A segment never changes, and every view of it is asked about.
const remembered = new WeakMap<readonly Message[], ReadonlyMap<string, readonly number[]>>()

function placesIn(segment: readonly Message[]): ReadonlyMap<string, readonly number[]> {
  const known = remembered.get(segment)
  if (known !== undefined) return known
  const places = new Map<string, number[]>()
  for (const [index, { id }] of segment.entries()) {
    const others = places.get(id)
    if (others === undefined) places.set(id, [index])
    else others.push(index)
  }
  remembered.set(segment, places)
  return places
}
