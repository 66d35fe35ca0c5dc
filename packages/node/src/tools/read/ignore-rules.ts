import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** The rules of one `.gitignore`, over those of the folders above. */
export interface IgnoreRules {
  /** Whether git would leave out an entry of that folder or below. The path is relative to the workspace, with `/`. */
  readonly ignores: (path: string, isFolder: boolean) => boolean
}

/** Ignores nothing. */
export const noIgnoreRules: IgnoreRules = { ignores: () => false }

/** The rules in a file over those above it; the same ones where the file says nothing that can be read. */
export async function readIgnoreRules(file: string, folder: string, above: IgnoreRules): Promise<IgnoreRules> {
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
