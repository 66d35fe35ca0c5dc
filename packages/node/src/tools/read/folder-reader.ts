import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Something in a folder. */
export interface FolderEntry {
  readonly name: string
  /** From the workspace's folder, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Whether a `.gitignore` of its folder or of one above leaves it out. */
  readonly isIgnored: boolean
}

/** Reads folders of one workspace, and the `.gitignore` files in them once. */
export interface FolderReader {
  /** The entries of a folder by name, without git's own. Throws the system's error, or the reason of the signal. */
  readonly read: (folder: string) => Promise<readonly FolderEntry[]>
  /** Whether a path is left out, by itself or with a folder above it. */
  readonly isIgnored: (path: string, isFolder: boolean) => Promise<boolean>
}

/**
 * A reader for a look at a folder: `.gitignore` files count at every level from the workspace's own folder down. Who asks for a
 * folder that is ignored itself wants to see it: then nothing in it is left out. The signal ends its work.
 */
export async function createFolderReader(root: string, start: string, signal?: AbortSignal): Promise<FolderReader> {
  const rules = new Map<string, Promise<IgnoreRules>>()
  const reader = readerOf(rulesOf)
  return start !== '.' && (await reader.isIgnored(start, true)) ? readerOf(async () => noIgnoreRules) : reader

  function rulesOf(folder: string, found?: readonly Dirent[]): Promise<IgnoreRules> {
    let known = rules.get(folder)
    if (known === undefined) {
      known = loadRules(folder, found)
      rules.set(folder, known)
    }
    return known
  }

  async function loadRules(folder: string, found: readonly Dirent[] | undefined): Promise<IgnoreRules> {
    const above = folder === '.' ? noIgnoreRules : await rulesOf(parentOf(folder))
    if (found !== undefined && !found.some(({ name }) => name === '.gitignore')) return above
    return readIgnoreRules(join(root, folder, '.gitignore'), folder, above)
  }

  function readerOf(rulesFor: (folder: string, found?: readonly Dirent[]) => Promise<IgnoreRules>): FolderReader {
    return {
      async read(folder) {
        const found = await readdir(join(root, folder), { withFileTypes: true })
        const { ignores } = await rulesFor(folder, found)
        const entries: FolderEntry[] = []
        let turn = performance.now()
        for (const entry of found) {
          if (entry.name === '.git') continue
          const kind = kindOf(entry)
          const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
          entries.push({ name: entry.name, path, kind, isIgnored: ignores(path, kind === 'folder') })
          if (performance.now() - turn < longestTurn) continue
          // Thousands of rules for thousands of names take their time, and whoever waits may want to stop it.
          await setImmediate()
          signal?.throwIfAborted()
          turn = performance.now()
        }
        return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
      },
      async isIgnored(path, isFolder) {
        const names = path.split('/')
        for (let depth = 1; depth <= names.length; depth += 1) {
          const part = names.slice(0, depth).join('/')
          const { ignores } = await rulesFor(parentOf(part))
          if (ignores(part, isFolder || depth < names.length)) return true
        }
        return false
      },
    }
  }
}

/** After so many milliseconds others get their turn. */
const longestTurn = 20

/** The files below a folder that nothing leaves out, by path. Links are not followed; folders that cannot be read are passed over. */
export async function* walkFiles(reader: FolderReader, start: string, signal: AbortSignal): AsyncGenerator<string, void> {
  const levels: (readonly FolderEntry[])[] = [await reader.read(start)]
  const positions = [0]
  while (levels.length > 0) {
    const last = levels.length - 1
    const entry = levels[last]?.[positions[last] as number]
    positions[last] = (positions[last] as number) + 1
    if (entry === undefined) {
      levels.pop()
      positions.pop()
    } else if (entry.isIgnored) continue
    else if (entry.kind === 'file') yield entry.path
    else if (entry.kind === 'folder') {
      signal.throwIfAborted()
      levels.push(await readOrNothing(reader, entry.path))
      positions.push(0)
    }
  }
}

async function readOrNothing(reader: FolderReader, folder: string): Promise<readonly FolderEntry[]> {
  try {
    return await reader.read(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return []
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '.' : path.slice(0, slash)
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** The rules of one `.gitignore`, over those of the folders above. */
interface IgnoreRules {
  /** Whether git would leave out an entry of that folder or below. The path is relative to the workspace, with `/`. */
  readonly ignores: (path: string, isFolder: boolean) => boolean
}

/** Ignores nothing. */
const noIgnoreRules: IgnoreRules = { ignores: () => false }

/** The rules in a file over those above it; the same ones where the file says nothing that can be read. */
async function readIgnoreRules(file: string, folder: string, above: IgnoreRules): Promise<IgnoreRules> {
  const text = await readSmallFile(file)
  if (text === null) return above
  const { default: ignore } = await import('ignore')
  const own = ignore({ ignoreCase: false }).add(usableRules(text))
  const prefix = folder === '.' ? 0 : folder.length + 1
  return {
    ignores(path, isFolder) {
      const inFolder = path.slice(prefix)
      // The library refuses what is no relative path, such as a name of blanks.
      if (!ignore.isPathValid(inFolder)) return above.ignores(path, isFolder)
      const { ignored, unignored } = own.test(isFolder ? `${inFolder}/` : inFolder)
      return ignored || (!unignored && above.ignores(path, isFolder))
    },
  }
}

const largestFile = 1_000_000
const longestRule = 300
const mostWildcards = 4

/** A rule becomes a regular expression whose time grows with the power of its wildcards: nobody needs many, so they are not taken. */
function usableRules(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((rule) => rule.length <= longestRule && (rule.match(/\*+/g) ?? []).length <= mostWildcards)
}

/** Git follows no link here either, and a pipe is not waited for. */
async function readSmallFile(file: string): Promise<string | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      return stats.isFile() && stats.size <= largestFile ? await handle.readFile('utf8') : null
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}
