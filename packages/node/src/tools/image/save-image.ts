import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { thrownText } from '../../files/problem.ts'
import { writeAtomically } from '../change/atomic-write.ts'
import { type Refused, resolveInside } from '../workspace.ts'

export interface ImageFile {
  readonly bytes: Buffer
  readonly mediaType: string
  readonly extension: string
}

export const maxImageBytes = 32 * 2 ** 20

export function imageOf(bytes: Buffer): ImageFile | null {
  const kind = kinds.find(({ is }) => is(bytes))
  return kind === undefined ? null : { bytes, mediaType: kind.mediaType, extension: kind.extensions[0] }
}

/** The type of an image that providers take; null for other bytes. */
export function shownType(bytes: Buffer): string | null {
  const mediaType = imageOf(bytes)?.mediaType
  return mediaType === undefined || mediaType === 'image/avif' ? null : mediaType
}

interface Kind {
  readonly mediaType: string
  readonly extensions: readonly [string, ...string[]]
  readonly is: (bytes: Buffer) => boolean
}

const kinds: readonly Kind[] = [
  { mediaType: 'image/png', extensions: ['.png'], is: (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' },
  { mediaType: 'image/jpeg', extensions: ['.jpg', '.jpeg'], is: (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
  { mediaType: 'image/gif', extensions: ['.gif'], is: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) },
  { mediaType: 'image/webp', extensions: ['.webp'], is: (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)) },
  { mediaType: 'image/avif', extensions: ['.avif'], is: (bytes) => bytes.toString('latin1', 4, 12) === 'ftypavif' },
]

interface SaveOptions {
  readonly root: string
  /** A file or a folder in the workspace. Default: a folder for images. */
  readonly path: string | undefined
  /** The file's name without extension, if only its folder is given. */
  readonly name: string
  readonly signal: AbortSignal
}

const maxNames = 1000

/** Writes an image under a name that is free, and the same image only once. Returns the path from the workspace's folder. */
export async function saveImage(image: ImageFile, options: SaveOptions): Promise<{ readonly path: string } | Refused> {
  const { root, signal } = options
  const wanted = await wantedPath(image, options)
  if (typeof wanted !== 'string') return wanted
  const dot = wanted.lastIndexOf('.')
  for (let count = 1; count <= maxNames; count += 1) {
    const place = await resolveInside(root, count === 1 ? wanted : `${wanted.slice(0, dot)}-${count}${wanted.slice(dot)}`)
    if ('reason' in place) return place
    if (place.kind === 'file' && (await readFile(place.path).catch(() => null))?.equals(image.bytes) === true)
      return { path: place.shown }
    if (place.kind !== 'missing') continue
    try {
      if ((await writeAtomically(place.path, image.bytes, { replaces: null, signal })) !== null) return { path: place.shown }
    } catch (error) {
      signal.throwIfAborted()
      return { reason: `the picture could not be written: ${thrownText(error)}` }
    }
  }
  return { reason: `there are ${maxNames} files of that name already` }
}

async function wantedPath(image: ImageFile, { root, path, name }: SaveOptions): Promise<string | Refused> {
  if (path === undefined) return join('generated-images', `${name}${image.extension}`)
  const place = await resolveInside(root, path)
  if ('reason' in place) return place
  const isFolder = place.kind === 'folder' || /[/\\]$/.test(path)
  return isFolder ? join(place.shown, `${name}${image.extension}`) : withImageExtension(place.shown, image)
}

/** A fitting extension stays, that of another kind is replaced. */
function withImageExtension(path: string, { mediaType, extension }: ImageFile): string {
  const given = /\.[A-Za-z0-9]{1,5}$/.exec(path)?.[0].toLowerCase() ?? ''
  const kind = kinds.find(({ extensions }) => extensions.includes(given))
  if (kind === undefined) return `${path}${extension}`
  return kind.mediaType === mediaType ? path : `${path.slice(0, -given.length)}${extension}`
}
