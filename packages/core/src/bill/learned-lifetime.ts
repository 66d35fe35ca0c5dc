import type { CacheTerms, Usage } from '../facts.ts'

/** What the reports of a provider have shown about how long it keeps a prompt. Plain JSON that travels with the conversation. */
export interface LearnedLifetime {
  /** The longest pause after which a prompt was still there; null while none has told. */
  readonly atLeastSeconds: number | null
  /** The shortest pause after which it was gone; null while none has told. */
  readonly atMostSeconds: number | null
  /** How many requests in a row, sent right after another, have neither read nor written anything cached. */
  readonly zeroReads: number
}

export interface CacheObservation {
  readonly gapSeconds: number
  /** Tokens that were the same as in the request before it, and so should be cached. */
  readonly expectedTokens: number
  readonly usage: Usage
}

/**
 * Learns from one more request: a pause after which most of the expected tokens were read says how long prompts are kept at least,
 * one after which next to nothing was read how long at most. What contradicts earlier knowledge replaces it.
 */
export function learnLifetime(known: LearnedLifetime | null, observation: CacheObservation): LearnedLifetime {
  const before = known === null ? nothingLearned : checked(known)
  const { gapSeconds, expectedTokens } = observation
  const { cacheRead, cacheWrite } = observation.usage
  if (![gapSeconds, expectedTokens, cacheRead, cacheWrite].every(isAmount) || expectedTokens < tellingTokens) return before
  const isWarm = gapSeconds < warmSeconds
  const { zeroReads } = before
  if (cacheRead >= expectedTokens * mostOf) return sameOr(before, { ...keptAfter(before, gapSeconds), zeroReads: 0 })
  if (cacheRead > 0 || cacheWrite > 0) {
    const isGone = !isWarm && cacheRead <= expectedTokens * nextToNothing
    return sameOr(before, { ...(isGone ? goneAfter(before, gapSeconds) : before), zeroReads: 0 })
  }
  // A prompt that is not there within a minute has not grown old: something else is the matter, or there is no cache.
  return isWarm ? { ...before, zeroReads: Math.min(zeroReads + 1, mostZeroReads) } : sameOr(before, goneAfter(before, gapSeconds))
}

/** How long a prompt is taken to be kept, in seconds; null for ever. If the terms were outlived: twice the longest pause. */
export function believedLifetime(terms: CacheTerms, learned: LearnedLifetime | null): number | null {
  const { atLeastSeconds, atMostSeconds } = learned === null ? nothingLearned : checked(learned)
  const said = terms.lifetimeSeconds ?? Number.POSITIVE_INFINITY
  const isOutlived = atLeastSeconds !== null && atLeastSeconds > said
  const believed = Math.min(isOutlived ? atLeastSeconds * 2 : said, atMostSeconds ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(believed) ? believed : null
}

/** Whether a provider caches nothing for this conversation, or does not say so: then changing a prompt costs nothing extra. */
export function hasNoCache(learned: LearnedLifetime | null): boolean {
  return learned !== null && checked(learned).zeroReads >= mostZeroReads
}

const nothingLearned: LearnedLifetime = { atLeastSeconds: null, atMostSeconds: null, zeroReads: 0 }

/** Below the largest minimum of any provider, a prompt that is not read may never have been kept. */
const tellingTokens = 4096
const warmSeconds = 60
const mostOf = 0.5
/** A system prompt that other conversations keep alive is read even when the conversation itself is gone. */
const nextToNothing = 0.25
const mostZeroReads = 3

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

/** Gives the object that was there if nothing changed, so that it need not be stored again. */
function sameOr(before: LearnedLifetime, after: LearnedLifetime): LearnedLifetime {
  const names = ['atLeastSeconds', 'atMostSeconds', 'zeroReads'] as const
  return names.every((name) => before[name] === after[name]) ? before : after
}

/** What was stored may have been changed by anyone. */
function checked(known: LearnedLifetime): LearnedLifetime {
  const { atLeastSeconds, atMostSeconds, zeroReads } = known
  return sameOr(known, {
    atLeastSeconds: isAmount(atLeastSeconds) ? atLeastSeconds : null,
    atMostSeconds: isAmount(atMostSeconds) ? atMostSeconds : null,
    zeroReads: isAmount(zeroReads) ? zeroReads : 0,
  })
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
