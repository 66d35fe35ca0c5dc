import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder with its parents, by default for its owner only. Returns the first one that was missing. Throws with the true cause:
 * Node says that a read-only disk has no such folder.
 */
export function makeFolder(folder: string, mode = 0o700): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    let missing = folder
    while (dirname(missing) !== missing && !existsSync(dirname(missing))) missing = dirname(missing)
    mkdirSync(missing, { mode })
    mkdirSync(folder, { recursive: true, mode })
    return missing
  }
}
