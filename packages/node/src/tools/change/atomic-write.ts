import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, open, realpath, rename, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder, removeLeftovers } from '../../files/make-folder.ts'
import { codeOf, ifPossible } from '../../files/problem.ts'
import { syncFolder } from '../../session/durable-file.ts'
import { carefully, holdFolder } from '../workspace.ts'

interface AtomicWriteOptions {
  /** The file as it was when it was looked at, whose mode and owner stay; null for a new file. */
  readonly replaces: Stats | null
  readonly signal: AbortSignal
}

/**
 * Writes a file so that at any moment either the old or the new one is there, durably; a failed write leaves nothing. Returns
 * null and writes nothing if the file is not the one that was looked at. The path is real and absolute; missing folders are made.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, options: AtomicWriteOptions): Promise<Stats | null> {
  const folder = dirname(path)
  const made = makeFolder(folder, 0o777)
  removeLeftovers(folder, /^\.plimsoll-(\d+)-[0-9a-f]{12}\.tmp$/)
  let written: Stats | null = null
  try {
    if (process.platform === 'linux') {
      // Held, so that no link can take its place.
      const held = await holdFolder(folder)
      try {
        if ((await realpath(held.path)) === folder) written = await writeIn(held.path, basename(path), bytes, options)
      } finally {
        await held.handle.close()
      }
    } else if ((await realpath(folder)) === folder) written = await writeIn(folder, basename(path), bytes, options)
    return written
  } finally {
    if (written === null && made !== undefined) await ifPossible(removeFolders(folder, made), undefined)
  }
}

/** Removes a file if it is the one that was looked at; false otherwise. The path is real and absolute. */
export async function removeCarefully(path: string, looked: Stats): Promise<boolean> {
  const folder = dirname(path)
  const held = process.platform === 'linux' ? await holdFolder(folder) : null
  try {
    const place = held?.path ?? folder
    if ((await realpath(place)) !== folder) return false
    const target = join(place, basename(path))
    if (!(await isStill(target, looked))) return false
    await unlink(target)
    await ifPossible(syncFolder(place), undefined)
    return true
  } finally {
    await held?.handle.close()
  }
}

async function writeIn(folder: string, name: string, bytes: Uint8Array, { replaces, signal }: AtomicWriteOptions) {
  const target = join(folder, name)
  if (replaces !== null) await access(target, constants.W_OK)
  const temporary = join(folder, `.plimsoll-${process.pid}-${randomBytes(6).toString('hex')}.tmp`)
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
    // The new name survives a power cut. Not every system can do it, and the file is complete without it.
    await ifPossible(syncFolder(folder), undefined)
    return stats
  } finally {
    await handle.close()
    if (isThere) await unlink(temporary)
  }
}

async function takeOver(handle: FileHandle, { uid, gid, mode }: Stats): Promise<boolean> {
  const own = await handle.stat()
  try {
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid)
  } catch (error) {
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
  // After the owner: changing the owner clears some mode bits.
  await handle.chmod(mode & 0o7777)
  return true
}

/** Another user's file that we may write keeps its owner only in place; its old content is put back if writing fails. */
async function writeInPlace(target: string, bytes: Uint8Array, replaces: Stats, signal: AbortSignal): Promise<Stats | null> {
  const handle = await open(target, carefully | constants.O_RDWR)
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
    if (codeOf(error) === 'ENOENT') return replaces === null
    throw error
  }
}

function isSameFile(stats: Stats, before: Stats): boolean {
  const { ino, dev, size, mtimeMs } = before
  return stats.ino === ino && stats.dev === dev && stats.size === size && stats.mtimeMs === mtimeMs
}

async function removeFolders(folder: string, first: string): Promise<void> {
  for (let path = folder; path.length >= first.length; path = dirname(path)) await rmdir(path)
}
