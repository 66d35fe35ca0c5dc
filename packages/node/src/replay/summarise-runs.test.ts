import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharesOf } from './needs/retention.ts'
import type { PriceSummary, ReplaySummary } from './replay-summary.ts'
import type { SessionRun } from './session-run.ts'
import { summariseRuns } from './summarise-runs.ts'
import { makeBill, makeRow, makeRun } from './testing/made-runs.ts'

const rows = [makeRow('r.10', 0.1), makeRow('r.05')]

function summarise(runs: Readonly<Record<string, readonly SessionRun[]>>, priceRows = rows): ReplaySummary {
  const rest = { configuration: 'abc', pricesFrom: '2026-11-15', assumption: 'as recorded', unreadable: [] }
  // A replay has a bill for each row; bills that a test does not give are empty.
  const filled = (run: SessionRun) => ({ ...run, bills: priceRows.map((_, index) => run.bills[index] ?? makeBill()) })
  const all = new Map(Object.entries(runs).map(([name, list]) => [name, list.map(filled)]))
  return summariseRuns({ runs: all, rows: priceRows, ...rest })
}

function priceAt(summary: Pick<ReplaySummary, 'policySets'>, set: string, row = 0): PriceSummary {
  return summary.policySets.find(({ name }) => name === set)?.prices[row] as PriceSummary
}

describe('summariseRuns', () => {
  it('sums and then divides, so that a long session counts for more than a short one', () => {
    const summary = summarise({
      raw: [makeRun('a', [{ read: 90 }]), makeRun('b', [{ read: 10 }])],
      economy: [makeRun('a', [{ read: 45 }]), makeRun('b', [{ read: 15 }])],
    })
    expect(priceAt(summary, 'economy')).toMatchObject({
      model: 'r.10',
      cachedReadMultiple: 0.1,
      bill: 60,
      change: 0.6 - 1,
      worstSessionChange: 0.5,
      worstSession: 'b',
      medianChange: 0,
      worstDecileChange: 0.5,
    })
    expect(priceAt(summary, 'raw')).toMatchObject({ bill: 100, change: 0, effectiveChange: 0, worstSessionChange: 0 })
  })

  it('charges recalls only in the effective bill, also at two and five requests each', () => {
    const summary = summarise({
      raw: [makeRun('a', [{ read: 100 }])],
      economy: [makeRun('a', [{ read: 40, write: 10, fresh: 5, output: 5, summaries: 6, keepAlive: 4, recalls: 10 }])],
    })
    const price = priceAt(summary, 'economy')
    expect(price.bill).toBe(70)
    expect(price.effective).toBe(80)
    expect(price.split).toEqual({ read: 40, write: 10, fresh: 5, output: 5, summaries: 6, keepAlive: 4, recalls: 10 })
    expect(price.sensitivity['1']).toBeCloseTo(-0.2)
    expect(price.sensitivity['2']).toBeCloseTo(-0.1)
    expect(price.sensitivity['5']).toBeCloseTo(0.2)
  })

  it.each([
    ['as good as hindsight', 60, 0],
    ['half way', 80, 0.5],
    ['as raw', 100, 1],
    ['more expensive than raw', 120, 1.5],
  ])('returns the distance from hindsight as regret: %s', (_name, cost, regret) => {
    const summary = summarise({
      raw: [makeRun('a', [{ read: 100 }])],
      economy: [makeRun('a', [{ read: cost }])],
      oracle: [makeRun('a', [{ read: 60 }])],
    })
    expect(priceAt(summary, 'economy').regret).toBeCloseTo(regret)
  })

  it('returns no regret without an oracle', () => {
    expect(priceAt(summarise({ raw: [makeRun('a', [{ read: 1 }])] }), 'raw').regret).toBeNull()
  })

  it('copies the figures of the reference row to the set', () => {
    const retention = { needs: 10, inView: 7, byHandle: 2, byQuery: 1, edits: 4, editsWhole: 3 }
    const bill = { readTokens: 80, promptTokens: 100, peak: 50, retention }
    const summary = summarise({
      raw: [makeRun('a', [{ peak: 100 }, { peak: 100 }])],
      economy: [makeRun('a', [{}, bill], { latencies: [3, 1, 2, 100] })],
    })
    expect(summary.reference).toBe('r.05')
    expect(summary.policySets[1]).toMatchObject({
      name: 'economy',
      sessions: 1,
      retention: { needs: 10, inView: 0.7, reachable: 0.9, byQuery: 0.1, lost: 0, edits: 4, editsWhole: 0.75 },
      peakChange: -0.5,
      hitRatio: 0.8,
      latencyMs: { p50: 2, p95: 100, p99: 100, max: 100 },
    })
  })

  it('counts faults per hundred requests, thrash, pressure and the hidden share of results', () => {
    const one = { retention: { recalls: 6, recalled: 4, recalledAgain: 1 }, above: [60, 30, 0] as const }
    const tokens = { rewrittenTokens: 7, resultTokens: 100, resultTokensShown: 40, promptTokens: 50, peak95: 80 }
    const summary = summarise({
      raw: [makeRun('a', [{ promptTokens: 100, peak95: 100 }])],
      economy: [makeRun('a', [{ ...one, ...tokens }])],
    })
    expect(priceAt(summary, 'economy')).toMatchObject({
      faultsPer100Requests: 5,
      thrash: 0.25,
      above: { '100k': 0.5, '200k': 0.25, '272k': 0 },
      rewrittenTokens: 7,
      resultTokensRemoved: 0.6,
      tokensChange: -0.5,
      peak95Change: expect.closeTo(-0.2),
    })
  })

  it('separates sessions by length and kind', () => {
    const kinds = [
      makeRun('long', [{ read: 1 }], { requests: 101 }),
      makeRun('middle', [{ read: 1 }], { requests: 100, isCalibrated: false }),
      makeRun('less', [{ read: 1 }], { requests: 20, hasTimes: false, isCalibrated: false }),
      makeRun('short', [{ read: 1 }], { requests: 19, hasTimes: false }),
    ]
    const { strata, tiers, ...all } = summarise({ raw: kinds })
    expect({ ...all, policySets: [] }).toMatchObject({ sessions: 4, requests: 240, calibrated: 2, timed: 2 })
    expect(strata.map(({ name, sessions, requests }) => [name, sessions, requests])).toEqual([
      ['>100', 1, 101],
      ['20-100', 2, 120],
      ['<20', 1, 19],
    ])
    expect(tiers.map(({ name, sessions, calibrated }) => [name, sessions, calibrated])).toEqual([
      ['calibrated', 2, 2],
      ['timed', 2, 1],
      ['untimed', 2, 1],
    ])
    expect(strata.map(({ policySets }) => policySets[0]?.sessions)).toEqual([1, 2, 1])
  })

  it('counts a session only if it was also run raw', () => {
    const summary = summarise({ raw: [makeRun('a', [{ read: 10 }])], economy: [makeRun('b', [{ read: 1 }])] })
    expect(summary.policySets.map(({ name, sessions }) => [name, sessions])).toEqual([
      ['raw', 1],
      ['economy', 0],
    ])
    expect(priceAt(summary, 'economy')).toMatchObject({ bill: 0, change: 0, worstSession: null, changeInterval: null })
  })

  it('names the sessions in which a gate was not passed', () => {
    const run = makeRun('a', [{ read: 1 }], { brokenGates: ['prefix'] })
    expect(summarise({ raw: [makeRun('a', [{ read: 2 }])], economy: [run] }).policySets[1]?.invalid).toEqual([
      { session: 'a', gates: ['prefix'] },
    ])
  })

  it('returns numbers for no sessions, no rows and empty bills', () => {
    const none = [
      summarise({}),
      summarise({ raw: [] }),
      summarise({ raw: [makeRun('a', [])] }, []),
      summarise({ raw: [makeRun('a', [{}])] }),
    ]
    for (const summary of none) expect(JSON.stringify(summary)).not.toMatch(/NaN|Infinity/)
    expect(none[3]?.policySets[0]?.retention).toEqual(sharesOf([]))
    for (const price of none[3]?.policySets[0]?.prices ?? []) {
      for (const value of Object.values(price)) if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite)
    }
  })

  it('agrees with sums made one by one, whatever was run', () => {
    const cost = fc.integer({ min: 0, max: 1000 })
    const bill = fc.record({
      read: cost,
      write: cost,
      fresh: cost,
      output: cost,
      summaries: cost,
      keepAlive: cost,
      recalls: cost,
    })
    const session = fc.record({ raw: bill, other: bill, requests: fc.integer({ min: 1, max: 300 }) })
    const reached = { higher: 0, lower: 0, long: 0 }
    fc.assert(
      fc.property(fc.array(session, { maxLength: 12 }), (sessions) => {
        const runs = (of: 'raw' | 'other') =>
          sessions.map((one, index) => makeRun(`s${index}`, [one[of]], { requests: one.requests }))
        const summary = summarise({ raw: runs('raw'), other: runs('other') }, [makeRow('r.10')])
        const groups = [
          { group: summary, from: 0, to: 1000 },
          { group: summary.strata[0], from: 101, to: 1000 },
        ]
        for (const { group, from, to } of groups) {
          let base = 0
          let cost = 0
          let recalls = 0
          for (const { raw, other, requests } of sessions) {
            if (requests < from || requests > to) continue
            for (const key of ['read', 'write', 'fresh', 'output', 'summaries', 'keepAlive'] as const) {
              base += raw[key]
              cost += other[key]
            }
            recalls += other.recalls
          }
          const price = priceAt(group as ReplaySummary, 'other')
          expect(price.bill).toBe(cost)
          expect(price.effective).toBe(cost + recalls)
          expect(price.change).toBe(base === 0 ? 0 : cost / base - 1)
          if (price.change > 0) reached.higher += 1
          if (price.change < 0) reached.lower += 1
          if (from > 0 && cost > 0) reached.long += 1
          const split = Object.values(price.split).reduce((all, part) => all + part, 0)
          expect(split).toBe(price.effective)
        }
      }),
    )
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(10)
  })
})

describe('sharesOf', () => {
  it('adds counts of classes before it divides', () => {
    const first = makeBill({ retention: { classes: { path: { needs: 1, inView: 1 } } } }).retention
    const second = makeBill({
      retention: { classes: { path: { needs: 3, inView: 0 }, symbol: { needs: 0, inView: 0 } } },
    }).retention
    expect(sharesOf([first, second]).classes).toEqual({ path: { needs: 4, inView: 0.25 }, symbol: { needs: 0, inView: 1 } })
  })
})
