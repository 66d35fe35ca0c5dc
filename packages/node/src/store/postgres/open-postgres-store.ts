import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { Decision } from '../gateway-record.ts'
import { columnKey, decisionId, originalId, readJson, writeJson } from '../gateway-rows.ts'
import { type Claim, expiryBatch, type GatewayStore, newerSchema, type StoredOriginal } from '../gateway-store.ts'
import {
  connectionOptions,
  isTransient,
  openPostgresDatabase,
  type PostgresDatabase,
  postgresTrouble,
} from './postgres-database.ts'
import {
  claimsOfInPostgres,
  conversationInPostgres,
  conversationsInPostgres,
  originalsInPostgres,
  originalsOfInPostgres,
  recogniseInPostgres,
  tenantsInPostgres,
  textsInPostgres,
} from './postgres-read.ts'
import { recordInPostgres } from './postgres-record.ts'

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

/** Brings a database to the newest schema. Any number of gateways may do so at once: one works, the others wait for it. */
export async function migratePostgres(url: string, migrations: readonly string[]): Promise<void> {
  try {
    await attempt(url, migrations).catch((error: unknown) => {
      if (!isTransient(error)) throw error
      return attempt(url, migrations)
    })
  } catch (error) {
    throw postgresTrouble(error)
  }
}

async function attempt(url: string, migrations: readonly string[]): Promise<void> {
  // A connection of its own, because a step may take longer than calls are given.
  const client = new Client({ ...connectionOptions(url), statement_timeout: 300_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    if ((await knownVersion(client, migrations.length)) === migrations.length) return
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    await client.query('create schema if not exists plimsoll')
    await client.query('create table if not exists plimsoll.settings (name text primary key, value text not null)')
    // Another gateway may have done it while this one waited.
    const version = await knownVersion(client, migrations.length)
    for (const step of migrations.slice(version)) await client.query(step)
    await client.query(
      "insert into plimsoll.settings (name, value) values ('version', $1) on conflict (name) do update set value = excluded.value",
      [String(migrations.length)],
    )
    await client.query('commit')
  } finally {
    // Ends an unfinished transaction, too.
    await client.end().catch(() => {})
  }
}

// Any number that no other program is likely to lock by.
const lockNumber = 747_874_787_479

async function knownVersion(client: Client, known: number): Promise<number> {
  const { rows: tables } = await client.query("select to_regclass('plimsoll.settings') is not null as exists")
  if ((tables as readonly { readonly exists: boolean }[])[0]?.exists !== true) return 0
  const { rows } = await client.query("select value from plimsoll.settings where name = 'version'")
  const found = Number((rows as readonly { readonly value: string }[])[0]?.value ?? 0)
  if (found > known) throw newerSchema(found, known)
  return found
}

/** Writes decisions down, each unless there is one already; the ones that hold. One statement: all of it happens or nothing. */
async function claimInPostgres(
  database: PostgresDatabase,
  tenant: string,
  claims: readonly Claim[],
  now: number,
): Promise<readonly Decision[]> {
  const ids = claims.map(({ decision }) => decisionId(decision))
  const first = new Map<string, Claim>()
  const originals = new Map<string, StoredOriginal>()
  for (const [index, claim] of claims.entries()) {
    const id = ids[index] as string
    if (first.has(id)) continue
    first.set(id, claim)
    originals.set(originalId(claim.original), claim.original)
  }
  const kept = [...originals.values()]
  const rows = await database.rows(claimSql, [
    tenant,
    now,
    [...first.keys()],
    [...first.values()].map(({ original }) => originalId(original)),
    [...first.values()].map(({ decision }) => writeJson(decision)),
    [...originals.keys()],
    kept.map(({ handle }) => columnKey(handle)),
    kept.map(({ conversation }) => columnKey(conversation)),
    kept.map(({ at }) => at),
    kept.map(writeJson),
  ])
  const holding = new Map((rows as readonly Row[]).map(({ id, body }) => [id, readJson(body) as Decision]))
  return ids.map((id) => holding.get(id) as Decision)
}

interface Row {
  readonly id: string
  readonly body: string
}

// Inserted in one order, so that two gateways never wait for each other. Only an update, even one that changes nothing, brings back the
// row of another who was faster. A row that was inserted has no earlier version: its xmax is 0.
const claimSql = `with
  claimed as (
    insert into plimsoll.decisions as held (tenant, id, original, used, body)
    select $1, asked.id, asked.original, $2::double precision, asked.body
    from unnest($3::text[], $4::text[], $5::text[]) as asked (id, original, body)
    order by asked.id
    on conflict (tenant, id) do update set used = held.used
    returning held.id, held.original, held.body, held.xmax = 0 as is_new
  ),
  kept as (
    insert into plimsoll.originals (tenant, id, handle, conversation, at, used, body)
    select $1, asked.id, asked.handle, asked.conversation, asked.at, $2::double precision, asked.body
    from unnest($6::text[], $7::text[], $8::text[], $9::double precision[], $10::text[]) as asked (id, handle, conversation, at, body)
    where asked.id in (select original from claimed where is_new)
    order by asked.id
    on conflict (tenant, id) do update set used = excluded.used
  )
  select id, body from claimed`

/** Deletes what was last used before a time, a batch at a time. How many rows went. Several gateways may do so at once. */
async function expireInPostgres(database: PostgresDatabase, before: number): Promise<number> {
  let gone = 0
  for (const sql of steps) {
    for (;;) {
      const deleted = await database.run(sql, [before])
      gone += deleted
      if (deleted < expiryBatch) break
    }
  }
  return gone
}

// What belongs to a conversation goes before it, so that a crash in between leaves nothing that nobody finds. Rows that another gateway
// is using or deleting are left to it.
const steps: readonly string[] = [
  ...['requests', 'messages'].map(
    (table) => `delete from plimsoll.${table} where ctid = any(array(
      select owned.ctid from plimsoll.conversations join plimsoll.${table} as owned
        on owned.tenant = conversations.tenant and owned.conversation = conversations.id
      where conversations.used < $1 limit ${expiryBatch} for update of owned skip locked))`,
  ),
  ...['conversations', 'branches', 'decisions', 'originals', 'texts', 'seen'].map(
    (table) => `delete from plimsoll.${table} where ctid = any(array(
      select ctid from plimsoll.${table} where used < $1 limit ${expiryBatch} for update skip locked))`,
  ),
]

/**
 * How a database gets the newest schema: each step once, in order. Its version is how many it has had. Steps that were published are
 * never changed; a new one is put at the end. Keys compare byte by byte, whatever the language of the database.
 */
export const postgresMigrations: readonly string[] = [
  `
  create table plimsoll.seen (
    tenant text collate "C" not null, message text collate "C" not null, at double precision not null, used double precision not null,
    primary key (tenant, message)
  );
  create table plimsoll.branches (
    tenant text collate "C" not null, chain text collate "C" not null, conversation text collate "C" not null,
    requests integer not null, at double precision not null, used double precision not null, state text not null,
    primary key (tenant, chain)
  );
  create index branches_of_conversation on plimsoll.branches (tenant, conversation, requests);
  create table plimsoll.decisions (
    tenant text collate "C" not null, id text collate "C" not null, original text collate "C" not null,
    used double precision not null, body text not null,
    primary key (tenant, id)
  );
  create table plimsoll.originals (
    tenant text collate "C" not null, id text collate "C" not null, place bigint generated always as identity,
    handle text collate "C" not null, conversation text collate "C" not null,
    at double precision not null, used double precision not null, body text not null,
    primary key (tenant, id)
  );
  create index originals_by_handle on plimsoll.originals (tenant, handle);
  create index originals_of_conversation on plimsoll.originals (tenant, conversation, at);
  create table plimsoll.conversations (
    tenant text collate "C" not null, id text collate "C" not null, label text, dialect text not null, model text, mode text not null,
    held_out integer not null, first double precision not null, last double precision not null, requests integer not null,
    dollars double precision not null, untrimmed_dollars double precision not null, unpriced integer not null,
    used double precision not null,
    primary key (tenant, id)
  );
  create index conversations_by_last on plimsoll.conversations (tenant, last);
  create table plimsoll.requests (
    tenant text collate "C" not null, id text collate "C" not null, place bigint generated always as identity,
    conversation text collate "C" not null, number integer not null, at double precision not null, body text not null,
    primary key (tenant, id)
  );
  create index requests_of_conversation on plimsoll.requests (tenant, conversation, number);
  create table plimsoll.messages (
    tenant text collate "C" not null, conversation text collate "C" not null, id text collate "C" not null,
    place bigint generated always as identity, at double precision not null, body text not null,
    primary key (tenant, conversation, id)
  );
  create table plimsoll.texts (
    tenant text collate "C" not null, id text collate "C" not null, used double precision not null, body text not null,
    primary key (tenant, id)
  );
  `,
  `
  create index seen_by_use on plimsoll.seen (used);
  create index branches_by_use on plimsoll.branches (used);
  create index decisions_of_original on plimsoll.decisions (tenant, original);
  create index decisions_by_use on plimsoll.decisions (used);
  create index originals_by_use on plimsoll.originals (used);
  create index conversations_by_use on plimsoll.conversations (used);
  create index texts_by_use on plimsoll.texts (used);
  `,
]
