import { isUtf8 } from 'node:buffer'

/** What a file holds, as its first bytes tell. */
export type FileSort =
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'binary'; readonly format: string }

/** How many bytes from the start are enough to tell. */
export const sampleSize = 65_536

/** Tells from its first bytes what a file holds. Text in an old 8-bit encoding passes for text; its letters cannot be told. */
export function fileSort(sample: Uint8Array): FileSort {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength)
  const [, encoding] = marks.find(([mark]) => startsWith(bytes, mark)) ?? []
  if (encoding !== undefined) return { kind: 'text', encoding }
  const mediaType = imageType(bytes)
  if (mediaType !== null) return { kind: 'image', mediaType }
  if (bytes.subarray(0, 1024).includes('%PDF-')) return { kind: 'pdf' }
  const [, format] = formats.find(([mark]) => startsWith(bytes, mark)) ?? []
  if (format !== undefined) return { kind: 'binary', format }
  if (bytes.includes(0) || !isMostlyText(bytes)) return { kind: 'binary', format: 'binary data' }
  return { kind: 'text', encoding: 'utf-8' }
}

const marks = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const

const formats: readonly (readonly [readonly number[], string])[] = [
  [[0x7f, 0x45, 0x4c, 0x46], 'a program (ELF)'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'a program (Mach-O)'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive, or a document in one'],
  [[0x1f, 0x8b], 'gzip data'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd data'],
  [[0x42, 0x5a, 0x68], 'bzip2 data'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'xz data'],
  [[0x00, 0x61, 0x73, 0x6d], 'WebAssembly'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], 'an SQLite database'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Office document'],
]

function imageType(bytes: Buffer): string | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'image/gif'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return null
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return bytes.length >= mark.length && mark.every((byte, index) => bytes[index] === byte)
}

/** No more than one letter in ten that UTF-8 cannot have written. */
function isMostlyText(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true
  const text = bytes.toString('utf8')
  let wrong = 0
  for (const letter of text) if (letter === '\ufffd') wrong += 1
  // The sample may end inside a letter.
  return wrong - 1 <= text.length / 10
}
