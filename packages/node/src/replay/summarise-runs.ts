import type { Calibration } from './bill/calibrate.ts'
import { checkUserRules, type GateName } from './gates.ts'
import type { PriceRow } from './price-row.ts'
import type {
  CalibrationSums,
  GroupCounts,
  GroupSummary,
  ReplaySummary,
  SetSummary,
  StratumName,
  TierName,
} from './replay-summary.ts'
import { sharesOf } from './retention-shares.ts'
import type { SessionRun } from './session-run.ts'
import { quantile, sorted, sum } from './statistics.ts'
import { type RunPair, summarisePrice } from './summarise-price.ts'
import { type Pairs, stratumOf, summariseSessions } from './summarise-sessions.ts'

/** What policy sets did with sessions, by the name of the set. */
export type Runs = ReadonlyMap<string, readonly SessionRun[]>

/** What a summary is made of. */
export interface SummaryInput extends Pick<ReplaySummary, 'configuration' | 'pricesFrom' | 'assumption' | 'unreadable'> {
  /** A session counts where the set `raw` ran it; that is what everything is compared with. */
  readonly runs: Runs
  /** The rows in the order of the bills. */
  readonly rows: readonly PriceRow[]
  /** How the cache of each session was foretold, by its name. Default: nothing is known of it. */
  readonly calibrations?: ReadonlyMap<string, Calibration>
}

/** Adds up what policy sets did: over all sessions, and by their length and kind. */
export function summariseRuns({ runs, rows, calibrations = new Map(), ...rest }: SummaryInput): ReplaySummary {
  const reference = Math.max(
    0,
    rows.findIndex(({ name }) => name === 'r.05'),
  )
  const all = pairRuns(runs)
  const group = (chosen: (run: SessionRun) => boolean): GroupSummary => summariseGroup(filterPairs(all, chosen), rows, reference)
  const strata: readonly StratumName[] = ['>100', '20-100', '<20']
  const tiers: Readonly<Record<TierName, (run: SessionRun) => boolean>> = {
    calibrated: ({ isCalibrated }) => isCalibrated,
    timed: ({ hasTimes }) => hasTimes,
    untimed: ({ hasTimes }) => !hasTimes,
  }
  const { configuration, pricesFrom, assumption, unreadable } = rest
  return {
    configuration,
    pricesFrom,
    assumption,
    reference: rows[reference]?.name ?? null,
    ...group(() => true),
    strata: strata.map((name) => ({ name, ...group(({ requests }) => stratumOf(requests) === name) })),
    tiers: namesOf(tiers).map((name) => ({ name, ...group(tiers[name]) })),
    calibration: calibrationOf([...calibrations.values()]),
    perSession: summariseSessions(all, rows, reference, calibrations),
    unreadable,
  }
}

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(record) as Name[]
}

function pairRuns(runs: Runs): Pairs {
  const bySession = (name: string) => new Map((runs.get(name) ?? []).map((run) => [run.session, run]))
  const raws = bySession('raw')
  const oracles = bySession('oracle')
  const pair = (run: SessionRun): readonly RunPair[] => {
    const raw = raws.get(run.session)
    return raw === undefined ? [] : [{ run, raw, oracle: oracles.get(run.session) }]
  }
  return new Map([...runs].map(([name, list]) => [name, list.flatMap(pair)]))
}

function filterPairs(pairs: Pairs, chosen: (run: SessionRun) => boolean): Pairs {
  // By the session as it was, so that every set has the same sessions.
  return new Map([...pairs].map(([name, list]) => [name, list.filter(({ raw }) => chosen(raw))]))
}

function summariseGroup(pairs: Pairs, rows: readonly PriceRow[], reference: number): GroupSummary {
  const raws = (pairs.get('raw') ?? []).map(({ raw }) => raw)
  const counts: GroupCounts = {
    sessions: raws.length,
    requests: sum(raws, ({ requests }) => requests),
    calibrated: raws.filter(({ isCalibrated }) => isCalibrated).length,
    timed: raws.filter(({ hasTimes }) => hasTimes).length,
  }
  return { ...counts, policySets: [...pairs].map(([name, list]) => summariseSet(name, list, rows, reference)) }
}

function summariseSet(name: string, pairs: readonly RunPair[], rows: readonly PriceRow[], reference: number): SetSummary {
  const prices = rows.map((row, index) => summarisePrice(row, index, pairs))
  const chosen = prices[reference]
  return {
    name,
    sessions: pairs.length,
    invalid: pairs.flatMap(({ run }) => {
      const gates = gatesOf(run)
      return gates.length === 0 ? [] : [{ session: run.session, gates }]
    }),
    prices,
    retention: chosen?.retention ?? sharesOf([]),
    peakChange: chosen?.peakChange ?? 0,
    hitRatio: chosen?.hitRatio ?? 0,
    latencyMs: latencyOf(pairs),
  }
}

function gatesOf({ bills, brokenGates = [] }: SessionRun): readonly GateName[] {
  return [...new Set([...brokenGates, ...bills.flatMap(({ retention }) => checkUserRules(retention))])]
}

function calibrationOf(all: readonly Calibration[]): CalibrationSums {
  const reported = all.filter(({ turns }) => turns > 0)
  const priced = reported.filter(({ recordedDollars }) => recordedDollars !== null)
  return {
    sessions: reported.length,
    turns: sum(reported, ({ turns }) => turns),
    reproduced: sum(reported, ({ reproduced }) => reproduced),
    recordedDollars: sum(priced, ({ recordedDollars }) => recordedDollars ?? 0),
    simulatedDollars: sum(priced, ({ simulatedDollars }) => simulatedDollars ?? 0),
  }
}

function latencyOf(pairs: readonly RunPair[]): SetSummary['latencyMs'] {
  const all = sorted(pairs.flatMap(({ run }) => run.latencies))
  return { p50: quantile(all, 0.5), p95: quantile(all, 0.95), p99: quantile(all, 0.99), max: quantile(all, 1) }
}
