import { factsOfSegment } from '../compaction/facts-of-segment.ts'
import { hideOldSummaries } from '../compaction/hide-old-summaries.ts'
import { planCompaction } from '../compaction/plan-compaction.ts'
import { quoteInstructions } from '../compaction/quote-instructions.ts'
import { roundsOf, type Segment } from '../compaction/rounds.ts'
import { foldLine } from '../compaction/summary-template.ts'
import { foldSegment, writeSummary } from '../compaction/write-summary.ts'
import { type FoldEdit, placesOf, type ReplaceEdit } from '../edit.ts'
import { configOf, type Facts } from '../facts.ts'
import { isRecord, type Message } from '../message.ts'
import { fitWindowName } from '../policy.ts'
import { handleOf } from '../text/hash.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { createFitting, createLateness, editId, type Fitting, type Goal, newestStart } from './draft.ts'
import type { Excess } from './request-size.ts'
import { cutCalls, cutResults, digestResults, omitOldMedia, type Steps } from './shrink-parts.ts'

/** One way to shrink a request, the limits it helps with, and its goal. */
export interface Rung {
  readonly name: string
  readonly helps: readonly Excess[]
  readonly goal: Goal
  readonly steps: (fitting: Fitting) => Steps
}

/** Cheapest first. Messages the model has not answered yet are shrunk only until the request fits. */
export const ladder: readonly Rung[] = [
  rung('old media', ['bytes', 'images'], 'target', (fitting) => omitOldMedia(fitting, 'old')),
  rung('rounds', ['tokens', 'bytes'], 'target', (fitting) => foldRounds(fitting, roundsKept(fitting))),
  rung('digests', ['tokens', 'bytes'], 'target', (fitting) => digestResults(fitting, 'old')),
  // Cut a result that fills half of the window before giving up all history.
  rung('giants', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', fitting.draft.limit('budget') / 2)),
  rung('cuts', ['tokens', 'bytes'], 'target', (fitting) => cutResults(fitting, 'old', 600)),
  rung('calls', ['tokens', 'bytes'], 'target', (fitting) => cutCalls(fitting, 'old', 400)),
  rung('old media for room', ['tokens'], 'target', (fitting) => omitOldMedia(fitting, 'old')),
  rung('fewer rounds', ['tokens', 'bytes', 'images'], 'target', (fitting) => keepFewerRounds(fitting, roundsKept(fitting))),
  rung('steps', ['tokens', 'bytes', 'images'], 'target', (fitting) => foldSteps(fitting, 'seen')),
  rung('summaries', ['tokens', 'bytes'], 'target', (fitting) => hideSummaries(fitting, 0.25)),
  rung('late digests', ['tokens', 'bytes'], 'budget', (fitting) => digestResults(fitting, 'late')),
  rung('late cuts', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', 2000)),
  rung('late media', ['tokens', 'bytes', 'images'], 'budget', (fitting) => omitOldMedia(fitting, 'late')),
  rung('short cuts', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'old', 60)),
  rung('short calls', ['tokens', 'bytes'], 'budget', (fitting) => cutCalls(fitting, 'old', 40)),
  rung('late short cuts', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', 300)),
  rung('late calls', ['tokens', 'bytes'], 'budget', (fitting) => cutCalls(fitting, 'late', 400)),
  rung('pinned rounds', ['tokens', 'bytes', 'images'], 'budget', (fitting) => foldRounds(fitting, 1, [])),
  rung('all summaries', ['tokens', 'bytes'], 'budget', (fitting) => hideSummaries(fitting, 0)),
  rung('unseen steps', ['tokens', 'bytes', 'images'], 'budget', (fitting) => foldSteps(fitting, 'any')),
  rung('lines', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', 60)),
  rung('late short calls', ['tokens', 'bytes'], 'budget', (fitting) => cutCalls(fitting, 'late', 40)),
]

/** Climbs the ladder until the request fits with room to spare, or no rung is left. */
export function climb(fitting: Fitting, reached: (rung: Rung) => void = () => undefined): void {
  const exceeds = ({ helps, goal }: Rung) => fitting.draft.excess(goal).some((excess) => helps.includes(excess))
  for (const next of ladder) {
    if (!exceeds(next)) continue
    for (const _ of next.steps(fitting)) {
      reached(next)
      if (!exceeds(next)) break
    }
  }
}

function rung(name: string, helps: readonly Excess[], goal: Goal, steps: Rung['steps']): Rung {
  return { name, helps, goal, steps }
}

/** Settings may be invalid: keep at least the running round. */
function roundsKept({ facts }: Fitting): number {
  const { keep_rounds } = configOf(facts).compaction
  return typeof keep_rounds === 'number' && keep_rounds >= 1 ? Math.floor(keep_rounds) : 1
}

function* foldRounds(fitting: Fitting, keepRounds: number, pins = fitting.facts.pins ?? []): Steps {
  const minMessages = configOf(fitting.facts).compaction.min_messages
  for (;;) {
    const segment = planCompaction(fitting.draft.messages(), { keepRounds, minMessages, pins })
    if (segment === null || !foldRun(fitting, segment, fitting.reasons.window.rounds(keepRounds))) return
    yield
  }
}

/** Keeps fewer rounds, down to the running one, in steps estimated from the surplus. */
export function* keepFewerRounds(fitting: Fitting, keepRounds: number): Steps {
  const tokenizer = fitting.facts.tokens ?? estimator
  for (let keep = keepRounds; keep > 1; ) {
    const messages = fitting.draft.messages()
    const rounds = roundsOf(messages)
    keep = Math.min(keep, rounds.length) - 1
    let left = fitting.draft.surplus('target') + summaryTokens
    for (; keep > 1; keep -= 1) {
      const round = rounds[rounds.length - keep - 1]
      left -= round === undefined ? 0 : countMessages(messages.slice(round.first, round.last + 1), tokenizer)
      if (left <= 0) break
    }
    if (keep >= 1) yield* foldRounds(fitting, keep)
  }
}

/** Folds older steps of the running round and messages outside all rounds, always calls with their results. */
export function* foldSteps(fitting: Fitting, age: 'seen' | 'any'): Steps {
  // Each fold takes at least twice as many steps as the one before, to keep summaries few.
  for (let least = 1; ; least *= 2) {
    const run = olderSteps(fitting, age, least)
    if (run === null || !foldRun(fitting, run, fitting.reasons.window.steps)) return
    yield
  }
}

const summaryTokens = 600

function olderSteps({ draft, facts }: Fitting, age: 'seen' | 'any', least: number) {
  const messages = draft.messages()
  const tokenizer = facts.tokens ?? estimator
  const newest = newestStart(messages) - 1
  const isLate = createLateness(messages, facts)
  const wanted = draft.surplus('target') + summaryTokens
  for (const start of stretchStarts(messages)) {
    let end = start
    let tokens = 0
    let steps = 0
    while (tokens < wanted || steps < least) {
      const next = endOfStep(messages, end)
      if (next === end || next > newest || (age === 'seen' && isLate(next - 1))) break
      for (; end < next; end += 1) tokens += countMessage(messages[end] as Message, tokenizer)
      steps += 1
    }
    if (steps === 0) continue
    return {
      messages: messages.slice(start, end),
      kept: messages.slice(end),
      summaries: messages.slice(0, start).filter(({ summary }) => summary === true),
      rounds: { folded: 0, kept: roundsOf(messages).length },
    }
  }
  return null
}

function stretchStarts(messages: readonly Message[]): readonly number[] {
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]
    return isStep(message) && (before === undefined || !isStep(before)) ? [index] : []
  })
}

function endOfStep(messages: readonly Message[], from: number): number {
  let end = from
  if (messages[end]?.role === 'assistant' && messages[end]?.summary !== true) end += 1
  while (messages[end]?.role === 'tool') end += 1
  return end
}

function isStep({ role, summary }: Message): boolean {
  return (role === 'assistant' || role === 'tool') && summary !== true
}

/** Folds a run into a summary of the logged originals, to be reused by the next request; returns false if that saves nothing. */
export function foldRun(fitting: Fitting, run: Segment, why: string): boolean {
  const { draft, facts, sources } = fitting
  const stored = run.messages.filter(({ id }) => sources.has(id))
  const [first, last] = [stored[0], stored.at(-1)]
  if (first === undefined || last === undefined) return false
  const segment = { ...run, messages: sources.between(first.id, last.id) ?? run.messages }
  const [from, to] = [run.messages.indexOf(first), run.messages.indexOf(last)]
  const over = run.messages.flatMap((message, index) => (index < from || index > to ? [removal(message, why)] : []))
  const shown = countMessages(run.messages, facts.tokens ?? estimator)
  for (const text of texts(segment, fitting, shown)) {
    const fold = foldSegment(segment, text, facts)
    if (fold === null) continue
    const edit: FoldEdit = { ...fold, id: `${fitWindowName}:${handleOf(fold.id)}`, policy: fitWindowName, why }
    if (draft.fold([edit, ...over])) return true
  }
  return false
}

/** The full template if it is much shorter than its source, else the user's messages or handles, else only the recall line. */
function* texts(segment: Segment, { facts, draft, summaries }: Fitting, shown: number): Generator<string> {
  const tokens = facts.tokens ?? estimator
  const most = Math.floor(Math.min(shown / 2, draft.limit('target') / (summaries === 'full' ? 8 : 40)))
  if (summaries === 'full') {
    const summary = writeSummary(segment, facts)
    if (tokens.count(summary) <= most) yield summary
  }
  const { instructions, handle } = factsOfSegment(segment, facts)
  const line = foldLine(segment.messages.length, handle)
  for (const budget of instructions.length === 0 ? [] : [most, 0]) {
    const said = `${quoteInstructions(instructions, { budget, tokens, handle })}\n${line}`
    if (tokens.count(said) <= most * 1.5) yield said
  }
  yield line
}

function removal({ id }: Message, why: string): FoldEdit {
  return { id: `${fitWindowName}:${id}`, policy: fitWindowName, kind: 'fold', first: id, last: id, into: null, why }
}

/** Replaces the oldest summaries with one line of handles until the others fit their share. New ones stay. */
export function* hideSummaries({ draft, facts, known }: Fitting, share: number): Steps {
  const compaction = { ...facts.config?.compaction, max_summary_tokens: Math.floor(draft.limit('target') * share) }
  const messages = draft.messages()
  const old = known()
  const end = messages.findIndex((message) => message.summary === true && !old.has(message))
  const older = end < 0 ? messages : messages.slice(0, end)
  for (const edit of hideOldSummaries.plan(older, { ...facts, config: { ...facts.config, compaction } })) {
    if (edit.kind !== 'fold') continue
    const fold: FoldEdit = { ...edit, id: `${fitWindowName}:${edit.id}`, policy: fitWindowName }
    if (draft.fold([fold])) yield
  }
}

/** Reuses the edits of the last request and adds what is needed; if that fails, tries again with tiny summaries. */
export function fitRequest(messages: readonly Message[], facts: Facts, reached: (rung: Rung) => void = () => undefined): Fitting {
  const full = attempt(messages, facts, 'full', reached)
  if (full.draft.excess('budget').length === 0) return full
  const short = attempt(messages, facts, 'short', reached)
  return short.draft.excess('budget').length < full.draft.excess('budget').length ||
    short.draft.surplus('budget') < full.draft.surplus('budget')
    ? short
    : full
}

function attempt(
  messages: readonly Message[],
  facts: Facts,
  summaries: Fitting['summaries'],
  reached: (rung: Rung) => void,
): Fitting {
  const fitting = createFitting(messages, facts, summaries)
  takeUpStandingEdits(fitting)
  if (fitting.draft.excess('budget').length > 0) climb(fitting, reached)
  return fitting
}

/** Repeats the edits of the last request while the originals are unchanged, to keep the provider's cache valid. */
export function takeUpStandingEdits({ draft, facts, sources }: Fitting): void {
  const standing = (facts.inForce ?? []).filter((edit) => edit.policy === fitWindowName && edit.kind === 'replace')
  if (standing.length === 0) return
  const messages = draft.messages()
  const places = placesOf(messages)
  for (const edit of standing as readonly ReplaceEdit[]) {
    const index = places.get(edit.message) ?? -1
    const message = messages[index]
    if (message === undefined || !suits(edit, message)) continue
    if (edit.id === editId(message, edit.part, sources)) draft.replace(index, edit)
  }
}

/** Edits are read from a file: reject one that would change the kind of a part. */
function suits({ part, with: shown }: ReplaceEdit, message: Message): boolean {
  const was = message.parts[part]
  if (was === undefined || !isRecord(shown)) return false
  if (was.type === 'media') return shown.type === 'text' && typeof shown.text === 'string'
  if (was.type === 'tool-call') return shown.type === 'tool-call' && shown.callId === was.callId && shown.tool === was.tool
  if (was.type !== 'tool-result' || shown.type !== 'tool-result') return false
  return shown.callId === was.callId && isRecord(shown.content)
}
