import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { MediaPart } from '@plimsoll/core/wire'
import { sizeText } from '../../files/time-and-size.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { shownType } from '../image/picture.ts'
import { counted, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, type OpenFile, openInside, shownPath } from '../workspace.ts'
import { type ReadLines, readLines } from './read-lines.ts'
import { maxPdfBytes, readPdf } from './read-pdf.ts'

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

/** Shows a file to the model: lines with their numbers, an image, the text of a PDF, or what it is if it cannot be shown. */
export async function readFile(place: Inside, window: ReadWindow, context: ToolContext): Promise<ToolOutcome> {
  const file = await openInside(context.root, place.path)
  if ('reason' in file) return failed(file.reason)
  try {
    const name = shownPath(file.shown)
    const described = { name, path: file.shown, mtime: file.stats.mtimeMs }
    const sort = fileSort(await readUpTo(file.handle, sampleSize))
    switch (sort.kind) {
      case 'text':
        return await readTextFile(file, sort.encoding, window, context)
      case 'image': {
        const bytes = await readUpTo(file.handle, maxImageBytes + 1)
        if (bytes.length > maxImageBytes) return failed(tooLarge(file, `a picture (${sort.mediaType})`, maxImageBytes))
        return await readImage(bytes, { ...described, mediaType: sort.mediaType }, context)
      }
      case 'pdf': {
        const bytes = await readUpTo(file.handle, maxPdfBytes + 1)
        if (bytes.length > maxPdfBytes) return failed(tooLarge(file, 'a PDF', maxPdfBytes))
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
const maxLineLength = 2000
/** Larger files are not read to their end only to count their lines. */
const cheapToCount = 50_000_000
/** The most bytes of an image that providers take. */
const maxImageBytes = 5_000_000

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
  const read = await readLines(bytes, { from, limit, maxLine: maxLineLength, maxChars, countsAll })
  const to = from + read.lines.length - 1

  context.seen.note(file.path, { mtimeMs: stats.mtimeMs, size: stats.size, sha256: hash?.digest('hex') ?? null })
  const note = context.freshness.read(shown, stats.mtimeMs)
  const notes = note === null ? [] : [escapeUnprintable(note)]
  const metadata = { path: shown, mtime: stats.mtimeMs, from, to, lines: read.total }
  const name = shownPath(shown)
  const atLeast = read.isWhole ? '' : 'at least '
  if (read.total === 0) return told([`${name} is empty, modified ${timeText(stats.mtimeMs)}`, ...notes].join('\n'), metadata)
  if (read.lines.length === 0)
    return failed(`${name} has ${atLeast}${counted(read.total, 'line')}; offset ${from} is behind its end`, metadata)
  const lines = read.lines.map(({ text, cutBytes }, index) => `${String(from + index).padStart(6)}\t${text}${cutText(cutBytes)}`)
  const facts = [
    `${name} lines ${from}-${to} of ${atLeast}${read.total}`,
    `modified ${timeText(stats.mtimeMs)}`,
    ...(encoding === 'utf-8' ? [] : [encoding.toUpperCase()]),
    ...(read.hasCarriageReturns ? ['CRLF line ends'] : []),
  ]
  return told([facts.join(', '), ...lines, ...wayOn(to, read), ...doubts(read, encoding), ...notes].join('\n'), metadata)
}

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

interface ImageFile {
  readonly name: string
  readonly path: string
  readonly mediaType: string
  readonly mtime: number
}

/** Shows an image to the model, and keeps its bytes in the session. */
async function readImage(bytes: Buffer, file: ImageFile, context: ToolContext): Promise<ToolOutcome> {
  const { imageSize } = await import('image-size')
  const { name, path, mediaType, mtime } = file
  let size: { readonly width: number; readonly height: number }
  try {
    size = imageSize(bytes)
  } catch {
    return failed(`${name} begins like a picture (${mediaType}), but is broken: its size cannot be read`)
  }
  const { width, height } = size
  const blob = await context.blobs.write(bytes)
  const data = { type: 'file', mediaType, data: { type: 'data', data: bytes.toString('base64') } }
  const picture: MediaPart = { type: 'media', mediaType, data }
  const text = `${name}: ${mediaType}, ${width}x${height}, ${sizeText(bytes.byteLength)}`
  return {
    content: { type: 'list', items: [{ type: 'text', text }, picture] },
    metadata: { path, mtime, mediaType, width, height, blob },
  }
}

/** What a file holds, as its first bytes tell. */
type FileSort =
  | { readonly kind: 'text'; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'binary'; readonly format: string }

const sampleSize = 65_536

/** Text in an old 8-bit encoding passes for text; its letters cannot be told. */
function fileSort(bytes: Buffer): FileSort {
  const start = bytes.toString('hex', 0, 8)
  if (start.startsWith('fffe')) return { kind: 'text', encoding: 'utf-16le' }
  if (start.startsWith('feff')) return { kind: 'text', encoding: 'utf-16be' }
  const mediaType = shownType(bytes)
  if (mediaType !== null) return { kind: 'image', mediaType }
  if (bytes.subarray(0, 1024).includes('%PDF-')) return { kind: 'pdf' }
  const [, format] = formats.find(([mark]) => start.startsWith(mark)) ?? []
  if (format !== undefined) return { kind: 'binary', format }
  if (bytes.includes(0) || !isMostlyText(bytes)) return { kind: 'binary', format: 'binary data' }
  return { kind: 'text', encoding: 'utf-8' }
}

const formats = [
  ['7f454c46', 'a program (ELF)'],
  ['cffaedfe', 'a program (Mach-O)'],
  ['504b0304', 'a ZIP archive, or a document in one'],
  ['1f8b', 'gzip data'],
  ['28b52ffd', 'zstd data'],
  ['425a68', 'bzip2 data'],
  ['fd377a585a', 'xz data'],
  ['0061736d', 'WebAssembly'],
  ['53514c6974652066', 'an SQLite database'],
  ['d0cf11e0', 'an old Office document'],
] as const

/** At most one letter in ten that UTF-8 cannot have written. */
function isMostlyText(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true
  const text = bytes.toString('utf8')
  // The sample may end inside a letter.
  return text.split('\ufffd').length - 2 <= text.length / 10
}
