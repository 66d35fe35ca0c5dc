import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { escapeUnprintable } from '@plimsoll/core/text'
import { nearest } from '../config/nearest.ts'

/** A place in the workspace. */
export interface Inside {
  /** The real, absolute path: no part of it is a symbolic link. */
  readonly path: string
  /** The path from the workspace's folder, with `/`; `.` for that folder itself. It names the file; `shownPath` is for texts. */
  readonly shown: string
  readonly kind: 'file' | 'folder' | 'missing'
}

/** Why a path cannot be used, in words that follow `Error: `. */
export interface Refused {
  readonly reason: string
  /** The system's code, such as `ENOENT`, where it was the system that refused. */
  readonly code?: string
}

/**
 * The place a path of the model's names, or why it may not be used. Whatever leads out of the workspace is refused: `..`, `~`,
 * other absolute paths, links anywhere on the way; and what is neither a file nor a folder, as a pipe would be waited for without
 * end. A place where nothing is yet counts as where its nearest existing folder really is. Never throws for what a path may be.
 */
export async function resolveInside(root: string, path: string): Promise<Inside | Refused> {
  const name = shownPath(path)
  if (path.trim() === '') return { reason: 'the path is empty' }
  if (path.includes('\0')) return { reason: `${name} is no path: it holds a NUL character` }
  if (/^~(?:[/\\]|$)/.test(path)) return { reason: `${name} leads to the home folder; ${onlyInside}` }
  const base = await realRoot(root)
  if (base === null) return { reason: `the workspace's folder is gone: ${shownPath(root)}`, code: 'ENOENT' }
  try {
    const wanted = spelledInside(base, resolve(root), path)
    if (wanted === null) return { reason: `${name} leads out of the workspace; ${onlyInside}` }
    return await realPlace(base, wanted, name)
  } catch (error) {
    return refusalOf(error, name)
  }
}

/** A path as it may stand in a text: on one line, with nothing that acts on a terminal or hides. */
export function shownPath(path: string): string {
  return escapeUnprintable(path.length > longestShown ? `${path.slice(0, longestShown)}…` : path).toWellFormed()
}

/** What the system's error on touching a path means. Any other error is thrown again. */
export function refusalOf(error: unknown, name: string): Refused {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === null) throw error
  return { reason: `${name} ${meanings[code] ?? `cannot be used: ${code}`}`, code }
}

/** Whether a real path lies in a folder, or is that folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

const onlyInside = 'only paths inside the workspace can be used, relative to its folder'
const longestShown = 1000

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is a file, not a folder',
  EISDIR: 'is a folder',
  EACCES: 'cannot be used: permission denied',
  EPERM: 'cannot be used: permission denied',
  ELOOP: 'cannot be used: its symbolic links lead in a circle, or to somewhere else than a moment ago',
  ENAMETOOLONG: 'is too long for a path',
  EROFS: 'cannot be changed: the file system is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
  EMFILE: 'cannot be opened: too many files are open',
  ENXIO: 'is neither a file nor a folder',
  EIO: 'cannot be read: the disk reports an error',
}

async function realRoot(root: string): Promise<string | null> {
  try {
    return await realpath(root)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

/** The path under the real folder, before links are looked at; null where it leads out even so. */
function spelledInside(base: string, spelledRoot: string, path: string): string | null {
  const direct = resolve(base, path)
  if (isInside(base, direct)) return direct
  // Whoever knows the workspace under a name that is a link spells absolute paths so.
  return isInside(spelledRoot, direct) ? join(base, relative(spelledRoot, direct)) : null
}

async function realPlace(base: string, wanted: string, name: string): Promise<Inside | Refused> {
  const missing: string[] = []
  let existing = wanted
  while (!(await exists(existing))) {
    missing.unshift(basename(existing))
    existing = dirname(existing)
  }
  if (await leadsNowhere(existing)) return { reason: `${name} is or passes a symbolic link that leads nowhere` }
  const real = await realpath(existing)
  if (!isInside(base, real)) return { reason: `${name} leads out of the workspace by a symbolic link; ${onlyInside}` }
  const found = await stat(real)
  const path = join(real, ...missing)
  const shown = relative(base, path).replaceAll(sep, '/') || '.'
  if (missing.length > 0) return found.isDirectory() ? { path, shown, kind: 'missing' } : notThere(name)
  if (found.isFile()) return { path, shown, kind: 'file' }
  if (found.isDirectory()) return { path, shown, kind: 'folder' }
  return { reason: `${name} is neither a file nor a folder, but ${sortOf(found)}`, code: 'ENXIO' }
}

/** A link counts as existing also where what it names does not: it must not be taken for a free place. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The folders above are asked next; above the topmost there is nothing.
    if ((code === 'ENOENT' || code === 'ENOTDIR') && dirname(path) !== path) return false
    throw error
  }
}

async function leadsNowhere(path: string): Promise<boolean> {
  if (!(await lstat(path)).isSymbolicLink()) return false
  try {
    await stat(path)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

function notThere(name: string): Refused {
  return { reason: `${name} ${meanings['ENOTDIR']}`, code: 'ENOTDIR' }
}

function sortOf(found: Awaited<ReturnType<typeof stat>>): string {
  if (found.isFIFO()) return 'a named pipe'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/** What to say of a place where nothing is: with a name of the same folder that was likely meant. */
export async function missingText({ path, shown }: Inside): Promise<string> {
  const missing = `${shownPath(shown)} does not exist`
  const name = basename(path)
  const folder = shown.slice(0, Math.max(0, shown.length - name.length))
  try {
    const names = (await readdir(dirname(path))).slice(0, mostNames)
    const near = nearest(
      name,
      names.filter((candidate) => candidate.length <= longestName),
    )
    return near === null ? `${missing}; use LS or Glob to find it` : `${missing}; did you mean ${shownPath(folder + near)}?`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return `${missing}, nor does its folder; use LS or Glob to find it`
  }
}

const mostNames = 5000
const longestName = 80

/** A regular file of the workspace, open. Whoever has it closes `handle`. */
export interface OpenFile extends Inside {
  readonly handle: FileHandle
  readonly stats: Stats
}

/** For what a file is opened. `write` makes it where it is missing, reads too, and does not empty it; `create` refuses one that is there. */
type OpenFor = 'read' | 'write' | 'create'

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
