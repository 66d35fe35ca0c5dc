import { readdir, rm, stat } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../../config/home-folder.ts'
import { spendingNow } from '../../logs/measure/spending-now.ts'
import { packageVersion } from '../command-io.ts'
import { quickSettings } from './quick-settings.ts'

// Measures the logs that have changed, for the status lines that follow, and forgets sessions that have none any more. Runs in the
// background, with the lowest priority.

/** In milliseconds: a week. */
const keptFor = 7 * 86_400_000

setPriority(19)
const { env: environment, platform } = process
const version = packageVersion()
const cache = cacheFolder(environment)
const { settings } = await quickSettings({ environment, folder: process.cwd(), cache, program: version })
await spendingNow({ environment, platform, now: Date.now(), ...settings, version })
if (cache !== null) await forgetOld(join(cache, 'statusline'))

async function forgetOld(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > keptFor) await rm(join(folder, name), { force: true })
  }
}
