import type { Tokenizer } from '@plimsoll/core'
import { countMessage } from '@plimsoll/core/text'
import { readLog } from '../logs/read-log.ts'
import { type Calibration, calibrate, reportedTurns } from './bill/calibrate.ts'
import type { PriceRow } from './bill/price-rows.ts'
import { findNeeds } from './needs/find-needs.ts'
import type { PolicySet } from './policy-sets.ts'
import { recordSession } from './record-session.ts'
import { type ReplaySessionInput, replaySession } from './replay-session.ts'
import type { SessionRun } from './session-run.ts'

/** Sessions of one file that are replayed one after the other. */
export interface ReplayJob {
  readonly path: string
  readonly sessions: readonly JobSession[]
}

/** One of the sessions of a file. */
export interface JobSession {
  /** Its place in the file, from 0. */
  readonly number: number
  /** What it is called in the results: no two have the same name. */
  readonly name: string
  /** About how many requests it has. */
  readonly requests: number
}

/** What became of one session: a run for each policy set in order and how its cache was foretold, or why there is none. */
export type SessionOutcome =
  | { readonly runs: readonly SessionRun[]; readonly calibration: Calibration; readonly reason?: never }
  | { readonly reason: string; readonly runs?: never; readonly calibration?: never }

/** What a job needs besides its sessions. */
export interface JobContext {
  readonly sets: readonly PolicySet[]
  readonly rows: readonly PriceRow[]
  readonly tokens: Tokenizer
  /** Strings that many sessions use, which nobody needed a tool for. */
  readonly common: ReadonlySet<string>
  /** Whether the tokens of each request are wanted too. Default: they are not. */
  readonly withPrompts?: boolean
  /** Told after each policy set. */
  readonly ran?: (set: string) => void
}

/** Replays the sessions of a job in order, each by every policy set. Never throws for what a session may hold. */
export async function* runJob(job: ReplayJob, context: JobContext): AsyncGenerator<SessionOutcome, void> {
  const { value: log, trouble } = await readLog(job.path)
  for (const session of job.sessions) {
    const read = log?.sessions[session.number]
    if (log === undefined || read === undefined) {
      yield { reason: trouble?.kind ?? 'the session is gone' }
      continue
    }
    try {
      const { sets, rows, common, withPrompts = false, ran } = context
      // Forgotten with the session, whose texts it holds.
      const tokens = countedOnce(context.tokens)
      const recorded = recordSession(read, { name: session.name, format: log.format, tokens })
      const needs = findNeeds(recorded, { common })
      const calibration = calibrate(reportedTurns(recorded, (message) => countMessage(message, tokens)))
      const { isCalibrated } = calibration
      const input = { session: recorded, needs, rows, tokens, isCalibrated, withPrompts }
      const runs = sets.map((set) => {
        const run = runTwice({ ...input, set })
        ran?.(set.name)
        return run
      })
      yield { runs, calibration }
    } catch (error) {
      // One session that a policy cannot take must not end the others.
      yield { reason: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** So many requests are soon replayed once more. */
const mostTwice = 40

/** A short session is replayed a second time, from a copy and at one price row: whoever shows other bytes then costs something else. */
function runTwice(input: ReplaySessionInput): SessionRun {
  const run = replaySession(input)
  const { session, rows } = input
  const [row] = rows
  if (row === undefined || session.steps.length > mostTwice) return run
  const again = replaySession({ ...input, session: structuredClone(session), rows: [row] })
  const isSame = JSON.stringify(again.bills[0]) === JSON.stringify(run.bills[0])
  return isSame ? run : { ...run, brokenGates: [...(run.brokenGates ?? []), 'same-bytes'] }
}

/** The same counter, which counts no text twice: a replay shows the same results hundreds of times, in objects of their own. */
export function countedOnce(tokens: Tokenizer): Tokenizer {
  const counts = new Map<string, number>()
  return {
    ...tokens,
    count(text) {
      const known = counts.get(text)
      if (known !== undefined) return known
      const count = tokens.count(text)
      counts.set(text, count)
      return count
    },
  }
}
