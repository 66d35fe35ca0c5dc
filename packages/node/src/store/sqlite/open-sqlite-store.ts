import { resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { type Claim, expiryBatch, type GatewayStore, type StoreError } from '../gateway-store.ts'
import { createSharedReads, expireInBatches } from '../shared-reads.ts'
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { claimInSqlite, failureOf, recogniseInSqlite, recordInSqlite } from './sqlite-requests.ts'

export interface SqliteStoreOptions {
  readonly path: string
  readonly now: () => number
  /** How large the file may grow before the store is full. Default: as large as the disk allows. */
  readonly maxBytes?: number
  /** Whether a file that cannot be written is opened all the same. Default: it is not. */
  readonly isReading?: boolean
}

/** Opens the store in a file, which several processes may share; creates it if there is none. Rejects with `StoreError`. */
export async function openSqliteStore({ path, now, maxBytes, isReading = false }: SqliteStoreOptions): Promise<GatewayStore> {
  const database = await openSqliteDatabase({
    path: resolve(path),
    migrations: sqliteMigrations,
    isReading,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  const { rows, run, write } = database
  /** Why the disk did not take the last claim. */
  let unsynced: Error | null = null
  let due: NodeJS.Immediate | null = null
  const syncNow = async () => {
    due = null
    try {
      await database.sync()
    } catch (error) {
      unsynced = error instanceof Error ? error : new Error(String(error))
    }
  }
  /** What is to be noted after the answer of `recognise`, and why an earlier note could not be written. */
  let notes: (() => void)[] = []
  let notesDue: NodeJS.Immediate | null = null
  let unwritten: StoreError | null = null
  const noteAll = () => {
    for (const note of notes) note()
  }
  const noteNow = () => {
    if (notesDue !== null) clearImmediate(notesDue)
    notesDue = null
    if (notes.length === 0) return
    unwritten = failureOf(() => write('lazy', noteAll)) ?? unwritten
    notes = []
  }
  const noteLater = (note: () => void) => {
    notes.push(note)
    notesDue ??= setImmediate(noteNow)
  }
  const claimNow = (tenant: string, claims: readonly Claim[]) => {
    try {
      const held = claimInSqlite(database, tenant, claims, now())
      unwritten = null
      return held
    } catch (error) {
      unsynced = error instanceof Error ? error : new Error(String(error))
      throw error
    }
  }
  const reads = createSharedReads(
    {
      query: rows,
      change(durability, sql, ...values) {
        const changes = write(durability, () => run(sql, ...values))
        // It was true when it was noted, and is not any more.
        unwritten = null
        return changes
      },
      schema: 'main',
      place: 'rowid',
      decisionPlace: 'rowid',
      items: 'select value from json_each(?)',
    },
    now,
  )
  // SQLite works in the caller's thread; async functions turn its errors into rejections. Only waiting for the disk is left to others:
  // a request that has to wait for it must not keep the next one waiting.
  return {
    ...reads,
    async recognise(tenant, question) {
      const recognised = recogniseInSqlite(database, tenant, question, now(), noteLater)
      const earlier = unwritten
      unwritten = null
      return earlier === null ? recognised : { unwritten: earlier, ...recognised }
    },
    async claim(tenant, claims) {
      if (claims.length === 0) return []
      const held = claimNow(tenant, claims)
      if (unsynced !== null) {
        // Until the disk takes one, each claim waits for it.
        await database.sync()
        unsynced = null
        return held
      }
      // A request waits for it. The disk has it long before the answer of a provider is there, and the client keeps what it sent.
      due ??= setImmediate(() => void syncNow())
      return held
    },
    async record(tenant, record) {
      recordInSqlite(database, [{ tenant, record }], now())
      await database.sync()
    },
    recordAll: async (records) => recordInSqlite(database, records, now()),
    expire: (before) => expireInSqlite(database, before),
    async close() {
      noteNow()
      if (due !== null) {
        clearImmediate(due)
        await syncNow()
      }
      await database.close()
    },
  }
}

/** Lets others in between two batches. */
async function expireInSqlite(database: SqliteDatabase, before: number): Promise<number> {
  const gone = await expireInBatches(steps, async (sql) => {
    const deleted = database.write('durable', () => database.run(sql, before))
    if (deleted >= expiryBatch) await turn()
    return deleted
  })
  // Gives a part of what became free back to the disk; the rest is used again, or given back next time.
  if (gone > 0) database.rows('pragma incremental_vacuum(2000)')
  return gone
}

// The rows of a conversation go before it, so that a crash in between leaves no orphans.
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
