import type { Calibration } from './bill/calibrate.ts'
import type { PriceRow } from './bill/price-rows.ts'
import { checkUserRules, type GateName } from './gates.ts'
import { sharesOf } from './needs/retention.ts'
import type {
  CalibrationSums,
  GroupCounts,
  GroupSummary,
  ReplaySummary,
  SessionSummary,
  SetSummary,
  StratumName,
  TierName,
} from './replay-summary.ts'
import type { SessionRun } from './session-run.ts'
import { changeOf, quantile, sorted, sum } from './statistics.ts'
import { billAt, costOf, type RunPair, summarisePrice } from './summarise-price.ts'

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

/** The runs of each policy set, with those they are compared with. */
type Pairs = ReadonlyMap<string, readonly RunPair[]>

/** Where a session of so many requests belongs. */
function stratumOf(requests: number): StratumName {
  if (requests > 100) return '>100'
  return requests >= 20 ? '20-100' : '<20'
}

/** What every policy set did with each session, at the general price rows, or all where there are none of those. */
function summariseSessions(
  pairs: Pairs,
  rows: readonly PriceRow[],
  reference: number,
  calibrations: ReadonlyMap<string, Calibration>,
): readonly SessionSummary[] {
  const general = rows.flatMap((row, index) => (row.name.startsWith('r.') ? [index] : []))
  const chosen = general.length > 0 ? general : [...rows.keys()]
  const bySession = new Map([...pairs].map(([name, list]) => [name, new Map(list.map((pair) => [pair.run.session, pair]))]))
  return (pairs.get('raw') ?? []).map(({ run: { session, requests, isCalibrated, hasTimes } }) => ({
    name: session,
    stratum: stratumOf(requests),
    requests,
    isCalibrated,
    hasTimes,
    calibration: sessionCalibration(calibrations.get(session)),
    ...mismatchOf(calibrations.get(session)),
    policySets: [...bySession].flatMap(([name, sessions]) => {
      const pair = sessions.get(session)
      if (pair === undefined) return []
      const { inView } = sharesOf([billAt(pair.run, reference).retention])
      return [{ name, inView, prices: chosen.map((index) => priceOf(pair, rows[index] as PriceRow, index)) }]
    }),
  }))
}

function sessionCalibration(known: Calibration | undefined): SessionSummary['calibration'] {
  return known === undefined || known.turns === 0 ? null : { turns: known.turns, reproduced: known.reproduced }
}

function mismatchOf(known: Calibration | undefined): Pick<SessionSummary, 'mismatch'> {
  const mismatch = known?.sent?.mismatch ?? null
  return mismatch === null ? {} : { mismatch: mismatch.kind }
}

function priceOf(
  { run, raw }: RunPair,
  { name }: PriceRow,
  index: number,
): SessionSummary['policySets'][number]['prices'][number] {
  const bill = billAt(run, index)
  const cost = costOf(bill)
  const base = costOf(billAt(raw, index))
  return { model: name, bill: cost, change: changeOf(cost, base), effectiveChange: changeOf(cost + bill.recalls, base) }
}
