import type { Decision } from './decision.ts'
import { type BranchRow, branchOf } from './gateway-rows.ts'
import type { Recognised, RecogniseQuestion } from './gateway-store.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { touchAfter } from './store-limits.ts'
import { readJson } from './stored-json.ts'
import { columnKey, decisionId } from './stored-key.ts'

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
