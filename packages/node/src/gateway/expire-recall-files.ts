import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes the originals in a folder that were last used before this time. What is no original stays. */
export async function expireRecallFiles(folder: string, before: number): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile() || !originalName.test(entry.name)) continue
    const path = join(folder, entry.name)
    // Another gateway may have removed it meanwhile.
    const used = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => before,
    )
    if (used < before) await rm(path, { force: true })
  }
}

/** With what is left of one that was being written when a gateway ended. */
const originalName = /^[0-9a-f]{12}\.txt(?:\.[0-9a-f-]{36})?$/
