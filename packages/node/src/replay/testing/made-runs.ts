import type { PriceRow } from '../bill/price-rows.ts'
import type { Bill, Retention, SessionRun } from '../session-run.ts'

/** The fields of a bill that matter to a test. */
export type MadeBill = Partial<Omit<Bill, 'retention'>> & { readonly retention?: Partial<Retention> }

/** A bill with zeros for everything that is not given. */
export function makeBill({ retention = {}, ...given }: MadeBill = {}): Bill {
  return {
    read: 0,
    write: 0,
    fresh: 0,
    output: 0,
    summaries: 0,
    keepAlive: 0,
    recalls: 0,
    readTokens: 0,
    promptTokens: 0,
    rewrittenTokens: 0,
    peak: 0,
    peak95: 0,
    above: [0, 0, 0],
    retention: {
      needs: 0,
      inView: 0,
      byHandle: 0,
      byQuery: 0,
      lost: 0,
      checked: { needs: 0, inView: 0 },
      edits: 0,
      editsWhole: 0,
      recalls: 0,
      recalled: 0,
      recalledAgain: 0,
      classes: {},
      ...retention,
    },
    resultTokens: 0,
    resultTokensShown: 0,
    ...given,
  }
}

/** A run of a session; by default of 120 requests, calibrated and timed. */
export function makeRun(session: string, bills: readonly MadeBill[], given: Partial<Omit<SessionRun, 'bills'>> = {}): SessionRun {
  return {
    session,
    requests: 120,
    isCalibrated: true,
    hasTimes: true,
    latencies: [1],
    ...given,
    bills: bills.map(makeBill),
  }
}

/** A price row of which only the name and the price of a cached read matter. */
export function makeRow(name: string, read = 0.05): PriceRow {
  return {
    name,
    input: 4,
    output: 20,
    read: 4 * read,
    write: 5,
    longPrompt: null,
    rules: { match: 'longest-prefix', minPrefix: 0, lifetimeSeconds: 300, step: 1 },
    terms: { read, write: 1.25, lifetimeSeconds: 300 },
    isWarm: false,
  }
}
