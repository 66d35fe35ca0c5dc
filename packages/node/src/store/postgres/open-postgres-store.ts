import { Client } from 'pg'
import { expiryBatch, type GatewayStore, newerSchema } from '../gateway-store.ts'
import { createSharedReads, expireInBatches } from '../shared-reads.ts'
import { connectionOptions, isTransient, openPostgresDatabase, postgresError } from './postgres-database.ts'
import { claimInPostgres, recogniseInPostgres, recordInPostgres } from './postgres-requests.ts'

export interface PostgresStoreOptions {
  /** Such as `postgresql://user:password@host/database?sslmode=verify-full`. */
  readonly url: string
  readonly now: () => number
}

/**
 * Opens the store in the schema `plimsoll` of a database, which many gateways may share; creates it if there is none. Rejects with
 * `StoreError`.
 */
export async function openPostgresStore({ url, now }: PostgresStoreOptions): Promise<GatewayStore> {
  await migratePostgres(url, postgresMigrations)
  const database = openPostgresDatabase(url)
  const reads = createSharedReads(
    {
      query: (sql, ...values) => database.rows(numbered(sql), values),
      change: (_durability, sql, ...values) => database.run(numbered(sql), values),
      schema: 'plimsoll',
      place: 'place',
      decisionPlace: 'id',
      items: 'select json_array_elements_text(?::json)',
    },
    now,
  )
  return {
    ...reads,
    recognise: (tenant, question) => recogniseInPostgres(database, tenant, question, now()),
    claim: async (tenant, claims) => (claims.length === 0 ? [] : claimInPostgres(database, tenant, claims, now())),
    record: (tenant, record) => recordInPostgres(database, tenant, record, now()),
    expire: (before) => expireInBatches(steps, (sql) => database.run(sql, [before])),
    close: () => database.close(),
  }
}

/** PostgreSQL numbers the values of a statement: `$1` for the first `?`. */
function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${++number}`)
}

/** Brings a database to the newest schema. If several gateways try at once, one works and the others wait. */
export async function migratePostgres(url: string, migrations: readonly string[]): Promise<void> {
  try {
    await attempt(url, migrations).catch((error: unknown) => {
      if (!isTransient(error)) throw error
      return attempt(url, migrations)
    })
  } catch (error) {
    throw postgresError(error)
  }
}

async function attempt(url: string, migrations: readonly string[]): Promise<void> {
  // Its own connection, because a step may take longer than calls are allowed.
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

// Any number that no other program is likely to use for a lock.
const lockNumber = 747_874_787_479

async function knownVersion(client: Client, known: number): Promise<number> {
  const { rows: tables } = await client.query("select to_regclass('plimsoll.settings') is not null as exists")
  if ((tables as readonly { readonly exists: boolean }[])[0]?.exists !== true) return 0
  const { rows } = await client.query("select value from plimsoll.settings where name = 'version'")
  const found = Number((rows as readonly { readonly value: string }[])[0]?.value ?? 0)
  if (found > known) throw newerSchema(found, known)
  return found
}

// The rows of a conversation go before it, so that a crash in between leaves no orphans. Rows that another gateway is using or deleting
// are skipped.
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
