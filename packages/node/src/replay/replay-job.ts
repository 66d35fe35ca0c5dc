import type { Tokenizer } from '@plimsoll/core'
import { costOfTurn } from '@plimsoll/core/bill'
import { countMessage } from '@plimsoll/core/text'
import { thrownText } from '../files/problem.ts'
import { readLog } from '../logs/read-log.ts'
import { type OwnPrices, priceDay } from '../model/price-of-model.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import { type Calibration, calibrate, reportedTurns } from './bill/calibrate.ts'
import type { PriceRow } from './bill/price-rows.ts'
import { findNeeds } from './needs/find-needs.ts'
import { type OwnCase, ownCaseOf, ownPrices } from './own-case.ts'
import { type PolicySet, policySets } from './policy-sets.ts'
import { recordSession } from './record-session.ts'
import { groupsOf, type ReplaySessionInput, replaySession } from './replay-session.ts'
import type { SessionRun } from './session-run.ts'
import { sum } from './statistics.ts'

export interface ReplayJob {
  readonly path: string
  /** Only these of the policy sets asked for, by name. Default: all. */
  readonly sets?: readonly string[]
  readonly sessions: readonly JobSession[]
}

export interface JobSession {
  readonly number: number
  /** Its unique name in the results. */
  readonly name: string
  readonly requests: number
  /** The time of its last message in milliseconds; 0 if the log has no times. */
  readonly at: number
}

/** The result of one session: a run for each policy set in order and the calibration of its cache, or the reason why it failed. */
export type SessionOutcome =
  | {
      readonly runs: readonly SessionRun[]
      readonly calibration: Calibration
      /** Its own case, if that was replayed. */
      readonly own?: OwnCase
      /** Dollars for answers that are not part of the conversation and cannot be replayed: of sub-agents and abandoned branches. */
      readonly elsewhere?: number
      /** The run of its own case, if others were named. */
      readonly verdict?: SessionRun
      readonly reason?: never
    }
  | {
      readonly reason: string
      readonly runs?: never
      readonly calibration?: never
      readonly own?: never
      readonly elsewhere?: never
      readonly verdict?: never
    }

interface AskedRuns {
  readonly sets: readonly PolicySet[]
  readonly rows: readonly PriceRow[]
  /** Whether the session's own price row comes first, with an account at its own prices. Default: no. */
  readonly withOwn?: boolean | undefined
  /** Whether its own case is replayed too. Default: no. */
  readonly withVerdict?: boolean | undefined
}

export interface JobContext {
  /** The policy sets and price rows; null for those of each session's own case. */
  readonly asked: AskedRuns | null
  readonly common: ReadonlySet<string>
  /** The user's own prices. Default: none. */
  readonly prices?: OwnPrices | undefined
  readonly tokens: Tokenizer
  /** Whether the tokens of each request are wanted too. Default: they are not. */
  readonly withPrompts?: boolean
  /** Called often, with the share of the session that is done. */
  readonly progress?: (share: number) => void
  /** Called after each policy set, if its run is wanted before the outcome. */
  readonly ran?: (set: string, run: SessionRun) => void
}

/** Replays the sessions of a job in order, each by every policy set. Never throws because of the content of a session. */
export async function* runJob(job: ReplayJob, context: JobContext): AsyncGenerator<SessionOutcome, void> {
  // Shows that the thread works: a long log takes a second to read.
  context.progress?.(startShare / 20)
  const { value: log, problem } = await readLog(job.path)
  for (const session of job.sessions) {
    const read = log?.sessions[session.number]
    if (log === undefined || read === undefined) {
      yield { reason: problem?.kind ?? 'the session is gone' }
      continue
    }
    try {
      const { common, prices, withPrompts = false, progress, ran } = context
      const day = priceDay(session.at || (read.messages.at(-1)?.at ?? null))
      const { asked } = context
      const isOwn = asked === null || asked.withOwn === true
      const own = isOwn || asked.withVerdict === true ? ownCaseOf(log.format, read.model, { day, prices }) : null
      const rows = [...(isOwn && own !== null ? [own.row] : []), ...(asked?.rows ?? [])]
      const all = asked?.sets ?? policySets.filter(({ name }) => name === own?.set)
      const sets = all.filter(({ name }) => job.sets?.includes(name) ?? true)
      progress?.(startShare / 4)
      // Made for each session, because it holds all of its texts.
      const tokens = countedOnce(context.tokens)
      const recorded = recordSession(read, { name: session.name, format: log.format, tokens })
      const needs = findNeeds(recorded, { common })
      progress?.(startShare / 2)
      const calibration = calibrate(
        reportedTurns(recorded, (message) => countMessage(message, tokens)),
        { prices },
      )
      progress?.(startShare)
      const steps = recorded.steps.length * sum(sets, (set) => groupsOf(rows, set, isOwn).length)
      let done = 0
      const stepped = () => {
        done += 1
        progress?.(startShare + (1 - startShare) * (done / steps))
      }
      const { isCalibrated } = calibration
      const priceOf = own === null ? undefined : ownPrices(own, prices)
      const replayed = { session: recorded, needs, tokens, isCalibrated, withPrompts }
      const input = { ...replayed, rows, stepped, priceOf: isOwn ? priceOf : undefined }
      const runs = sets.map((set) => {
        const run = { ...runTwice({ ...input, set }), ...(isOwn && own !== null ? { isPriced: own.isPriced } : {}) }
        ran?.(set.name, run)
        return run
      })
      const elsewhere = sum(read.otherUsages ?? [], ({ usage, model, at, cost }) => {
        const price = priceOf?.({ model: model ?? read.model ?? null, at: at ?? 0 }) ?? null
        return cost ?? costOfTurn(usage, price)?.dollars ?? 0
      })
      const ownSet = isOwn ? undefined : policySets.find(({ name }) => name === own?.set)
      const verdict =
        own === null || ownSet === undefined
          ? {}
          : { verdict: replaySession({ ...replayed, set: ownSet, rows: [own.row], priceOf }) }
      yield { runs, calibration, ...(own === null ? {} : { own, elsewhere }), ...verdict }
    } catch (error) {
      // A session that a policy fails on must not end the others.
      yield { reason: thrownText(error) }
    }
  }
}

/** About the share of reading, compared with replaying two policy sets. */
const startShare = 0.2

const maxTwice = 40

/** Replays a short session again from a copy: a set that then shows other bytes is not deterministic. */
function runTwice(input: ReplaySessionInput): SessionRun {
  const run = replaySession(input)
  const { session, rows } = input
  const [row] = rows
  if (row === undefined || session.steps.length > maxTwice) return run
  const again = replaySession({ ...input, session: structuredClone(session), rows: [row], stepped: () => undefined })
  const isSame = JSON.stringify(again.bills[0]) === JSON.stringify(run.bills[0])
  return isSame ? run : { ...run, brokenGates: [...(run.brokenGates ?? []), 'same-bytes'] }
}

/** Caches counts by text: a replay shows the same results hundreds of times, in different objects. */
export function countedOnce(tokens: Tokenizer): Tokenizer {
  const counts = new Map<string, number>()
  return { ...tokens, count: (text) => getOrMake(counts, text, () => tokens.count(text)) }
}
