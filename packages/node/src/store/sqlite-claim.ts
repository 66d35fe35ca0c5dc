import type { Decision } from './decision.ts'
import type { Claim, StoredOriginal } from './gateway-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { readJson, writeJson } from './stored-json.ts'
import { columnKey, decisionId, originalId } from './stored-key.ts'

/** Writes decisions down, each unless there is one already; the ones that hold. */
export function claimInSqlite(
  database: SqliteDatabase,
  tenant: string,
  claims: readonly Claim[],
  now: number,
): readonly Decision[] {
  return database.write('durable', () => claims.map((claim) => claimOne(database, tenant, claim, now)))
}

function claimOne(database: SqliteDatabase, tenant: string, { decision, original }: Claim, now: number): Decision {
  const id = decisionId(decision)
  const added = database.run(
    'insert into decisions (tenant, id, original, used, body) values (?, ?, ?, ?, ?) on conflict (tenant, id) do nothing',
    tenant,
    id,
    originalId(original),
    now,
    writeJson(decision),
  )
  if (added === 1) {
    keepOriginal(database, tenant, original, now)
    return decision
  }
  const row = database.row('select body from decisions where tenant = ? and id = ?', tenant, id) as { readonly body: string }
  return readJson(row.body) as Decision
}

function keepOriginal(database: SqliteDatabase, tenant: string, original: StoredOriginal, now: number): void {
  database.run(
    `insert into originals (tenant, id, handle, conversation, at, used, body) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (tenant, id) do update set used = excluded.used`,
    tenant,
    originalId(original),
    columnKey(original.handle),
    columnKey(original.conversation),
    original.at,
    now,
    writeJson(original),
  )
}
