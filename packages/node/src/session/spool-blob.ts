import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Spool } from './blob-sink.ts'
import { syncFolder, writeAll } from './durable-file.ts'
import { fileError } from './session-error.ts'

/** How a blob is written piece by piece. */
export interface SpoolOptions {
  /** Bytes that have to stay free on the disk; what would take them is refused. Default: 500 MB. */
  readonly leastFree?: number
  /** After how many bytes the disk is asked again. Default: 64 MB. */
  readonly askEvery?: number
}

/** Begins a blob in a folder, under a name that is cleaned up where a crash leaves it. */
export async function openSpool(
  folder: string,
  { leastFree = 500_000_000, askEvery = 64_000_000 }: SpoolOptions = {},
): Promise<Spool> {
  const temporary = join(folder, `${randomUUID()}.new`)
  const wrong = (error: unknown) => fileError('cannot-write', folder, error)
  const hash = createHash('sha256')
  let bytes = 0
  let nextQuestion = askEvery
  let isClosed = false

  const handle = await (async () => {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
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

  /** A disk that is full to the last byte takes the session itself with it. */
  const askForRoom = async () => {
    if (bytes < nextQuestion) return
    nextQuestion = bytes + askEvery
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < leastFree) throw Object.assign(new Error('the disk is almost full'), { code: 'ENOSPC' })
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
