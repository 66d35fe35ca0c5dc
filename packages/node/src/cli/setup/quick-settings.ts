import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@plimsoll/core/policies'
import { userFolder } from '../../config/home-folder.ts'
import { readMemory, writeMemory } from '../../files/memory-file.ts'

/** The settings of a status line and of a hook. A project's file may set none of them. */
export type QuickSettings = Pick<Config, 'budget' | 'prices'> & {
  readonly gateway: Pick<Config['gateway'], 'store' | 'keep_days'>
}

/** The defaults, without what else is in core's file of them. */
export const noSettings: QuickSettings = {
  budget: { day: null, week: null, month: null },
  prices: {},
  gateway: { store: null, keep_days: 30 },
}

/** Where to find and remember the settings. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly cache: string | null
  readonly program: string
  /** The folder of what is remembered, in the cache. Default: that of the status line. */
  readonly for?: 'statusline' | 'hook'
}

/** Reads the configuration only if it has changed: checking it takes longer than everything else. Never throws. */
export async function quickSettings({ environment, folder, cache, program, for: caller = 'statusline' }: Surroundings): Promise<{
  readonly settings: QuickSettings
  /** Differs once the settings do. */
  readonly stamp: string
}> {
  const own = userFolder(environment)
  const found = own === null ? undefined : statSync(join(own, 'config.yaml'), { throwIfNoEntry: false })
  const given = Object.entries(environment).filter(([name]) => /^PLIMSOLL_(?:BUDGET|PRICES)/.test(name))
  if (found === undefined && given.length === 0) return { settings: noSettings, stamp: '' }
  const stamp = JSON.stringify([own, found?.mtimeMs, found?.size, found?.ino, given])
  const file = cache === null ? null : join(cache, caller, 'settings')
  const version = `plimsoll settings 2 ${program}`
  const remembered =
    file === null ? null : (readMemory(file, version) as { readonly stamp: string; readonly settings: QuickSettings } | null)
  if (remembered?.stamp === stamp) return remembered
  const { loadConfig } = await import('../../config/load-config.ts')
  const loaded = await loadConfig({ projectFolder: folder, environment }).catch(() => null)
  if (loaded === null) return { settings: noSettings, stamp }
  const { budget, prices, gateway } = loaded.config
  const answer = { settings: { budget, prices, gateway: { store: gateway.store, keep_days: gateway.keep_days } }, stamp }
  // The address of a database may have a password in it.
  if (file !== null && !/:\/\//.test(gateway.store ?? '')) writeMemory(file, version, answer)
  return answer
}
