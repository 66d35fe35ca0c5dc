import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SearchRequest } from '../search/search.ts'
import type { FolderReader } from './folder-reader.ts'

/**
 * Whether a `.gitignore` of a place, above it or below it is a pipe or a device, or leads to one: whoever opens it
 * as a file may wait for ever. Never rejects; false where the signal ends the look.
 */
export async function hasBlockingIgnoreFile({ root, place, reader }: SearchRequest, signal: AbortSignal): Promise<boolean> {
  // Those above the workspace count for nothing, and are opened all the same.
  for (let [path, folder] = [place.path, dirname(place.path)]; path !== folder; [path, folder] = [folder, dirname(folder)])
    if (await isBlocking(join(folder, '.gitignore'))) return true
  const folders = place.kind === 'folder' ? [place.shown] : []
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    for (const entry of await entriesOf(reader, folder)) {
      if (entry.kind === 'folder' && !entry.isIgnored) folders.push(entry.path)
      else if (entry.name === '.gitignore' && entry.kind !== 'file' && (await isBlocking(join(root, entry.path)))) return true
    }
  }
  return false
}

/** Whether a path is there and leads neither to a file nor to a folder. It is not opened for that. */
async function isBlocking(path: string): Promise<boolean> {
  try {
    const stats = await stat(path)
    return !stats.isFile() && !stats.isDirectory()
  } catch {
    return false
  }
}

async function entriesOf(reader: FolderReader, folder: string) {
  try {
    return await reader.read(folder)
  } catch {
    return []
  }
}
