import type { Message, Part } from '@plimsoll/core'
import { isSha256 } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { MediaPart } from '@plimsoll/core/wire'
import type { EmbeddedInspection } from '../shared/inspection/embedded-inspection.ts'
import { shownMedia } from '../shared/inspection/inspection.ts'
import { imageOf } from '../tools/image/save-image.ts'

/** Embeds the images of messages in a page, within limits in bytes. An image that is stored as a blob counts once. */
export function createImageKeeper(
  { each, all }: { readonly each: number; readonly all: number },
  read: (sha256: string) => Promise<Uint8Array | null>,
) {
  const blobs: Record<string, string> = {}
  const rejected = new Set<string>()
  let used = 0
  let left = 0

  const takes = (bytes: number): boolean => {
    if (bytes > each || used + bytes > all) return false
    used += bytes
    return true
  }

  const keepBlob = async (sha256: string, bytes: number): Promise<void> => {
    if (Object.hasOwn(blobs, sha256) || rejected.has(sha256)) return
    const content = bytes > each ? null : await read(sha256).catch(() => null)
    const image = content === null ? null : imageOf(Buffer.from(content))
    if (image !== null && takes(image.bytes.byteLength)) {
      blobs[sha256] = `data:${image.mediaType};base64,${image.bytes.toString('base64')}`
    } else {
      left += 1
      rejected.add(sha256)
    }
  }

  const keepMedia = async (part: MediaPart): Promise<MediaPart> => {
    const media = shownMedia(part.data)
    if ('blob' in media) await keepBlob(media.blob.sha256, media.blob.bytes)
    if (!('url' in media) || (imageUrl.test(media.url) && takes(media.url.length * bytesOfCharacter))) return part
    left += 1
    return { ...part, data: { none: true } }
  }

  const keepPart = async (part: Part): Promise<Part> => {
    if (part.type === 'media') return keepMedia(part)
    if (part.type !== 'tool-result') return part
    const blob = part.metadata?.['blob']
    if (isImageBlob(part.metadata, blob)) await keepBlob(blob.sha256, blob.bytes)
    if (part.content.type !== 'list') return part
    const items: (typeof part.content.items)[number][] = []
    for (const item of part.content.items) items.push(item.type === 'media' ? await keepMedia(item) : item)
    return { ...part, content: { ...part.content, items } }
  }

  return {
    /** The message for a page, without the data of images that do not fit. */
    async message(message: Message): Promise<Message> {
      if (!message.parts.some(mayHaveImages)) return message
      const parts: Part[] = []
      for (const part of message.parts) parts.push(await keepPart(part))
      return { ...message, parts }
    },
    blobs: (): EmbeddedInspection['blobs'] => blobs,
    /** The number of images that did not fit. */
    left: () => left,
  }
}

/** In base64. */
const bytesOfCharacter = 0.75

/** Only pixel formats: no documents, and no SVG. */
const imageUrl = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/

function mayHaveImages(part: Part): boolean {
  if (part.type !== 'tool-result') return part.type === 'media'
  return part.content.type === 'list' || part.metadata?.['blob'] !== undefined
}

/** A tool that made an image names it in its metadata. */
function isImageBlob(
  metadata: Readonly<Record<string, unknown>> | undefined,
  blob: unknown,
): blob is { readonly sha256: string; readonly bytes: number } {
  const mediaType = metadata?.['mediaType']
  return isRecord(blob) && isSha256(blob['sha256']) && typeof mediaType === 'string' && mediaType.startsWith('image/')
}
