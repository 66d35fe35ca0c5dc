import { isRecord } from '../message.ts'
import type { RawMessage } from './dialect.ts'

/**
 * The text of a block that holds nothing but text one level down: a document or search result of Anthropic's, or a resource of an
 * MCP tool. Null for any other block.
 */
export function nestedText(block: RawMessage): string | null {
  const place = placeOf(block)
  return place === null ? null : textOf(place.held[place.field])
}

/** A block with another text, where the block holds its text. */
export function withBlockText(block: unknown, text: string): unknown {
  const raw = block as RawMessage
  if (typeof raw['text'] === 'string') return { ...raw, text }
  const place = placeOf(raw)
  if (place === null) return { ...raw, text }
  const { inside, field, held } = place
  const changed = { ...held, [field]: withText(held[field], text) }
  return inside === null ? changed : { ...raw, [inside]: changed }
}

/** The object that holds the text of a block, and its field there. */
interface Place {
  /** The field of the block that holds the object; null if it is the block itself. */
  readonly inside: string | null
  readonly held: RawMessage
  readonly field: string
}

function placeOf(block: RawMessage): Place | null {
  const { source, resource } = block
  switch (block['type']) {
    case 'document': {
      if (!isRecord(source)) return null
      const field = source['type'] === 'text' ? 'data' : source['type'] === 'content' ? 'content' : null
      return field === null ? null : { inside: 'source', held: source, field }
    }
    case 'search_result':
      return { inside: null, held: block, field: 'content' }
    case 'resource':
      return isRecord(resource) ? { inside: 'resource', held: resource, field: 'text' } : null
    default:
      return null
  }
}

/** A text, or blocks of text and nothing else. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return isTextBlocks(value) ? value.map(({ text }) => text).join('\n') : null
}

function withText(value: unknown, text: string): unknown {
  return isTextBlocks(value) ? [{ ...value[0], text }] : text
}

function isTextBlocks(value: unknown): value is readonly (RawMessage & { readonly text: string })[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((block) => isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string')
}
