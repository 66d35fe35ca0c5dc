import type { Calibration } from './bill/calibrate.ts'
import type { PriceRow } from './price-row.ts'
import type { SessionSummary, StratumName } from './replay-summary.ts'
import { sharesOf } from './retention-shares.ts'
import { changeOf } from './statistics.ts'
import { billAt, costOf, type RunPair } from './summarise-price.ts'

/** The runs of each policy set, with those they are compared with. */
export type Pairs = ReadonlyMap<string, readonly RunPair[]>

/** Where a session of so many requests belongs. */
export function stratumOf(requests: number): StratumName {
  if (requests > 100) return '>100'
  return requests >= 20 ? '20-100' : '<20'
}

/** What every policy set did with each session, at the general price rows, or all where there are none of those. */
export function summariseSessions(
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
    calibration: calibrationOf(calibrations.get(session)),
    ...mismatchOf(calibrations.get(session)),
    policySets: [...bySession].flatMap(([name, sessions]) => {
      const pair = sessions.get(session)
      if (pair === undefined) return []
      const { inView } = sharesOf([billAt(pair.run, reference).retention])
      return [{ name, inView, prices: chosen.map((index) => priceOf(pair, rows[index] as PriceRow, index)) }]
    }),
  }))
}

function calibrationOf(known: Calibration | undefined): SessionSummary['calibration'] {
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
