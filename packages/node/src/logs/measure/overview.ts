import type { Message } from '@plimsoll/core'
import type { ToolKind } from '@plimsoll/core/policies'
import type { ReadProblem } from '../../files/problem.ts'
import { isoTime } from '../../files/time-and-size.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { OverviewCategory } from '../../strings/english/replay.ts'
import type { FoundLog, FoundLogs } from '../find-logs.ts'
import type { ReadLog, ReadSession } from '../log-reader.ts'
import { readLog } from '../read-log.ts'
import {
  addAmount,
  type BigResult,
  createBill,
  createBillSum,
  maxBiggest,
  measureSession,
  type UsageSum,
} from './measure-session.ts'
import { slimMessage } from './measured-part.ts'

export interface AgentRow {
  readonly agent: string
  readonly sessions: number
  readonly requests: number
  readonly tokens: number
  readonly usage: UsageSum | null
  readonly dollars: number | null
  readonly unpriced: number
}

export interface BiggestRow extends BigResult {
  readonly agent: string
  readonly session: string | null
  readonly title: string | null
  readonly file: string
}

export interface UnreadableRow {
  readonly agent: string
  readonly file: string
  readonly trouble: ReadProblem
}

export type Overview = ReturnType<ReturnType<typeof createOverview>['finish']>

export function createOverview(platform: string) {
  const agents = new Map<string, ReturnType<typeof newSum>>()
  const tokens = { system: 0, user: 0, assistant: 0, reasoning: 0, calls: 0, results: 0, images: 0, summaries: 0 }
  const results = new Map<ToolKind, { count: number; tokens: number }>()
  const reads = { reads: 0, again: { count: 0, tokens: 0 }, same: { count: 0, tokens: 0 } }
  const unreadable: UnreadableRow[] = []
  const skipped = { lines: 0, files: 0 }
  let first: number | null = null
  let last: number | null = null
  const bill = createBill()
  let biggest: BiggestRow[] = []
  let compactions = 0
  let copies = 0
  let bytes = 0
  let files = 0

  function addSession(found: FoundLog, session: ReadSession): void {
    const measure = measureSession(session, platform)
    const sum = agents.get(found.agent) ?? newSum(found.agent)
    const repeated = bill.add(session, measure, sum.bill)
    if (repeated > 0 && repeated === session.usages.length) {
      copies += 1
      return
    }
    agents.set(found.agent, sum)
    sum.sessions += 1
    sum.requests += measure.requests - repeated
    compactions += session.compactions
    for (const [category, count] of Object.entries(measure.tokens) as [OverviewCategory, number][]) {
      tokens[category] += count
      sum.tokens += count
    }
    for (const [kind, amount] of measure.results) {
      const known = results.get(kind) ?? { count: 0, tokens: 0 }
      addAmount(known, amount)
      results.set(kind, known)
    }
    reads.reads += measure.reads.reads
    addAmount(reads.again, measure.reads.again)
    addAmount(reads.same, measure.reads.same)
    const { agent, path: file } = found
    const rows = measure.biggest.map((big) => {
      // Commands may hold keys.
      const about = big.about === null ? null : redactSecrets(big.about)
      return { ...big, about, agent, session: session.id, title: session.title, file }
    })
    biggest = [...biggest, ...rows].toSorted((a, b) => b.tokens - a.tokens).slice(0, maxBiggest)
    if (measure.first !== null) first = Math.min(first ?? measure.first, measure.first)
    if (measure.last !== null) last = Math.max(last ?? measure.last, measure.last)
  }

  return {
    add(found: FoundLog, { sessions, skipped: lines }: ReadLog) {
      files += 1
      bytes += found.bytes
      if (lines.length > 0) {
        skipped.lines += lines.length
        skipped.files += 1
      }
      for (const session of sessions) if (session.messages.length > 0) addSession(found, session)
    },
    addUnreadable: (row: UnreadableRow) => void unreadable.push(row),
    finish() {
      const rows = [...agents.values()].toSorted((a, b) => b.requests - a.requests || (a.agent < b.agent ? -1 : 1))
      return {
        sessions: sumOf(rows, ({ sessions }) => sessions),
        requests: sumOf(rows, ({ requests }) => requests),
        bytes,
        files,
        first: isoTime(first ?? undefined),
        last: isoTime(last ?? undefined),
        compactions,
        agents: rows.map(({ bill: own, ...row }) => {
          const { dollars, unpriced } = own.money()
          return { ...row, usage: own.usage(), dollars, unpriced }
        }),
        tokens: { ...tokens, total: sumOf(Object.values(tokens), (count) => count) },
        results: [...results].map(([kind, amount]) => ({ kind, ...amount })).toSorted((a, b) => b.tokens - a.tokens),
        reads,
        biggest,
        usage: bill.whole.usage(),
        // Answers that were not counted because another log has them too, and sessions with only such answers.
        repeatedAnswers: bill.repeated(),
        copies,
        money: bill.whole.money(),
        unreadable,
        skipped,
      }
    },
  }
}

function newSum(agent: string) {
  return { agent, sessions: 0, requests: 0, tokens: 0, bill: createBillSum() }
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

interface ReadingProgress {
  readonly files: number
  readonly allFiles: number
  readonly bytes: number
  readonly allBytes: number
}

/** Reads logs one after the other, without holding their texts, and adds up what they hold and cost. */
export async function measureLogs(
  { logs, unreadable }: Pick<FoundLogs, 'logs' | 'unreadable'>,
  platform: string,
  progress: (so: ReadingProgress) => void = () => undefined,
): Promise<Overview> {
  const overview = createOverview(platform)
  const allBytes = logs.reduce((sum, { bytes }) => sum + bytes, 0)
  let bytes = 0
  for (const { agent, path, problem } of unreadable) overview.addUnreadable({ agent, file: path, trouble: problem })
  for (const [files, found] of logs.entries()) {
    const report = (read: number) => progress({ files, allFiles: logs.length, bytes: bytes + read, allBytes })
    report(0)
    await measureLog(found, overview, report)
    bytes += found.bytes
  }
  return overview.finish()
}

type OverviewBuilder = ReturnType<typeof createOverview>

async function measureLog(found: FoundLog, overview: OverviewBuilder, report: (read: number) => void): Promise<void> {
  let read = 0
  const take = (message: Message) => {
    // The reader does not report its position; the length of the messages is close enough.
    read += lengthOf(message)
    report(Math.min(read, found.bytes))
    return slimMessage(message)
  }
  const log = await readLog(found.path, { take })
  if (log.problem === undefined) overview.add(found, log.value)
  // An agent may have removed the log in the meantime, or only just started it.
  else if (log.problem.kind !== 'not-found' && log.problem.kind !== 'empty')
    overview.addUnreadable({ agent: found.agent, file: found.path, trouble: log.problem })
}

function lengthOf({ parts }: Message): number {
  let length = 200
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'reasoning') length += part.text.length
    else if (part.type === 'tool-result' && part.content.type === 'text') length += part.content.text.length
    else length += 500
  }
  return length
}
