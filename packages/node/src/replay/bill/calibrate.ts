import type { Message } from '@plimsoll/core'
import {
  believedLifetime,
  type CacheRules,
  costOfTurn,
  type LearnedLifetime,
  learnLifetime,
  type Price,
  promptTotal,
  sumCosts,
  type Usage,
  usualTerms,
} from '@plimsoll/core/bill'
import { type OwnPrices, priceDay, priceOfModel } from '../../model/price-of-model.ts'
import type { RecordedSession } from '../record-session.ts'

export interface ReportedTurn {
  readonly at: number | null
  readonly usage: Usage
  readonly model: string | null
  /** Whether the prompt is new: after a compaction, with other tools, or another reasoning effort. */
  readonly isNew?: boolean
  /** Estimated tokens of the messages that it sent. Default: unknown. */
  readonly sent?: number
}

export interface CalibrationOptions {
  /** Default: derived from whether it reports cache writes. */
  readonly rules?: CacheRules
  /** Default: that of each turn's model on its day. */
  readonly price?: Price | null
  /** The user's own prices. Default: none. */
  readonly prices?: OwnPrices | undefined
}

/** How well a simulated cache agrees with a provider's reports. */
export interface Calibration {
  readonly turns: number
  /** Requests that read as much as predicted, or more. */
  readonly reproduced: number
  /**
   * Requests that read exactly one of the last prompts, as if later writes were not visible yet, or less by rounding.
   */
  readonly close: number
  readonly share: number
  /** Whether the simulated cache of this conversation can be relied on. */
  readonly isCalibrated: boolean
  /** The cost of requests with a known price, as reported and as predicted; null if there is none. */
  readonly recordedDollars: number | null
  readonly simulatedDollars: number | null
  /** Null if the sent messages of all turns are unknown. */
  readonly sent: SentCheck | null
}

/**
 * A prompt also holds instructions and tools, which no log has: the first request shows how large they are. Estimates are off by
 * up to a half, and reasoning is often missing, so only gross differences in several requests in a row count.
 */
interface SentCheck {
  readonly turns: number
  /** Set if the messages cannot be those that were sent: far more tokens than reported, or far fewer. */
  readonly mismatch: SentMismatch | null
}

export interface SentMismatch {
  readonly kind: 'sent-too-much' | 'sent-too-little'
  readonly turns: number
  /** The tokens of their prompts: as reported, and as sent with instructions and tools. */
  readonly reported: number
  readonly expected: number
}

/**
 * Compares the tokens that a provider read from its cache with what its rules predict: everything that the request before read
 * and wrote, as long as the lifetime lasts, the prompt is no shorter and the model is the same. If the reports do not fit the
 * messages, the provider got other messages, and nothing is proven.
 */
export function calibrate(turns: readonly ReportedTurn[], { rules, price, prices }: CalibrationOptions = {}): Calibration {
  const asked = turns.map((turn) => ({ ...turn, usage: soundUsage(turn.usage) })).filter(({ usage }) => promptTotal(usage) > 0)
  const cache = rules ?? reportedRules(asked)
  const recorded = []
  const simulated = []
  let learned: LearnedLifetime | null = null
  let reproduced = 0
  let close = 0
  let ends: readonly number[] = []
  let before: ReportedTurn | null = null
  for (const turn of asked) {
    const cost = price === undefined ? priceOfModel(turn.model ?? '', priceDay(turn.at), prices) : price
    const gapSeconds = before === null ? 0 : gapBetween(before, turn)
    const lifetime = lifetimeOf(cache, learned)
    const end = ends[0] ?? 0
    const isSame = before !== null && isContinued(before, turn, end)
    const expected = isSame && end >= cache.minPrefix && gapSeconds <= lifetime ? end : 0
    const { cacheRead } = turn.usage
    if (before !== null && cacheRead >= expected) reproduced += 1
    else if (before !== null && (cacheRead >= expected - roundingOf(cache) || isLate(cacheRead, ends, gapSeconds))) close += 1
    if (isSame) learned = learnLifetime(learned, { gapSeconds, expectedTokens: end, usage: turn.usage })
    recorded.push(costOfTurn(turn.usage, cost))
    // No prediction for a new prompt: its overlap with others is unknown.
    simulated.push(costOfTurn(isSame ? withRead(turn.usage, expected, cache) : turn.usage, cost))
    ends = [endOf(turn.usage, cache), ...(isSame ? ends.slice(0, maxEnds - 1) : [])]
    before = turn
  }
  const sent = checkSent(asked)
  const predicted = Math.max(asked.length - 1, 0)
  const share = predicted === 0 ? 0 : reproduced / predicted
  return {
    turns: predicted,
    reproduced,
    close,
    share,
    // Reports without a single read prove nothing about a cache.
    isCalibrated: share >= enough && asked.some(({ usage }) => usage.cacheRead > 0) && (sent?.mismatch ?? null) === null,
    recordedDollars: dollarsOf(recorded),
    simulatedDollars: dollarsOf(simulated),
    sent,
  }
}

const enough = 0.95
const maxEnds = 8
const lateSeconds = 60

/** A reported prompt below this share of the sent one, or above this multiple of it, is a gross difference. */
const minReported = 0.75
const maxReported = 2.5
/** Requests in a row with a gross difference that are a mismatch; single reports are wrong now and then. */
const minMismatch = 3

function checkSent(turns: readonly ReportedTurn[]): SentCheck | null {
  const compared = turns.flatMap(({ usage, sent }) =>
    sent === undefined ? [] : [{ reported: promptTotal(usage), sent: sound(sent) }],
  )
  const [first] = compared
  if (first === undefined) return null
  const unlogged = Math.max(0, first.reported - first.sent)
  const rows: SentMismatch[] = []
  let before: SentMismatch['kind'] | null = null
  for (const { reported, sent } of compared) {
    const expected = unlogged + sent
    const kind = mismatchOf(reported, expected)
    const row = kind !== null && kind === before ? rows.pop() : undefined
    if (kind !== null)
      rows.push({
        kind,
        turns: (row?.turns ?? 0) + 1,
        reported: (row?.reported ?? 0) + reported,
        expected: (row?.expected ?? 0) + expected,
      })
    before = kind
  }
  const [longest] = rows.toSorted((one, other) => other.turns - one.turns)
  return { turns: compared.length, mismatch: longest !== undefined && longest.turns >= minMismatch ? longest : null }
}

function mismatchOf(reported: number, expected: number): SentMismatch['kind'] | null {
  if (reported < expected * minReported) return 'sent-too-much'
  return reported > expected * maxReported ? 'sent-too-little' : null
}

/** A provider that reports writes caches prompts up to there; any other caches everything, in steps. */
function reportedRules(turns: readonly ReportedTurn[]): CacheRules {
  return turns.some(({ usage }) => usage.cacheWrite > 0)
    ? { match: 'breakpoints', minPrefix: 0, lifetimeSeconds: 300, step: 1 }
    : { match: 'longest-prefix', minPrefix: 1024, lifetimeSeconds: 600, step: 128 }
}

/** A prompt that expires too early was probably changed; one that is read after its lifetime proves a longer one. */
function lifetimeOf({ lifetimeSeconds }: CacheRules, learned: LearnedLifetime | null): number {
  if (lifetimeSeconds === null) return Number.POSITIVE_INFINITY
  return Math.max(lifetimeSeconds, believedLifetime({ ...usualTerms, lifetimeSeconds }, learned) ?? lifetimeSeconds)
}

function endOf(usage: Usage, { match, step }: CacheRules): number {
  if (match === 'none') return 0
  if (match === 'breakpoints' || match === 'latest-breakpoints') return usage.cacheRead + usage.cacheWrite
  return Math.floor(promptTotal(usage) / step) * step
}

function isContinued(before: ReportedTurn, turn: ReportedTurn, end: number): boolean {
  const isOther = before.model !== null && turn.model !== null && before.model !== turn.model
  return turn.isNew !== true && !isOther && promptTotal(turn.usage) >= end
}

/** Rounding starts at an unknown place: the provider's own instructions are not among the tokens it reports. */
function roundingOf({ step }: CacheRules): number {
  return step > 1 ? step * 4 : 0
}

/** Recent writes may not be visible yet; then exactly the prompt of one of the last requests is read. */
function isLate(cacheRead: number, ends: readonly number[], gapSeconds: number): boolean {
  return gapSeconds <= lateSeconds && cacheRead > 0 && ends.includes(cacheRead)
}

function withRead(usage: Usage, read: number, { match }: CacheRules): Usage {
  const reported = usage.cacheRead + usage.cacheWrite
  if (match === 'breakpoints' || match === 'latest-breakpoints') {
    const cacheWrite = Math.max(reported - read, 0)
    const hourShare = usage.cacheWrite === 0 ? 0 : (usage.cacheWriteHour ?? 0) / usage.cacheWrite
    return { ...usage, cacheRead: Math.min(read, reported), cacheWrite, cacheWriteHour: cacheWrite * hourShare }
  }
  const total = promptTotal(usage)
  return { ...usage, cacheRead: Math.min(read, total), cacheWrite: 0, input: Math.max(total - read, 0) }
}

/** Unknown times, and a clock that goes back, do not show a pause. */
function gapBetween(before: ReportedTurn, turn: ReportedTurn): number {
  const gap = ((turn.at ?? Number.NaN) - (before.at ?? Number.NaN)) / 1000
  return gap > 0 ? gap : 0
}

function dollarsOf(costs: readonly ReturnType<typeof costOfTurn>[]): number | null {
  return costs.every((cost) => cost === null) ? null : sumCosts(costs).dollars
}

/** A report may contain anything; only a positive number is a count. */
export function soundUsage({ input, cacheRead, cacheWrite, cacheWriteHour = 0, output }: Usage): Usage {
  return {
    input: sound(input),
    cacheRead: sound(cacheRead),
    cacheWrite: sound(cacheWrite),
    cacheWriteHour: sound(cacheWriteHour),
    output: sound(output),
  }
}

function sound(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0
}

/** The requests of a session that the provider reported on. `countOf` returns the tokens of a message. */
export function reportedTurns(
  { steps, segments, model, hasTimes }: RecordedSession,
  countOf: (message: Message) => number,
): readonly ReportedTurn[] {
  const turns: ReportedTurn[] = []
  let before = 0
  let counted = { segment: -1, length: 0, tokens: 0 }
  for (const { usage, at, segment, length } of steps) {
    if (usage === null) continue
    // Within a segment each request has everything that the one before it had.
    if (counted.segment !== segment) counted = { segment, length: 0, tokens: 0 }
    for (const message of (segments[segment] ?? []).slice(counted.length, length)) counted.tokens += countOf(message)
    counted.length = length
    turns.push({ at: hasTimes ? at : null, usage, model, isNew: segment !== before, sent: counted.tokens })
    before = segment
  }
  return turns
}
