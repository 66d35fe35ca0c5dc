import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { thrownText } from '../../files/trouble.ts'
import { writeAtomically } from '../change/atomic-write.ts'
import { type Refused, resolveInside } from '../workspace.ts'

/** A picture: its bytes and what they are. */
export interface Picture {
  readonly bytes: Buffer
  /** Such as `image/png`. */
  readonly mediaType: string
  /** Such as `.png`. */
  readonly extension: string
}

/** The most bytes that a picture may have. */
export const mostPictureBytes = 32 * 2 ** 20

/** The picture that these bytes are, told by how they begin; null where they are none that anybody could show. */
export function pictureOf(bytes: Buffer): Picture | null {
  const kind = kinds.find(({ is }) => is(bytes))
  return kind === undefined ? null : { bytes, mediaType: kind.mediaType, extension: kind.extensions[0] }
}

/** A file's name with an extension that tells what the picture is: the given one where it does, in place of another picture's. */
function withPictureExtension(path: string, { mediaType, extension }: Picture): string {
  const given = /\.[A-Za-z0-9]{1,5}$/.exec(path)?.[0].toLowerCase() ?? ''
  const kind = kinds.find(({ extensions }) => extensions.includes(given))
  if (kind === undefined) return `${path}${extension}`
  return kind.mediaType === mediaType ? path : `${path.slice(0, -given.length)}${extension}`
}

interface Kind {
  readonly mediaType: string
  readonly extensions: readonly [string, ...string[]]
  readonly is: (bytes: Buffer) => boolean
}

const kinds: readonly Kind[] = [
  { mediaType: 'image/png', extensions: ['.png'], is: (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a' },
  { mediaType: 'image/jpeg', extensions: ['.jpg', '.jpeg'], is: (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff' },
  { mediaType: 'image/gif', extensions: ['.gif'], is: (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6)) },
  {
    mediaType: 'image/webp',
    extensions: ['.webp'],
    is: (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
  },
  { mediaType: 'image/avif', extensions: ['.avif'], is: (bytes) => ascii(bytes, 4, 12) === 'ftypavif' },
]

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end)
}

/** Where a picture goes. */
interface SaveOptions {
  readonly root: string
  /** A file or a folder in the workspace. Default: a folder for pictures. */
  readonly path: string | undefined
  /** What the file is called where only its folder is known, without extension. */
  readonly name: string
  readonly signal: AbortSignal
}

/** The folder for pictures that nobody gave another place. */
const picturesFolder = 'generated-images'

/**
 * Writes a picture into the workspace, under a name that is still free: nothing is ever overwritten, and the very same picture is
 * not written twice. Gives the path from the workspace's folder, or why it could not be written.
 */
export async function savePicture(picture: Picture, options: SaveOptions): Promise<{ readonly path: string } | Refused> {
  const { root, signal } = options
  const wanted = await wantedPath(picture, options)
  if (typeof wanted !== 'string') return wanted
  for (let count = 1; count <= mostNames; count += 1) {
    const place = await resolveInside(root, count === 1 ? wanted : numbered(wanted, count))
    if ('reason' in place) return place
    if (place.kind === 'file' && (await holds(place.path, picture))) return { path: place.shown }
    if (place.kind !== 'missing') continue
    try {
      if ((await writeAtomically(place.path, picture.bytes, { replaces: null, signal })) !== null) return { path: place.shown }
    } catch (error) {
      signal.throwIfAborted()
      return { reason: `the picture could not be written: ${thrownText(error)}` }
    }
  }
  return { reason: `there are ${mostNames} files of that name already` }
}

const mostNames = 1000

async function wantedPath(picture: Picture, { root, path, name }: SaveOptions): Promise<string | Refused> {
  if (path === undefined) return join(picturesFolder, `${name}${picture.extension}`)
  const place = await resolveInside(root, path)
  if ('reason' in place) return place
  const isFolder = place.kind === 'folder' || /[/\\]$/.test(path)
  return isFolder ? join(place.shown, `${name}${picture.extension}`) : withPictureExtension(place.shown, picture)
}

function numbered(path: string, count: number): string {
  const dot = path.lastIndexOf('.')
  return `${path.slice(0, dot)}-${count}${path.slice(dot)}`
}

async function holds(path: string, { bytes }: Picture): Promise<boolean> {
  const there = await readFile(path).catch(() => null)
  return there?.equals(bytes) === true
}
