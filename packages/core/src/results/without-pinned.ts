import type { ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'

/** The edits but those of messages that the user wants whole. */
export function withoutPinned(edits: readonly ReplaceEdit[], { pins }: Facts): readonly ReplaceEdit[] {
  if (pins === undefined || pins.length === 0) return edits
  const pinned = new Set(pins)
  return edits.filter(({ message }) => !pinned.has(message))
}
