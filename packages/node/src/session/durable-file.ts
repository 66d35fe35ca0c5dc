import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'

/** Makes the names in a folder survive a loss of power: those created, renamed and removed before. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs no such thing.
  if (process.platform === 'win32') return
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a new file that only its owner can read, and does not return before its content would survive a loss of power. */
export async function writeNewFile(path: string, content: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await writeAll(handle, content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Puts a file in place at once and whole, by way of another name. The folder still has to be synced. */
export async function placeFile(path: string, temporary: string, content: Uint8Array): Promise<void> {
  try {
    await writeNewFile(temporary, content)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Writes all of it at the end of a file opened for appending. One write may take only a part. */
export async function writeAll(handle: FileHandle, content: Uint8Array): Promise<void> {
  for (let done = 0; done < content.byteLength; ) {
    const { bytesWritten } = await handle.write(content, done, content.byteLength - done, null)
    done += bytesWritten
  }
}
