import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { OwnPrices } from '../model/price-of-model.ts'
import { overheadTokens } from '../replay/bill/both-sides.ts'
import { sessionPrice } from '../replay/own-case.ts'
import { replayInWorkers } from '../replay/replay-in-workers.ts'
import type { ReplayJob } from '../replay/replay-job.ts'
import type { SessionRun } from '../replay/session-run.ts'
import { billAt, costOf } from '../replay/summarise-price.ts'
import type { WhatIf, WhatIfQuestion, WhatIfRow } from '../shared/inspection/embedded-inspection.ts'
import { checkQuestion, WhatIfError } from './what-if-choices.ts'

/** A session by its log file, of Plimsoll or another agent, and its number in the file, from 0. */
export interface LoggedSession {
  readonly path: string
  readonly number: number
}

interface WhatIfOptions {
  /** The user's own prices. Default: none. */
  readonly prices?: OwnPrices | undefined
  /** Called often, with the share that is done. */
  readonly progress?: (share: number) => void
  /** Called after each policy set, with the rows so far. `raw` is always among them. */
  readonly soFar?: (answer: WhatIf) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Replays one session under other policies and prices, in other threads. The figures are those of `plimsoll replay`. Throws
 * `WhatIfError` for unknown names and if there is nothing to replay, and the signal's reason once it is aborted.
 */
export async function whatIf(
  { path, number }: LoggedSession,
  question: WhatIfQuestion,
  options: WhatIfOptions = {},
): Promise<WhatIf> {
  const { policies, prices, own } = checkQuestion(question)
  const { progress, soFar, signal } = options
  signal?.throwIfAborted()
  const jobs = await jobsOf(path, number, policies)
  const runs = new Map<string, SessionRun>()
  const shares = new Map<string, number>()
  const answer = (): WhatIf | null => {
    const raw = runs.get('raw')
    return raw === undefined || raw.requests === 0 ? null : answerOf(raw, runs, policies, prices)
  }
  const outcomes = await replayInWorkers(jobs, {
    asked: { sets: policies, rows: prices },
    common: [],
    prices: { ...options.prices, ...own },
    withPrompts: true,
    progress({ name }, share) {
      shares.set(name, share)
      progress?.([...shares.values()].reduce((sum, each) => sum + each, 0) / jobs.length)
    },
    ran(_session, set, run) {
      runs.set(set, run)
      const found = answer()
      if (found !== null && runs.size < policies.length) soFar?.(found)
    },
    signal,
  })
  signal?.throwIfAborted()
  for (const { reason } of outcomes.values()) if (reason !== undefined) throw new WhatIfError('cannot-replay', reason)
  const all = answer()
  if (all === null) throw new WhatIfError('nothing-to-replay', path)
  return all
}

/** Each thread reads the log first, so that only the sets of a large one are divided among threads. */
async function jobsOf(path: string, number: number, policies: readonly string[]): Promise<readonly ReplayJob[]> {
  const [bytes = 0] = await changeOf(path)
  const count = bytes < minDivided ? 1 : Math.min(availableParallelism(), policies.length)
  return Array.from({ length: count }, (_, thread) => ({
    path,
    sets: policies.filter((_policy, place) => place % count === thread),
    sessions: [{ number, name: `${thread}`, requests: 1, at: 0 }],
  }))
}

const minDivided = 2_000_000

function answerOf(
  raw: SessionRun,
  runs: ReadonlyMap<string, SessionRun>,
  policies: readonly string[],
  prices: readonly string[],
): WhatIf {
  const { requests, isCalibrated, hasTimes } = raw
  const rows = policies.flatMap((set) => {
    const run = runs.get(set)
    if (run === undefined) return []
    return prices.map((price, index) => (price === sessionPrice ? ownRowOf(set, run) : rowOf(set, price, run, index)))
  })
  const { isPriced = true, account } = raw
  const reported = account?.reported ?? 0
  return { prices, rows, requests, isCalibrated, hasTimes, overhead: overheadTokens, isPriced, reported }
}

/** At the session's own prices and in the provider's tokens: the rows of `raw` are the session as recorded. */
function ownRowOf(policies: string, run: SessionRun): WhatIfRow {
  const row = rowOf(policies, sessionPrice, run, 0)
  const { account } = run
  if (account === undefined) return row
  const { shown, recalls, recallCount } = account
  const { cacheRead: read, cacheWrite: write, input: fresh, output } = shown.parts
  const keepAlive = (row.parts.keepAlive * shown.tokens) / Math.max(1, billAt(run, 0).promptTokens)
  const bill = shown.dollars + keepAlive
  return {
    ...row,
    bill,
    effective: bill + recalls,
    parts: { read, write, fresh, output, recalls, keepAlive },
    peak: shown.peak,
    recalls: recallCount,
    prompts: evenlyPicked(shown.prompts),
  }
}

function rowOf(policies: string, price: string, run: SessionRun, index: number): WhatIfRow {
  const bill = billAt(run, index)
  const { read, write, fresh, output, recalls, keepAlive, peak, retention } = bill
  const { needs, inView, byHandle } = retention
  const cost = costOf(bill)
  return {
    policies,
    price,
    bill: cost,
    effective: cost + recalls,
    parts: { read, write, fresh, output, recalls, keepAlive },
    peak,
    inView: needs === 0 ? null : inView / needs,
    reachable: needs === 0 ? null : (inView + byHandle) / needs,
    lost: retention.lost,
    recalls: retention.recalls,
    prompts: evenlyPicked(run.prompts?.[index] ?? []),
  }
}

/** More points cannot be distinguished in a drawing. */
const maxPrompts = 400

/** Always includes the first and the last. */
function evenlyPicked(values: readonly number[]): readonly number[] {
  if (values.length <= maxPrompts) return values
  const step = (values.length - 1) / (maxPrompts - 1)
  return Array.from({ length: maxPrompts }, (_, index) => values[Math.round(index * step)] ?? 0)
}

/**
 * Answers repeated questions from memory, as long as the file has not changed, and replays one session at a time. Rejects as
 * `whatIf` does.
 */
export function createWhatIf(maxAnswers = 50) {
  const answers = new Map<string, WhatIf>()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = (key: string, work: () => Promise<WhatIf>, signal: AbortSignal | undefined): Promise<WhatIf> => {
    const answer = last.then(() => {
      signal?.throwIfAborted()
      // Another caller may have asked the same meanwhile.
      return answers.get(key) ?? work()
    })
    last = answer.catch(() => undefined)
    return answer
  }

  return async (session: LoggedSession, given: WhatIfQuestion, options: WhatIfOptions = {}): Promise<WhatIf> => {
    const question = checkQuestion(given)
    const key = JSON.stringify([session.path, session.number, await changeOf(session.path), question])
    const answer = answers.get(key) ?? (await inTurn(key, () => whatIf(session, question, options), options.signal))
    // Put at the end, because the first one is dropped first.
    answers.delete(key)
    answers.set(key, answer)
    for (const oldest of answers.keys()) if (answers.size > maxAnswers) answers.delete(oldest)
    return answer
  }
}

/** A changed file has another size or time. A missing one is noticed when it is read. */
async function changeOf(path: string): Promise<readonly number[]> {
  const found = await stat(path).catch(() => null)
  return found === null ? [] : [found.size, found.mtimeMs]
}
