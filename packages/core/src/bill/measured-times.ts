import type { Usage } from '../facts.ts'

/** Sums over the requests whose times a server reported: what a prefilled and a cached token cost there. Plain JSON. */
export interface MeasuredTimes {
  readonly requests: number
  readonly prefilled: number
  readonly prefillMs: number
  readonly output: number
  /** Thousands of tokens in context while decoding, milliseconds for one token, and their products. */
  readonly context: number
  readonly contextSquared: number
  readonly perToken: number
  readonly contextPerToken: number
}

/** Adds one request. Requests that say nothing about decoding or prefilling do not count. */
export function measureTimes(before: MeasuredTimes | undefined, usage: Usage): MeasuredTimes | undefined {
  const { times, input, cacheRead, cacheWrite, output } = usage
  if (times === undefined || output < minOutput || times.prefilled < minPrefilled) return before
  const known = before ?? nothing
  const context = (input + cacheRead + cacheWrite + output / 2) / 1000
  const perToken = times.decodeMs / output
  return {
    requests: known.requests + 1,
    prefilled: known.prefilled + times.prefilled,
    prefillMs: known.prefillMs + times.prefillMs,
    output: known.output + output,
    context: known.context + context,
    contextSquared: known.contextSquared + context * context,
    perToken: known.perToken + perToken,
    contextPerToken: known.contextPerToken + context * perToken,
  }
}

/**
 * What a cached token costs, as a multiple of a prefilled one: it is read again for each token of the answer. So each thousand tokens of context make decoding slower by
 * the slope of a straight line through the requests. Null until enough requests of different lengths were measured.
 */
export function measuredRead(times: MeasuredTimes | undefined): number | null {
  if (times === undefined || times.requests < minRequests) return null
  const { requests, prefilled, prefillMs, output, context, contextSquared, perToken, contextPerToken } = times
  const variance = contextSquared / requests - (context / requests) ** 2
  if (!(variance >= minSpread ** 2) || !(prefillMs > 0)) return null
  const slope = (contextPerToken / requests - (context / requests) * (perToken / requests)) / variance
  const read = ((slope / 1000) * (output / requests)) / (prefillMs / prefilled)
  return Number.isFinite(read) ? Math.min(Math.max(read, minRead), maxRead) : null
}

/** Sums as they were stored, unless they cannot be any. */
export function soundTimes(times: unknown): MeasuredTimes | undefined {
  const isSound =
    typeof times === 'object' &&
    times !== null &&
    (Object.keys(nothing) as (keyof MeasuredTimes)[]).every((name) => {
      const value: unknown = (times as Partial<MeasuredTimes>)[name]
      return typeof value === 'number' && Number.isFinite(value) && value >= 0
    })
  return isSound ? (times as MeasuredTimes) : undefined
}

const nothing: MeasuredTimes = {
  requests: 0,
  prefilled: 0,
  prefillMs: 0,
  output: 0,
  context: 0,
  contextSquared: 0,
  perToken: 0,
  contextPerToken: 0,
}

const minRequests = 8
const minOutput = 8
const minPrefilled = 16
/** Thousands of tokens by which the lengths of the requests differ, as a standard deviation. */
const minSpread = 2
const minRead = 0.02
const maxRead = 0.5
