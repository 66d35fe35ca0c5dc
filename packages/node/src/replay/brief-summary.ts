import type { Calibration } from './bill/calibrate.ts'
import { checkUserRules, type GateName } from './gates.ts'
import { sharesOf } from './needs/retention.ts'
import type { EntryPoint, OwnCase } from './own-case.ts'
import type { SessionOutcome } from './replay-job.ts'
import type { RetentionShares, SessionSummary, Unreadable } from './replay-summary.ts'
import type { SessionRun } from './session-run.ts'
import { changeOf, sum } from './statistics.ts'
import { billAt, costOf } from './summarise-price.ts'

/** What sessions cost as recorded, and what they would have cost and lost in economy mode. Dollars, at the price of each session. */
export interface BriefSummary extends BriefFigures {
  readonly configuration: string
  readonly pricesFrom: string
  readonly assumption: string
  /** Sessions that were found; fewer were replayed if the replay was stopped. */
  readonly found: number
  /** By agent, entry point, and whether the price is known. */
  readonly groups: readonly BriefGroup[]
  readonly perSession: readonly BriefSession[]
  readonly unreadable: readonly Unreadable[]
}

export interface BriefFigures {
  readonly sessions: number
  readonly requests: number
  readonly calibrated: number
  readonly timed: number
  /** Sums of the sessions with a known price; null if there is none. */
  readonly dollars: BriefCosts | null
  /** Sums of the tokens of all requests. */
  readonly tokens: { readonly recorded: number; readonly economy: number }
  /** The usage that providers reported, at the same prices; null if no request has both. */
  readonly reported: number | null
  readonly retention: RetentionShares
  readonly invalid: readonly { readonly session: string; readonly gates: readonly GateName[] }[]
}

export interface BriefCosts {
  readonly recorded: number
  /** In economy mode: the bill, and the bill with all recalls charged. */
  readonly economy: number
  readonly effective: number
  readonly effectiveChange: number
}

export interface BriefGroup extends BriefFigures, Pick<OwnCase, 'agent' | 'entry' | 'isPriced'> {
  /** The price rows of its sessions. */
  readonly prices: readonly string[]
  /** The change of the effective bill; at the default price if that of the model is unknown. */
  readonly effectiveChange: number
}

export interface BriefSession
  extends Pick<SessionSummary, 'name' | 'requests' | 'isCalibrated' | 'hasTimes' | 'mismatch'>,
    Pick<OwnCase, 'agent' | 'price' | 'isPriced'> {
  readonly entry: EntryPoint
  readonly recorded: number
  readonly economy: number
  readonly effective: number
}

interface BriefInput extends Pick<BriefSummary, 'configuration' | 'pricesFrom' | 'assumption' | 'found' | 'unreadable'> {
  /** Of each session's own case. */
  readonly outcomes: Iterable<SessionOutcome>
}

/** Adds up sessions that were replayed in their own cases. */
export function summariseBrief({ outcomes, ...rest }: BriefInput): BriefSummary {
  const all = briefPairs(outcomes)
  const groups = Map.groupBy(all, ({ own: { agent, entry, isPriced } }) => JSON.stringify([agent, entry, isPriced]))
  return {
    ...rest,
    ...figuresOf(all),
    groups: [...groups.values()]
      .map((pairs): BriefGroup => {
        const { agent, entry, isPriced } = (pairs[0] as BriefPair).own
        const prices = [...new Set(pairs.map(({ own }) => own.price))]
        return { agent, entry, isPriced, prices, effectiveChange: costsOf(pairs).effectiveChange, ...figuresOf(pairs) }
      })
      .toSorted((one, other) => other.requests - one.requests),
    perSession: all.map(({ raw, run, own, calibration }) => {
      const { agent, entry, price, isPriced } = own
      const { session: name, requests, isCalibrated, hasTimes } = raw
      const { recorded, economy, effective } = costsOf([{ raw, run }])
      const mismatch = calibration.sent?.mismatch?.kind
      const about = { name, agent, entry, price, isPriced, requests, isCalibrated, hasTimes }
      return { ...about, ...(mismatch === undefined ? {} : { mismatch }), recorded, economy, effective }
    }),
  }
}

interface BriefPair {
  readonly own: OwnCase
  readonly raw: SessionRun
  readonly run: SessionRun
  readonly calibration: Calibration
}

function briefPairs(outcomes: Iterable<SessionOutcome>): readonly BriefPair[] {
  return [...outcomes].flatMap(({ runs, own, calibration }): readonly BriefPair[] => {
    const [raw, run] = runs ?? []
    return own === undefined || raw === undefined || run === undefined || raw.requests === 0
      ? []
      : [{ own, raw, run, calibration }]
  })
}

/** Dollars of these sessions, whether or not their prices are known. */
function costsOf(pairs: readonly Pick<BriefPair, 'raw' | 'run'>[]): BriefCosts {
  const recorded = sum(pairs, ({ raw }) => costOf(billAt(raw, 0)))
  const economy = sum(pairs, ({ run }) => costOf(billAt(run, 0)))
  const effective = economy + sum(pairs, ({ run }) => billAt(run, 0).recalls)
  return { recorded, economy, effective, effectiveChange: changeOf(effective, recorded) }
}

function figuresOf(pairs: readonly BriefPair[]): BriefFigures {
  const priced = pairs.filter(({ own }) => own.isPriced)
  const reported = priced.flatMap(({ calibration }) => calibration.recordedDollars ?? [])
  return {
    sessions: pairs.length,
    requests: sum(pairs, ({ raw }) => raw.requests),
    calibrated: pairs.filter(({ raw }) => raw.isCalibrated).length,
    timed: pairs.filter(({ raw }) => raw.hasTimes).length,
    dollars: priced.length === 0 ? null : costsOf(priced),
    tokens: {
      recorded: sum(pairs, ({ raw }) => billAt(raw, 0).promptTokens),
      economy: sum(pairs, ({ run }) => billAt(run, 0).promptTokens),
    },
    reported: reported.length === 0 ? null : sum(reported, (dollars) => dollars),
    retention: sharesOf(pairs.map(({ run }) => billAt(run, 0).retention)),
    invalid: pairs.flatMap(({ run: { session, brokenGates = [], bills } }) => {
      const gates = new Set([...brokenGates, ...bills.flatMap(({ retention }) => checkUserRules(retention))])
      return gates.size === 0 ? [] : [{ session, gates: [...gates] }]
    }),
  }
}
