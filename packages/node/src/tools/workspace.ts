import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { escapeUnprintable } from '@plimsoll/core/text'
import { nearest } from '../config/nearest.ts'
import { codeOf, ifPossible } from '../files/problem.ts'
import { isInside } from '../files/read-text.ts'

export interface Inside {
  readonly path: string
  /** From the workspace's folder, with `/`; `.` for that folder itself. `shownPath` makes it safe for texts. */
  readonly shown: string
  readonly kind: 'file' | 'folder' | 'missing'
}

/** The rest of a sentence after `Error: `. */
export interface Refused {
  readonly reason: string
  readonly code?: string
}

export interface OpenFile extends Inside {
  readonly handle: FileHandle
  readonly stats: Stats
}

/**
 * The place of a path given by the model, or why it may not be used. Rejects everything that leads out of the workspace (`..`,
 * `~`, absolute paths, links), and everything but files and folders, as a pipe could block forever. A missing place counts as
 * where its nearest existing folder really is. Never throws.
 */
export async function resolveInside(root: string, path: string): Promise<Inside | Refused> {
  const name = shownPath(path)
  if (path.trim() === '') return { reason: 'the path is empty' }
  if (path.includes('\0')) return { reason: `${name} is not a valid path: it contains a NUL character` }
  if (/^~(?:[/\\]|$)/.test(path)) return { reason: `${name} leads to the home folder; ${onlyInside}` }
  const base = await ifPossible(realpath(root), null)
  if (base === null) return { reason: `the workspace's folder is gone: ${shownPath(root)}`, code: 'ENOENT' }
  try {
    const wanted = spelledInside(base, resolve(root), path)
    if (wanted === null) return { reason: `${name} leads out of the workspace; ${onlyInside}` }
    return await realPlace(base, wanted, name)
  } catch (error) {
    return refusalOf(error, name)
  }
}

/** Links are not followed, pipes are not waited for, and the open file is checked again. Never throws. */
export async function openInside(root: string, path: string): Promise<OpenFile | Refused> {
  const place = await resolveInside(root, path)
  if ('reason' in place) return place
  const name = shownPath(place.shown)
  if (place.kind === 'folder') return refused(name, 'EISDIR')
  if (place.kind === 'missing') return refused(name, 'ENOENT')
  try {
    const isLinux = process.platform === 'linux'
    const handle = isLinux ? await openThroughFolder(await realpath(root), place.path) : await openAndCompare(place.path)
    if (handle === null) return refused(name, 'ELOOP')
    const stats = await handle.stat()
    if (stats.isFile()) return { ...place, kind: 'file', handle, stats }
    await handle.close()
    return refused(name, stats.isDirectory() ? 'EISDIR' : 'ENXIO')
  } catch (error) {
    return refusalOf(error, name)
  }
}

/** Opens without following a link or waiting for the other end of a pipe. Windows has neither flag. */
export const carefully = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export const tooLarge = Symbol('too large')

/** The bytes of a regular file; null for anything else, links included. Rejects with the system's error. */
export async function readRegularFile(path: string, limit: number): Promise<Buffer | typeof tooLarge | null> {
  const handle = await open(path, carefully)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return null
    return stats.size > limit ? tooLarge : await handle.readFile()
  } finally {
    await handle.close()
  }
}

export async function missingText({ path, shown }: Inside): Promise<string> {
  const missing = `${shownPath(shown)} does not exist`
  const name = basename(path)
  const names = await ifPossible(readdir(dirname(path)), null)
  if (names === null) return `${missing}, and neither does its folder; use LS or Glob to find it`
  const short = names.slice(0, 5000).filter((candidate) => candidate.length <= 80)
  const near = nearest(name, short)
  const folder = shown.slice(0, Math.max(0, shown.length - name.length))
  return near === null ? `${missing}; use LS or Glob to find it` : `${missing}; did you mean ${shownPath(folder + near)}?`
}

/** A path as it may appear in a text: on one line, with nothing that acts on a terminal or hides. */
export function shownPath(path: string): string {
  return escapeUnprintable(path.length > maxShown ? `${path.slice(0, maxShown)}…` : path).toWellFormed()
}

/** Throws errors again that are not the system's. */
export function refusalOf(error: unknown, name: string): Refused {
  const code = codeOf(error)
  if (code === null) throw error
  return refused(name, code)
}

function refused(name: string, code: string): Refused {
  return { reason: `${name} ${meanings[code] ?? `cannot be used: ${code}`}`, code }
}

const onlyInside = 'only paths inside the workspace can be used, relative to its folder'
const maxShown = 1000

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

function spelledInside(base: string, spelledRoot: string, path: string): string | null {
  const direct = resolve(base, path)
  if (isInside(base, direct)) return direct
  // The workspace may be known under a name that is a link, and absolute paths are then spelled that way.
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
  if (missing.length > 0) return found.isDirectory() ? { path, shown, kind: 'missing' } : refused(name, 'ENOTDIR')
  if (found.isFile()) return { path, shown, kind: 'file' }
  if (found.isDirectory()) return { path, shown, kind: 'folder' }
  const sort = found.isFIFO() ? 'a named pipe' : found.isSocket() ? 'a socket' : 'a device'
  return { reason: `${name} is neither a file nor a folder, but ${sort}`, code: 'ENXIO' }
}

/** A link exists even if its target does not: it must not be taken for a free place. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    const code = codeOf(error)
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
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
}

/** Linux only: a folder that is held open cannot be swapped, and its entries can be reached through `path`. */
export async function holdFolder(folder: string): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  // O_PATH, which Node does not name: it needs no right to list the folder.
  const handle = await open(folder, 0x200000 | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  return { handle, path: `/proc/self/fd/${handle.fd}` }
}

async function openThroughFolder(base: string, path: string): Promise<FileHandle | null> {
  const held = await holdFolder(dirname(path))
  try {
    return isInside(base, await realpath(held.path)) ? await open(join(held.path, basename(path)), carefully) : null
  } finally {
    await held.handle.close()
  }
}

async function openAndCompare(path: string): Promise<FileHandle | null> {
  const handle = await open(path, carefully)
  const [opened, there, real] = await Promise.all([handle.stat(), stat(path), realpath(path)])
  if (real === path && opened.ino === there.ino && opened.dev === there.dev) return handle
  await handle.close()
  return null
}
