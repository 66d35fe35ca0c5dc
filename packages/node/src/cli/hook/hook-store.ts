import { join, resolve } from 'node:path'
import { cacheFolder, gatewayFolderIn } from '../../config/home-folder.ts'
import { type GatewayStore, isSharedStore, storeFile } from '../../store/gateway-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { CommandIo } from '../command-io.ts'
import { type QuickSettings, quickSettings } from '../setup/quick-settings.ts'

export type StoreIo = Pick<CommandIo, 'environment' | 'folder' | 'now'>

/** Opens the gateway's store, where recall looks. Null if it is a database: its driver takes longer to load than an agent should wait. */
export async function openHookStore(
  io: StoreIo,
): Promise<{ readonly store: GatewayStore; readonly settings: QuickSettings } | null> {
  const { environment, folder, now } = io
  const { settings } = await quickSettings({ environment, folder, cache: cacheFolder(environment), program: memory, for: 'hook' })
  const state = gatewayFolderIn(environment)
  const own = state === null ? null : join(state, storeFile)
  const location = environment['PLIMSOLL_GATEWAY__STORE'] || (settings.gateway.store ?? own)
  if (location === null || isSharedStore(location)) return null
  return { store: await openSqliteStore({ path: resolve(folder, location), now }), settings }
}

/** Names the form of what is remembered of the settings. */
const memory = 'hook 1'

/** The name of a session's originals in the store. */
export function hookConversation(agent: string, session: string): string {
  return `hook ${agent} ${session}`
}
