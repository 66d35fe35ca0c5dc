import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSha256, type LargeText } from '@plimsoll/core'
import { stringsFor } from '../strings/strings-for.ts'
import { placeFile, syncFolder } from './durable-file.ts'
import { openLargeBlob } from './large-blob.ts'
import { codeOf, fileError } from './session-error.ts'

/** Content by its sha256, one file each, beside the log. */
export interface BlobStore {
  /** Writes what is not there yet. Once it resolves, all of it survives a loss of power. */
  readonly write: (blobs: readonly Blob[]) => Promise<void>
  /** The content, its hash checked, or why it cannot be had: also because it is too large to be held. Never throws. */
  readonly read: (sha256: string) => { readonly bytes: Buffer } | { readonly trouble: string }
  /** Large content as a text that is read piece by piece; null for all other. Never throws. */
  readonly large: (sha256: string) => { readonly text: LargeText } | { readonly trouble: string } | null
}

/** Content and its hash. */
export interface Blob {
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** Content with the hash it is kept by. */
export function blobOf(bytes: Uint8Array): Blob {
  return { sha256: hashOf(bytes), bytes }
}

/** How blobs are kept. */
export interface BlobStoreOptions {
  /** Content of more bytes is not read as a whole. Default: 256 MB; no string has room for twice as much. */
  readonly mostHeld?: number
  /** Content of more bytes is large: a list of its lines would take many times as much memory. Default: 16 MB. */
  readonly leastLarge?: number
}

/** The blobs in a folder, which is made with the first one. */
export function createBlobStore(folder: string, { mostHeld = 1 << 28, leastLarge = 1 << 24 }: BlobStoreOptions = {}): BlobStore {
  const written = new Set<string>()
  // Where the lines of one are takes seconds to find out, and whoever reads on asks again.
  const largeTexts = new Map<string, LargeText>()
  return {
    async write(blobs) {
      const missing = new Map<string, Blob>()
      for (const blob of blobs) {
        if (!written.has(blob.sha256) || !(await isThere(folder, blob))) missing.set(blob.sha256, blob)
      }
      if (missing.size === 0) return
      try {
        const made = await mkdir(folder, { recursive: true, mode: 0o700 })
        if (made !== undefined) await syncFolder(dirname(folder))
        // Also a file that is there may be damaged, and this is the chance to mend it.
        for (const blob of missing.values()) {
          if (!(await isWhole(join(folder, blob.sha256), blob.sha256))) await place(folder, blob)
        }
        await syncFolder(folder)
      } catch (error) {
        throw fileError('cannot-write', folder, error)
      }
      for (const sha256 of missing.keys()) written.add(sha256)
    },
    read(sha256) {
      return guarded(folder, sha256, (file) => {
        const { size } = statSync(file)
        if (size > mostHeld) return { trouble: stringsFor(null).session.blobTooLarge(file, `${Math.ceil(size / 1_000_000)}`) }
        const bytes = readFileSync(file)
        return hashOf(bytes) === sha256 ? { bytes } : { trouble: stringsFor(null).session.blobDamaged(file) }
      })
    },
    large(sha256) {
      return guarded(folder, sha256, (file) => {
        if (statSync(file).size <= leastLarge) return null
        const text = largeTexts.get(sha256) ?? openLargeBlob(file, sha256)
        if (text === null) return { trouble: stringsFor(null).session.blobDamaged(file) }
        largeTexts.set(sha256, text)
        return { text }
      })
    },
  }
}

/** Removes what a crash left of blobs that were being written. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names)
    if (/^[0-9a-f-]{36}\.new$/.test(name)) await rm(join(folder, name), { force: true }).catch(() => undefined)
}

/** What comes of reading a blob's file, or why it cannot be read. */
function guarded<Result>(folder: string, sha256: string, use: (file: string) => Result): Result | { readonly trouble: string } {
  const { session } = stringsFor(null)
  // A hash becomes a path, so nothing else may.
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

async function place(folder: string, { sha256, bytes }: Blob): Promise<void> {
  await placeFile(join(folder, sha256), join(folder, `${randomUUID()}.new`), bytes)
}

/** Whether a blob that was written is still in its place. */
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
