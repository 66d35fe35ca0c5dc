import type { GateName } from '../gates.ts'
import type { ReplaySummary, Unreadable } from '../replay-summary.ts'
import { summariseRuns } from '../summarise-runs.ts'
import { type MadeBill, makeRow, makeRun } from './made-runs.ts'

/** The parts of a summary that matter to a test. */
export interface MadeSummary {
  readonly sessions?: readonly (readonly [name: string, requests: number])[]
  readonly rows?: readonly string[]
  readonly unreadable?: readonly Unreadable[]
  /** Gates that the set `spec-immediate` does not pass. */
  readonly broken?: readonly GateName[]
}

const costs: Readonly<Record<string, number>> = {
  raw: 1,
  'spec-immediate': 1.44,
  spec: 0.92,
  economy: 0.83,
  'economy-keep-alive': 0.75,
  'rolling-mask-10': 1.32,
  oracle: 0.67,
  'no-tool-output': 0.64,
}

/** A summary of invented sessions: every set costs a multiple of raw. */
export function makeSummary({
  sessions = [
    ['a.jsonl', 200],
    ['b.jsonl', 150],
    ['c.jsonl', 50],
  ],
  ...given
}: MadeSummary = {}): ReplaySummary {
  const rows = (
    given.rows ?? ['r.10', 'r.05', 'r.025', 'r.05-1h', 'r.05-warm', 'claude-opus-5.5', 'gemini-4-argon-uncached']
  ).map((name) => makeRow(name))
  const runs = Object.entries(costs).map(([name, cost]) => {
    const bill: MadeBill = {
      read: 50 * cost,
      write: 30 * cost,
      output: 20 * cost,
      recalls: name === 'raw' ? 0 : 3,
      readTokens: 90,
      promptTokens: 100,
      peak: 1000 * cost,
      retention: { needs: 100, inView: name === 'raw' ? 100 : 96, byHandle: name === 'raw' ? 0 : 4, edits: 10, editsWhole: 9 },
    }
    const broken = name === 'spec-immediate' && given.broken !== undefined ? { brokenGates: given.broken } : {}
    return [
      name,
      sessions.map(([session, requests]) =>
        makeRun(
          session,
          rows.map(() => bill),
          { requests, ...broken },
        ),
      ),
    ] as const
  })
  return summariseRuns({
    runs: new Map(runs),
    rows,
    configuration: '0123456789ab',
    pricesFrom: '2026-11-15',
    assumption: 'as recorded',
    unreadable: given.unreadable ?? [],
  })
}
