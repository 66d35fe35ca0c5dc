import { constants, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/** Makes created, renamed and removed names in a folder survive a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and does not need this.
  if (process.platform === 'win32') return
  await withFile(open(folder, constants.O_RDONLY), (handle) => handle.sync())
}

export async function withFile<Result>(
  opening: Promise<FileHandle>,
  use: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await opening
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

/** Writes a new file that only its owner can read. Once it resolves, the content survives a loss of power. */
export async function writeNewFile(path: string, content: Uint8Array): Promise<void> {
  await withFile(open(path, 'wx', 0o600), async (handle) => {
    await writeAll(handle, content)
    await handle.sync()
  })
}

/** Replaces a file atomically. The folder still has to be synced. */
export async function placeFile(path: string, temporary: string, content: Uint8Array): Promise<void> {
  try {
    await writeNewFile(temporary, content)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Appends all of it: one write may take only a part. */
export async function writeAll(handle: FileHandle, content: Uint8Array): Promise<void> {
  for (let done = 0; done < content.byteLength; ) {
    const { bytesWritten } = await handle.write(content, done, content.byteLength - done, null)
    done += bytesWritten
  }
}

/** Fills a buffer from a place in a file; returns how many bytes there were. */
export function readFully(descriptor: number, buffer: Buffer, place: number): number {
  let done = 0
  while (done < buffer.length) {
    const length = readSync(descriptor, buffer, done, buffer.length - done, place + done)
    if (length === 0) break
    done += length
  }
  return done
}
