import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { GatewayStore } from './gateway-store.ts'
import { claimInSqlite } from './sqlite-claim.ts'
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { expireInSqlite } from './sqlite-expire.ts'
import { sqliteMigrations } from './sqlite-migrations.ts'
import {
  claimsOfInSqlite,
  conversationInSqlite,
  conversationsInSqlite,
  originalsInSqlite,
  originalsOfInSqlite,
  tenantsInSqlite,
  textsInSqlite,
} from './sqlite-read.ts'
import { recogniseInSqlite } from './sqlite-recognise.ts'
import { recordInSqlite } from './sqlite-record.ts'
import { readJson, writeJson } from './stored-json.ts'

/** Where the store's file is, and what it may become. */
export interface SqliteStoreOptions {
  readonly path: string
  readonly now: () => number
  /** How large the file may grow before the store is full. Default: as large as the disk lets it. */
  readonly maxBytes?: number
}

/** Opens the store in a file, which several processes may share; makes it where there is none. Rejects with `StoreError`. */
export async function openSqliteStore({ path, now, maxBytes }: SqliteStoreOptions): Promise<GatewayStore> {
  const database = await openSqliteDatabase({
    path: resolve(path),
    migrations: sqliteMigrations,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  // SQLite works in the caller's thread; as functions that wait, its errors become rejections all the same.
  return {
    secret: async () => readSecret(database),
    recognise: async (tenant, question) => recogniseInSqlite(database, tenant, question, now()),
    claim: async (tenant, claims) => (claims.length === 0 ? [] : claimInSqlite(database, tenant, claims, now())),
    record: async (tenant, record) => recordInSqlite(database, [{ tenant, record }], now()),
    recordAll: async (records) => recordInSqlite(database, records, now(), 'lazy'),
    learned: async () => readSetting(database, 'learned'),
    keepLearned: async (learned) => keepSetting(database, 'learned', learned),
    tenants: async () => tenantsInSqlite(database),
    conversations: async (tenant, options) => conversationsInSqlite(database, tenant, options?.limit),
    conversation: async (tenant, id) => conversationInSqlite(database, tenant, id),
    originals: async (tenant, handle) => originalsInSqlite(database, tenant, handle, now()),
    originalsOf: async (tenant, conversation) => originalsOfInSqlite(database, tenant, conversation),
    claimsOf: async (tenant, conversation) => claimsOfInSqlite(database, tenant, conversation),
    texts: async (tenant, ids) => textsInSqlite(database, tenant, ids),
    expire: (before) => expireInSqlite(database, before),
    check: async () => {
      database.row('select name from settings limit 1')
    },
    close: async () => database.close(),
  }
}

function readSetting(database: SqliteDatabase, name: string): unknown {
  const row = database.row('select value from settings where name = ?', name) as { readonly value: string } | undefined
  return row === undefined ? null : readJson(row.value)
}

/** As lazily as requests are written: what is lost with the power is learned again. */
function keepSetting(database: SqliteDatabase, name: string, value: unknown): void {
  database.write('lazy', () =>
    database.run(
      'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
      name,
      writeJson(value),
    ),
  )
}

function readSecret(database: SqliteDatabase): Uint8Array {
  const read = () => database.row("select value from settings where name = 'secret'") as { readonly value: string } | undefined
  const row =
    read() ??
    database.write('durable', () => {
      const fresh = randomBytes(32).toString('base64')
      database.run("insert into settings (name, value) values ('secret', ?) on conflict (name) do nothing", fresh)
      return read()
    })
  return new Uint8Array(Buffer.from(row?.value ?? '', 'base64'))
}
