import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { escapeUnprintable } from '@plimsoll/core/text'
import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import { z } from 'zod'
import { readUpTo } from '../../files/read-text.ts'
import { isoTime, sizeText } from '../../files/time-and-size.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { shownType } from '../image/save-image.ts'
import { counted, defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, missingText, type OpenFile, openInside, resolveInside, shownPath } from '../workspace.ts'
import { listFolder } from './list-tool.ts'
import { readLines } from './read-lines.ts'
import { type DescribedFile, maxPdfBytes, readPdf } from './read-pdf.ts'

const range = {
  offset: z.number().int().min(0).optional().describe('The first line to show, counted from 1. Default: 1.'),
  limit: z.number().int().min(1).optional().describe('How many lines to show. Default: 2000.'),
}

export const readTool = defineTool({
  name: 'Read',
  description:
    'Reads a file of the workspace: lines with their numbers from "offset" on, up to 2000 of them; pictures (PNG, JPEG, GIF, WebP) are shown, of a PDF the text. A folder is listed. Several files can be read at once with "paths".',
  input: z.object({
    file_path: z.string().optional().describe('The file, relative to the workspace.'),
    path: z.string().optional().describe('The same as file_path.'),
    paths: z
      .optional(z.array(z.union([z.string(), z.object({ path: z.string(), ...range })])).max(20))
      .describe('Several files, each a path or { path, offset, limit }.'),
    ...range,
    pages: z.string().optional().describe('Pages of a PDF, such as "3" or "1-5". Default: from the first on.'),
  }),
  access: 'read',
  about: ({ file_path, path, paths = [] }) =>
    [file_path ?? path ?? [], paths.map((item) => (typeof item === 'string' ? item : item.path))].flat().join(', '),
  async run({ file_path, path, paths = [], offset, limit, pages }, context) {
    const single = file_path ?? path
    const wanted = [
      ...(single === undefined ? [] : [{ path: single, offset, limit }]),
      ...paths.map((item) => ({ offset, limit, ...(typeof item === 'string' ? { path: item } : item) })),
    ]
    const [first] = wanted
    if (first === undefined) return failed('no file is named: give file_path, or paths for several')
    if (wanted.length === 1) return readPlace(first.path, { ...first, pages, maxChars: maxCharacters }, context)

    const outcomes: { readonly path: string; readonly outcome: ToolOutcome }[] = []
    let left = maxCharacters
    for (const item of wanted) {
      const outcome =
        left > 0
          ? await readPlace(item.path, { ...item, pages, maxChars: left }, context)
          : failed('not read: the files before it took all the room of one answer; read it on its own')
      left -= outcome.content.type === 'text' ? outcome.content.text.length : 0
      outcomes.push({ path: item.path, outcome })
    }
    return together(outcomes)
  },
})

/** Characters of one answer; more would be over a fifth of most windows. */
const maxCharacters = 160_000

async function readPlace(path: string, window: ReadWindow, context: ToolContext): Promise<ToolOutcome> {
  const place = await resolveInside(context.root, path)
  if ('reason' in place) return failed(place.reason)
  switch (place.kind) {
    case 'file':
      return readFile(place, window, context)
    case 'folder':
      return listFolder(place, context)
    case 'missing':
      return failed(await missingText(place))
  }
}

function together(outcomes: readonly { readonly path: string; readonly outcome: ToolOutcome }[]): ToolOutcome {
  const items = outcomes.flatMap(({ path, outcome }, index): readonly (TextPart | MediaPart)[] => {
    const heading = `${index === 0 ? '' : '\n'}== ${shownPath(path)} ==`
    const { content } = outcome
    if (content.type === 'list') return [{ type: 'text', text: heading }, ...content.items]
    return [{ type: 'text', text: `${heading}\n${content.type === 'text' ? content.text : ''}` }]
  })
  const hasImages = items.some(({ type }) => type === 'media')
  const text = items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
  return {
    content: hasImages ? { type: 'list', items } : { type: 'text', text },
    ...(outcomes.every(({ outcome }) => outcome.isError === true) ? { isError: true } : {}),
    metadata: { files: outcomes.map(({ path, outcome }) => ({ path, isError: outcome.isError === true, ...outcome.metadata })) },
  }
}

interface ReadWindow {
  /** Counted from 1. Default: 1. */
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly pages?: string | undefined
  readonly maxChars: number
}

async function readFile(place: Inside, window: ReadWindow, context: ToolContext): Promise<ToolOutcome> {
  const file = await openInside(context.root, place.path)
  if ('reason' in file) return failed(file.reason)
  try {
    const name = shownPath(file.shown)
    const described = { name, path: file.shown, mtime: file.stats.mtimeMs }
    const sort = fileSort(await readUpTo(file.handle, sampleSize))
    switch (sort.kind) {
      case 'text':
        return await readTextFile(file, sort.encoding, window, context)
      case 'image':
      case 'pdf': {
        const [what, limit] = sort.kind === 'pdf' ? ['a PDF', maxPdfBytes] : [`a picture (${sort.mediaType})`, maxImageBytes]
        const bytes = await readUpTo(file.handle, limit + 1)
        if (bytes.length > limit)
          return failed(`${name} is ${what} of ${sizeText(file.stats.size)}; at most ${sizeText(limit)} can be shown`)
        if (sort.kind === 'image') return await readImage(bytes, { ...described, mediaType: sort.mediaType }, context)
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

async function readTextFile(file: OpenFile, encoding: string, window: ReadWindow, context: ToolContext): Promise<ToolOutcome> {
  const { offset = 1, limit = defaultLines, maxChars } = window
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
  const modified = isoTime(stats.mtimeMs) ?? 'at an unknown time'
  const atLeast = read.isWhole ? '' : 'at least '
  if (read.total === 0) return told([`${name} is empty, modified ${modified}`, ...notes].join('\n'), metadata)
  if (read.lines.length === 0)
    return failed(`${name} has ${atLeast}${counted(read.total, 'line')}; offset ${from} is past its end`, metadata)
  const lines = read.lines.map(({ text, cutBytes }, index) => {
    const cut = cutBytes === 0 ? '' : ` … [line cut, ${cutBytes} more bytes; use Grep to look into it]`
    return `${String(from + index).padStart(6)}\t${text}${cut}`
  })
  const facts = [
    `${name} lines ${from}-${to} of ${atLeast}${read.total}`,
    `modified ${modified}`,
    ...(encoding === 'utf-8' ? [] : [encoding.toUpperCase()]),
    ...(read.hasCarriageReturns ? ['CRLF line ends'] : []),
  ]
  const rest = read.isWhole ? `lines ${to + 1}-${read.total} are` : 'the rest is'
  const isCut = to < read.total || !read.isWhole
  const wayOn = isCut ? [`(truncated: ${rest} not shown; continue with offset: ${to + 1})`] : []
  const isDoubtful = encoding === 'utf-8' && read.lines.some(({ text }) => text.includes('\ufffd'))
  const doubts = isDoubtful ? ['Note: some bytes are not UTF-8 and are shown as \ufffd; do not edit those lines'] : []
  return told([facts.join(', '), ...lines, ...wayOn, ...doubts, ...notes].join('\n'), metadata)
}

async function* watched(handle: FileHandle, hash: Hash | null, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
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

async function readImage(
  bytes: Buffer,
  file: DescribedFile & { readonly mediaType: string },
  context: ToolContext,
): Promise<ToolOutcome> {
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
  const image: MediaPart = { type: 'media', mediaType, data }
  const text = `${name}: ${mediaType}, ${width}x${height}, ${sizeText(bytes.byteLength)}`
  return {
    content: { type: 'list', items: [{ type: 'text', text }, image] },
    metadata: { path, mtime, mediaType, width, height, blob },
  }
}

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
