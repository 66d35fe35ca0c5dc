import { type GatewayRequest, requestTotals } from '../gateway-record.ts'
import { columnKey, writeJson } from '../gateway-rows.ts'
import { type Branch, keptBranches, type StoredRequest, type TenantRecord } from '../gateway-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/** Writes down what became of requests, in one step. The same request a second time changes nothing. */
export function recordInSqlite(
  database: SqliteDatabase,
  records: readonly TenantRecord[],
  now: number,
  durability: 'durable' | 'lazy' = 'durable',
): void {
  database.write(durability, () => {
    for (const { tenant, record } of records) recordOne(database, tenant, record, now)
    const branches = lastBranches(records)
    // First, so that what is written here stays until something comes behind it.
    for (const { tenant, branch } of longestOf(branches)) dropBranches(database, tenant, branch)
    for (const { tenant, branch } of branches) keepBranch(database, tenant, branch, now)
  })
}

interface TenantBranch {
  readonly tenant: string
  readonly branch: Branch
}

/** Of several branches with the same messages the last one holds. */
function lastBranches(records: readonly TenantRecord[]): readonly TenantBranch[] {
  const branches = new Map<string, TenantBranch>()
  for (const { tenant, record } of records)
    if (record.branch !== null) branches.set(`${tenant} ${record.branch.chain}`, { tenant, branch: record.branch })
  return [...branches.values()]
}

/** The one of each conversation that has the most requests behind it. */
function longestOf(branches: readonly TenantBranch[]): readonly TenantBranch[] {
  const longest = new Map<string, TenantBranch>()
  for (const each of branches) {
    const name = `${each.tenant} ${each.branch.conversation}`
    if (each.branch.requests >= (longest.get(name)?.branch.requests ?? 0)) longest.set(name, each)
  }
  return [...longest.values()]
}

function recordOne(database: SqliteDatabase, tenant: string, record: StoredRequest, now: number): void {
  const { request, label, messages, texts } = record
  const conversation = columnKey(request.conversation)
  const added = database.run(
    `insert into requests (tenant, id, conversation, number, at, body) values (?, ?, ?, ?, ?, ?)
      on conflict (tenant, id) do nothing`,
    tenant,
    columnKey(request.id),
    conversation,
    request.number,
    request.at,
    writeJson(request),
  )
  if (added === 1) addToConversation(database, tenant, request, label, now)
  for (const message of messages) {
    database.run(
      `insert into messages (tenant, conversation, id, at, body) values (?, ?, ?, ?, ?)
        on conflict (tenant, conversation, id) do nothing`,
      tenant,
      conversation,
      columnKey(message.id),
      message.at,
      writeJson(message),
    )
  }
  for (const text of texts) {
    database.run(
      'insert into texts (tenant, id, used, body) values (?, ?, ?, ?) on conflict (tenant, id) do update set used = excluded.used',
      tenant,
      columnKey(text.id),
      now,
      writeJson(text),
    )
  }
}

function addToConversation(
  database: SqliteDatabase,
  tenant: string,
  request: GatewayRequest,
  label: string | null,
  now: number,
): void {
  const { dollars, untrimmedDollars, unpriced } = requestTotals(request)
  database.run(
    `insert into conversations
      (tenant, id, label, dialect, model, mode, held_out, first, last, requests, dollars, untrimmed_dollars, unpriced, used)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
      on conflict (tenant, id) do update set
        label = coalesce(excluded.label, label), dialect = excluded.dialect, model = coalesce(excluded.model, model),
        mode = excluded.mode, held_out = excluded.held_out,
        first = min(first, excluded.first), last = max(last, excluded.last), requests = requests + 1,
        dollars = dollars + excluded.dollars, untrimmed_dollars = untrimmed_dollars + excluded.untrimmed_dollars,
        unpriced = unpriced + excluded.unpriced, used = excluded.used`,
    tenant,
    columnKey(request.conversation),
    label === null ? null : writeJson(label),
    request.dialect,
    request.model === null ? null : writeJson(request.model),
    request.mode,
    request.isHeldOut ? 1 : 0,
    request.at,
    request.at,
    dollars,
    untrimmedDollars,
    unpriced,
    now,
  )
}

function keepBranch(database: SqliteDatabase, tenant: string, branch: Branch, now: number): void {
  database.run(
    `insert into branches (tenant, chain, conversation, requests, at, used, state) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (tenant, chain) do update set
        conversation = excluded.conversation, requests = excluded.requests, at = excluded.at, used = excluded.used,
        state = excluded.state`,
    tenant,
    columnKey(branch.chain),
    columnKey(branch.conversation),
    branch.requests,
    branch.at,
    now,
    writeJson(branch.state),
  )
}

function dropBranches(database: SqliteDatabase, tenant: string, { conversation, requests }: Branch): void {
  database.run(
    `delete from branches where tenant = ? and conversation = ? and requests <= ? and requests % ${keptBranches} <> 0`,
    tenant,
    columnKey(conversation),
    requests - keptBranches,
  )
}
