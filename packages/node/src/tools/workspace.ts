import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { escapeUnprintable } from '@plimsoll/core'

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
