import { shownAbove } from '../economy/above-marker.ts'
import type { ReplaceEdit } from '../edit.ts'
import { handleOf } from '../hash.ts'
import { callInput, type Message, resultText } from '../message.ts'
import { resultHandle } from '../recall/transcript.ts'

/**
 * Says whether a replacement is still true where it says that lines are shown above: a client that shortened its history may have left out
 * what showed them. Without messages nothing is checked.
 */
export function createAboveCheck(messages: readonly Message[]): (edit: ReplaceEdit) => boolean {
  let places: ReadonlyMap<string, number> | null = null
  let numbers: ReadonlyMap<string, number> | null = null
  return ({ message, with: part }) => {
    if (messages.length === 0 || part.type !== 'tool-result') return true
    const handles = shownAbove(resultText(part))
    if (handles.length === 0) return true
    places ??= firstPlaces(messages)
    numbers ??= new Map(messages.map(({ id }, index) => [id, index]))
    const own = numbers.get(message) ?? 0
    const known = places
    return handles.every((handle) => (known.get(handle) ?? own) < own)
  }
}

/** Where each text that can be had back stands first. */
function firstPlaces(messages: readonly Message[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [index, { parts }] of messages.entries()) {
    for (const part of parts) {
      const handles =
        part.type === 'tool-result'
          ? [resultHandle(part)]
          : part.type === 'tool-call'
            ? Object.values(callInput(part) ?? {}).flatMap((text) =>
                typeof text === 'string' && text.includes('\n') ? [handleOf(text)] : [],
              )
            : []
      for (const handle of handles) if (!places.has(handle)) places.set(handle, index)
    }
  }
  return places
}
