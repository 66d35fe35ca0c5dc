import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Inside, isInside, type Refused, refusalOf, resolveInside, shownPath } from './workspace.ts'

/** A regular file of the workspace, open. Whoever has it closes `handle`. */
export interface OpenFile extends Inside {
  readonly handle: FileHandle
  readonly stats: Stats
}

/** For what a file is opened. `write` makes it where it is missing, reads too, and does not empty it; `create` refuses one that is there. */
export type OpenFor = 'read' | 'write' | 'create'

/**
 * Opens a file of the workspace, or says why not. Between the look at a path and the opening, somebody may put a link or a pipe in
 * its place: a link is not followed, a pipe is not waited for, and what was opened is checked once more before anything is read or
 * written. Never throws for what a path may be.
 */
export async function openInside(root: string, path: string, mode: OpenFor = 'read'): Promise<OpenFile | Refused> {
  const place = await resolveInside(root, path)
  if ('reason' in place) return place
  const name = shownPath(place.shown)
  if (place.kind === 'folder') return refusal(name, 'EISDIR')
  if (place.kind === 'missing' && mode === 'read') return refusal(name, 'ENOENT')
  try {
    const base = await realpath(root)
    const handle = await openChecked(base, place.path, flags[mode])
    if (handle === null) return refusal(name, 'ELOOP')
    const stats = await handle.stat()
    if (stats.isFile()) return { ...place, kind: 'file', handle, stats }
    await handle.close()
    return refusal(name, stats.isDirectory() ? 'EISDIR' : 'ENXIO')
  } catch (error) {
    return refusalOf(error, name)
  }
}

// A pipe opens at once without waiting for its other end, and is refused by what it is. Windows has neither flag.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const flags: Readonly<Record<OpenFor, number>> = {
  read: constants.O_RDONLY | careful,
  write: constants.O_RDWR | constants.O_CREAT | careful,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | careful,
}

/** The open file, or null when it is no longer where its path was found to be. */
async function openChecked(base: string, path: string, flag: number): Promise<FileHandle | null> {
  return process.platform === 'linux' ? openThroughFolder(base, path, flag) : openAndCompare(path, flag)
}

// Linux's O_PATH, which Node does not name: a folder is held without the right to list it.
const openPath = 0x200000

/** On Linux a folder that is held open cannot be swapped, and its entries can be reached through it. */
async function openThroughFolder(base: string, path: string, flag: number): Promise<FileHandle | null> {
  const folder = await open(dirname(path), openPath | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const held = `/proc/self/fd/${folder.fd}`
    return isInside(base, await realpath(held)) ? await open(join(held, basename(path)), flag, 0o666) : null
  } finally {
    await folder.close()
  }
}

async function openAndCompare(path: string, flag: number): Promise<FileHandle | null> {
  const handle = await open(path, flag, 0o666)
  const [opened, there, real] = await Promise.all([handle.stat(), stat(path), realpath(path)])
  if (real === path && opened.ino === there.ino && opened.dev === there.dev) return handle
  await handle.close()
  return null
}

function refusal(name: string, code: string): Refused {
  return refusalOf(Object.assign(new Error(code), { code }), name)
}
