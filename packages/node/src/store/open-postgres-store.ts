import { randomBytes } from 'node:crypto'
import type { GatewayStore } from './gateway-store.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { claimInPostgres } from './postgres-claim.ts'
import { openPostgresDatabase, type PostgresDatabase } from './postgres-database.ts'
import { expireInPostgres } from './postgres-expire.ts'
import { postgresMigrations } from './postgres-migrations.ts'
import {
  claimsOfInPostgres,
  conversationInPostgres,
  conversationsInPostgres,
  originalsInPostgres,
  originalsOfInPostgres,
  tenantsInPostgres,
  textsInPostgres,
} from './postgres-read.ts'
import { recogniseInPostgres } from './postgres-recognise.ts'
import { recordInPostgres } from './postgres-record.ts'
import { readJson, writeJson } from './stored-json.ts'

/** Where the store's database is. */
export interface PostgresStoreOptions {
  /** Such as `postgresql://user:password@host/database?sslmode=verify-full`. */
  readonly url: string
  readonly now: () => number
}

/** Opens the store in the schema `plimsoll` of a database, which many gateways may share; makes it where there is none. Rejects with `StoreError`. */
export async function openPostgresStore({ url, now }: PostgresStoreOptions): Promise<GatewayStore> {
  await migratePostgres(url, postgresMigrations)
  const database = openPostgresDatabase(url)
  return {
    secret: () => readSecret(database),
    recognise: (tenant, question) => recogniseInPostgres(database, tenant, question, now()),
    claim: async (tenant, claims) => (claims.length === 0 ? [] : claimInPostgres(database, tenant, claims, now())),
    record: (tenant, record) => recordInPostgres(database, tenant, record, now()),
    learned: () => readSetting(database, 'learned'),
    keepLearned: (learned) => keepSetting(database, 'learned', learned),
    tenants: () => tenantsInPostgres(database),
    conversations: (tenant, options) => conversationsInPostgres(database, tenant, options?.limit),
    conversation: (tenant, id) => conversationInPostgres(database, tenant, id),
    originals: (tenant, handle) => originalsInPostgres(database, tenant, handle, now()),
    originalsOf: (tenant, conversation) => originalsOfInPostgres(database, tenant, conversation),
    claimsOf: (tenant, conversation) => claimsOfInPostgres(database, tenant, conversation),
    texts: (tenant, ids) => textsInPostgres(database, tenant, ids),
    expire: (before) => expireInPostgres(database, before),
    check: async () => {
      await database.rows('select name from plimsoll.settings limit 1')
    },
    close: () => database.close(),
  }
}

async function readSetting(database: PostgresDatabase, name: string): Promise<unknown> {
  const rows = await database.rows('select value from plimsoll.settings where name = $1', [name])
  const [row] = rows as readonly { readonly value: string }[]
  return row === undefined ? null : readJson(row.value)
}

async function keepSetting(database: PostgresDatabase, name: string, value: unknown): Promise<void> {
  await database.run(
    'insert into plimsoll.settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [name, writeJson(value)],
  )
}

async function readSecret(database: PostgresDatabase): Promise<Uint8Array> {
  const read = async () => {
    const rows = await database.rows("select value from plimsoll.settings where name = 'secret'")
    return (rows as readonly { readonly value: string }[])[0]?.value
  }
  const make = async () => {
    const fresh = randomBytes(32).toString('base64')
    await database.run("insert into plimsoll.settings (name, value) values ('secret', $1) on conflict (name) do nothing", [fresh])
    return read()
  }
  const value = (await read()) ?? (await make()) ?? ''
  return new Uint8Array(Buffer.from(value, 'base64'))
}
