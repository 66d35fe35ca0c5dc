import type { MediaPart, ToolOutcome } from '@plimsoll/core'
import { sizeText } from '../../files/size-text.ts'
import { failed, type ToolContext } from '../tool.ts'

/** A picture that was read from a file. */
export interface ImageFile {
  /** Its path, as it may stand in a text. */
  readonly name: string
  readonly path: string
  readonly mediaType: string
  readonly mtime: number
}

/** The most bytes of a picture that providers take. */
export const largestImage = 5_000_000

/** Shows a picture to the model, and keeps its bytes in the session. */
export async function readImage(bytes: Uint8Array, file: ImageFile, context: ToolContext): Promise<ToolOutcome> {
  const { imageSize } = await import('image-size')
  let size: { readonly width: number; readonly height: number }
  try {
    size = imageSize(bytes)
  } catch {
    return failed(`${file.name} begins like a picture (${file.mediaType}), but is broken: its size cannot be read`)
  }
  const blob = await context.blobs.write(bytes)
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const { mediaType } = file
  const picture: MediaPart = { type: 'media', mediaType, data: { type: 'file', mediaType, data: { type: 'data', data } } }
  const text = `${file.name}: ${mediaType}, ${size.width}x${size.height}, ${sizeText(bytes.byteLength)}`
  return {
    content: { type: 'list', items: [{ type: 'text', text }, picture] },
    metadata: { path: file.path, mtime: file.mtime, mediaType, width: size.width, height: size.height, blob },
  }
}
