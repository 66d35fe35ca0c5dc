import type { Message } from '@plimsoll/core'
import type { Decision } from './decision.ts'
import type { GatewayConversation, GatewayMessage, GatewayRequest } from './gateway-record.ts'
import { type ConversationRow, conversationColumns, conversationOf } from './gateway-rows.ts'
import { type Claim, type StoredConversation, type StoredOriginal, StoreError } from './gateway-store.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { foundOriginals, isStale, listedConversations } from './store-limits.ts'
import { readJson } from './stored-json.ts'
import { columnKey, handleRange } from './stored-key.ts'

/** Everybody who has a conversation or an original. */
export async function tenantsInPostgres(database: PostgresDatabase): Promise<readonly string[]> {
  const rows = await database.rows(
    'select tenant from plimsoll.conversations union select tenant from plimsoll.originals order by tenant',
  )
  return rows.map((row) => (row as { readonly tenant: string }).tenant)
}

/** Conversations, the latest first. */
export async function conversationsInPostgres(
  database: PostgresDatabase,
  tenant: string,
  limit: number = listedConversations,
): Promise<readonly GatewayConversation[]> {
  const rows = await database.rows(
    `select ${conversationColumns} from plimsoll.conversations where tenant = $1 order by last desc, id limit $2`,
    [tenant, Math.max(0, Math.floor(limit))],
  )
  return rows.map((row) => conversationOf(row as ConversationRow))
}

/** A conversation with all that is written down about it. */
export async function conversationInPostgres(
  database: PostgresDatabase,
  tenant: string,
  id: string,
): Promise<StoredConversation | null> {
  const key = [tenant, columnKey(id)]
  // One statement is of one moment; three would not be. Each row has one of the three.
  const rows = (await database.rows(
    `select 1 as kind, null::integer as number, null::double precision as at, null::bigint as place, null as body, ${conversationColumns}
      from plimsoll.conversations where tenant = $1 and id = $2
    union all select 2, number, at, place, body, ${nothing} from plimsoll.requests where tenant = $1 and conversation = $2
    union all select 3, null, at, place, body, ${nothing} from plimsoll.messages where tenant = $1 and conversation = $2
    order by kind, number, at, place`,
    key,
  )) as readonly (ConversationRow & { readonly kind: number; readonly body: string })[]
  const conversation = rows.find(({ kind }) => kind === 1)
  if (conversation === undefined) return null
  return {
    conversation: conversationOf(conversation),
    requests: bodies(rows.filter(({ kind }) => kind === 2)) as readonly GatewayRequest[],
    messages: bodies(rows.filter(({ kind }) => kind === 3)) as readonly GatewayMessage[],
  }
}

/** The originals whose handle begins so. Who asks for them uses them. */
export async function originalsInPostgres(
  database: PostgresDatabase,
  tenant: string,
  beginning: string,
  now: number,
): Promise<readonly StoredOriginal[]> {
  const range = handleRange(beginning)
  if (range === null) return []
  const rows = (await database.rows(
    `select id, used, body from plimsoll.originals where tenant = $1 and handle >= $2 and handle < $3
      order by handle, at, id limit ${foundOriginals}`,
    [tenant, range.from, range.below],
  )) as readonly { readonly id: string; readonly used: number; readonly body: string }[]
  const unused = rows.filter(({ used }) => isStale(used, now)).map(({ id }) => id)
  if (unused.length > 0) await touch(database, tenant, unused, now)
  return bodies(rows) as readonly StoredOriginal[]
}

/** The originals of a conversation, oldest first. */
export async function originalsOfInPostgres(
  database: PostgresDatabase,
  tenant: string,
  conversation: string,
): Promise<readonly StoredOriginal[]> {
  const sql = 'select body from plimsoll.originals where tenant = $1 and conversation = $2 order by at, place'
  return bodies(await database.rows(sql, [tenant, columnKey(conversation)])) as readonly StoredOriginal[]
}

/** The decisions made in a conversation with what they hide, oldest first. */
export async function claimsOfInPostgres(
  database: PostgresDatabase,
  tenant: string,
  conversation: string,
): Promise<readonly Claim[]> {
  const rows = (await database.rows(
    `select decisions.body as decision, originals.body as original
      from plimsoll.originals join plimsoll.decisions
        on decisions.tenant = originals.tenant and decisions.original = originals.id
      where originals.tenant = $1 and originals.conversation = $2 order by originals.at, originals.place, decisions.id`,
    [tenant, columnKey(conversation)],
  )) as readonly { readonly decision: string; readonly original: string }[]
  return rows.map(({ decision, original }) => ({
    decision: readJson(decision) as Decision,
    original: readJson(original) as StoredOriginal,
  }))
}

/** The texts of messages, where they were kept. */
export async function textsInPostgres(
  database: PostgresDatabase,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Message>> {
  const rows = await database.rows('select id, body from plimsoll.texts where tenant = $1 and id = any($2::text[])', [
    tenant,
    ids.map(columnKey),
  ])
  const found = new Map((rows as readonly { readonly id: string; readonly body: string }[]).map(({ id, body }) => [id, body]))
  return new Map(
    ids.flatMap((id) => {
      const body = found.get(columnKey(id))
      return body === undefined ? [] : [[id, readJson(body) as Message] as const]
    }),
  )
}

const nothing = conversationColumns.replaceAll(/\w+/g, 'null')

function bodies(rows: readonly unknown[]): readonly unknown[] {
  return rows.map((row) => readJson((row as { readonly body: string }).body))
}

async function touch(database: PostgresDatabase, tenant: string, ids: readonly string[], now: number): Promise<void> {
  try {
    await database.run('update plimsoll.originals set used = $3 where tenant = $1 and id = any($2::text[])', [tenant, ids, now])
  } catch (error) {
    // What was found is found, also where nothing can be written.
    if (!(error instanceof StoreError)) throw error
  }
}
