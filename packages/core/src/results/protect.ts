import { perPair } from '../derive.ts'
import { type Edit, structuralIn } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { type PlacedResult, toolResults } from './tool-results.ts'

/** Why a result must stay in full; the first reason that applies. */
export type ProtectReason = 'unseen' | 'pinned' | 'error' | 'kept'

export type KeepRule = (
  messages: readonly Message[],
  results: readonly PlacedResult[],
  facts: Facts,
) => (result: PlacedResult) => boolean

/**
 * The one place that decides what must stay in full: unseen results, errors, pins, and what the given rules keep. Every lossy policy asks here; only
 * a tool's own output limit, binary filtering and `fit-window` go further.
 */
export function protect(
  messages: readonly Message[],
  facts: Facts,
  rules: readonly KeepRule[],
): (result: PlacedResult) => ProtectReason | null {
  const results = toolResults(messages, facts)
  const keeps = rules.map((rule) => rule(messages, results, facts))
  const lastSeen = lastSeenIndex(messages, facts)
  const pins = new Set(facts.pins)
  return (result) => {
    if (result.index > lastSeen) return 'unseen'
    if (pins.has(result.message.id)) return 'pinned'
    if (result.isError) return 'error'
    return keeps.some((keep) => keep(result)) ? 'kept' : null
  }
}

/** The index of the last message a model has seen; -1 for none. A log without that information counts as seen to the end. */
export function lastSeenIndex(messages: readonly Message[], { seen, sent }: Pick<Facts, 'seen' | 'sent'>): number {
  const last = seen === undefined ? sent : seen
  if (last === undefined || last === null) return seen === null ? -1 : messages.length
  return messages.findLastIndex((message) => message.id === last)
}

/**
 * If the last sent or seen message is folded away, the last one left before it takes its place. If messages were inserted right after it in both
 * requests, it is the last of those.
 */
export function withSurvivingSent(
  facts: Facts,
  before: readonly Message[],
  edits: readonly Edit[],
  after: readonly Message[],
): Facts {
  const { sent = null, seen = null } = facts
  if (structuralIn(edits).length === 0) return facts
  const left = new Set(after.map((message) => message.id))
  const stillPut = putInAgain(edits, facts.inForce ?? [])
  const survivor = (id: string | null): string | null => {
    if (id === null) return id
    if (left.has(id)) return lastBehind(id)
    const until = before.findLastIndex((message) => message.id === id)
    const found = before.slice(0, Math.max(0, until)).findLast((message) => left.has(message.id))
    // If nothing is left, the old id stays: it matches no message, so everything left counts as unsent and unseen.
    return found === undefined ? id : lastBehind(found.id)
  }
  const lastBehind = (id: string): string => {
    let place = after.findLastIndex((message) => message.id === id)
    while (stillPut.has(after[place + 1]?.id ?? '')) place += 1
    return after[place]?.id ?? id
  }
  const kept = { sent: survivor(sent), seen: survivor(seen) }
  if (kept.sent === sent && kept.seen === seen) return facts
  return { ...facts, sent: kept.sent, ...(facts.seen === undefined ? {} : { seen: kept.seen }) }
}

function putInAgain(edits: readonly Edit[], inForce: readonly Edit[]): ReadonlySet<string> {
  const put = new Set<string>()
  for (const edit of edits) if (edit.kind === 'insert') put.add(edit.message.id)
  return new Set(inForce.flatMap((edit) => (edit.kind === 'insert' && put.has(edit.message.id) ? [edit.message.id] : [])))
}

/**
 * Newest first by time; at equal times later places are newer. In a log with times, a result without one is dropped; in a log without times, the
 * place decides.
 */
export function newestFirst(messages: readonly Message[], results: readonly PlacedResult[]): readonly PlacedResult[] {
  return sortNewestFirst(results, messages)
}

/** The place of a result as one number, comparable between lists. */
export function placeNumber({ index, partIndex }: PlacedResult): number {
  return index * 2 ** 20 + partIndex
}

/** When a result was given: its own time, or when the host first saw it; null if unknown. */
export function createClock(messages: readonly Message[], facts: Facts): (result: PlacedResult) => number | null {
  const { firstSeen } = facts
  const asks = firstSeen !== undefined && !hasTimes(messages)
  return (result) => result.message.at ?? (asks ? (firstSeen(result.message.id) ?? null) : null)
}

function hasTimes(messages: readonly Message[]): boolean {
  return messages.some((message) => message.at !== undefined)
}

const sortNewestFirst = perPair(function newestOfList(
  results: readonly PlacedResult[],
  messages: readonly Message[],
): readonly PlacedResult[] {
  if (!hasTimes(messages)) return results.toReversed()
  const timed: PlacedResult[] = []
  let latest = Number.NEGATIVE_INFINITY
  let inOrder = true
  for (const result of results) {
    const at = result.message.at
    if (at === undefined) continue
    if (at < latest) inOrder = false
    else latest = at
    timed.push(result)
  }
  // The sort is stable: equal times keep the order of the log.
  if (!inOrder) timed.sort((a, b) => (a.message.at as number) - (b.message.at as number))
  return timed.reverse()
})

export function withoutPinned(edits: readonly Edit[], { pins }: Facts): readonly Edit[] {
  if (pins === undefined || pins.length === 0) return edits
  const pinned = new Set(pins)
  return edits.filter((edit) => edit.kind !== 'replace' || !pinned.has(edit.message))
}
