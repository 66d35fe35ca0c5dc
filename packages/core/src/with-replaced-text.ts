import { type MediaPart, type ToolResultPart, withText } from './message.ts'

/** A result with another text. Its pictures stay: no handle brings them back. */
export function withReplacedText(part: ToolResultPart, text: string): ToolResultPart {
  const pictures =
    part.content.type === 'list' ? part.content.items.filter((item): item is MediaPart => item.type === 'media') : []
  if (pictures.length === 0) return withText(part, text)
  return { ...part, content: { type: 'list', items: [{ type: 'text', text }, ...pictures] } }
}
