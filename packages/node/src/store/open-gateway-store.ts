import { type GatewayStore, StoreError } from './gateway-store.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'

interface OpenStoreOptions {
  readonly now: () => number
  /** Whether reading is enough: a full disk or a read-only folder does not matter. Default: it is not. */
  readonly isReading?: boolean
}

/** Opens the store that a URL of PostgreSQL or the path of a file names. Rejects with `StoreError`. */
export async function openGatewayStore(location: string, { now, isReading }: OpenStoreOptions): Promise<GatewayStore> {
  if (/^postgres(?:ql)?:\/\//i.test(location)) {
    // Most gateways have a file and never need the driver.
    const { openPostgresStore } = await import('./postgres/open-postgres-store.ts')
    return openPostgresStore({ url: location, now })
  }
  if (location === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new StoreError('unreachable', 'Expected the path of a file or a URL that starts with postgresql://.')
  }
  return openSqliteStore({ path: location, now, ...(isReading === undefined ? {} : { isReading }) })
}
