import type { Part } from '../message.ts'

/** Whether a part is something that the model thought, in words or sealed by its provider. */
export function isThought(part: Part): boolean {
  return part.type === 'reasoning' || (part.type === 'media' && part.mediaType === 'vendor/redacted_thinking')
}
