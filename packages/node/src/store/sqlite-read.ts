import type { Message } from '@plimsoll/core'
import type { Decision } from './decision.ts'
import type { GatewayConversation, GatewayMessage, GatewayRequest } from './gateway-record.ts'
import { type ConversationRow, conversationColumns, conversationOf } from './gateway-rows.ts'
import { type Claim, type StoredConversation, type StoredOriginal, StoreError } from './gateway-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { foundOriginals, isStale, listedConversations } from './store-limits.ts'
import { readJson } from './stored-json.ts'
import { columnKey, handleRange } from './stored-key.ts'

/** Everybody who has a conversation or an original. */
export function tenantsInSqlite(database: SqliteDatabase): readonly string[] {
  return database
    .rows('select distinct tenant from conversations union select distinct tenant from originals order by tenant')
    .map((row) => (row as { readonly tenant: string }).tenant)
}

/** Conversations, the latest first. */
export function conversationsInSqlite(
  database: SqliteDatabase,
  tenant: string,
  limit: number = listedConversations,
): readonly GatewayConversation[] {
  const sql = `select ${conversationColumns} from conversations where tenant = ? order by last desc, id limit ?`
  return database.rows(sql, tenant, Math.max(0, Math.floor(limit))).map((row) => conversationOf(row as ConversationRow))
}

/** A conversation with all that is written down about it. */
export function conversationInSqlite(database: SqliteDatabase, tenant: string, id: string): StoredConversation | null {
  const key = columnKey(id)
  return database.read(() => {
    const row = database.row(`select ${conversationColumns} from conversations where tenant = ? and id = ?`, tenant, key)
    if (row === undefined) return null
    return {
      conversation: conversationOf(row as ConversationRow),
      requests: bodies(
        database.rows('select body from requests where tenant = ? and conversation = ? order by number, at, rowid', tenant, key),
      ) as readonly GatewayRequest[],
      messages: bodies(
        database.rows('select body from messages where tenant = ? and conversation = ? order by at, rowid', tenant, key),
      ) as readonly GatewayMessage[],
    }
  })
}

/** The originals whose handle begins so. Who asks for them uses them. */
export function originalsInSqlite(
  database: SqliteDatabase,
  tenant: string,
  beginning: string,
  now: number,
): readonly StoredOriginal[] {
  const range = handleRange(beginning)
  if (range === null) return []
  const rows = database.rows(
    `select id, used, body from originals where tenant = ? and handle >= ? and handle < ?
      order by handle, at, id limit ${foundOriginals}`,
    tenant,
    range.from,
    range.below,
  ) as readonly { readonly id: string; readonly used: number; readonly body: string }[]
  const unused = rows.filter(({ used }) => isStale(used, now))
  if (unused.length > 0) touch(database, tenant, unused, now)
  return bodies(rows) as readonly StoredOriginal[]
}

/** The originals of a conversation, oldest first. */
export function originalsOfInSqlite(database: SqliteDatabase, tenant: string, conversation: string): readonly StoredOriginal[] {
  const sql = 'select body from originals where tenant = ? and conversation = ? order by at, rowid'
  return bodies(database.rows(sql, tenant, columnKey(conversation))) as readonly StoredOriginal[]
}

/** The decisions made in a conversation with what they hide, oldest first. */
export function claimsOfInSqlite(database: SqliteDatabase, tenant: string, conversation: string): readonly Claim[] {
  const rows = database.rows(
    `select decisions.body as decision, originals.body as original
      from originals join decisions on decisions.tenant = originals.tenant and decisions.original = originals.id
      where originals.tenant = ? and originals.conversation = ? order by originals.at, originals.rowid, decisions.rowid`,
    tenant,
    columnKey(conversation),
  ) as readonly { readonly decision: string; readonly original: string }[]
  return rows.map(({ decision, original }) => ({
    decision: readJson(decision) as Decision,
    original: readJson(original) as StoredOriginal,
  }))
}

/** The texts of messages, where they were kept. */
export function textsInSqlite(database: SqliteDatabase, tenant: string, ids: readonly string[]): ReadonlyMap<string, Message> {
  return database.read(() => {
    const found = new Map<string, Message>()
    for (const id of ids) {
      const row = database.row('select body from texts where tenant = ? and id = ?', tenant, columnKey(id))
      if (row !== undefined) found.set(id, readJson((row as { readonly body: string }).body) as Message)
    }
    return found
  })
}

function bodies(rows: readonly unknown[]): readonly unknown[] {
  return rows.map((row) => readJson((row as { readonly body: string }).body))
}

function touch(database: SqliteDatabase, tenant: string, rows: readonly { readonly id: string }[], now: number): void {
  try {
    database.write('lazy', () => {
      for (const { id } of rows) database.run('update originals set used = ? where tenant = ? and id = ?', now, tenant, id)
    })
  } catch (error) {
    // What was found is found, also where nothing can be written.
    if (!(error instanceof StoreError)) throw error
  }
}
