import type { Message } from '@plimsoll/core'
import type { Decision, DecisionKey, GatewayConversation, GatewayMessage, GatewayRequest } from '../gateway-record.ts'
import {
  type BranchRow,
  branchOf,
  type ConversationRow,
  columnKey,
  conversationColumns,
  conversationOf,
  decisionId,
  handleRange,
  readJson,
} from '../gateway-rows.ts'
import {
  type Claim,
  foundOriginals,
  isStale,
  listedConversations,
  type Recognised,
  type RecogniseQuestion,
  type StoredConversation,
  type StoredOriginal,
  StoreError,
} from '../gateway-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

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

/** Answers what is known about a request's messages, and notes what is new or was not used for long. */
export function recogniseInSqlite(
  database: SqliteDatabase,
  tenant: string,
  question: RecogniseQuestion,
  now: number,
): Recognised {
  const ids = question.messages.map(columnKey)
  const { branch, seen, decisions } = database.read(() => ({
    branch: findBranch(database, tenant, question.chains),
    seen: ids.map((id) => database.row(seenSql, tenant, id) as SeenRow | undefined),
    decisions: findDecisions(database, tenant, question.parts),
  }))
  const firstSeen = new Map<string, number>()
  const unseen: string[] = []
  const unused: string[] = []
  for (const [place, id] of ids.entries()) {
    const row = seen[place]
    if (row === undefined) unseen.push(id)
    else if (isStale(row.used, now)) unused.push(id)
    if (row !== undefined) firstSeen.set(id, row.at)
  }
  const undecided = decisions.filter(({ used }) => isStale(used, now))
  const isBranchStale = branch !== null && isStale(branch.row.used, now)

  if (!question.isIdle && unseen.length + unused.length + undecided.length + (isBranchStale ? 1 : 0) > 0) {
    database.write('lazy', () => {
      for (const id of unseen) {
        // Another gateway may have seen it since: its time holds.
        const row = database.row(addSeenSql, tenant, id, question.at, now) as { readonly at: number }
        firstSeen.set(id, row.at)
      }
      for (const id of unused) {
        database.run('update seen set used = ? where tenant = ? and message = ?', now, tenant, id)
        database.run('update texts set used = ? where tenant = ? and id = ?', now, tenant, id)
      }
      for (const { id, original } of undecided) {
        database.run('update decisions set used = ? where tenant = ? and id = ?', now, tenant, id)
        database.run('update originals set used = ? where tenant = ? and id = ?', now, tenant, original)
      }
      if (isBranchStale)
        database.run('update branches set used = ? where tenant = ? and chain = ?', now, tenant, branch.row.chain)
    })
  }
  return {
    branch: branch === null ? null : { place: branch.place, branch: branchOf(branch.row) },
    firstSeen: ids.map((id) => firstSeen.get(id) ?? question.at),
    decisions: decisions.map(({ body }) => readJson(body) as Decision),
  }
}

interface SeenRow {
  readonly at: number
  readonly used: number
}

interface DecisionRow {
  readonly id: string
  readonly original: string
  readonly used: number
  readonly body: string
}

const seenSql = 'select at, used from seen where tenant = ? and message = ?'
const addSeenSql = `insert into seen (tenant, message, at, used) values (?, ?, ?, ?)
  on conflict (tenant, message) do update set used = max(used, excluded.used) returning at`

function findBranch(database: SqliteDatabase, tenant: string, chains: readonly string[]) {
  // From the end: what is asked about most is the request before, one or two messages shorter.
  for (let place = chains.length - 1; place >= 0; place--) {
    const row = database.row(
      'select chain, conversation, requests, at, used, state from branches where tenant = ? and chain = ?',
      tenant,
      columnKey(chains[place] as string),
    ) as (BranchRow & { readonly used: number }) | undefined
    if (row !== undefined) return { place, row }
  }
  return null
}

function findDecisions(database: SqliteDatabase, tenant: string, parts: readonly DecisionKey[]): readonly DecisionRow[] {
  return [...new Set(parts.map(decisionId))].flatMap((id) => {
    const row = database.row('select id, original, used, body from decisions where tenant = ? and id = ?', tenant, id)
    return row === undefined ? [] : [row as DecisionRow]
  })
}
