import type { Decision, DecisionKey } from './decision.ts'
import { type BranchRow, branchOf } from './gateway-rows.ts'
import type { Recognised, RecogniseQuestion } from './gateway-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { isStale } from './store-limits.ts'
import { readJson } from './stored-json.ts'
import { columnKey, decisionId } from './stored-key.ts'

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
