import type { MediaPart, Part, ResultContent, TextPart } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'

/** Text, or a list of blocks, as parts; null where it is neither. What says nothing is left out. */
export function contentParts<Read extends Part>(
  content: unknown,
  readBlock: (block: unknown) => Read,
): readonly (Read | TextPart)[] | null {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return null
  return (content as readonly unknown[]).map(readBlock).filter((part: Part) => !isText(part) || part.text !== '')
}

/** What a tool answered: text where it is nothing but text, however it is wrapped. */
export function resultContent(content: unknown, readBlock: (block: unknown) => TextPart | MediaPart): ResultContent {
  if (typeof content === 'string') return { type: 'text', text: content }
  if (content === undefined || content === null) return { type: 'text', text: '' }
  if (!Array.isArray(content)) return { type: 'json', value: content }
  const items = (content as readonly unknown[]).map(readBlock)
  const [only] = items
  return items.length === 1 && only?.type === 'text' ? { type: 'text', text: only.text } : { type: 'list', items }
}

/** A block that is not known, carried as it is. */
export function vendorPart(value: unknown): MediaPart {
  const type = isMapping(value) && typeof value['type'] === 'string' ? value['type'] : value === null ? 'null' : typeof value
  return { type: 'media', mediaType: `vendor/${type}`, data: value }
}

/** Whether a part is words: what was said, or what was thought. */
export function isText(part: Part): part is Extract<Part, { readonly text: string }> {
  return part.type === 'text' || part.type === 'reasoning'
}
