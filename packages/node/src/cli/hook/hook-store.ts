import { join, resolve } from 'node:path'
import { cacheFolder, gatewayFolderIn } from '../../config/home-folder.ts'
import { type GatewayStore, isSharedStore, storeFile, tenantOf } from '../../store/gateway-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { tenantsOf } from '../../store/tenants.ts'
import type { CommandIo } from '../command-io.ts'
import { type QuickSettings, quickSettings } from '../setup/quick-settings.ts'

export type StoreIo = Pick<CommandIo, 'environment' | 'folder' | 'now'>

export interface HookStore {
  readonly store: GatewayStore
  readonly settings: QuickSettings
  /** Under whom originals are kept, so that recall finds them. */
  readonly tenant: string
}

/** Opens the gateway's store, where recall looks. Null if there is none; or if it is a database, and no key in the environment says whose originals these are. */
export async function openHookStore(io: StoreIo): Promise<HookStore | null> {
  const { environment, folder, now } = io
  const { settings } = await quickSettings({ environment, folder, cache: cacheFolder(environment), program: memory, for: 'hook' })
  const state = gatewayFolderIn(environment)
  const own = state === null ? null : join(state, storeFile)
  const location = environment['PLIMSOLL_GATEWAY__STORE'] || (settings.gateway.store ?? own)
  if (location === null) return null
  if (isSharedStore(location)) return openShared(location, settings, io)
  const store = await openSqliteStore({ path: resolve(folder, location), now })
  // In a file of this user, recall finds what any tenant has.
  return { store, settings, tenant: tenantOf(await store.secret(), null) }
}

/** The driver is loaded only now; the plugin does not have it, and changes nothing then. */
async function openShared(url: string, settings: QuickSettings, { environment, now }: StoreIo): Promise<HookStore | null> {
  const driver = await import('../../store/postgres/open-postgres-store.ts').catch(() => null)
  if (driver === null) return null
  const store = await driver.openPostgresStore({ url, now })
  const [tenant] = await tenantsOf(store, true, environment)
  if (tenant !== undefined) return { store, settings, tenant }
  await store.close()
  return null
}

/** Names the form of what is remembered of the settings. */
const memory = 'hook 1'

/** The name of a session's originals in the store. */
export function hookConversation(agent: string, session: string): string {
  return `hook ${agent} ${session}`
}
