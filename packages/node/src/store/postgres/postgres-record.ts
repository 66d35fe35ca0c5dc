import { requestTotals } from '../gateway-record.ts'
import { columnKey, writeJson } from '../gateway-rows.ts'
import { keptBranches, type StoredRequest } from '../gateway-store.ts'
import type { PostgresDatabase } from './postgres-database.ts'

/** Writes down what became of a request, in one statement. The same request a second time changes nothing. */
export async function recordInPostgres(
  database: PostgresDatabase,
  tenant: string,
  { request, label, messages, texts, branch }: StoredRequest,
  now: number,
): Promise<void> {
  const { dollars, untrimmedDollars, unpriced } = requestTotals(request)
  const uniqueMessages = [...new Map(messages.map((message) => [columnKey(message.id), message]))]
  const uniqueTexts = [...new Map(texts.map((text) => [columnKey(text.id), text]))]
  await database.run(sql, [
    tenant,
    now,
    columnKey(request.id),
    columnKey(request.conversation),
    request.number,
    request.at,
    writeJson(request),
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
    uniqueMessages.map(([, message]) => writeJson(message)),
    uniqueTexts.map(([id]) => id),
    uniqueTexts.map(([, text]) => writeJson(text)),
    branch === null ? null : columnKey(branch.chain),
    branch === null ? null : columnKey(branch.conversation),
    branch?.requests ?? null,
    branch?.at ?? null,
    branch === null ? null : writeJson(branch.state),
  ])
}

const sql = `with
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
