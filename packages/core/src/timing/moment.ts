import { usualTerms } from '../bill/cache-terms-of.ts'
import { learnedTerms } from '../bill/learned-lifetime.ts'
import { perList } from '../derive.ts'
import { placesOf } from '../edit.ts'
import type { CacheTerms, Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import type { ColdReason } from '../report.ts'
import type { Ledger } from './ledger.ts'

/** The provider's cache when a request is made. */
export interface Moment {
  /** The index of the last message that was sent; -1 for none. */
  readonly lastSent: number
  /** The index from which nothing is cached. Everything up to `lastSent` is if it is larger. */
  readonly coldFrom: number
  /** Why something that was sent is not cached; null if all of it is. */
  readonly reason: ColdReason | null
  /** The cost of caching, as known or learned. */
  readonly terms: CacheTerms
  /** Seconds since the last request; null if a time is missing. */
  readonly idleSeconds: number | null
  /** The index from which the history is another than in the last request, whatever is cached, because it was compacted. The number of messages if it is not. */
  readonly changedFrom: number
  /** The index up to which nothing may change, whatever it saves, because signed thoughts follow. Default: none. */
  readonly lockedTo?: number
}

export function momentOf(messages: readonly Message[], facts: Facts, ledger: Ledger): Moment {
  const terms = learnedTerms(facts.cache ?? usualTerms, ledger.learned ?? null)
  const { sent, now } = facts
  const lastSent = sent === undefined || sent === null ? -1 : messages.findLastIndex(({ id }) => id === sent)
  // A clock that was set back shows no pause.
  const idleSeconds = isTime(now) && isTime(ledger.at) ? Math.max(0, (now - ledger.at) / 1000) : null
  const changedFrom = lastSent < 0 ? messages.length : compactedFrom(messages, facts, ledger)
  const at = (coldFrom: number, reason: ColdReason | null): Moment => ({
    lastSent,
    coldFrom,
    reason,
    terms,
    idleSeconds,
    changedFrom,
  })
  if (lastSent < 0) return at(0, 'first')
  if (facts.model !== undefined && ledger.model !== undefined && facts.model !== ledger.model) return at(0, 'model')
  if (terms.write <= terms.read) return at(0, 'uncached')
  if (idleSeconds !== null && terms.lifetimeSeconds !== null && idleSeconds > terms.lifetimeSeconds) return at(0, 'idle')
  if (facts.prefix !== undefined && ledger.prefix !== undefined && facts.prefix !== ledger.prefix) return at(0, 'prefix')
  return changedFrom > lastSent ? at(messages.length, null) : at(changedFrom, 'folded')
}

/** The first new summary, or the place from which the host's own compaction left other messages. */
function compactedFrom(messages: readonly Message[], facts: Facts, ledger: Ledger): number {
  const places = [newSummary(messages, ledger)]
  const { compactedAt = null } = facts
  if (compactedAt !== null) {
    // A fold may have taken it in.
    const place = placesOf(messages).get(compactedAt) ?? 0
    if (!isProviderSummary(messages[place])) places.push(place)
  }
  return Math.min(messages.length, ...places.filter((place) => place >= 0))
}

/** The thoughts after a summary that the provider wrote stay valid: https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks */
function isProviderSummary(message: Message | undefined): boolean {
  return message?.parts.some((part) => part.type === 'media' && part.mediaType === 'vendor/compaction') === true
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

export function summariesIn(messages: readonly Message[]): readonly string[] {
  return summariesOf(messages).map(({ id }) => id)
}

function newSummary(messages: readonly Message[], { summaries }: Ledger): number {
  const known = new Set(summaries)
  return summariesOf(messages).find(({ id }) => !known.has(id))?.index ?? -1
}

const summariesOf = perList({
  start: (): { readonly id: string; readonly index: number }[] => [],
  add(summaries, { id, summary }: Message, index) {
    if (summary === true) summaries.push({ id, index })
  },
  finish: (summaries) => summaries.slice(),
})()

/** Whether so little of the conversation is cached that any change is free. */
export function isCold({ coldFrom }: Moment, messages: readonly Message[]): boolean {
  // Everything before the first user or model message is the same in every request.
  const first = messages.findIndex(({ role, summary }) => role !== 'system' || summary === true)
  return coldFrom <= Math.max(0, first)
}
