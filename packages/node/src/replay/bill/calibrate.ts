import type { Message } from '@plimsoll/core'
import {
  believedLifetime,
  type CacheRules,
  costOfTurn,
  type LearnedLifetime,
  learnLifetime,
  type Price,
  priceOf,
  promptTotal,
  sumCosts,
  type Usage,
  usualTerms,
} from '@plimsoll/core/bill'
import type { RecordedSession } from '../record-session.ts'

/** One request of a recorded conversation, as far as it tells about the cache. */
export interface ReportedTurn {
  /** When it was sent, in milliseconds; null where the log does not say. */
  readonly at: number | null
  readonly usage: Usage
  readonly model: string | null
  /** Whether something is known to have made it a new prompt: a compaction, other tools, another way of thinking. */
  readonly isNew?: boolean
  /** Estimated tokens of the messages that it sent. Default: unknown. */
  readonly sent?: number
}

/** What is known about the provider. */
export interface CalibrationOptions {
  /** Default: told from whether it reports what it writes. */
  readonly rules?: CacheRules
  /** Default: that of each turn's model. */
  readonly price?: Price | null
}

/** How well a provider's reports agree with what is taken to be its cache. */
export interface Calibration {
  /** Requests that could be foretold: all but the first. */
  readonly turns: number
  /** Those that read what was foretold, or more. */
  readonly reproduced: number
  /**
   * Those that read a little less, for a reason that can be seen but not foretold: exactly what one of the last requests left, as if
   * what was written since was not there yet; or less by a provider's rounding. They do not count as reproduced.
   */
  readonly close: number
  /** Of what could be foretold, what was reproduced. */
  readonly share: number
  /** Whether what a simulated cache says of this conversation can be believed. */
  readonly isCalibrated: boolean
  /** Of the requests with a known price, as reported and as foretold; null where there is none. */
  readonly recordedDollars: number | null
  readonly simulatedDollars: number | null
  /** How the reported prompts compare with the messages that were sent; null if no turn says what it sent. */
  readonly sent: SentCheck | null
}

/**
 * Compares reported prompts with the messages that were sent. A prompt also holds instructions and tools, which no log has: the first
 * request tells how large they are. Estimates are off by up to a half, and much of what a model thinks is not in a log, so only a
 * gross difference in several requests in a row counts.
 */
export interface SentCheck {
  /** Requests that were compared. */
  readonly turns: number
  /** Set if the messages cannot be those that were sent: far more tokens than reported, or far fewer. */
  readonly mismatch: SentMismatch | null
}

/** Requests in a row whose reported prompts do not fit the messages that were sent. */
export interface SentMismatch {
  readonly kind: 'sent-too-much' | 'sent-too-little'
  readonly turns: number
  /** Tokens of their prompts: as reported, and as sent with instructions and tools. */
  readonly reported: number
  readonly expected: number
}

/**
 * Compares what a provider reported to have read from its cache with what it must have by its rules: all that the request before
 * read and wrote, as long as the lifetime lasts and the prompt is still the same. A prompt that has become shorter than that, and one
 * to another model, is not the same. Reports that do not fit the messages that were sent show nothing: the messages are then not the
 * ones that the provider got.
 */
export function calibrate(turns: readonly ReportedTurn[], { rules, price }: CalibrationOptions = {}): Calibration {
  const asked = turns.map((turn) => ({ ...turn, usage: soundUsage(turn.usage) })).filter(({ usage }) => promptTotal(usage) > 0)
  const cache = rules ?? rulesTold(asked)
  const recorded = []
  const simulated = []
  let learned: LearnedLifetime | null = null
  let reproduced = 0
  let close = 0
  let ends: readonly number[] = []
  let before: ReportedTurn | null = null
  for (const turn of asked) {
    const cost = price === undefined ? priceOf(turn.model ?? '') : price
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
    // Of a new prompt nothing is foretold: what it shares with others nobody can know.
    simulated.push(costOfTurn(isSame ? withRead(turn.usage, expected, cache) : turn.usage, cost))
    ends = [endOf(turn.usage, cache), ...(isSame ? ends.slice(0, mostEnds - 1) : [])]
    before = turn
  }
  const sent = checkSent(asked)
  const foretold = Math.max(asked.length - 1, 0)
  const share = foretold === 0 ? 0 : reproduced / foretold
  return {
    turns: foretold,
    reproduced,
    close,
    share,
    // Reports without a single read say nothing about a cache.
    isCalibrated: share >= enough && asked.some(({ usage }) => usage.cacheRead > 0) && (sent?.mismatch ?? null) === null,
    recordedDollars: dollarsOf(recorded),
    simulatedDollars: dollarsOf(simulated),
    sent,
  }
}

const enough = 0.95
const mostEnds = 8
const lateSeconds = 60

/** A reported prompt below this share of what was sent, or above this multiple of it, is a gross difference. */
const minReported = 0.75
const maxReported = 2.5
/** This many requests in a row with a gross difference are a mismatch. Single reports are wrong now and then. */
const minMismatch = 3

/** Finds the longest row of requests whose reported prompts do not fit what they sent. */
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

/** Who reports what is written keeps it up to there; who does not keeps everything, in steps. */
function rulesTold(turns: readonly ReportedTurn[]): CacheRules {
  return turns.some(({ usage }) => usage.cacheWrite > 0)
    ? { match: 'breakpoints', minPrefix: 0, lifetimeSeconds: 300, step: 1 }
    : { match: 'longest-prefix', minPrefix: 1024, lifetimeSeconds: 600, step: 128 }
}

/** A prompt that is gone too early was changed, as far as can be known; one that is there too late shows that the rules say too little. */
function lifetimeOf({ lifetimeSeconds }: CacheRules, learned: LearnedLifetime | null): number {
  if (lifetimeSeconds === null) return Number.POSITIVE_INFINITY
  return Math.max(lifetimeSeconds, believedLifetime({ ...usualTerms, lifetimeSeconds }, learned) ?? lifetimeSeconds)
}

/** Up to where a request leaves its prompt in the cache. */
function endOf(usage: Usage, { match, step }: CacheRules): number {
  if (match === 'none') return 0
  if (match === 'breakpoints' || match === 'latest-breakpoints') return usage.cacheRead + usage.cacheWrite
  return Math.floor(promptTotal(usage) / step) * step
}

function isContinued(before: ReportedTurn, turn: ReportedTurn, end: number): boolean {
  const isOther = before.model !== null && turn.model !== null && before.model !== turn.model
  return turn.isNew !== true && !isOther && promptTotal(turn.usage) >= end
}

/** A provider that rounds does not say from where: what its own instructions take is not among the tokens it reports. */
function roundingOf({ step }: CacheRules): number {
  return step > 1 ? step * 4 : 0
}

/** What was written a moment ago may not be there yet; then exactly what one of the last requests left is read. */
function isLate(cacheRead: number, ends: readonly number[], gapSeconds: number): boolean {
  return gapSeconds <= lateSeconds && cacheRead > 0 && ends.includes(cacheRead)
}

/** The same request with another share of it read. */
function withRead(usage: Usage, read: number, { match }: CacheRules): Usage {
  const reported = usage.cacheRead + usage.cacheWrite
  if (match === 'breakpoints' || match === 'latest-breakpoints')
    return { ...usage, cacheRead: Math.min(read, reported), cacheWrite: Math.max(reported - read, 0) }
  const total = promptTotal(usage)
  return { ...usage, cacheRead: Math.min(read, total), cacheWrite: 0, input: Math.max(total - read, 0) }
}

/** Unknown times, and a clock that goes back, say nothing of a pause. */
function gapBetween(before: ReportedTurn, turn: ReportedTurn): number {
  const gap = ((turn.at ?? Number.NaN) - (before.at ?? Number.NaN)) / 1000
  return gap > 0 ? gap : 0
}

function dollarsOf(costs: readonly ReturnType<typeof costOfTurn>[]): number | null {
  return costs.every((cost) => cost === null) ? null : sumCosts(costs).dollars
}

function soundUsage({ input, cacheRead, cacheWrite, output }: Usage): Usage {
  return { input: sound(input), cacheRead: sound(cacheRead), cacheWrite: sound(cacheWrite), output: sound(output) }
}

/** A report may hold anything; what is no number of tokens is none. */
function sound(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0
}

/**
 * The requests of a session that the provider reported on, for comparing its cache with a simulated one and its counts with ours.
 * `countOf` returns the tokens of a message.
 */
export function reportedTurns(
  { steps, segments, model, hasTimes }: RecordedSession,
  countOf: (message: Message) => number,
): readonly ReportedTurn[] {
  const turns: ReportedTurn[] = []
  let before = 0
  let counted = { segment: -1, length: 0, tokens: 0 }
  for (const { usage, at, segment, length } of steps) {
    if (usage === null) continue
    // Within a segment each request has all that the one before it had.
    if (counted.segment !== segment) counted = { segment, length: 0, tokens: 0 }
    for (const message of (segments[segment] ?? []).slice(counted.length, length)) counted.tokens += countOf(message)
    counted.length = length
    turns.push({ at: hasTimes ? at : null, usage, model, isNew: segment !== before, sent: counted.tokens })
    before = segment
  }
  return turns
}
