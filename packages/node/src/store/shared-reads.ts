import { randomBytes } from 'node:crypto'
import type { Message } from '@plimsoll/core'
import type { Decision, GatewayMessage, GatewayRequest } from './gateway-record.ts'
import {
  type ConversationRow,
  columnKey,
  conversationColumns,
  conversationOf,
  handleRange,
  messageKey,
  readJson,
  readRow,
  readRows,
  writeJson,
} from './gateway-rows.ts'
import {
  expiryBatch,
  foundOriginals,
  type GatewayStore,
  isStale,
  listedConversations,
  type StoredOriginal,
  StoreError,
} from './gateway-store.ts'

/** A database, and the places where its SQL differs from the other one's. */
export interface SqlDatabase {
  /** The rows of a statement with a `?` for each value. */
  readonly query: (sql: string, ...values: readonly (string | number)[]) => readonly unknown[] | Promise<readonly unknown[]>
  /** Runs one that changes something. `lazy` changes may be lost when the power fails. */
  readonly change: (durability: 'durable' | 'lazy', sql: string, ...values: readonly (string | number)[]) => unknown
  readonly schema: 'main' | 'plimsoll'
  /** The column that numbers rows in the order they were added, and the one by which decisions are in order. */
  readonly place: 'rowid' | 'place'
  readonly decisionPlace: 'rowid' | 'id'
  /** Selects the items of a JSON list. */
  readonly items: string
}

type SharedReads = Omit<GatewayStore, 'recognise' | 'claim' | 'record' | 'recordAll' | 'expire' | 'close'>

/** The calls of a store that no request waits for, in SQL that both databases understand. */
export function createSharedReads(database: SqlDatabase, now: () => number): SharedReads {
  const { query, change, schema, place, decisionPlace, items } = database

  async function setting(name: string): Promise<string | null> {
    const [row] = (await query(`select value from ${schema}.settings where name = ?`, name)) as readonly {
      readonly value: string
    }[]
    return row?.value ?? null
  }

  async function touch(tenant: string, ids: readonly string[]): Promise<void> {
    const sql = `update ${schema}.originals set used = ? where tenant = ? and id in (${items})`
    try {
      await change('lazy', sql, now(), tenant, JSON.stringify(ids))
    } catch (error) {
      // The result is returned even if nothing can be written.
      if (!(error instanceof StoreError)) throw error
    }
  }

  return {
    async secret() {
      let value = await setting('secret')
      if (value === null) {
        const sql = `insert into ${schema}.settings (name, value) values ('secret', ?) on conflict (name) do nothing`
        await change('durable', sql, randomBytes(32).toString('base64'))
        value = await setting('secret')
      }
      return new Uint8Array(Buffer.from(value ?? '', 'base64'))
    },
    async learned() {
      const value = await setting('learned')
      return value === null ? null : readJson(value)
    },
    async keepLearned(learned) {
      const sql = `insert into ${schema}.settings (name, value) values ('learned', ?) on conflict (name) do update set value = excluded.value`
      // Anything lost with the power is learned again.
      await change('lazy', sql, writeJson(learned))
    },
    async tenants() {
      const sql = `select tenant from ${schema}.conversations union select tenant from ${schema}.originals order by tenant`
      return ((await query(sql)) as readonly { readonly tenant: string }[]).map(({ tenant }) => tenant)
    },
    async conversations(tenant, { limit = listedConversations } = {}) {
      const sql = `select ${conversationColumns} from ${schema}.conversations where tenant = ? order by last desc, id limit ?`
      const rows = await query(sql, tenant, Math.max(0, Math.floor(limit)))
      return (rows as readonly ConversationRow[]).map(conversationOf)
    },
    async conversation(tenant, id) {
      const key = [tenant, columnKey(id)]
      // One statement reads one moment; three would not. Each row has one of the three.
      const rows = (await query(
        `select 1 as kind, cast(null as integer) as number, cast(null as double precision) as at, cast(null as bigint) as place,
          cast(null as text) as body, cast(null as text) as name, ${conversationColumns} from ${schema}.conversations where tenant = ? and id = ?
        union all select 2, number, at, ${place}, body, id, ${nothing} from ${schema}.requests where tenant = ? and conversation = ?
        union all select 3, null, at, ${place}, body, id, ${nothing} from ${schema}.messages where tenant = ? and conversation = ?
        order by kind, number, at, place`,
        ...key,
        ...key,
        ...key,
      )) as readonly (ConversationRow & { readonly kind: number; readonly name: string; readonly body: string })[]
      const conversation = rows.find(({ kind }) => kind === 1)
      if (conversation === undefined) return null
      const named = (wanted: number, idOf: (name: string) => string) =>
        rows.flatMap(({ kind, name, body }) => (kind === wanted ? [{ id: idOf(name), body }] : []))
      const requests = readRows(named(2, String), 'requests', tenant) as readonly GatewayRequest[]
      const messageRows = named(3, (name) => messageKey(columnKey(id), name))
      const messages = readRows(messageRows, 'messages', tenant) as readonly GatewayMessage[]
      const damaged = rows.length - 1 - requests.length - messages.length
      return { conversation: conversationOf(conversation), requests, messages, ...(damaged === 0 ? {} : { damaged }) }
    },
    async originals(tenant, handle) {
      const range = handleRange(handle)
      if (range === null) return []
      const rows = (await query(
        `select id, used, body from ${schema}.originals where tenant = ? and handle >= ? and handle < ?
          order by handle, at, id limit ${foundOriginals}`,
        tenant,
        range.from,
        range.below,
      )) as readonly (BodyRow & { readonly used: number })[]
      const unused = rows.filter(({ used }) => isStale(used, now())).map(({ id }) => id)
      const originals = readRows(rows, 'originals', tenant) as readonly StoredOriginal[]
      if (rows.length > 0 && originals.length === 0) throw damagedOriginal()
      if (unused.length > 0) await touch(tenant, unused)
      return originals
    },
    async originalsOf(tenant, conversation) {
      const sql = `select id, body from ${schema}.originals where tenant = ? and conversation = ? order by at, ${place}`
      const rows = await query(sql, tenant, columnKey(conversation))
      return readRows(rows as readonly BodyRow[], 'originals', tenant) as readonly StoredOriginal[]
    },
    async claimsOf(tenant, conversation) {
      // A cross join is what keeps SQLite from reading all decisions of the tenant first.
      const rows = (await query(
        `select decisions.id as decided, decisions.body as decision, originals.id as hidden, originals.body as original
          from ${schema}.originals cross join ${schema}.decisions
          where originals.tenant = ? and originals.conversation = ?
            and decisions.tenant = originals.tenant and decisions.original = originals.id
          order by originals.at, originals.${place}, decisions.${decisionPlace}`,
        tenant,
        columnKey(conversation),
      )) as readonly Readonly<Record<'decided' | 'decision' | 'hidden' | 'original', string>>[]
      return rows.flatMap((row) => {
        const decision = readRow(row.decision, 'decisions', tenant, row.decided) as Decision | undefined
        const original = readRow(row.original, 'originals', tenant, row.hidden) as StoredOriginal | undefined
        return decision === undefined || original === undefined ? [] : [{ decision, original }]
      })
    },
    async texts(tenant, ids) {
      const sql = `select id, body from ${schema}.texts where tenant = ? and id in (${items})`
      const rows = await query(sql, tenant, JSON.stringify(ids.map(columnKey)))
      const found = new Map((rows as readonly BodyRow[]).map(({ id, body }) => [id, readRow(body, 'texts', tenant, id)]))
      return new Map(
        ids.flatMap((id) => {
          const text = found.get(columnKey(id))
          return text === undefined ? [] : [[id, text as Message] as const]
        }),
      )
    },
    async tryWrite() {
      const sql = `insert into ${schema}.settings (name, value) values ('check', ?) on conflict (name) do update set value = excluded.value`
      // As long as a usual original: a little room is left on most full disks. PostgreSQL would store a repeated character in next to nothing.
      await change('durable', sql, randomBytes(32_768).toString('hex'))
      await change('durable', `delete from ${schema}.settings where name = ?`, 'check')
    },
    async check() {
      await query(`select name from ${schema}.settings limit 1`)
    },
  }
}

/** Repeats each step until it deletes less than a full batch. Returns how many rows are gone. */
export async function expireInBatches(steps: readonly string[], run: (sql: string) => Promise<number>): Promise<number> {
  let gone = 0
  for (const sql of steps) {
    for (let deleted = expiryBatch; deleted >= expiryBatch; gone += deleted) deleted = await run(sql)
  }
  return gone
}

interface BodyRow {
  readonly id: string
  readonly body: string
}

function damagedOriginal(): StoreError {
  return new StoreError(
    'damaged',
    'The text stored under this handle is damaged, so it cannot be recalled. Restore the store from a backup.',
  )
}

const nothing = conversationColumns.split(',').fill('null').join()
