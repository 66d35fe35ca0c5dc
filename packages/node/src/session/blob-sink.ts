import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobReference } from '@plimsoll/core/wire'
import { makeFolder } from '../files/make-folder.ts'
import { blobOf, createBlobStore } from './blob-store.ts'
import { syncFolder, writeAll } from './durable-file.ts'
import type { StoredSession } from './session.ts'
import { fileError } from './session-error.ts'
import { pathsOf } from './session-folder.ts'

/** Stores content outside the log. */
export interface BlobSink {
  /** Once it resolves, the bytes survive a crash. */
  readonly write: (bytes: Uint8Array) => Promise<BlobReference>
  /** Starts content of unknown size, which is written to the disk piece by piece. */
  readonly spool: () => Promise<Spool>
}

/** Content that is being written. `finish` or `discard` ends it. */
export interface Spool {
  /** Adds a piece. If it rejects, call `discard`. */
  readonly write: (piece: Uint8Array) => Promise<void>
  /** Makes it durable under its hash. `handle` is that of a text that can be recalled. */
  readonly finish: (handle?: string) => Promise<BlobReference>
  readonly discard: () => Promise<void>
}

export function createBlobSink({ folder }: Pick<StoredSession, 'folder'>): BlobSink {
  const { blobs } = pathsOf(folder)
  const store = createBlobStore(blobs)
  return {
    async write(bytes) {
      const blob = blobOf(bytes)
      await store.write([blob])
      return { sha256: blob.sha256, bytes: bytes.byteLength }
    },
    spool: () => openSpool(blobs),
  }
}

interface SpoolOptions {
  /** Bytes that have to stay free on the disk. Default: 500 MB. */
  readonly minFreeBytes?: number
  /** Bytes between two checks of the disk. Default: 64 MB. */
  readonly askEvery?: number
}

/** Starts a blob in a folder, under a name that `removeUnfinished` removes after a crash. */
export async function openSpool(
  folder: string,
  { minFreeBytes = 500_000_000, askEvery = 64_000_000 }: SpoolOptions = {},
): Promise<Spool> {
  const temporary = join(folder, `${randomUUID()}.new`)
  const wrong = (error: unknown) => fileError('cannot-write', folder, error)
  const hash = createHash('sha256')
  let bytes = 0
  let nextQuestion = askEvery
  let isClosed = false

  const handle = await (async () => {
    const made = makeFolder(folder)
    if (made !== undefined) await syncFolder(dirname(folder))
    return open(temporary, 'wx', 0o600)
  })().catch((error: unknown) => {
    throw wrong(error)
  })

  const close = async () => {
    if (isClosed) return
    isClosed = true
    await handle.close()
  }

  /** On a disk without any room the session itself could not be written. */
  const askForRoom = async () => {
    if (bytes < nextQuestion) return
    nextQuestion = bytes + askEvery
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < minFreeBytes) throw Object.assign(new Error('the disk is almost full'), { code: 'ENOSPC' })
  }

  return {
    async write(piece) {
      try {
        await askForRoom()
        await writeAll(handle, piece)
      } catch (error) {
        throw wrong(error)
      }
      hash.update(piece)
      bytes += piece.byteLength
    },
    async finish(textHandle) {
      const sha256 = hash.digest('hex')
      try {
        await handle.sync()
        await close()
        await rename(temporary, join(folder, sha256))
        await syncFolder(folder)
      } catch (error) {
        throw wrong(error)
      }
      return { sha256, bytes, ...(textHandle === undefined ? {} : { handle: textHandle }) }
    },
    async discard() {
      await close().catch(() => undefined)
      await rm(temporary, { force: true }).catch(() => undefined)
    },
  }
}
