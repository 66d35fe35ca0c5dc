import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { escapeUnprintable } from '@plimsoll/core/text'
import { type MediaPart } from '@plimsoll/core/wire'
import { sizeText } from '../../files/time-and-size.ts'
import { type ToolOutcome } from '../../shared/event.ts'
import { failed, type ToolContext, told } from '../tool.ts'
import { type Inside, type OpenFile, openInside, shownPath } from '../workspace.ts'
import { type ReadLines, readLines } from './read-lines.ts'
import { largestPdf, readPdf } from './read-pdf.ts'

/** What is wanted of a file. */
export interface ReadWindow {
  /** The first line, counted from 1. Default: 1. */
  readonly offset?: number | undefined
  /** Lines. Default: 2,000. */
  readonly limit?: number | undefined
  /** Of a PDF, such as `1-5`. */
  readonly pages?: string | undefined
  /** Characters in all. */
  readonly maxChars: number
}

/** Shows a file to the model: lines with their numbers, a picture, the text of a PDF, or what it is where it cannot be shown. */
export async function readFile(place: Inside, window: ReadWindow, context: ToolContext): Promise<ToolOutcome> {
  const file = await openInside(context.root, place.path)
  if ('reason' in file) return failed(file.reason)
  try {
    const name = shownPath(file.shown)
    const described = { name, path: file.shown, mtime: file.stats.mtimeMs }
    const sample = await readUpTo(file.handle, sampleSize)
    const sort = fileSort(sample)
    switch (sort.kind) {
      case 'text':
        return await readTextFile(file, sort.encoding, window, context)
      case 'image': {
        const bytes = await readUpTo(file.handle, largestImage + 1)
        if (bytes.length > largestImage) return failed(tooLarge(file, `a picture (${sort.mediaType})`, largestImage))
        return await readImage(bytes, { ...described, mediaType: sort.mediaType }, context)
      }
      case 'pdf': {
        const bytes = await readUpTo(file.handle, largestPdf + 1)
        if (bytes.length > largestPdf) return failed(tooLarge(file, 'a PDF', largestPdf))
        return await readPdf(bytes, described, { pages: window.pages, maxChars: window.maxChars, signal: context.signal })
      }
      case 'binary':
        return failed(`${name} is not text but ${sort.format}, ${sizeText(file.stats.size)}; it cannot be shown`)
    }
  } finally {
    await file.handle.close()
  }
}

const defaultLines = 2000
const longestLine = 2000
/** Larger files are not read to their end only to count their lines. */
const cheapToCount = 50_000_000

async function readTextFile(
  file: OpenFile,
  encoding: string,
  { offset = 1, limit = defaultLines, maxChars }: ReadWindow,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { stats, shown } = file
  const from = Math.max(1, offset)
  const countsAll = stats.size < cheapToCount
  const hash = countsAll ? createHash('sha256') : null
  const raw = watched(file.handle, hash, context.signal)
  const bytes = encoding === 'utf-8' ? raw : decoded(raw, encoding)
  const read = await readLines(bytes, { from, limit, maxLine: longestLine, maxChars, countsAll })
  const to = from + read.lines.length - 1

  context.seen.note(file.path, { mtimeMs: stats.mtimeMs, size: stats.size, sha256: hash?.digest('hex') ?? null })
  const note = context.freshness.read(shown, stats.mtimeMs)
  const notes = note === null ? [] : [escapeUnprintable(note)]
  const metadata = { path: shown, mtime: stats.mtimeMs, from, to, lines: read.total }
  const name = shownPath(shown)
  if (read.total === 0) return told([`${name} is empty, modified ${timeText(stats.mtimeMs)}`, ...notes].join('\n'), metadata)
  if (read.lines.length === 0) return failed(`${name} has ${linesText(read)}; offset ${from} is behind its end`, metadata)
  const lines = read.lines.map(({ text, cutBytes }, index) => `${String(from + index).padStart(6)}\t${text}${cutText(cutBytes)}`)
  const facts = [
    `${name} lines ${from}-${to} of ${read.isWhole ? '' : 'at least '}${read.total}`,
    `modified ${timeText(stats.mtimeMs)}`,
    ...(encoding === 'utf-8' ? [] : [encoding.toUpperCase()]),
    ...(read.hasCarriageReturns ? ['CRLF line ends'] : []),
  ]
  return told([facts.join(', '), ...lines, ...wayOn(to, read), ...doubts(read, encoding), ...notes].join('\n'), metadata)
}

/** How to see the rest. */
function wayOn(to: number, read: ReadLines): readonly string[] {
  if (to >= read.total && read.isWhole) return []
  const rest = read.isWhole ? `lines ${to + 1}-${read.total} are` : 'the rest is'
  return [`(truncated: ${rest} not shown; go on with offset: ${to + 1})`]
}

function doubts({ lines }: ReadLines, encoding: string): readonly string[] {
  if (encoding !== 'utf-8' || !lines.some(({ text }) => text.includes('\ufffd'))) return []
  return ['Note: some bytes are no UTF-8 and are shown as \ufffd; do not edit those lines']
}

function cutText(bytes: number): string {
  return bytes === 0 ? '' : ` … [line cut, ${bytes} more bytes; use Grep to look into it]`
}

function linesText({ total, isWhole }: ReadLines): string {
  return `${isWhole ? '' : 'at least '}${total} ${total === 1 ? 'line' : 'lines'}`
}

function tooLarge({ shown, stats }: OpenFile, what: string, limit: number): string {
  return `${shownPath(shown)} is ${what} of ${sizeText(stats.size)}; at most ${sizeText(limit)} can be shown`
}

/** File systems can hold times that no calendar has. */
function timeText(milliseconds: number): string {
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : 'at an unknown time'
}

/** The first bytes, however small the pieces in which they come. */
async function readUpTo(handle: FileHandle, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  while (size < limit) {
    const piece = Buffer.allocUnsafe(Math.min(1 << 20, limit - size))
    const { bytesRead } = await handle.read(piece, 0, piece.length, size)
    if (bytesRead === 0) break
    pieces.push(piece.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(pieces, size)
}

async function* watched(
  handle: FileHandle,
  hash: ReturnType<typeof createHash> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const chunk = Buffer.allocUnsafe(1 << 18)
  for (let position = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return
    const piece = chunk.subarray(0, bytesRead)
    hash?.update(piece)
    yield piece
    position += bytesRead
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** What a file holds, as its first bytes tell. */
type FileSort =
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'binary'; readonly format: string }

/** How many bytes from the start are enough to tell. */
const sampleSize = 65_536

/** Tells from its first bytes what a file holds. Text in an old 8-bit encoding passes for text; its letters cannot be told. */
function fileSort(sample: Uint8Array): FileSort {
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

/** A picture that was read from a file. */
interface ImageFile {
  /** Its path, as it may stand in a text. */
  readonly name: string
  readonly path: string
  readonly mediaType: string
  readonly mtime: number
}

/** The most bytes of a picture that providers take. */
const largestImage = 5_000_000

/** Shows a picture to the model, and keeps its bytes in the session. */
async function readImage(bytes: Uint8Array, file: ImageFile, context: ToolContext): Promise<ToolOutcome> {
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
