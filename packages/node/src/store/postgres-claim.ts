import type { Decision } from './decision.ts'
import type { Claim, StoredOriginal } from './gateway-store.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { readJson, writeJson } from './stored-json.ts'
import { columnKey, decisionId, originalId } from './stored-key.ts'

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
  const rows = await database.rows(sql, [
    tenant,
    now,
    [...first.keys()],
    [...first.values()].map(({ original }) => originalId(original)),
    [...first.values()].map(({ decision }) => writeJson(decision)),
    [...originals.keys()],
    kept.map(({ handle }) => columnKey(handle)),
    kept.map(({ conversation }) => columnKey(conversation)),
    kept.map(({ at }) => at),
    kept.map(writeJson),
  ])
  const holding = new Map((rows as readonly Row[]).map(({ id, body }) => [id, readJson(body) as Decision]))
  return ids.map((id) => holding.get(id) as Decision)
}

interface Row {
  readonly id: string
  readonly body: string
}

// Inserted in one order, so that two gateways never wait for each other. Only an update, even one that changes nothing, brings back the
// row of another who was faster. A row that was inserted has no earlier version: its xmax is 0.
const sql = `with
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
