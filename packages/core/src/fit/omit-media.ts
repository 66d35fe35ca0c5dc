import { kilobytes } from '../binary/binary-placeholder.ts'
import type { MediaPart, Part, TextPart } from '../message.ts'
import { jsonLength } from '../tokens/json-length.ts'

/** A part with a line in place of each picture or document in it; null where it has none. A vendor's own blocks stay. */
export function omitMedia(part: Part, handle: string): Part | null {
  if (part.type === 'media') return isOmittable(part) ? placeholder(part, handle) : null
  if (part.type !== 'tool-result' || part.content.type !== 'list' || !part.content.items.some(isOmittable)) return null
  const items = part.content.items.map((item) => (isOmittable(item) ? placeholder(item, handle) : item))
  return { ...part, content: { type: 'list', items } }
}

function isOmittable(part: Part): part is MediaPart {
  return (
    part.type === 'media' && typeof part.mediaType === 'string' && /^(?:image|audio|video|application)\//.test(part.mediaType)
  )
}

function placeholder({ mediaType, data }: MediaPart, handle: string): TextPart {
  const name = mediaType.slice(0, 60).replaceAll(/[^\w.+*/-]/g, '')
  return { type: 'text', text: `[${name} omitted, ${kilobytes(jsonLength(data))} KB; recall ${handle}]` }
}
