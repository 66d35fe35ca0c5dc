import { isRecord } from '@plimsoll/core/text'
import type { MediaPart, ResultContent } from '@plimsoll/core/wire'
import { shownMedia } from '../../../node/src/shared/inspection/inspection.ts'

/** A picture of a conversation: its bytes, or the name they are kept under. */
export interface ShownImage {
  readonly mediaType: string
  readonly source: { readonly url: string } | { readonly sha256: string }
  /** The file it came from or went to; null where there is none. */
  readonly path: string | null
}

/** The pictures that a browser may show. Others can hold programs, or are shown differently by each. */
const mediaTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** The picture in a media part, or null where it holds none that may be shown. */
export function partImage({ mediaType, data }: MediaPart, path: string | null = null): ShownImage | null {
  const media = shownMedia(data)
  if ('url' in media) return urlImage(media.url, path)
  return 'blob' in media ? blobImage(media.blob.sha256, mediaType, path) : null
}

/**
 * The pictures in what a tool answered: those the model was shown, those in its data as data URLs, and, where their bytes are gone
 * from it because they are kept beside the log, the one that its metadata names.
 */
export function resultImages(content: ResultContent, metadata: unknown): readonly ShownImage[] {
  const path = pathIn(metadata)
  const inside =
    content.type === 'list'
      ? content.items.flatMap((item) => (item.type === 'media' ? (partImage(item, path) ?? []) : []))
      : content.type === 'json'
        ? urlsIn(content.value).flatMap((url) => urlImage(url, path) ?? [])
        : []
  if (inside.length > 0) return inside.slice(0, mostImages)
  const kept = keptImage(metadata, path)
  return kept === null ? [] : [kept]
}

const mostImages = 20

function urlImage(url: string, path: string | null): ShownImage | null {
  const mediaType = /^data:([\w/+.-]{1,60});base64,/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return mediaTypes.has(mediaType) ? { mediaType, source: { url }, path } : null
}

function blobImage(sha256: string, type: string, path: string | null): ShownImage | null {
  const mediaType = type.toLowerCase()
  return mediaTypes.has(mediaType) ? { mediaType, source: { sha256 }, path } : null
}

function keptImage(metadata: unknown, path: string | null): ShownImage | null {
  if (!isRecord(metadata) || typeof metadata['mediaType'] !== 'string') return null
  const media = shownMedia({ blob: metadata['blob'] })
  return 'blob' in media ? blobImage(media.blob.sha256, metadata['mediaType'], path) : null
}

function pathIn(metadata: unknown): string | null {
  if (!isRecord(metadata)) return null
  const path = metadata['imagePath'] ?? metadata['path']
  return typeof path === 'string' ? path : null
}

const mostValues = 5000

/** The data URLs in a tool's data, whatever their depth; a huge value is looked at as far as pictures are likely. */
function urlsIn(value: unknown): readonly string[] {
  const waiting: unknown[] = [value]
  const urls: string[] = []
  for (let seen = 0; waiting.length > 0 && seen < mostValues; seen += 1) {
    const next = waiting.pop()
    if (typeof next === 'string' && next.startsWith('data:image/')) urls.push(next)
    if (typeof next !== 'object' || next === null) continue
    const children: readonly unknown[] = Object.values(next)
    // The last one is looked at first, so that pictures come in their order.
    for (let index = Math.min(children.length, mostValues) - 1; index >= 0; index -= 1) waiting.push(children[index])
  }
  return urls
}
