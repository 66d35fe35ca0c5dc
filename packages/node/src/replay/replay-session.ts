import { type CacheTerms, type Message, planKeepAlive, resultText, type Tokenizer, type Usage } from '@plimsoll/core'
import { type CacheBill, createCacheBill } from './cache-bill.ts'
import { checkGates, type GateName } from './gates.ts'
import { createJudge } from './judge-needs.ts'
import type { Need, NeedOutcome } from './need.ts'
import { overheadOf } from './overhead.ts'
import type { PolicySet } from './policy-set.ts'
import type { PriceRow } from './price-row.ts'
import { createPromptBlocks, type PromptBlocks } from './prompt-blocks.ts'
import { createRecallCharges, type RecallCharges } from './recall-charges.ts'
import type { RecordedSession, RecordedStep } from './recorded-session.ts'
import { createRetentionCount } from './retention-count.ts'
import type { Bill, SessionRun } from './session-run.ts'
import { createViewSource, type ViewSource } from './view-source.ts'

/** What is replayed. */
export interface ReplaySessionInput {
  readonly session: RecordedSession
  /** From `findNeeds`: the same for all sets. */
  readonly needs: readonly Need[]
  readonly set: PolicySet
  readonly rows: readonly PriceRow[]
  readonly tokens: Tokenizer
  /** Whether the simulated cache was seen to do what the provider's did. */
  readonly isCalibrated: boolean
  /** Whether the tokens of each request are wanted too. */
  readonly withPrompts?: boolean
}

/** Sends a recorded session once more, as a policy set would have shown it, and adds up what that costs at each price row. */
export function replaySession(input: ReplaySessionInput): SessionRun {
  const { session, rows, set } = input
  const bills = new Map<PriceRow, Bill>()
  const prompts = new Map<PriceRow, readonly number[]>()
  const latencies: number[] = []
  const gates = new Set<GateName>()
  for (const group of groupsOf(rows, set)) {
    const run = runGroup(input, group)
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
    ...(input.withPrompts === true ? { prompts: rows.map((row) => prompts.get(row) ?? []) } : {}),
    ...(gates.size === 0 ? {} : { brokenGates: [...gates] }),
  }
}

/** Rows that are shown the same views: they have the same terms, and reports that teach the same. */
function groupsOf(rows: readonly PriceRow[], { dependsOnPrices }: PolicySet): readonly (readonly PriceRow[])[] {
  const likeness = (row: PriceRow) => JSON.stringify([termsOf(row), row.rules.match === 'none'])
  return dependsOnPrices ? [...Map.groupBy(rows, likeness).values()] : [rows]
}

/** Where nobody ever pauses, nothing is ever forgotten. */
function termsOf({ terms, isWarm }: PriceRow): CacheTerms {
  return isWarm ? { ...terms, lifetimeSeconds: null } : terms
}

interface Line {
  readonly bill: CacheBill
  readonly charges: RecallCharges
}

function runGroup(input: ReplaySessionInput, rows: readonly PriceRow[]) {
  const { session, needs, set, tokens } = input
  const terms = termsOf(rows[0] as PriceRow)
  const source = createViewSource(set, session, needs, terms, tokens)
  const blocks = createPromptBlocks(tokens, overheadOf(set, tokens))
  const judge = createJudge({ session, canRecall: set.canRecall === true })
  const needsOf = Map.groupBy(needs, ({ step }) => step)
  const lines: readonly Line[] = rows.map((row) => {
    const bill = createCacheBill(row)
    return { bill, charges: createRecallCharges(bill, tokens, set.recallLasts) }
  })
  const retention = createRetentionCount()
  const latencies: number[] = []
  const gates = new Set<GateName>()
  const prompts: number[] = []
  const results = { whole: 0, shown: 0 }
  let rewritten = 0
  let before: { readonly step: RecordedStep; readonly view: readonly Message[]; readonly prompt: Prompt } | null = null
  for (const [index, step] of session.steps.entries()) {
    const originals = (session.segments[step.segment] as readonly Message[]).slice(0, step.length)
    if (before !== null && set.keepAlive === true) keepAlive(source, lines, terms, before.step.at, step.at, before.prompt.total)
    const start = performance.now()
    const { view, reported, waiting } = source.next(originals, step.at)
    latencies.push(performance.now() - start)
    const isSameSegment = before !== null && before.step.segment === step.segment
    const check = { originals, view, before: isSameSegment ? (before?.view ?? null) : null, edits: reported }
    for (const gate of checkGates({ ...check, canRecall: set.canRecall === true })) gates.add(gate)
    const prompt = promptOf(blocks, view, before?.prompt ?? null, waiting)
    const answerBlocks = before === null ? 0 : blocksOfAnswer(originals, before.step)
    const sent = { keys: prompt.keys, tokens: prompt.tokens, breakpoints: prompt.breakpoints, at: step.at, answerBlocks }
    const outcomes: readonly NeedOutcome[] = judge(needsOf.get(index) ?? [], originals, view)
    retention.add(outcomes)
    let usage: Usage | null = null
    for (const { bill, charges } of lines) {
      const use = bill.send(sent, step.output)
      usage ??= { input: use.fresh, cacheRead: use.read, cacheWrite: use.write, output: step.output }
      charges.request(use.read <= (prompt.tokens[0] as number))
      charges.charge(outcomes, prompt.total)
      if (bill === lines[0]?.bill && before !== null && use.read > 0)
        rewritten += Math.max(0, before.prompt.total - prompt.common)
    }
    if (usage !== null) source.accepted(usage)
    prompts.push(prompt.total)
    if (session.steps[index + 1]?.segment !== step.segment) countResults(results, originals, view, tokens)
    before = { step, view, prompt }
  }
  // Nobody knows that a conversation is over: the last pause is kept alive like any other.
  if (before !== null && set.keepAlive === true)
    keepAlive(source, lines, terms, before.step.at, Number.POSITIVE_INFINITY, before.prompt.total)
  const bySize = prompts.toSorted((one, other) => one - other)
  const above = (limit: number) => bySize.filter((tokensOf) => tokensOf > limit).length
  const bills = lines.map(({ bill, charges }): Bill => {
    const sums = bill.sums()
    return {
      ...sums,
      summaries: 0,
      rewrittenTokens: rewritten,
      peak: bySize.at(-1) ?? 0,
      peak95: bySize[Math.floor((bySize.length - 1) * 0.95)] ?? 0,
      above: [above(100_000), above(200_000), above(272_000)],
      retention: retention.total(charges.counts()),
      resultTokens: results.whole,
      resultTokensShown: results.shown,
    }
  })
  return { bills, latencies, gates, prompts }
}

interface Prompt {
  readonly keys: readonly number[]
  readonly tokens: readonly number[]
  readonly breakpoints: readonly number[]
  readonly total: number
  /** Tokens that it begins with like the one before it. */
  readonly common: number
}

/** Marks stand behind the system prompt, before the first message that may change soon, where the last prompt ends, and at the end. */
function promptOf(blocks: PromptBlocks, view: readonly Message[], before: Prompt | null, waiting: string | null): Prompt {
  const { keys, tokens, ends } = blocks.of(view)
  let total = 0
  for (const count of tokens) total += count
  let common = 0
  let same = 0
  const last = before?.keys ?? []
  for (; same < keys.length && keys[same] === last[same]; same += 1) common += tokens[same] as number
  const soon = waiting === null ? -1 : view.findIndex(({ id }) => id === waiting)
  const places = [0, ...(soon > 0 ? [ends[soon - 1] as number] : []), same - 1, keys.length - 1]
  const breakpoints = [...new Set(places.filter((place) => place >= 0))].sort((one, other) => one - other)
  return { keys, tokens, breakpoints, total, common }
}

/** How many blocks the answer to the last prompt has. */
function blocksOfAnswer(originals: readonly Message[], { length }: RecordedStep): number {
  let blocks = 0
  for (let index = length; originals[index]?.role === 'assistant'; index += 1)
    blocks += Math.max(1, originals[index]?.parts.length ?? 0)
  return blocks
}

/** Asks for the last prompt again while a pause lasts, as often as that pays and what was saved covers it. */
function keepAlive(
  source: ViewSource,
  lines: readonly Line[],
  terms: CacheTerms,
  from: number,
  to: number,
  tokens: number,
): void {
  const plan = planKeepAlive(terms)
  if (plan === null) return
  for (let time = 1; time <= plan.times; time += 1) {
    const at = from + time * plan.everySeconds * 1000
    if (at >= to || !source.mayKeepAlive(tokens)) return
    for (const { bill } of lines) bill.keepAlive(at)
    source.keptAlive(at, tokens)
  }
}

function countResults(
  sums: { whole: number; shown: number },
  originals: readonly Message[],
  view: readonly Message[],
  tokens: Tokenizer,
): void {
  const count = (messages: readonly Message[]) => {
    let total = 0
    for (const { parts } of messages)
      for (const part of parts) if (part.type === 'tool-result') total += tokens.count(resultText(part))
    return total
  }
  sums.whole += count(originals)
  sums.shown += count(view)
}
