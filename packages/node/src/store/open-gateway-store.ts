import { type GatewayStore, StoreError } from './gateway-store.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'

/** Opens the store that a URL of PostgreSQL or the path of a file names. Rejects with `StoreError`. */
export async function openGatewayStore(location: string, { now }: { readonly now: () => number }): Promise<GatewayStore> {
  if (/^postgres(?:ql)?:\/\//i.test(location)) {
    // Most gateways have a file and never need the driver.
    const { openPostgresStore } = await import('./postgres/open-postgres-store.ts')
    return openPostgresStore({ url: location, now })
  }
  if (location === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(location)) {
    throw new StoreError('unreachable', 'Expected the path of a file or a URL that starts with postgresql://.')
  }
  return openSqliteStore({ path: location, now })
}
