import type { GateName } from './gates.ts'

/** The answer of `plimsoll replay --json`. Changes are fractions of raw, −0.25 for a quarter less. */
export interface ReplaySummary extends GroupCounts {
  /** Identifies the settings of the run, which are the same for all sessions. */
  readonly configuration: string
  readonly pricesFrom: string
  /** The assumption of all figures, in one sentence. */
  readonly assumption: string
  /** The price row of the figures that are not given for each row. */
  readonly reference: string | null
  readonly policySets: readonly SetSummary[]
  /** The same for sessions with more than 100 requests, 20 to 100, and fewer. */
  readonly strata: readonly (GroupSummary & { readonly name: StratumName })[]
  /** The same for sessions with a calibrated cache, and for those whose log has times and has none. */
  readonly tiers: readonly (GroupSummary & { readonly name: TierName })[]
  /** How well a simulated cache predicts what providers reported, over all sessions they reported on. */
  readonly calibration: CalibrationSums
  /** Each session, at the rows that replays are judged by. */
  readonly perSession: readonly SessionSummary[]
  readonly unreadable: readonly Unreadable[]
}

export interface CalibrationSums {
  readonly sessions: number
  /** Requests that could be predicted, and those that read as much as predicted, or more. */
  readonly turns: number
  readonly reproduced: number
  /** The cost of requests with a known price, as reported and as predicted. */
  readonly recordedDollars: number
  readonly simulatedDollars: number
}

export interface SessionSummary {
  readonly name: string
  readonly stratum: StratumName
  readonly requests: number
  readonly isCalibrated: boolean
  readonly hasTimes: boolean
  /** Requests whose cache could be predicted, and those in which the prediction was right. */
  readonly calibration: { readonly turns: number; readonly reproduced: number } | null
  /** Set if the provider's reports do not fit the messages that were read: such a session proves little about costs. */
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

export type StratumName = '>100' | '20-100' | '<20'

export type TierName = 'calibrated' | 'timed' | 'untimed'

export interface GroupCounts {
  readonly sessions: number
  readonly requests: number
  /** Sessions in which the simulated cache agrees with the provider's in at least 95 of 100 requests. */
  readonly calibrated: number
  readonly timed: number
}

export interface GroupSummary extends GroupCounts {
  readonly policySets: readonly SetSummary[]
}

/** Figures that depend on prices are for the reference row, and for each row in `prices`. */
export interface SetSummary {
  readonly name: string
  readonly sessions: number
  /** Sessions in which a gate was not passed: with any, the savings of the set do not count. */
  readonly invalid: readonly { readonly session: string; readonly gates: readonly GateName[] }[]
  readonly prices: readonly PriceSummary[]
  readonly retention: RetentionShares
  readonly peakChange: number
  /** The share of sent tokens that was read from the cache. */
  readonly hitRatio: number
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number }
}

/** Dollars are sums over all sessions. */
export interface PriceSummary {
  readonly model: string
  readonly cachedReadMultiple: number
  readonly writeMultiple: number
  readonly bill: number
  readonly change: number
  /** The bill with all recalls charged. */
  readonly effective: number
  readonly effectiveChange: number
  /** The largest change of a session's bill, and that session. */
  readonly worstSessionChange: number
  readonly worstSession: string | null
  readonly medianChange: number
  readonly medianEffectiveChange: number
  /** The change that nine of ten sessions do not exceed. */
  readonly worstDecileChange: number
  readonly worstDecileEffectiveChange: number
  /** The interval of 95 of 100 random draws of the sessions. */
  readonly changeInterval: readonly [low: number, high: number] | null
  readonly effectiveChangeInterval: readonly [low: number, high: number] | null
  /** Distance of the effective bill from the oracle's: 0 is the oracle, 1 is raw. Null without an oracle. */
  readonly regret: number | null
  readonly split: BillSplit
  /** The effective change if each recall takes this many requests. */
  readonly sensitivity: { readonly '1': number; readonly '2': number; readonly '5': number }
  readonly retention: RetentionShares
  readonly peakChange: number
  readonly peak95Change: number
  readonly tokensChange: number
  readonly hitRatio: number
  readonly rewrittenTokens: number
  readonly above: { readonly '100k': number; readonly '200k': number; readonly '272k': number }
  readonly faultsPer100Requests: number
  /** The share of recalled results that were recalled more than once. */
  readonly thrash: number
  /** The share of the tokens of tool results that is not shown. */
  readonly resultTokensRemoved: number
}

/** The parts of a bill, in the order in which they are shown. */
export const billParts = ['read', 'write', 'fresh', 'output', 'summaries', 'keepAlive', 'recalls'] as const

export type BillSplit = Readonly<Record<(typeof billParts)[number], number>>

/** Shares of later uses of tool output; 1 in view if there are none. Users' text is counted in its class only. */
export interface RetentionShares {
  readonly needs: number
  /** The needs that could not have been guessed, and the share of them in view. */
  readonly checked: { readonly needs: number; readonly inView: number }
  readonly inView: number
  readonly reachable: number
  readonly byQuery: number
  readonly lost: number
  /** Edits with anchors, and the share of them with every anchor in view. */
  readonly edits: number
  readonly editsWhole: number
  readonly classes: Readonly<Record<string, { readonly needs: number; readonly inView: number }>>
}

export interface Unreadable {
  readonly path: string
  readonly reason: string
  /** The number of entries; if missing, the file or session as a whole. */
  readonly entries?: number
}
