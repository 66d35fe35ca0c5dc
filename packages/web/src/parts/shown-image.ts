import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent } from '@plimsoll/core/wire'
import { shownMedia } from '../../../node/src/shared/inspection/inspection.ts'

/** An image of a conversation: its bytes, or the name they are stored under. */
export interface ShownImage {
  readonly mediaType: string
  readonly source: { readonly url: string } | { readonly sha256: string }
  /** The file it came from or went to; null if there is none. */
  readonly path: string | null
}

/** The images that a browser may show. Others can hold programs, or are shown differently by each. */
const mediaTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** The image in a media part, or null if it holds none that may be shown. */
export function partImage(
  { mediaType, data }: Pick<MediaPart, 'mediaType' | 'data'>,
  path: string | null = null,
): ShownImage | null {
  const media = shownMedia(data)
  if ('url' in media) return urlImage(media.url, path)
  return 'blob' in media ? allowed({ mediaType: mediaType.toLowerCase(), source: { sha256: media.blob.sha256 }, path }) : null
}

/**
 * The images in a tool's result: those the model was shown, those in its data as data URLs, and, if their bytes are gone
 * from it because they are stored with the log, the one that its metadata names.
 */
export function resultImages(content: ResultContent, metadata: unknown): readonly ShownImage[] {
  const facts = isRecord(metadata) ? metadata : {}
  const named = facts['imagePath'] ?? facts['path']
  const path = typeof named === 'string' ? named : null
  const inside =
    content.type === 'list'
      ? content.items.map((item) => (item.type === 'media' ? partImage(item, path) : null))
      : content.type === 'json'
        ? urlsIn(content.value).map((url) => urlImage(url, path))
        : []
  const shown = inside.filter((image) => image !== null)
  if (shown.length > 0) return shown.slice(0, maxImages)
  const { mediaType, blob } = facts
  const media = shownMedia({ blob })
  const stored = typeof mediaType === 'string' && 'blob' in media ? partImage({ mediaType, data: media }, path) : null
  return stored === null ? [] : [stored]
}

const maxImages = 20

function urlImage(url: string, path: string | null): ShownImage | null {
  const mediaType = /^data:([\w/+.-]{1,60});base64,/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return allowed({ mediaType, source: { url }, path })
}

function allowed(image: ShownImage): ShownImage | null {
  return mediaTypes.has(image.mediaType) ? image : null
}

const maxValues = 5000

/** The data URLs at any depth of a tool's data; a huge value is searched as far as images are likely. */
function urlsIn(value: unknown): readonly string[] {
  const waiting: unknown[] = [value]
  const urls: string[] = []
  for (let seen = 0; waiting.length > 0 && seen < maxValues; seen += 1) {
    const next = waiting.pop()
    if (typeof next === 'string' && next.startsWith('data:image/')) urls.push(next)
    if (typeof next !== 'object' || next === null) continue
    // The last one is looked at first, so that images come in their order.
    waiting.push(...Object.values(next).slice(0, maxValues).reverse())
  }
  return urls
}
