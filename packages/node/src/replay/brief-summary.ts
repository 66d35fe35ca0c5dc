import { checkUserRules, type GateName } from './gates.ts'
import { sharesOf } from './needs/retention.ts'
import type { OwnAccount } from './own-account.ts'
import type { EntryPoint, OwnCase } from './own-case.ts'
import type { SessionOutcome } from './replay-job.ts'
import type { RetentionShares, SessionSummary, Unreadable } from './replay-summary.ts'
import type { SessionRun } from './session-run.ts'
import { changeOf, sum } from './statistics.ts'
import { billAt } from './summarise-price.ts'

/**
 * What sessions cost as recorded, and what they would have cost and lost in economy mode: dollars at API prices of each request's
 * model and day, and tokens as the provider counts.
 */
export interface BriefSummary extends BriefFigures {
  readonly configuration: string
  readonly pricesFrom: string
  readonly assumption: string
  /** Sessions that were found; fewer were replayed if the replay was stopped. */
  readonly found: number
  /** By agent, entry point, and whether the price is known. */
  readonly groups: readonly BriefGroup[]
  /** The five hours, in blocks as Claude Code's limits count them, in which its sessions cost the most; null if it has none. */
  readonly fullestBlock: BriefBlock | null
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
  /** Requests without a known price in sessions that have one. */
  readonly unpriced: number
  /** Requests whose usage the provider reported; that of others is estimated. */
  readonly reported: number
  readonly retention: RetentionShares
  readonly recalls: number
  readonly invalid: readonly { readonly session: string; readonly gates: readonly GateName[] }[]
}

export interface BriefCosts {
  readonly recorded: number
  /** In economy mode: the bill, and the bill with all recalls charged. */
  readonly economy: number
  readonly effective: number
  readonly effectiveChange: number
  /** Dollars that the edits of each policy saved, and what came on top: `recorded` minus the first plus the others is `effective`. */
  readonly saved: Readonly<Record<string, number>>
  readonly rewritten: number
  readonly recallTool: number
  readonly recalls: number
  /** Dollars for sub-agents and abandoned branches, which are not replayed and not part of the sums. */
  readonly elsewhere: number
}

export interface BriefGroup extends BriefFigures, Pick<OwnCase, 'agent' | 'entry' | 'isPriced'> {
  /** The models of its sessions as the logs name them, the most used first; and their price rows. */
  readonly models: readonly string[]
  readonly prices: readonly string[]
  /** The change of the effective bill; at the default price if that of the model is unknown. */
  readonly effectiveChange: number
}

interface BriefBlock {
  /** Milliseconds. */
  readonly start: number
  readonly recorded: number
  readonly effective: number
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
  const all = replayedCases(outcomes)
  const groups = Map.groupBy(all, ({ own: { agent, entry, isPriced } }) => JSON.stringify([agent, entry, isPriced]))
  return {
    ...rest,
    ...figuresOf(all),
    groups: [...groups.values()]
      .map((cases): BriefGroup => {
        const { agent, entry, isPriced } = (cases[0] as ReplayedCase).own
        const named = (name: (own: OwnCase) => string | null) =>
          [...Map.groupBy(cases, ({ own }) => name(own))]
            .toSorted((one, other) => other[1].length - one[1].length)
            .flatMap(([found]) => found ?? [])
        const [models, prices] = [named(({ model }) => model), named(({ price }) => price)]
        return { agent, entry, isPriced, models, prices, effectiveChange: costsOf(cases).effectiveChange, ...figuresOf(cases) }
      })
      .toSorted((one, other) => other.requests - one.requests),
    fullestBlock: fullestBlockOf(all.filter(({ own }) => own.agent === 'claude-code' && own.isPriced)),
    perSession: all.map((each) => {
      const { agent, entry, price, isPriced } = each.own
      const { session: name, requests, isCalibrated, hasTimes } = each.run
      const { recorded, economy, effective } = costsOf([each])
      const about = { name, agent, entry, price, isPriced, requests, isCalibrated, hasTimes }
      return { ...about, ...(each.mismatch === undefined ? {} : { mismatch: each.mismatch }), recorded, economy, effective }
    }),
  }
}

interface ReplayedCase {
  readonly own: OwnCase
  readonly run: SessionRun
  readonly account: OwnAccount
  readonly elsewhere: number
  readonly mismatch: BriefSession['mismatch'] | undefined
}

function replayedCases(outcomes: Iterable<SessionOutcome>): readonly ReplayedCase[] {
  return [...outcomes].flatMap(({ runs, own, calibration, elsewhere = 0, verdict }): readonly ReplayedCase[] => {
    const run = verdict ?? runs?.[0]
    if (own === undefined || run?.account === undefined || run.requests === 0) return []
    return [{ own, run, account: run.account, elsewhere, mismatch: calibration?.sent?.mismatch?.kind }]
  })
}

/** Dollars of these sessions, whether or not their prices are known. */
function costsOf(cases: readonly ReplayedCase[]): BriefCosts {
  const of = (amount: (account: OwnAccount) => number) => sum(cases, ({ account }) => amount(account))
  const saved: Record<string, number> = {}
  for (const { account } of cases)
    for (const [policy, dollars] of Object.entries(account.saved)) saved[policy] = (saved[policy] ?? 0) + dollars
  const [recorded, economy, recalls] = [
    of((one) => one.recorded.dollars),
    of((one) => one.shown.dollars),
    of((one) => one.recalls),
  ]
  return {
    recorded,
    economy,
    effective: economy + recalls,
    effectiveChange: changeOf(economy + recalls, recorded),
    saved,
    rewritten: of((one) => one.rewritten),
    recallTool: of((one) => one.recallTool),
    recalls,
    elsewhere: sum(cases, ({ elsewhere }) => elsewhere),
  }
}

function figuresOf(cases: readonly ReplayedCase[]): BriefFigures {
  const priced = cases.filter(({ own }) => own.isPriced)
  return {
    sessions: cases.length,
    requests: sum(cases, ({ run }) => run.requests),
    calibrated: cases.filter(({ run }) => run.isCalibrated).length,
    timed: cases.filter(({ run }) => run.hasTimes).length,
    dollars: priced.length === 0 ? null : costsOf(priced),
    tokens: {
      recorded: sum(cases, ({ account }) => account.recorded.tokens),
      economy: sum(cases, ({ account }) => account.shown.tokens),
    },
    unpriced: sum(priced, ({ account }) => account.unpriced),
    reported: sum(cases, ({ account }) => account.reported),
    retention: sharesOf(cases.map(({ run }) => billAt(run, 0).retention)),
    recalls: sum(cases, ({ account }) => account.recallCount),
    invalid: cases.flatMap(({ run: { session, brokenGates = [], bills } }) => {
      const gates = new Set([...brokenGates, ...bills.flatMap(({ retention }) => checkUserRules(retention))])
      return gates.size === 0 ? [] : [{ session, gates: [...gates] }]
    }),
  }
}

const blockHours = 5

/** A block starts with the hour of its first request and lasts five hours, in all sessions together. */
function fullestBlockOf(cases: readonly ReplayedCase[]): BriefBlock | null {
  const hours = cases.flatMap(({ account }) => account.hours).toSorted(([one], [other]) => one - other)
  const blocks: { readonly start: number; recorded: number; effective: number }[] = []
  for (const [hour, recorded, effective] of hours) {
    let block = blocks.at(-1)
    if (block === undefined || hour >= block.start + blockHours) {
      block = { start: hour, recorded: 0, effective: 0 }
      blocks.push(block)
    }
    block.recorded += recorded
    block.effective += effective
  }
  const [fullest] = blocks.toSorted((one, other) => other.recorded - one.recorded)
  return fullest === undefined ? null : { ...fullest, start: fullest.start * 3_600_000 }
}
