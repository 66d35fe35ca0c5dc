import type { Calibration } from './bill/calibrate.ts'
import type { PriceRow } from './bill/price-rows.ts'
import { checkUserRules } from './gates.ts'
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

interface SummaryInput extends Pick<ReplaySummary, 'configuration' | 'pricesFrom' | 'assumption' | 'unreadable'> {
  /** By the name of the policy set. Only sessions that the set `raw` ran count; everything is compared with it. */
  readonly runs: ReadonlyMap<string, readonly SessionRun[]>
  readonly rows: readonly PriceRow[]
  /** The calibration of each session, by its name. Default: unknown. */
  readonly calibrations?: ReadonlyMap<string, Calibration>
}

/** Adds up the runs of policy sets over all sessions, and by their length and kind. */
export function summariseRuns({ runs, rows, calibrations = new Map(), ...rest }: SummaryInput): ReplaySummary {
  const reference = Math.max(0, rows.map(({ name }) => name).indexOf('r.05'))
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
    tiers: (Object.keys(tiers) as TierName[]).map((name) => ({ name, ...group(tiers[name]) })),
    calibration: calibrationOf([...calibrations.values()]),
    perSession: summariseSessions(all, rows, reference, calibrations),
    unreadable,
  }
}

function pairRuns(runs: SummaryInput['runs']): Pairs {
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
  // By the raw session, so that every set has the same sessions.
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
    invalid: pairs.flatMap(({ run: { session, bills, brokenGates = [] } }) => {
      const gates = new Set([...brokenGates, ...bills.flatMap(({ retention }) => checkUserRules(retention))])
      return gates.size === 0 ? [] : [{ session, gates: [...gates] }]
    }),
    prices,
    retention: chosen?.retention ?? sharesOf([]),
    peakChange: chosen?.peakChange ?? 0,
    hitRatio: chosen?.hitRatio ?? 0,
    latencyMs: latencyOf(pairs),
  }
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

type Pairs = ReadonlyMap<string, readonly RunPair[]>

function stratumOf(requests: number): StratumName {
  if (requests > 100) return '>100'
  return requests >= 20 ? '20-100' : '<20'
}

/** Each session under every policy set, at the general price rows, or at all if there are none of those. */
function summariseSessions(
  pairs: Pairs,
  rows: readonly PriceRow[],
  reference: number,
  calibrations: ReadonlyMap<string, Calibration>,
): readonly SessionSummary[] {
  const general = rows.flatMap((row, index) => (row.name.startsWith('r.') ? [index] : []))
  const chosen = general.length > 0 ? general : [...rows.keys()]
  const bySession = new Map([...pairs].map(([name, list]) => [name, new Map(list.map((pair) => [pair.run.session, pair]))]))
  return (pairs.get('raw') ?? []).map(({ run: { session, requests, isCalibrated, hasTimes } }) => {
    const { turns = 0, reproduced = 0, sent = null } = calibrations.get(session) ?? {}
    return {
      name: session,
      stratum: stratumOf(requests),
      requests,
      isCalibrated,
      hasTimes,
      calibration: turns === 0 ? null : { turns, reproduced },
      ...(sent?.mismatch == null ? {} : { mismatch: sent.mismatch.kind }),
      policySets: [...bySession].flatMap(([name, sessions]) => {
        const pair = sessions.get(session)
        if (pair === undefined) return []
        const { inView } = sharesOf(pair.run.bills.slice(reference, reference + 1).map(({ retention }) => retention))
        return [{ name, inView, prices: chosen.map((index) => priceOf(pair, rows[index] as PriceRow, index)) }]
      }),
    }
  })
}

function priceOf({ run, raw }: RunPair, { name }: PriceRow, index: number) {
  const bill = billAt(run, index)
  const cost = costOf(bill)
  const base = costOf(billAt(raw, index))
  return { model: name, bill: cost, change: changeOf(cost, base), effectiveChange: changeOf(cost + bill.recalls, base) }
}
