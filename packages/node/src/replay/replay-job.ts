import { type Calibration, calibrate, type Tokenizer } from '@plimsoll/core'
import { readLog } from '../logs/read-log.ts'
import { findNeeds } from './find-needs.ts'
import type { PolicySet } from './policy-set.ts'
import type { PriceRow } from './price-row.ts'
import { recordSession } from './record-session.ts'
import { replaySession } from './replay-session.ts'
import { reportedTurns } from './reported-turns.ts'
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
      const { tokens, sets, rows, common } = context
      const recorded = recordSession(read, { name: session.name, format: log.format, tokens })
      const needs = findNeeds(recorded, { common })
      const calibration = calibrate(reportedTurns(recorded))
      const { isCalibrated } = calibration
      const runs = sets.map((set) => replaySession({ session: recorded, needs, set, rows, tokens, isCalibrated }))
      yield { runs, calibration }
    } catch (error) {
      // One session that a policy cannot take must not end the others.
      yield { reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
