import { type Decision, type DecisionKey, type GatewayRequest, requestTotals } from '../gateway-record.ts'
import {
  type BranchRow,
  branchOf,
  columnKey,
  decisionId,
  messageKey,
  originalId,
  readRow,
  readRows,
  writeJson,
  writeRow,
} from '../gateway-rows.ts'
import {
  type Branch,
  type Claim,
  isStale,
  keptBranches,
  type Recognised,
  type RecogniseQuestion,
  type StoredRequest,
  StoreError,
  type TenantRecord,
} from '../gateway-store.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

/** Answers what is known about a request's messages. `later` gets what notes what is new or was not used for long, if that may wait. */
export function recogniseInSqlite(
  database: SqliteDatabase,
  tenant: string,
  question: RecogniseQuestion,
  now: number,
  later: (note: () => void) => void,
): Recognised {
  const ids = question.messages.map(columnKey)
  const { branch, seen, decisions, decided } = database.read(() => ({
    decided: question.decidedAfter === undefined ? null : findLater(database, tenant, question.decidedAfter),
    branch: findBranch(database, tenant, question.chains),
    seen: ids.map((id) => database.row(findSeen, tenant, id) as { readonly at: number; readonly used: number } | undefined),
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
  const isBranchStale = branch !== null && branch.found !== null && isStale(branch.row.used, now)

  const isNoted = !question.isIdle && unseen.length + unused.length + undecided.length + (isBranchStale ? 1 : 0) > 0
  const addNew = (some: readonly string[]) => {
    for (const id of some) {
      // Another gateway may have seen it since: its time holds.
      const row = database.row(addSeen, tenant, id, question.at, now) as { readonly at: number }
      firstSeen.set(id, row.at)
    }
  }
  const note = (added: readonly string[]) => {
    addNew(added)
    for (const id of unused) {
      database.run('update seen set used = ? where tenant = ? and message = ?', now, tenant, id)
      database.run('update texts set used = ? where tenant = ? and id = ?', now, tenant, id)
    }
    for (const { id, original } of undecided) {
      database.run('update decisions set used = ? where tenant = ? and id = ?', now, tenant, id)
      database.run('update originals set used = ? where tenant = ? and id = ?', now, tenant, original)
    }
    if (isBranchStale) database.run('update branches set used = ? where tenant = ? and chain = ?', now, tenant, branch.row.chain)
  }
  const isLater = isNoted && question.notesLater === true && unseen.length <= maxRows
  if (isLater) later(() => note(unseen))
  const noteNow = () => {
    const rest = writeInPieces(database, unseen, addNew)
    database.write('lazy', () => note(rest))
  }
  const unwritten = isNoted && !isLater ? failureOf(noteNow) : null
  const held = readRows(decisions, 'decisions', tenant) as readonly Decision[]
  const damaged = decisions.length - held.length + (branch?.damaged ?? 0)
  return {
    branch: branch?.found ?? null,
    firstSeen: ids.map((id) => firstSeen.get(id) ?? question.at),
    decisions: held,
    ...(decided === null ? {} : { decided }),
    ...(damaged === 0 ? {} : { damaged }),
    ...(unwritten === null ? {} : { unwritten }),
  }
}

/** Writes many rows in several transactions, so that others do not wait for all of them. Returns the last ones, which are not written. */
function writeInPieces<Row>(
  database: SqliteDatabase,
  rows: readonly Row[],
  write: (some: readonly Row[]) => void,
): readonly Row[] {
  let from = 0
  for (; rows.length - from > maxRows; from += maxRows) {
    database.write('lazy', () => write(rows.slice(from, from + maxRows)))
    database.giveWay()
  }
  return rows.slice(from)
}

/** A few milliseconds. */
const maxRows = 400

/** What is known is told even if nothing new can be written down. */
export function failureOf(write: () => void): StoreError | null {
  try {
    write()
    return null
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
}

/** Rows are numbered in the order they were written. */
function findLater(database: SqliteDatabase, tenant: string, after: number | null): NonNullable<Recognised['decided']> {
  const { until } = database.row('select coalesce(max(rowid), 0) as until from decisions') as { readonly until: number }
  if (after === null || after === until) return { until, later: [] }
  if (after > until || until - after > maxLater) return { until, later: null }
  // The plus keeps SQLite from the index by tenant, which has every decision of it.
  const sql = 'select id, body from decisions where rowid > ? and +tenant = ? order by rowid'
  const rows = database.rows(sql, after, tenant) as readonly Pick<DecisionRow, 'id' | 'body'>[]
  return { until, later: readRows(rows, 'decisions', tenant) as readonly Decision[] }
}

const maxLater = 1000

interface DecisionRow {
  readonly id: string
  readonly original: string
  readonly used: number
  readonly body: string
}

const findSeen = 'select at, used from seen where tenant = ? and message = ?'
const addSeen = `insert into seen (tenant, message, at, used) values (?, ?, ?, ?)
  on conflict (tenant, message) do update set used = max(used, excluded.used) returning at`

function findBranch(database: SqliteDatabase, tenant: string, chains: readonly string[]) {
  const sql = 'select chain, conversation, requests, at, used, state from branches where tenant = ? and chain = ?'
  type Row = BranchRow & { readonly used: number }
  let last: Row | null = null
  let damaged = 0
  // From the end: usually the request before is found, one or two messages shorter.
  for (let place = chains.length - 1; place >= 0; place--) {
    const row = database.row(sql, tenant, columnKey(chains[place] as string)) as Row | undefined
    if (row === undefined) continue
    const branch = branchOf(tenant, row)
    if (branch !== null) return { row, found: { place, branch }, damaged }
    last = row
    damaged += 1
  }
  return last === null ? null : { row: last, found: null, damaged }
}

function findDecisions(database: SqliteDatabase, tenant: string, parts: readonly DecisionKey[]): readonly DecisionRow[] {
  return [...new Set(parts.map(decisionId))].flatMap((id) => {
    const row = database.row('select id, original, used, body from decisions where tenant = ? and id = ?', tenant, id)
    return row === undefined ? [] : [row as DecisionRow]
  })
}

/** Writes decisions down, each unless there is one already, and returns the ones that hold. They have to be synced. */
export function claimInSqlite(database: SqliteDatabase, tenant: string, claims: readonly Claim[], now: number) {
  return database.write('lazy', () =>
    claims.map(({ decision, original }): Decision => {
      const id = decisionId(decision)
      const { handle, conversation, at } = original
      const hidden = originalId(original)
      const add = () => database.run(addDecision, tenant, id, hidden, now, writeRow(decision, 'decisions', tenant, id))
      if (add() === 0) {
        const row = database.row('select body from decisions where tenant = ? and id = ?', tenant, id)
        const held = readRow((row as { readonly body: string }).body, 'decisions', tenant, id)
        if (held !== undefined) return held as Decision
        // A damaged decision is none.
        database.run('delete from decisions where tenant = ? and id = ?', tenant, id)
        add()
      }
      const body = writeRow(original, 'originals', tenant, hidden)
      database.run(addOriginal, tenant, hidden, columnKey(handle), columnKey(conversation), at, now, body)
      return decision
    }),
  )
}

const addDecision =
  'insert into decisions (tenant, id, original, used, body) values (?, ?, ?, ?, ?) on conflict (tenant, id) do nothing'
const addOriginal = `insert into originals (tenant, id, handle, conversation, at, used, body) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant, id) do update set used = excluded.used`

/** Records the outcome of requests, in one step. The same request a second time changes nothing. */
export function recordInSqlite(database: SqliteDatabase, records: readonly TenantRecord[], now: number): void {
  // The messages of a request without it are found by no one, and expire.
  const rests = records.map(({ tenant, record }) => {
    const { request, messages } = record
    return { tenant, record: { ...record, messages: writeInPieces(database, messages, addMessages(database, tenant, request)) } }
  })
  database.write('lazy', () => {
    for (const { tenant, record } of rests) recordOne(database, tenant, record, now)
    const branches = lastBranches(records)
    // First, so that what is written here stays until something comes after it.
    for (const { tenant, branch } of latestOfEach(branches))
      database.run(dropBranches, tenant, columnKey(branch.conversation), branch.requests - keptBranches)
    for (const { tenant, branch } of branches) {
      const { chain, conversation, requests, at, state } = branch
      const body = writeRow(state, 'branches', tenant, columnKey(chain))
      database.run(keepBranch, tenant, columnKey(chain), columnKey(conversation), requests, at, now, body)
    }
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

function latestOfEach(branches: readonly TenantBranch[]): readonly TenantBranch[] {
  const latest = new Map<string, TenantBranch>()
  for (const each of branches) {
    const name = `${each.tenant} ${each.branch.conversation}`
    if (each.branch.requests >= (latest.get(name)?.branch.requests ?? 0)) latest.set(name, each)
  }
  return [...latest.values()]
}

function addMessages(database: SqliteDatabase, tenant: string, request: StoredRequest['request']) {
  const conversation = columnKey(request.conversation)
  return (messages: StoredRequest['messages']) => {
    for (const message of messages) {
      const key = columnKey(message.id)
      const body = writeRow(message, 'messages', tenant, messageKey(conversation, key))
      database.run(addMessage, tenant, conversation, key, message.at, body)
    }
  }
}

function recordOne(database: SqliteDatabase, tenant: string, record: StoredRequest, now: number): void {
  const { request, label, messages, texts } = record
  const conversation = columnKey(request.conversation)
  const { number, at } = request
  const id = columnKey(request.id)
  const added = database.run(addRequest, tenant, id, conversation, number, at, writeRow(request, 'requests', tenant, id))
  if (added === 1) addToConversation(database, tenant, request, label, now)
  addMessages(database, tenant, request)(messages)
  for (const text of texts) {
    const key = columnKey(text.id)
    database.run(addText, tenant, key, now, writeRow(text, 'texts', tenant, key))
  }
}

function addToConversation(
  database: SqliteDatabase,
  tenant: string,
  request: GatewayRequest,
  label: string | null,
  now: number,
): void {
  const { dialect, mode, at } = request
  const { dollars, untrimmedDollars, unpriced } = requestTotals(request)
  const named = label === null ? null : writeJson(label)
  const model = request.model === null ? null : writeJson(request.model)
  const facts = [columnKey(request.conversation), named, dialect, model, mode, request.isHeldOut ? 1 : 0]
  database.run(addConversation, tenant, ...facts, at, at, dollars, untrimmedDollars, unpriced, now)
}

const addRequest = `insert into requests (tenant, id, conversation, number, at, body) values (?, ?, ?, ?, ?, ?)
  on conflict (tenant, id) do nothing`
const addConversation = `insert into conversations
  (tenant, id, label, dialect, model, mode, held_out, first, last, requests, dollars, untrimmed_dollars, unpriced, used)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
  on conflict (tenant, id) do update set
    label = coalesce(excluded.label, label), dialect = excluded.dialect, model = coalesce(excluded.model, model),
    mode = excluded.mode, held_out = excluded.held_out,
    first = min(first, excluded.first), last = max(last, excluded.last), requests = requests + 1,
    dollars = dollars + excluded.dollars, untrimmed_dollars = untrimmed_dollars + excluded.untrimmed_dollars,
    unpriced = unpriced + excluded.unpriced, used = excluded.used`
const addMessage = `insert into messages (tenant, conversation, id, at, body) values (?, ?, ?, ?, ?)
  on conflict (tenant, conversation, id) do nothing`
const addText =
  'insert into texts (tenant, id, used, body) values (?, ?, ?, ?) on conflict (tenant, id) do update set used = excluded.used'
const keepBranch = `insert into branches (tenant, chain, conversation, requests, at, used, state) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (tenant, chain) do update set conversation = excluded.conversation, requests = excluded.requests,
    at = excluded.at, used = excluded.used, state = excluded.state`
const dropBranches = `delete from branches
  where tenant = ? and conversation = ? and requests <= ? and requests % ${keptBranches} <> 0`
