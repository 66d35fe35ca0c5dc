import type { GateName } from './gates.ts'

/** What a replay found: the answer of `plimsoll replay --json`. Changes are fractions of raw, −0.25 for a quarter less. */
export interface ReplaySummary extends GroupCounts {
  /** Names the settings under which everything was run: the same for all sessions. */
  readonly configuration: string
  /** The day of the prices. */
  readonly pricesFrom: string
  /** What is taken for granted, in one sentence. */
  readonly assumption: string
  /** The price row behind everything that is said once for a policy set. */
  readonly reference: string | null
  readonly policySets: readonly SetSummary[]
  /** The same for sessions with more than 100 requests, 20 to 100, and fewer. */
  readonly strata: readonly (GroupSummary & { readonly name: StratumName })[]
  /** The same for sessions whose cache is simulated as the provider's was, and for those whose log has times and has none. */
  readonly tiers: readonly (GroupSummary & { readonly name: TierName })[]
  /** How well a simulated cache foretells what providers reported, over all sessions they reported on. */
  readonly calibration: CalibrationSums
  /** Each session by itself, at the rows that replays are judged by. */
  readonly perSession: readonly SessionSummary[]
  readonly unreadable: readonly Unreadable[]
}

/** How many reports were foretold, and what they come to. */
export interface CalibrationSums {
  /** Sessions with reports. */
  readonly sessions: number
  /** Requests that could be foretold, and those that read what was foretold, or more. */
  readonly turns: number
  readonly reproduced: number
  /** Of requests with a known price, as reported and as foretold. */
  readonly recordedDollars: number
  readonly simulatedDollars: number
}

/** What policy sets did with one session. */
export interface SessionSummary {
  readonly name: string
  readonly stratum: StratumName
  readonly requests: number
  readonly isCalibrated: boolean
  readonly hasTimes: boolean
  /** Requests whose cache could be foretold, and those in which it was; null where nothing is known of it. */
  readonly calibration: { readonly turns: number; readonly reproduced: number } | null
  /** Set if the provider's reports do not fit the messages that were read, so that the session shows little about costs. */
  readonly mismatch?: 'sent-too-much' | 'sent-too-little'
  readonly policySets: readonly {
    readonly name: string
    readonly inView: number
    readonly prices: readonly {
      readonly model: string
      readonly bill: number
      readonly change: number
      readonly effectiveChange: number
    }[]
  }[]
}

/** Sessions by their number of requests. */
export type StratumName = '>100' | '20-100' | '<20'

/** Sessions by how far their bill can be relied on. */
export type TierName = 'calibrated' | 'timed' | 'untimed'

/** How many sessions there are, of which kind. */
export interface GroupCounts {
  readonly sessions: number
  readonly requests: number
  /** Sessions in which the simulated cache reads what the provider's did in at least 95 of 100 requests. */
  readonly calibrated: number
  /** Sessions whose log says when things happened. */
  readonly timed: number
}

/** Some of the sessions. */
export interface GroupSummary extends GroupCounts {
  readonly policySets: readonly SetSummary[]
}

/** What one policy set did. What depends on prices is said for the reference row, and for each row in `prices`. */
export interface SetSummary {
  readonly name: string
  readonly sessions: number
  /** Sessions in which a gate was not passed: with any, what the set saved does not count. */
  readonly invalid: readonly { readonly session: string; readonly gates: readonly GateName[] }[]
  readonly prices: readonly PriceSummary[]
  readonly retention: RetentionShares
  readonly peakChange: number
  /** The share of what was sent that was read from the cache. */
  readonly hitRatio: number
  /** What it took to decide about one request. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number }
}

/** What one policy set did to the bill at one price row. Dollars are sums over all sessions. */
export interface PriceSummary {
  /** The name of the row. */
  readonly model: string
  readonly cachedReadMultiple: number
  readonly writeMultiple: number
  readonly bill: number
  readonly change: number
  /** The bill with everything charged that had to be had back. */
  readonly effective: number
  readonly effectiveChange: number
  /** The largest change of the bill of a session, and which session that is. */
  readonly worstSessionChange: number
  readonly worstSession: string | null
  readonly medianChange: number
  readonly medianEffectiveChange: number
  /** What the change of nine of ten sessions stays below or at. */
  readonly worstDecileChange: number
  readonly worstDecileEffectiveChange: number
  /** Where 95 of 100 draws of as many sessions lie. */
  readonly changeInterval: readonly [low: number, high: number] | null
  readonly effectiveChangeInterval: readonly [low: number, high: number] | null
  /** How far the effective bill is from what hindsight reaches: 0 as good, 1 as raw. Null without an oracle. */
  readonly regret: number | null
  readonly split: BillSplit
  /** The effective change where getting something back takes so many recalls. */
  readonly sensitivity: { readonly '1': number; readonly '2': number; readonly '5': number }
  readonly retention: RetentionShares
  readonly peakChange: number
  readonly peak95Change: number
  /** The change of all tokens ever sent. */
  readonly tokensChange: number
  readonly hitRatio: number
  readonly rewrittenTokens: number
  /** Shares of requests with more than so many tokens. */
  readonly above: { readonly '100k': number; readonly '200k': number; readonly '272k': number }
  readonly faultsPer100Requests: number
  /** The share of what was had back that was had back more than once. */
  readonly thrash: number
  /** The share of the tokens of tool results that is not shown. */
  readonly resultTokensRemoved: number
}

/** Dollars by what they were paid for. */
export interface BillSplit {
  readonly read: number
  readonly write: number
  readonly fresh: number
  readonly output: number
  readonly summaries: number
  readonly keepAlive: number
  readonly recalls: number
}

/**
 * What became of what was needed of tools later: a count, and shares of it. Where nothing was needed, all of it is in view. What
 * people asked for is counted in its class alone.
 */
export interface RetentionShares {
  readonly needs: number
  readonly inView: number
  /** In view or by a handle in view. */
  readonly reachable: number
  readonly byQuery: number
  readonly lost: number
  /** Edits with anchors, and the share of them with every anchor in view. */
  readonly edits: number
  readonly editsWhole: number
  /** The share in view for each class of needs. */
  readonly classes: Readonly<Record<string, { readonly needs: number; readonly inView: number }>>
}

/** A file that could not be read, or not all of it. */
export interface Unreadable {
  readonly path: string
  readonly reason: string
  /** How many entries of it; without it, the whole file or session. */
  readonly entries?: number
}
