import { isSha256 } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'

/**
 * The `data` of a media part as pages get it: its bytes as a data URL, or the sha256 they are kept by, to be asked for. What is neither,
 * such as a picture that lies on some other server, cannot be shown.
 */
export type ShownMedia =
  | { readonly url: string }
  | { readonly blob: { readonly sha256: string; readonly bytes: number } }
  | { readonly none: true }

/** Reads the `data` of a media part that a page got. Never throws. */
export function shownMedia(data: unknown): ShownMedia {
  if (!isRecord(data)) return { none: true }
  const { url, blob } = data
  if (typeof url === 'string' && url.startsWith('data:')) return { url }
  if (!isRecord(blob) || !isSha256(blob['sha256'])) return { none: true }
  const { sha256, bytes } = blob
  return { blob: { sha256, bytes: typeof bytes === 'number' ? bytes : 0 } }
}
