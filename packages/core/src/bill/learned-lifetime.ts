import type { CacheTerms, Usage } from '../facts.ts'
import { ownServerTerms } from './cache-terms-of.ts'
import { type MeasuredTimes, measuredRead, measureTimes, soundTimes } from './measured-times.ts'

/** How long a provider keeps a prompt, learned from its usage reports. Plain JSON, stored with the conversation. */
export interface LearnedLifetime {
  /** Longest pause after which a prompt was still cached; null if unknown. */
  readonly atLeastSeconds: number | null
  /** Shortest pause after which it was gone; null if unknown. */
  readonly atMostSeconds: number | null
  /** Consecutive requests, each sent soon after the last, that neither read nor wrote cached tokens. */
  readonly zeroReads: number
  /** What the server measured, if it reports that. */
  readonly times?: MeasuredTimes
}

export interface CacheObservation {
  readonly gapSeconds: number
  /** Tokens shared with the previous request, which should therefore be cached. */
  readonly expectedTokens: number
  readonly usage: Usage
}

/** Learns from one more request: reading most of the expected tokens proves a minimum, reading almost none a maximum. */
export function learnLifetime(known: LearnedLifetime | null, observation: CacheObservation): LearnedLifetime {
  const before = known === null ? nothingLearned : checked(known)
  const { gapSeconds, expectedTokens } = observation
  const { cacheRead, cacheWrite } = observation.usage
  if (![gapSeconds, expectedTokens, cacheRead, cacheWrite].every(isAmount) || expectedTokens < minTokens) return before
  const isWarm = gapSeconds < warmSeconds
  const { zeroReads } = before
  if (cacheRead >= expectedTokens * warmShare) return sameOr(before, { ...keptAfter(before, gapSeconds), zeroReads: 0 })
  if (cacheRead > 0 || cacheWrite > 0) {
    const isGone = !isWarm && cacheRead <= expectedTokens * goneShare
    return sameOr(before, { ...(isGone ? goneAfter(before, gapSeconds) : before), zeroReads: 0 })
  }
  // A prompt missing within a minute has not expired: there is no cache, or something else went wrong.
  return isWarm ? { ...before, zeroReads: Math.min(zeroReads + 1, maxZeroReads) } : sameOr(before, goneAfter(before, gapSeconds))
}

/** The same with the times that the server reported of one more request. */
export function learnTimes(known: LearnedLifetime | null, usage: Usage): LearnedLifetime | null {
  const before = known === null ? nothingLearned : checked(known)
  const times = measureTimes(before.times, usage)
  return times === before.times ? known : { ...before, ...(times === undefined ? {} : { times }) }
}

/** Cache terms with what reports have shown: how long the provider really keeps a prompt, that it does or does not, or what a server of one's own measured. */
export function learnedTerms(terms: CacheTerms, learned: LearnedLifetime | null): CacheTerms {
  if (learned === null) return terms
  const { times, atLeastSeconds } = checked(learned)
  const isOwn = terms.isOwnServer === true || (terms.isAssumed === true && times !== undefined)
  if (!isOwn)
    return hasNoCache(learned)
      ? { read: 1, write: 1, lifetimeSeconds: null }
      : { ...terms, lifetimeSeconds: believedLifetime(terms, learned) }
  const own = { ...ownServerTerms, read: measuredRead(times) ?? ownServerTerms.read }
  // A server that never reported a cached token may not report any.
  return atLeastSeconds === null ? own : { ...own, lifetimeSeconds: believedLifetime(own, learned) }
}

/** Assumed lifetime in seconds; null if unlimited. Twice the longest pause if that exceeded the terms. */
export function believedLifetime(terms: CacheTerms, learned: LearnedLifetime | null): number | null {
  const { atLeastSeconds, atMostSeconds } = learned === null ? nothingLearned : checked(learned)
  const stated = terms.lifetimeSeconds ?? Number.POSITIVE_INFINITY
  const isOutlived = atLeastSeconds !== null && atLeastSeconds > stated
  const believed = Math.min(isOutlived ? atLeastSeconds * 2 : stated, atMostSeconds ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(believed) ? believed : null
}

/** Whether a provider caches nothing for this conversation, or does not report it: then changing a prompt costs nothing extra. */
export function hasNoCache(learned: LearnedLifetime | null): boolean {
  return learned !== null && checked(learned).zeroReads >= maxZeroReads
}

const nothingLearned: LearnedLifetime = { atLeastSeconds: null, atMostSeconds: null, zeroReads: 0 }

/** The largest minimum of any provider. A shorter prompt may never have been cached. */
const minTokens = 4096
const warmSeconds = 60
const warmShare = 0.5
/** A system prompt shared with other conversations is read even after this conversation has expired. */
const goneShare = 0.25
const maxZeroReads = 3

function keptAfter(known: LearnedLifetime, gapSeconds: number): LearnedLifetime {
  const { atLeastSeconds, atMostSeconds } = known
  return {
    ...known,
    atLeastSeconds: Math.max(atLeastSeconds ?? 0, gapSeconds),
    atMostSeconds: atMostSeconds !== null && atMostSeconds <= gapSeconds ? null : atMostSeconds,
  }
}

function goneAfter(known: LearnedLifetime, gapSeconds: number): LearnedLifetime {
  const { atLeastSeconds, atMostSeconds } = known
  return {
    ...known,
    atLeastSeconds: atLeastSeconds !== null && atLeastSeconds >= gapSeconds ? null : atLeastSeconds,
    atMostSeconds: Math.min(atMostSeconds ?? gapSeconds, gapSeconds),
  }
}

/** Returns the old object if nothing changed, so that it is not stored again. */
function sameOr(before: LearnedLifetime, after: LearnedLifetime): LearnedLifetime {
  const names = ['atLeastSeconds', 'atMostSeconds', 'zeroReads', 'times'] as const
  return names.every((name) => before[name] === after[name]) ? before : after
}

function checked(known: LearnedLifetime): LearnedLifetime {
  const { atLeastSeconds, atMostSeconds, zeroReads } = known
  const times = soundTimes(known.times)
  return sameOr(known, {
    atLeastSeconds: isAmount(atLeastSeconds) ? atLeastSeconds : null,
    atMostSeconds: isAmount(atMostSeconds) ? atMostSeconds : null,
    zeroReads: isAmount(zeroReads) ? zeroReads : 0,
    ...(times === undefined ? {} : { times }),
  })
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
