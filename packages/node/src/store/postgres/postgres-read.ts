import type { Message } from '@plimsoll/core'
import type { Decision, GatewayConversation, GatewayMessage, GatewayRequest } from '../gateway-record.ts'
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
  touchAfter,
} from '../gateway-store.ts'
import type { PostgresDatabase } from './postgres-database.ts'

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
    requests: bodiesOf(rows.filter(({ kind }) => kind === 2)) as readonly GatewayRequest[],
    messages: bodiesOf(rows.filter(({ kind }) => kind === 3)) as readonly GatewayMessage[],
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
  return bodiesOf(rows) as readonly StoredOriginal[]
}

/** The originals of a conversation, oldest first. */
export async function originalsOfInPostgres(
  database: PostgresDatabase,
  tenant: string,
  conversation: string,
): Promise<readonly StoredOriginal[]> {
  const sql = 'select body from plimsoll.originals where tenant = $1 and conversation = $2 order by at, place'
  return bodiesOf(await database.rows(sql, [tenant, columnKey(conversation)])) as readonly StoredOriginal[]
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

function bodiesOf(rows: readonly unknown[]): readonly unknown[] {
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

/** Answers what is known about a request's messages, and notes what is new or was not used for long: one statement, one round trip. */
export async function recogniseInPostgres(
  database: PostgresDatabase,
  tenant: string,
  question: RecogniseQuestion,
  now: number,
): Promise<Recognised> {
  const { chains, messages, parts, at, isIdle } = question
  const decisions = [...new Set(parts.map(decisionId))]
  const values = [tenant, messages.map(columnKey), at, decisions, chains.map(columnKey)]
  const rows = await (isIdle ? database.rows(idleSql, values) : database.rows(sql, [...values, now, now - touchAfter]))
  const row = rows[0] as Row
  const bodies = readJson(row.bodies ?? '{}') as Readonly<Record<string, string>>
  return {
    branch: row.place === null ? null : { place: row.place, branch: branchOf(row) },
    firstSeen: readJson(row.times ?? '[]') as readonly number[],
    decisions: decisions.flatMap((id) => (bodies[id] === undefined ? [] : [readJson(bodies[id]) as Decision])),
  }
}

type Row = { readonly times: string | null; readonly bodies: string | null } & (
  | ({ readonly place: number } & BranchRow)
  | { readonly place: null }
)

const known = `
  known as materialized (select message, at, used from plimsoll.seen where tenant = $1 and message = any($2::text[])),
  decided as materialized (
    select id, original, used, body from plimsoll.decisions where tenant = $1 and id = any($4::text[])
  ),
  branch as materialized (
    select array_position($5::text[], chain) - 1 as place, chain, conversation, requests, at, used, state
    from plimsoll.branches where tenant = $1 and chain = any($5::text[])
    order by place desc limit 1
  )`

// Lists come back as JSON texts, which are read much faster than thousands of rows.
const answer = (times: string) => `
  select
    (select json_agg(coalesce(${times}, $3::double precision) order by asked.place)::text
      from unnest($2::text[]) with ordinality as asked (message, place)
      left join known on known.message = asked.message
      ${times.includes('added') ? 'left join added on added.message = asked.message' : ''}) as times,
    (select json_object_agg(id, body)::text from decided) as bodies,
    branch.place, branch.chain, branch.conversation, branch.requests, branch.at, branch.state
  from (select 1) as one left join branch on true`

const idleSql = `with ${known} ${answer('known.at')}`

// What is new is inserted in one order, so that two gateways never wait for each other; where another was faster, its time comes back.
// Renewing skips what another gateway is renewing.
const sql = `with ${known},
  added as (
    insert into plimsoll.seen (tenant, message, at, used)
    select distinct $1, asked.message, $3::double precision, $6::double precision
    from unnest($2::text[]) as asked (message)
    where not exists (select from known where known.message = asked.message)
    order by 2
    on conflict (tenant, message) do update set used = greatest(seen.used, excluded.used)
    returning message, at
  ),
  touched_seen as (
    update plimsoll.seen set used = $6 where tenant = $1 and message in (
      select message from plimsoll.seen
      where tenant = $1 and message = any(array(select message from known where used < $7::double precision))
      for update skip locked)
  ),
  touched_texts as (
    update plimsoll.texts set used = $6 where tenant = $1 and id in (
      select id from plimsoll.texts
      where tenant = $1 and id = any(array(select message from known where used < $7)) for update skip locked)
  ),
  touched_decisions as (
    update plimsoll.decisions set used = $6 where tenant = $1 and id in (
      select id from plimsoll.decisions
      where tenant = $1 and id = any(array(select id from decided where used < $7)) for update skip locked)
  ),
  touched_originals as (
    update plimsoll.originals set used = $6 where tenant = $1 and id in (
      select id from plimsoll.originals
      where tenant = $1 and id = any(array(select original from decided where used < $7)) for update skip locked)
  ),
  touched_branch as (
    update plimsoll.branches set used = $6 where tenant = $1 and chain in (
      select chain from plimsoll.branches
      where tenant = $1 and chain = any(array(select chain from branch where used < $7)) for update skip locked)
  )
  ${answer('known.at, added.at')}`
