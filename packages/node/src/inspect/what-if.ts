import { stat } from 'node:fs/promises'
import { replayInWorkers } from '../replay/replay-in-workers.ts'
import type { Bill, SessionRun } from '../replay/session-run.ts'
import { billAt, costOf } from '../replay/summarise-price.ts'
import { overheadTokens } from '../replay/view-source.ts'
import type { WhatIf, WhatIfQuestion, WhatIfRow } from '../shared/inspection/embedded-inspection.ts'
import { checkQuestion, WhatIfError } from './what-if-choices.ts'

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

/** What-if with a memory. */
type RememberedWhatIf = (session: LoggedSession, question: WhatIfQuestion, options?: WhatIfOptions) => Promise<WhatIf>

/** An answer is a few kilobytes. */
const mostAnswers = 50

/**
 * A what-if that answers the same question about the same session from memory, as long as its file has not changed, and replays one
 * session at a time: whoever asks for more waits. It rejects as `whatIf` does.
 */
export function createWhatIf(most: number = mostAnswers): RememberedWhatIf {
  const answers = new Map<string, WhatIf>()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = (key: string, work: () => Promise<WhatIf>, signal: AbortSignal | undefined): Promise<WhatIf> => {
    const answer = last.then(() => {
      signal?.throwIfAborted()
      // The same may have been asked while this one waited.
      return answers.get(key) ?? work()
    })
    last = answer.catch(() => undefined)
    return answer
  }

  return async (session, given, options = {}) => {
    const question = checkQuestion(given)
    const key = JSON.stringify([session.path, session.number, await changeOf(session.path), question])
    const answer = answers.get(key) ?? (await inTurn(key, () => whatIf(session, question, options), options.signal))
    // The one that was asked for longest ago goes first.
    answers.delete(key)
    answers.set(key, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= most) break
      answers.delete(oldest)
    }
    return answer
  }
}

/** A file that was written to has another size or time. One that is gone is found missing when it is read. */
async function changeOf(path: string): Promise<readonly number[]> {
  const found = await stat(path).catch(() => null)
  return found === null ? [] : [found.size, found.mtimeMs]
}
