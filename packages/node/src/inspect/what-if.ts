import { overheadTokens } from '../replay/overhead.ts'
import { replayInWorkers } from '../replay/replay-in-workers.ts'
import type { Bill, SessionRun } from '../replay/session-run.ts'
import { billAt, costOf } from '../replay/summarise-price.ts'
import type { WhatIf, WhatIfQuestion, WhatIfRow } from '../shared/inspection/what-if.ts'
import { checkQuestion } from './what-if-choices.ts'
import { WhatIfError } from './what-if-error.ts'

/** A session by where it lies: a log of ours or of another agent, and its number among those in the file, from 0. */
export interface LoggedSession {
  readonly path: string
  readonly number: number
}

/** How a session is replayed. */
export interface WhatIfOptions {
  /** Told after each policy set how many of them are done. */
  readonly progress?: (done: number, all: number) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Replays one session under other policies and prices, in a thread of its own. The figures are those of `plimsoll replay`. Throws
 * `WhatIfError` for names that nobody knows, and where there is nothing to replay; the signal's reason where it is stopped.
 */
export async function whatIf(
  { path, number }: LoggedSession,
  question: WhatIfQuestion,
  { progress, signal }: WhatIfOptions = {},
): Promise<WhatIf> {
  const { policies, prices } = checkQuestion(question)
  signal?.throwIfAborted()
  let done = 0
  const name = 'session'
  const outcomes = await replayInWorkers([{ path, sessions: [{ number, name, requests: 1 }] }], {
    sets: policies,
    rows: prices,
    common: [],
    withPrompts: true,
    workers: 1,
    ran() {
      done += 1
      progress?.(done, policies.length)
    },
    signal,
  })
  const outcome = outcomes.get(name)
  if (outcome?.runs === undefined) throw new WhatIfError('cannot-replay', outcome?.reason ?? name)
  const [raw] = outcome.runs
  if (raw === undefined || raw.requests === 0) throw new WhatIfError('nothing-to-replay', name)
  const { requests, isCalibrated, hasTimes } = raw
  const rows = policies.flatMap((set, place) =>
    prices.map((price, index) => rowOf(set, price, outcome.runs[place] ?? raw, index)),
  )
  return { prices, rows, requests, isCalibrated, hasTimes, overhead: overheadTokens }
}

function rowOf(policies: string, price: string, run: SessionRun, index: number): WhatIfRow {
  const bill = billAt(run, index)
  const { read, write, fresh, output, recalls, keepAlive, peak, retention } = bill
  const cost = costOf(bill)
  return {
    policies,
    price,
    bill: cost,
    effective: cost + recalls,
    parts: { read, write, fresh, output, recalls, keepAlive },
    peak,
    ...sharesOf(retention),
    lost: retention.lost,
    recalls: retention.recalls,
    prompts: evenlyPicked(run.prompts?.[index] ?? []),
  }
}

function sharesOf({ needs, inView, byHandle }: Bill['retention']): Pick<WhatIfRow, 'inView' | 'reachable'> {
  return needs === 0 ? { inView: null, reachable: null } : { inView: inView / needs, reachable: (inView + byHandle) / needs }
}

/** More points than this are not told apart in a drawing. */
const mostPrompts = 400

/** The first and the last are always among them. */
function evenlyPicked(values: readonly number[]): readonly number[] {
  if (values.length <= mostPrompts) return values
  const step = (values.length - 1) / (mostPrompts - 1)
  return Array.from({ length: mostPrompts }, (_, index) => values[Math.round(index * step)] ?? 0)
}
