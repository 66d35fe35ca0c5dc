import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@plimsoll/core/policies'
import { userFolder } from '../../config/home-folder.ts'
import { readMemory, writeMemory } from '../../files/memory-file.ts'

/** The settings of a status line. A project's file may set neither. */
export type QuickSettings = Pick<Config, 'budget' | 'prices'>

const none: QuickSettings = { budget: { day: null, week: null, month: null }, prices: {} }

/** Where to find and remember the settings. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly cache: string | null
  readonly program: string
}

/** Reads the configuration only if it has changed: checking it takes longer than everything else in a status line. Never throws. */
export async function quickSettings({ environment, folder, cache, program }: Surroundings): Promise<{
  readonly settings: QuickSettings
  /** Differs once the settings do. */
  readonly stamp: string
}> {
  const own = userFolder(environment)
  const found = own === null ? undefined : statSync(join(own, 'config.yaml'), { throwIfNoEntry: false })
  const given = Object.entries(environment).filter(([name]) => /^PLIMSOLL_(?:BUDGET|PRICES)/.test(name))
  if (found === undefined && given.length === 0) return { settings: none, stamp: '' }
  const stamp = JSON.stringify([own, found?.mtimeMs, found?.size, found?.ino, given])
  const file = cache === null ? null : join(cache, 'statusline', 'settings')
  const version = `plimsoll settings 1 ${program}`
  const remembered =
    file === null ? null : (readMemory(file, version) as { readonly stamp: string; readonly settings: QuickSettings } | null)
  if (remembered?.stamp === stamp) return remembered
  const { loadConfig } = await import('../../config/load-config.ts')
  const loaded = await loadConfig({ projectFolder: folder, environment }).catch(() => null)
  if (loaded === null) return { settings: none, stamp }
  const { budget, prices } = loaded.config
  const answer = { settings: { budget, prices }, stamp }
  if (file !== null) writeMemory(file, version, answer)
  return answer
}
