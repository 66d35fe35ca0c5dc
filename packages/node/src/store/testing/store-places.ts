import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '../../../../../test/fresh-database.ts'
import type { GatewayStore } from '../gateway-store.ts'
import { openGatewayStore } from '../open-gateway-store.ts'

/** A place for a store, which can be opened any number of times. */
export interface StorePlace {
  readonly location: string
  readonly open: (now?: () => number) => Promise<GatewayStore>
  /** Closes everything that was opened and deletes it. */
  readonly remove: () => Promise<void>
}

/** A kind of store, with a way to get an empty one. */
export interface StoreKind {
  readonly name: string
  readonly make: () => Promise<StorePlace>
}

/** The default store of a gateway. */
export const sqliteInFile: StoreKind = { name: 'SQLite in a file', make: () => sqlitePlace((open) => open()) }

/** Every kind of store. */
export const storeKinds: readonly StoreKind[] = [
  sqliteInFile,
  { name: 'SQLite reopened for every call', make: () => sqlitePlace(reopening) },
  {
    name: 'PostgreSQL',
    make: async () =>
      place(
        await freshDatabase(),
        (open) => open(),
        () => {},
      ),
  },
]

type Opening = (open: () => Promise<GatewayStore>) => Promise<GatewayStore>

async function sqlitePlace(opening: Opening): Promise<StorePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-store-'))
  return place(join(folder, 'state', 'gateway.db'), opening, () => rmSync(folder, { recursive: true, force: true }))
}

function place(location: string, opening: Opening, remove: () => void): StorePlace {
  const opened: GatewayStore[] = []
  return {
    location,
    open: async (now = Date.now) => {
      const store = await opening(() => openGatewayStore(location, { now }))
      opened.push(store)
      return store
    },
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()))
      remove()
    },
  }
}

/** A store that is opened for each call and closed after it: nothing can be remembered outside of its file. */
async function reopening(open: () => Promise<GatewayStore>): Promise<GatewayStore> {
  const first = await open()
  await first.close()
  let isClosed = false
  const names = Object.keys(first) as (keyof GatewayStore)[]
  const calls = names.map((name) => [
    name,
    async (...values: readonly unknown[]) => {
      if (name === 'close') isClosed = true
      if (isClosed) return first[name === 'close' ? 'close' : 'check']()
      const store = await open()
      try {
        return await (store[name] as (...values: readonly unknown[]) => unknown)(...values)
      } finally {
        await store.close()
      }
    },
  ])
  return Object.fromEntries(calls) as GatewayStore
}
