import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, realpath, rename, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../../session/durable-file.ts'

/** What a write may take the place of, and what can stop it. */
export interface AtomicWriteOptions {
  /** The file as it was when it was looked at, whose mode and owner stay; null where none was. */
  readonly replaces: Stats | null
  readonly signal: AbortSignal
}

/**
 * Writes a whole file, so that at any moment either the old or the new one is there, durably, and nothing of a write that failed is
 * left behind. Gives null, and has written nothing, when the file is no longer the one that was looked at. The path is real and
 * absolute; folders on its way that are missing are made. Rejects with the system's error.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, options: AtomicWriteOptions): Promise<Stats | null> {
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true })
  let written: Stats | null = null
  try {
    const held = await holdFolder(folder)
    if (held === null) return null
    try {
      written = await writeIn(held.path, basename(path), bytes, options)
    } finally {
      await held.handle?.close()
    }
    return written
  } finally {
    if (written === null && made !== undefined) await removeFolders(folder, made)
  }
}

interface HeldFolder {
  /** A path that goes on naming this very folder, where the system has such a thing. */
  readonly path: string
  readonly handle: FileHandle | null
}

// Linux's O_PATH, which Node does not name: a folder is held without the right to list it.
const openPath = 0x200000

/** Holds a folder, so that no link can be put in its place; null where that happened already. */
async function holdFolder(folder: string): Promise<HeldFolder | null> {
  if (process.platform !== 'linux') return (await realpath(folder)) === folder ? { path: folder, handle: null } : null
  const handle = await open(folder, openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  const path = `/proc/self/fd/${handle.fd}`
  if ((await realpath(path)) === folder) return { path, handle }
  await handle.close()
  return null
}

async function writeIn(
  folder: string,
  name: string,
  bytes: Uint8Array,
  { replaces, signal }: AtomicWriteOptions,
): Promise<Stats | null> {
  const target = join(folder, name)
  if (replaces !== null) await access(target, constants.W_OK)
  const temporary = join(folder, `.plimsoll-${randomBytes(6).toString('hex')}.tmp`)
  const handle = await open(temporary, 'wx', 0o666)
  let isThere = true
  try {
    if (replaces !== null && !(await takeOver(handle, replaces))) return await writeInPlace(target, bytes, replaces, signal)
    await handle.writeFile(bytes)
    await handle.sync()
    const stats = await handle.stat()
    signal.throwIfAborted()
    if (!(await isStill(target, replaces))) return null
    await rename(temporary, target)
    isThere = false
    await syncIfPossible(folder)
    return stats
  } finally {
    await handle.close()
    if (isThere) await unlink(temporary)
  }
}

/** Gives a new file the owner and the mode of the old one; false where the system does not let us give it away. */
async function takeOver(handle: FileHandle, { uid, gid, mode }: Stats): Promise<boolean> {
  const own = await handle.stat()
  try {
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false
    throw error
  }
  // After the owner: a change of owner takes away some of the mode.
  await handle.chmod(mode & 0o7777)
  return true
}

/** Somebody else's file that we may write keeps its owner only where it is; what was in it is put back when writing fails. */
async function writeInPlace(target: string, bytes: Uint8Array, replaces: Stats, signal: AbortSignal): Promise<Stats | null> {
  const handle = await open(target, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    if (!isSameFile(await handle.stat(), replaces)) return null
    const before = await handle.readFile()
    signal.throwIfAborted()
    try {
      await fill(handle, bytes)
    } catch (error) {
      await fill(handle, before)
      throw error
    }
    return await handle.stat()
  } finally {
    await handle.close()
  }
}

async function fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten
  await handle.truncate(bytes.length)
  await handle.sync()
}

async function isStill(target: string, replaces: Stats | null): Promise<boolean> {
  try {
    const stats = await lstat(target)
    return replaces !== null && isSameFile(stats, replaces)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return replaces === null
    throw error
  }
}

function isSameFile(stats: Stats, before: Stats): boolean {
  const { ino, dev, size, mtimeMs } = before
  return stats.ino === ino && stats.dev === dev && stats.size === size && stats.mtimeMs === mtimeMs
}

/** So that the new name survives a power cut. Not every system can do it, and the file is whole without it. */
async function syncIfPossible(folder: string): Promise<void> {
  try {
    await syncFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/** Takes away the empty folders that were made for a file which did not come to be. */
async function removeFolders(folder: string, first: string): Promise<void> {
  try {
    for (let path = folder; path.length >= first.length; path = dirname(path)) await rmdir(path)
  } catch (error) {
    // Somebody else has already put something there.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
