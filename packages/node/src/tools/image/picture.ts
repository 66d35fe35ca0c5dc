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
export function withPictureExtension(path: string, { mediaType, extension }: Picture): string {
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
