import { type Message, resultText, type Tokenizer } from '@plimsoll/core'
import { createCacheBill } from './bill/cache-bill.ts'
import type { PriceRow } from './bill/price-rows.ts'
import { createRecallCharges } from './bill/recall-charges.ts'
import { createGates, type GateName } from './gates.ts'
import { createJudge } from './needs/judge-needs.ts'
import type { Need } from './needs/need.ts'
import { createRetentionCount } from './needs/retention.ts'
import { createOwnAccount, type OwnAccount, type PriceOfStep } from './own-account.ts'
import { type PolicySet, sessionFor } from './policy-sets.ts'
import type { RecordedSession } from './record-session.ts'
import { isRewritten, type ReplayedStep, replaySteps, termsOf } from './replay-steps.ts'
import type { Bill, SessionRun } from './session-run.ts'
import { sum } from './statistics.ts'

export interface ReplaySessionInput {
  readonly session: RecordedSession
  readonly needs: readonly Need[]
  readonly set: PolicySet
  readonly rows: readonly PriceRow[]
  readonly tokens: Tokenizer
  readonly isCalibrated: boolean
  readonly withPrompts?: boolean
  /** If given, both sides are added up at these prices too, in a run of their own with the first row. */
  readonly priceOf?: PriceOfStep | undefined
  /** Called after each request. */
  readonly stepped?: () => void
}

/** Replays a recorded session under a policy set, and adds up its cost at each price row. */
export function replaySession(input: ReplaySessionInput): SessionRun {
  const { session, rows, set } = input
  const bills = new Map<PriceRow, Bill>()
  const prompts = new Map<PriceRow, readonly number[]>()
  const latencies: number[] = []
  const gates = new Set<GateName>()
  let account: OwnAccount | undefined
  for (const group of groupsOf(rows, set, input.priceOf !== undefined)) {
    const run = runGroup(input, group, account === undefined ? input.priceOf : undefined)
    account ??= run.account
    for (const [index, row] of group.entries()) {
      bills.set(row, run.bills[index] as Bill)
      prompts.set(row, run.prompts)
    }
    for (const latency of run.latencies) latencies.push(latency)
    for (const gate of run.gates) gates.add(gate)
  }
  return {
    session: session.name,
    requests: session.steps.length,
    isCalibrated: input.isCalibrated,
    hasTimes: session.hasTimes,
    bills: rows.map((row) => bills.get(row) as Bill),
    latencies,
    ...(account === undefined ? {} : { account }),
    ...(input.withPrompts === true ? { prompts: rows.map((row) => prompts.get(row) ?? []) } : {}),
    ...(gates.size === 0 ? {} : { brokenGates: [...gates] }),
  }
}

/** Groups rows that get the same views: they have the same terms and equal reports. With `isOwn`, the first is a group of its own. */
export function groupsOf(
  rows: readonly PriceRow[],
  { dependsOnPrices }: Pick<PolicySet, 'dependsOnPrices'>,
  isOwn = false,
): readonly (readonly PriceRow[])[] {
  if (isOwn) return [rows.slice(0, 1), ...(rows.length < 2 ? [] : groupsOf(rows.slice(1), { dependsOnPrices }))]
  const likeness = (row: PriceRow) => JSON.stringify([termsOf(row), row.rules.match === 'none'])
  return dependsOnPrices ? [...Map.groupBy(rows, likeness).values()] : [rows]
}

function runGroup(input: ReplaySessionInput, rows: readonly PriceRow[], priceOf: ReplaySessionInput['priceOf']) {
  const { needs, set, tokens, stepped } = input
  const session = sessionFor(input.session, set)
  const judge = createJudge({ session, canRecall: set.canRecall === true })
  const needsOf = Map.groupBy(needs, ({ step }) => step)
  const lines = rows.map((row) => {
    const bill = createCacheBill(row)
    return { bill, charges: createRecallCharges(bill, tokens, set) }
  })
  const retention = createRetentionCount()
  const latencies: number[] = []
  const gates = new Set<GateName>()
  const check = createGates(set.canRecall === true, session !== input.session)
  const prompts: number[] = []
  const results = { all: 0, shown: 0 }
  const own = priceOf === undefined ? undefined : createOwnAccount(session, set, rows[0] as PriceRow, tokens, priceOf)
  let rewritten = 0
  let before: ReplayedStep | null = null
  const terms = termsOf(rows[0] as PriceRow)
  const bills = lines.map(({ bill }) => bill)
  const usageOf = own === undefined ? undefined : (...replayed: Parameters<typeof own.next>) => own.next(...replayed)
  for (const replayed of replaySteps({ session, needs, set, terms, tokens, usageOf }, bills)) {
    const { step, originals, prompt, uses } = replayed
    const { view, reported } = replayed.shown
    const index = prompts.length
    latencies.push(replayed.latency)
    const isSameSegment = before?.step.segment === step.segment
    const last = isSameSegment ? (before?.shown.view ?? null) : null
    for (const gate of check({ originals, view, before: last, edits: reported })) gates.add(gate)
    const outcomes = judge(needsOf.get(index) ?? [], originals, view)
    retention.add(outcomes)
    own?.add(replayed, outcomes)
    for (const [place, { charges }] of lines.entries()) {
      charges.request((uses[place]?.read ?? 0) <= (prompt.tokens[0] as number), (after) => isRewritten(replayed, after))
      charges.charge(outcomes, prompt.total, view.at(-1)?.id)
    }
    if (before !== null && (uses[0]?.read ?? 0) > 0) rewritten += Math.max(0, before.prompt.total - prompt.common)
    prompts.push(prompt.total)
    if (session.steps[index + 1]?.segment !== step.segment) {
      results.all += resultTokens(originals, tokens)
      results.shown += resultTokens(view, tokens)
    }
    before = replayed
    stepped?.()
  }
  const bySize = prompts.toSorted((one, other) => one - other)
  const above = (limit: number) => bySize.filter((tokensOf) => tokensOf > limit).length
  const paid = lines.map(
    ({ bill, charges }): Bill => ({
      ...bill.sums(),
      summaries: 0,
      rewrittenTokens: rewritten,
      peak: bySize.at(-1) ?? 0,
      peak95: bySize[Math.floor((bySize.length - 1) * 0.95)] ?? 0,
      above: [above(100_000), above(200_000), above(272_000)],
      retention: retention.total(charges.counts()),
      resultTokens: results.all,
      resultTokensShown: results.shown,
    }),
  )
  return { bills: paid, latencies, gates, prompts, account: own?.total(input.withPrompts === true) }
}

function resultTokens(messages: readonly Message[], tokens: Tokenizer): number {
  const parts = messages.flatMap((message) => message.parts)
  return sum(parts, (part) => (part.type === 'tool-result' ? tokens.count(resultText(part)) : 0))
}
