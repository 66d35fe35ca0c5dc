import { type Decision, requestTotals } from '../gateway-record.ts'
import {
  type BranchRow,
  branchOf,
  columnKey,
  decisionId,
  messageKey,
  originalId,
  readJson,
  readRow,
  readRows,
  writeJson,
  writeRow,
} from '../gateway-rows.ts'
import {
  type Claim,
  keptBranches,
  type Recognised,
  type RecogniseQuestion,
  type StoredOriginal,
  type StoredRequest,
  StoreError,
  touchAfter,
} from '../gateway-store.ts'
import type { PostgresDatabase } from './postgres-database.ts'

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
  let unwritten: StoreError | null = null
  const idle = () => database.rows(idleSql, values)
  const rows = await (isIdle
    ? idle()
    : database.rows(recogniseSql, [...values, now, now - touchAfter]).catch((error: unknown) => {
        // What is known is told even if nothing new can be written down.
        if (!(error instanceof StoreError)) throw error
        unwritten = error
        return idle()
      }))
  const row = rows[0] as RecognisedRow
  const bodies = readJson(row.bodies ?? '{}') as Readonly<Record<string, string>>
  const found = decisions.flatMap((id) => (bodies[id] === undefined ? [] : [{ id, body: bodies[id] }]))
  const held = readRows(found, 'decisions', tenant) as readonly Decision[]
  const branch = row.place === null ? null : branchOf(tenant, row)
  // The last request before a damaged one is the next best.
  const shorter =
    row.place === null || branch !== null
      ? null
      : await recogniseInPostgres(database, tenant, { ...nothingAsked, chains: chains.slice(0, row.place) }, now)
  const damaged = found.length - held.length + (shorter === null ? 0 : 1 + (shorter.damaged ?? 0))
  return {
    branch: row.place === null || branch === null ? (shorter?.branch ?? null) : { place: row.place, branch },
    firstSeen: readJson(row.times ?? '[]') as readonly number[],
    decisions: held,
    ...(damaged === 0 ? {} : { damaged }),
    ...(unwritten === null ? {} : { unwritten }),
  }
}

const nothingAsked: RecogniseQuestion = { chains: [], messages: [], parts: [], at: 0, isIdle: true }

type RecognisedRow = { readonly times: string | null; readonly bodies: string | null } & (
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

// Lists come back as JSON texts, which are much faster to read than thousands of rows.
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

/** Renews rows that were not used for long, and skips those that another gateway is renewing. */
const renewed = (table: string, key: string, stale: string) => `renewed_${table} as (
    update plimsoll.${table} set used = $6 where tenant = $1 and ${key} in (
      select ${key} from plimsoll.${table}
      where tenant = $1 and ${key} = any(array(select ${stale} where used < $7::double precision)) for update skip locked)
  )`

// New rows are inserted in one order, so that two gateways never wait for each other; if another was faster, its time comes back.
const recogniseSql = `with ${known},
  added as (
    insert into plimsoll.seen (tenant, message, at, used)
    select distinct $1, asked.message, $3::double precision, $6::double precision
    from unnest($2::text[]) as asked (message)
    where not exists (select from known where known.message = asked.message)
    order by 2
    on conflict (tenant, message) do update set used = greatest(seen.used, excluded.used)
    returning message, at
  ),
  ${renewed('seen', 'message', 'message from known')},
  ${renewed('texts', 'id', 'message from known')},
  ${renewed('decisions', 'id', 'id from decided')},
  ${renewed('originals', 'id', 'original from decided')},
  ${renewed('branches', 'chain', 'chain from branch')}
  ${answer('known.at, added.at')}`

/** Writes decisions down, each unless there is one already; the ones that hold. One statement: all of it happens or nothing. */
export async function claimInPostgres(
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
    [...first].map(([id, { decision }]) => writeRow(decision, 'decisions', tenant, id)),
    [...originals.keys()],
    kept.map(({ handle }) => columnKey(handle)),
    kept.map(({ conversation }) => columnKey(conversation)),
    kept.map(({ at }) => at),
    [...originals].map(([id, original]) => writeRow(original, 'originals', tenant, id)),
  ])
  const held = rows as readonly { readonly id: string; readonly body: string }[]
  const holding = new Map(held.map(({ id, body }) => [id, readRow(body, 'decisions', tenant, id) as Decision | undefined]))
  const damaged = held.filter(({ id }) => holding.get(id) === undefined)
  if (damaged.length > 0) {
    // A damaged decision is none. Another gateway may have replaced it meanwhile.
    await database.run(dropSql, [tenant, damaged.map(({ id }) => id), damaged.map(({ body }) => body)])
    return claimInPostgres(database, tenant, claims, now)
  }
  return ids.map((id) => holding.get(id) as Decision)
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

const dropSql = `delete from plimsoll.decisions using unnest($2::text[], $3::text[]) as damaged (id, body)
  where decisions.tenant = $1 and decisions.id = damaged.id and decisions.body = damaged.body`

/** Records the outcome of a request, in one statement. The same request a second time changes nothing. */
export async function recordInPostgres(
  database: PostgresDatabase,
  tenant: string,
  { request, label, messages, texts, branch }: StoredRequest,
  now: number,
): Promise<void> {
  const { dollars, untrimmedDollars, unpriced } = requestTotals(request)
  const uniqueMessages = [...new Map(messages.map((message) => [columnKey(message.id), message]))]
  const uniqueTexts = [...new Map(texts.map((text) => [columnKey(text.id), text]))]
  await database.run(recordSql, [
    tenant,
    now,
    columnKey(request.id),
    columnKey(request.conversation),
    request.number,
    request.at,
    writeRow(request, 'requests', tenant, columnKey(request.id)),
    label === null ? null : writeJson(label),
    request.dialect,
    request.model === null ? null : writeJson(request.model),
    request.mode,
    request.isHeldOut ? 1 : 0,
    dollars,
    untrimmedDollars,
    unpriced,
    uniqueMessages.map(([id]) => id),
    uniqueMessages.map(([, { at }]) => at),
    uniqueMessages.map(([id, message]) => writeRow(message, 'messages', tenant, messageKey(columnKey(request.conversation), id))),
    uniqueTexts.map(([id]) => id),
    uniqueTexts.map(([id, text]) => writeRow(text, 'texts', tenant, id)),
    branch === null ? null : columnKey(branch.chain),
    branch === null ? null : columnKey(branch.conversation),
    branch?.requests ?? null,
    branch?.at ?? null,
    branch === null ? null : writeRow(branch.state, 'branches', tenant, columnKey(branch.chain)),
  ])
}

const recordSql = `with
  new_request as (
    insert into plimsoll.requests (tenant, id, conversation, number, at, body)
    values ($1, $3, $4, $5::integer, $6::double precision, $7)
    on conflict (tenant, id) do nothing
    returning id
  ),
  conversation as (
    insert into plimsoll.conversations as held
      (tenant, id, label, dialect, model, mode, held_out, first, last, requests, dollars, untrimmed_dollars, unpriced, used)
    select $1, $4, $8::text, $9::text, $10::text, $11::text, $12::integer, $6::double precision, $6::double precision, 1,
      $13::double precision, $14::double precision, $15::integer, $2::double precision
    from new_request
    on conflict (tenant, id) do update set
      label = coalesce(excluded.label, held.label), dialect = excluded.dialect, model = coalesce(excluded.model, held.model),
      mode = excluded.mode, held_out = excluded.held_out,
      first = least(held.first, excluded.first), last = greatest(held.last, excluded.last), requests = held.requests + 1,
      dollars = held.dollars + excluded.dollars, untrimmed_dollars = held.untrimmed_dollars + excluded.untrimmed_dollars,
      unpriced = held.unpriced + excluded.unpriced, used = excluded.used
  ),
  new_messages as (
    insert into plimsoll.messages (tenant, conversation, id, at, body)
    select $1, $4, asked.id, asked.at, asked.body
    from unnest($16::text[], $17::double precision[], $18::text[]) with ordinality as asked (id, at, body, place)
    order by asked.place
    on conflict (tenant, conversation, id) do nothing
  ),
  new_texts as (
    insert into plimsoll.texts (tenant, id, used, body)
    select $1, asked.id, $2::double precision, asked.body
    from unnest($19::text[], $20::text[]) as asked (id, body)
    order by asked.id
    on conflict (tenant, id) do update set used = excluded.used
  ),
  new_branch as (
    insert into plimsoll.branches (tenant, chain, conversation, requests, at, used, state)
    select $1, $21::text, $22::text, $23::integer, $24::double precision, $2::double precision, $25::text
    where $21::text is not null
    on conflict (tenant, chain) do update set
      conversation = excluded.conversation, requests = excluded.requests, at = excluded.at, used = excluded.used,
      state = excluded.state
  )
  delete from plimsoll.branches
    where tenant = $1 and conversation = $22 and requests <= $23 - ${keptBranches} and requests % ${keptBranches} <> 0`
