import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Decision } from '../gateway-record.ts'
import { columnKey, decisionId, originalId, readJson, writeJson } from '../gateway-rows.ts'
import { type Claim, expiryBatch, type GatewayStore, type StoredOriginal } from '../gateway-store.ts'
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'
import {
  claimsOfInSqlite,
  conversationInSqlite,
  conversationsInSqlite,
  originalsInSqlite,
  originalsOfInSqlite,
  recogniseInSqlite,
  tenantsInSqlite,
  textsInSqlite,
} from './sqlite-read.ts'
import { recordInSqlite } from './sqlite-record.ts'

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

/** Writes decisions down, each unless there is one already; the ones that hold. */
function claimInSqlite(database: SqliteDatabase, tenant: string, claims: readonly Claim[], now: number): readonly Decision[] {
  return database.write('durable', () => claims.map((claim) => claimOne(database, tenant, claim, now)))
}

function claimOne(database: SqliteDatabase, tenant: string, { decision, original }: Claim, now: number): Decision {
  const id = decisionId(decision)
  const added = database.run(
    'insert into decisions (tenant, id, original, used, body) values (?, ?, ?, ?, ?) on conflict (tenant, id) do nothing',
    tenant,
    id,
    originalId(original),
    now,
    writeJson(decision),
  )
  if (added === 1) {
    keepOriginal(database, tenant, original, now)
    return decision
  }
  const row = database.row('select body from decisions where tenant = ? and id = ?', tenant, id) as { readonly body: string }
  return readJson(row.body) as Decision
}

function keepOriginal(database: SqliteDatabase, tenant: string, original: StoredOriginal, now: number): void {
  database.run(
    `insert into originals (tenant, id, handle, conversation, at, used, body) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (tenant, id) do update set used = excluded.used`,
    tenant,
    originalId(original),
    columnKey(original.handle),
    columnKey(original.conversation),
    original.at,
    now,
    writeJson(original),
  )
}

/** Deletes what was last used before a time, a batch at a time, and lets others in between. How many rows went. */
async function expireInSqlite(database: SqliteDatabase, before: number): Promise<number> {
  let gone = 0
  for (const sql of steps) {
    for (;;) {
      const deleted = database.write('durable', () => database.run(sql, before))
      gone += deleted
      if (deleted < expiryBatch) break
      await setImmediate()
    }
  }
  // Gives a part of what became free back to the disk; the rest is used again, or given back next time.
  if (gone > 0) database.rows('pragma incremental_vacuum(2000)')
  return gone
}

// What belongs to a conversation goes before it, so that a crash in between leaves nothing that nobody finds.
const steps: readonly string[] = [
  ...['requests', 'messages'].map(
    (table) => `delete from ${table} where rowid in (
      select owned.rowid from conversations join ${table} as owned
        on owned.tenant = conversations.tenant and owned.conversation = conversations.id
      where conversations.used < ? limit ${expiryBatch})`,
  ),
  ...['conversations', 'branches', 'decisions', 'originals', 'texts'].map(
    (table) => `delete from ${table} where rowid in (select rowid from ${table} where used < ? limit ${expiryBatch})`,
  ),
  `delete from seen where (tenant, message) in (select tenant, message from seen where used < ? limit ${expiryBatch})`,
]

/**
 * How a file becomes one of the newest schema: each step once, in order. A file's version is how many it has had. Steps that were
 * published are never changed; a new one is put at the end.
 */
export const sqliteMigrations: readonly string[] = [
  `
  create table settings (name text primary key, value text not null) without rowid;
  create table seen (
    tenant text not null, message text not null, at real not null, used real not null,
    primary key (tenant, message)
  ) without rowid;
  create table branches (
    tenant text not null, chain text not null, conversation text not null, requests integer not null,
    at real not null, used real not null, state text not null,
    primary key (tenant, chain)
  );
  create index branches_of_conversation on branches (tenant, conversation, requests);
  create table decisions (
    tenant text not null, id text not null, original text not null, used real not null, body text not null,
    primary key (tenant, id)
  );
  create table originals (
    tenant text not null, id text not null, handle text not null, conversation text not null,
    at real not null, used real not null, body text not null,
    primary key (tenant, id)
  );
  create index originals_by_handle on originals (tenant, handle);
  create index originals_of_conversation on originals (tenant, conversation, at);
  create table conversations (
    tenant text not null, id text not null, label text, dialect text not null, model text, mode text not null,
    held_out integer not null, first real not null, last real not null, requests integer not null,
    dollars real not null, untrimmed_dollars real not null, unpriced integer not null, used real not null,
    primary key (tenant, id)
  );
  create index conversations_by_last on conversations (tenant, last);
  create table requests (
    tenant text not null, id text not null, conversation text not null, number integer not null, at real not null, body text not null,
    primary key (tenant, id)
  );
  create index requests_of_conversation on requests (tenant, conversation, number);
  create table messages (
    tenant text not null, conversation text not null, id text not null, at real not null, body text not null,
    primary key (tenant, conversation, id)
  );
  create table texts (
    tenant text not null, id text not null, used real not null, body text not null,
    primary key (tenant, id)
  );
  `,
  `
  create index seen_by_use on seen (used);
  create index branches_by_use on branches (used);
  create index decisions_of_original on decisions (tenant, original);
  create index decisions_by_use on decisions (used);
  create index originals_by_use on originals (used);
  create index conversations_by_use on conversations (used);
  create index texts_by_use on texts (used);
  `,
]
