import { createHash, randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSha256, type LargeText } from '@plimsoll/core/session'
import { makeFolder } from '../files/make-folder.ts'
import { codeOf } from '../files/problem.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { placeFile, readFully, syncFolder } from './durable-file.ts'
import { fileError } from './session-error.ts'

export type BlobStore = ReturnType<typeof createBlobStore>

export interface Blob {
  readonly sha256: string
  readonly bytes: Uint8Array
}

export function blobOf(bytes: Uint8Array): Blob {
  return { sha256: hashOf(bytes), bytes }
}

interface BlobStoreOptions {
  /** Larger content is not read at once. Default: 256 MB; no string can have twice as much. */
  readonly maxBytes?: number
  /** Content of more bytes is large: a list of its lines would take much more memory. Default: 16 MB. */
  readonly largeFromBytes?: number
}

/** Content by its sha256, one file each in a folder that is created with the first one. */
export function createBlobStore(folder: string, { maxBytes = 1 << 28, largeFromBytes = 1 << 24 }: BlobStoreOptions = {}) {
  const written = new Set<string>()
  // Finding the lines of one takes seconds, and the next page asks again.
  const largeTexts = new Map<string, LargeText>()
  return {
    /** Writes missing blobs. Once it resolves, all of them survive a loss of power. */
    async write(blobs: readonly Blob[]): Promise<void> {
      const missing = new Map<string, Blob>()
      for (const blob of blobs) {
        if (!written.has(blob.sha256) || !(await isThere(folder, blob))) missing.set(blob.sha256, blob)
      }
      if (missing.size === 0) return
      try {
        const made = makeFolder(folder)
        if (made !== undefined) await syncFolder(dirname(folder))
        // An existing file may be damaged, and is repaired here.
        for (const blob of missing.values()) {
          const file = join(folder, blob.sha256)
          if (!(await isWhole(file, blob.sha256))) await placeFile(file, join(folder, `${randomUUID()}.new`), blob.bytes)
        }
        await syncFolder(folder)
      } catch (error) {
        throw fileError('cannot-write', folder, error)
      }
      for (const sha256 of missing.keys()) written.add(sha256)
    },
    /** The content, its hash checked, or why it cannot be read, for example because it is too large. Never throws. */
    read(sha256: string): { readonly bytes: Buffer } | { readonly trouble: string } {
      return guarded(folder, sha256, (file) => {
        const { size } = statSync(file)
        if (size > maxBytes) return { trouble: stringsFor(null).session.blobTooLarge(file, `${Math.ceil(size / 1_000_000)}`) }
        const bytes = readFileSync(file)
        return hashOf(bytes) === sha256 ? { bytes } : { trouble: stringsFor(null).session.blobDamaged(file) }
      })
    },
    /** Large content as a text that is read piece by piece; null for other content. Never throws. */
    large(sha256: string): { readonly text: LargeText } | { readonly trouble: string } | null {
      return guarded(folder, sha256, (file) => {
        if (statSync(file).size <= largeFromBytes) return null
        const text = largeTexts.get(sha256) ?? openLargeBlob(file, sha256)
        if (text === null) return { trouble: stringsFor(null).session.blobDamaged(file) }
        largeTexts.set(sha256, text)
        return { text }
      })
    },
  }
}

/** Removes the rests of blobs that were being written when the process ended. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names)
    if (/^[0-9a-f-]{36}\.new$/.test(name)) await rm(join(folder, name), { force: true }).catch(() => undefined)
}

function guarded<Result>(folder: string, sha256: string, use: (file: string) => Result): Result | { readonly trouble: string } {
  const { session } = stringsFor(null)
  // Only a hash may become a path.
  if (!isSha256(sha256)) return { trouble: session.blobLost(join(folder, encodeURIComponent(String(sha256).slice(0, 64)))) }
  const file = join(folder, sha256)
  try {
    return use(file)
  } catch (error) {
    const code = codeOf(error)
    return {
      trouble: code === 'ENOENT' ? session.blobLost(file) : session.cannotRead(file, session.reason(code ?? String(error))),
    }
  }
}

async function isThere(folder: string, { sha256, bytes }: Blob): Promise<boolean> {
  const file = await stat(join(folder, sha256)).catch(() => null)
  return file?.size === bytes.byteLength
}

async function isWhole(file: string, sha256: string): Promise<boolean> {
  const bytes = await readFile(file).catch(() => null)
  return bytes !== null && hashOf(bytes) === sha256
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A file of UTF-8 that is never in memory at once; it is read to check its hash and find its lines. Null if the hash differs. */
export function openLargeBlob(file: string, sha256: string): LargeText | null {
  const blocks: Block[] = []
  const hash = createHash('sha256')
  const at = { byte: 0, unit: 0, newlines: 0 }
  let isLineEnd = true
  const size = withFile(file, (descriptor) => {
    const buffer = Buffer.allocUnsafe(blockLength)
    for (;;) {
      const length = readFully(descriptor, buffer, at.byte)
      if (length === 0) return at.byte
      const block = buffer.subarray(0, length < blockLength ? length : wholeCharacters(buffer))
      hash.update(block)
      blocks.push({ ...at })
      count(block, at)
      isLineEnd = block.at(-1) === newline
    }
  })
  if (hash.digest('hex') !== sha256) return null
  const { unit: units, newlines } = at

  const textOf = (first: number, last: number): string => {
    const start = blocks[first]?.byte ?? size
    const buffer = Buffer.allocUnsafe((blocks[last + 1]?.byte ?? size) - start)
    withFile(file, (descriptor) => {
      const isSame = fstatSync(descriptor).size === size && readFully(descriptor, buffer, start) === buffer.length
      if (!isSame) throw new Error(stringsFor(null).session.blobDamaged(file))
    })
    return buffer.toString('utf8')
  }

  return {
    length: units,
    lines: newlines + (isLineEnd ? 0 : 1),
    startOf(line) {
      if (line <= 1) return 0
      const before = line - 1
      if (before > newlines) return units
      const block = lastBlock(blocks, (each) => each.newlines < before)
      const { unit, newlines: known } = blocks[block] as Block
      const text = textOf(block, block)
      let place = -1
      for (let number = known; number < before; number += 1) place = text.indexOf('\n', place + 1)
      return unit + place + 1
    },
    slice(start, end) {
      const [from, to] = [Math.max(0, start), Math.min(units, end)]
      if (from >= to) return ''
      const first = lastBlock(blocks, ({ unit }) => unit <= from)
      const last = lastBlock(blocks, ({ unit }) => unit < to)
      const { unit } = blocks[first] as Block
      return textOf(first, last).slice(from - unit, to - unit)
    },
  }
}

interface Block {
  readonly byte: number
  readonly unit: number
  readonly newlines: number
}

const blockLength = 1 << 20
const newline = 10

function withFile<Result>(file: string, use: (descriptor: number) => Result): Result {
  const descriptor = openSync(file, 'r')
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The length of a full buffer without an incomplete character at its end. */
function wholeCharacters(buffer: Buffer): number {
  for (let end = buffer.length - 1; end > buffer.length - 4; end -= 1) {
    const byte = buffer[end] as number
    if ((byte & 0xc0) !== 0x80) return byte < 0x80 ? buffer.length : end
  }
  return buffer.length
}

function count(block: Buffer, at: { byte: number; unit: number; newlines: number }): void {
  let units = 0
  let newlines = 0
  for (let index = 0; index < block.length; index += 1) {
    const byte = block[index] as number
    // Continuation bytes are not characters; a character of four bytes has two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
    if (byte === newline) newlines += 1
  }
  at.byte += block.length
  at.unit += units
  at.newlines += newlines
}

function lastBlock(blocks: readonly Block[], holds: (block: Block) => boolean): number {
  let [low, high] = [0, blocks.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(blocks[middle] as Block)) low = middle
    else high = middle
  }
  return low
}
