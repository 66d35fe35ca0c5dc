import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { ifPossible } from '../../files/problem.ts'
import { readRegularFile } from '../workspace.ts'

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

/** Whether git would leave out an entry of a folder or below. The path is relative to the workspace, with `/`. */
type Ignores = (path: string, isFolder: boolean) => boolean

/** `.gitignore` files count from the workspace's folder down, unless the folder itself is ignored. */
export async function createFolderReader(root: string, start: string, signal?: AbortSignal): Promise<FolderReader> {
  const rules = new Map<string, Promise<Ignores>>()
  const reader = readerOf(rulesOf)
  return start !== '.' && (await reader.isIgnored(start, true)) ? readerOf(async () => ignoresNothing) : reader

  function rulesOf(folder: string, found?: readonly Dirent[]): Promise<Ignores> {
    const known = rules.get(folder) ?? loadRules(folder, found)
    rules.set(folder, known)
    return known
  }

  async function loadRules(folder: string, found: readonly Dirent[] | undefined): Promise<Ignores> {
    const above = folder === '.' ? ignoresNothing : await rulesOf(parentOf(folder))
    if (found !== undefined && !found.some(({ name }) => name === '.gitignore')) return above
    return readIgnoreRules(join(root, folder, '.gitignore'), folder, above)
  }

  function readerOf(rulesFor: typeof rulesOf): FolderReader {
    return {
      async read(folder) {
        const found = await readdir(join(root, folder), { withFileTypes: true })
        const ignores = await rulesFor(folder, found)
        const entries: FolderEntry[] = []
        let turn = performance.now()
        for (const entry of found) {
          if (entry.name === '.git') continue
          const kind = kindOf(entry)
          const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
          entries.push({ name: entry.name, path, kind, isIgnored: ignores(path, kind === 'folder') })
          if (performance.now() - turn < maxTurn) continue
          // Thousands of rules for thousands of names take time, and the user may want to stop it.
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
          const ignores = await rulesFor(parentOf(part))
          if (ignores(part, isFolder || depth < names.length)) return true
        }
        return false
      },
    }
  }
}

/** Milliseconds after which other work gets its turn. */
const maxTurn = 20

/** The files below a folder that are not ignored, by path. Links are not followed; folders that cannot be read are skipped. */
export async function* walkFiles(reader: FolderReader, start: string, signal: AbortSignal): AsyncGenerator<string, void> {
  const levels = [(await reader.read(start)).values()]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { value: entry } = level.next()
    if (entry === undefined) levels.pop()
    else if (entry.isIgnored) continue
    else if (entry.kind === 'file') yield entry.path
    else if (entry.kind === 'folder') {
      signal.throwIfAborted()
      levels.push((await ifPossible(reader.read(entry.path), [])).values())
    }
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

const maxIgnoreFile = 1_000_000
const maxRuleLength = 300
const maxWildcards = 4

const ignoresNothing: Ignores = () => false

/** The rules in a file over those above it; git does not follow a link here either. */
async function readIgnoreRules(file: string, folder: string, above: Ignores): Promise<Ignores> {
  const bytes = await ifPossible(readRegularFile(file, maxIgnoreFile), null)
  if (!Buffer.isBuffer(bytes)) return above
  const { default: ignore } = await import('ignore')
  // A rule becomes a regular expression whose time grows with the power of its wildcards.
  const isUsable = (rule: string) => rule.length <= maxRuleLength && (rule.match(/\*+/g) ?? []).length <= maxWildcards
  const own = ignore({ ignoreCase: false }).add(bytes.toString('utf8').split(/\r?\n/).filter(isUsable))
  const prefix = folder === '.' ? 0 : folder.length + 1
  return (path, isFolder) => {
    const inFolder = path.slice(prefix)
    // The library refuses some names, such as one of blanks.
    if (!ignore.isPathValid(inFolder)) return above(path, isFolder)
    const { ignored, unignored } = own.test(isFolder ? `${inFolder}/` : inFolder)
    return ignored || (!unignored && above(path, isFolder))
  }
}
