import type { Message, Part } from '@plimsoll/core'
import { firstPlace } from '../../parts/first-place.ts'
import { foldSame } from './diff-lines.ts'

/** One message from one request to another, by its places in both. */
export type MessageStep =
  | { readonly kind: 'same' | 'changed'; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number }

type Messages = readonly Message[]

/**
 * Compares the messages of two requests: messages with the same id belong together, then those with the same text.
 * The steps go through both lists in order: those that are the same, changed or added give the second one.
 */
export function alignMessages(before: Messages, after: Messages): readonly MessageStep[] {
  const steps: MessageStep[] = []
  let left = 0
  let right = 0
  const byId = matched(before, after, [0, before.length], [0, after.length], ({ id }) => id)
  for (const [one, other] of [...byId, [before.length, after.length] as const]) {
    closeGap(before, after, [left, one], [right, other], steps)
    left = one
    right = other
    const from = before[one]
    const to = after[other]
    if (from === undefined || to === undefined) break
    steps.push({ kind: messageKey(from) === messageKey(to) ? 'same' : 'changed', before: one, after: other })
    left += 1
    right += 1
  }
  return steps
}

/** How many messages from the start are the same: as far as a provider's cache can hold. */
export function sameFromStart(steps: readonly MessageStep[]): number {
  const first = steps.findIndex(({ kind }) => kind !== 'same')
  return first === -1 ? steps.length : first
}

/** Whether the second request only adds messages at the end of the first. */
export function onlyGoesOn(steps: readonly MessageStep[]): boolean {
  return steps.slice(sameFromStart(steps)).every(({ kind }) => kind === 'added')
}

type Stretch = readonly [from: number, to: number]
type Pair = readonly [before: number, after: number]

/** Steps between two pairs: messages with the same text under another id, then those that are gone and those that are new. */
function closeGap(before: Messages, after: Messages, inBefore: Stretch, inAfter: Stretch, steps: MessageStep[]): void {
  const [left, leftEnd] = inBefore
  const [right, rightEnd] = inAfter
  const pairs = left === leftEnd || right === rightEnd ? [] : matched(before, after, inBefore, inAfter, messageKey)
  let one = left
  let other = right
  for (const [nextOne, nextOther] of [...pairs, [leftEnd, rightEnd] as const]) {
    for (; one < nextOne; one += 1) steps.push({ kind: 'removed', before: one })
    for (; other < nextOther; other += 1) steps.push({ kind: 'added', after: other })
    if (one === leftEnd || other === rightEnd) continue
    steps.push({ kind: 'same', before: one, after: other })
    one += 1
    other += 1
  }
}

/** The longest list of pairs with equal keys that is in order on both sides. */
function matched(
  before: Messages,
  after: Messages,
  [left, leftEnd]: Stretch,
  [right, rightEnd]: Stretch,
  keyOf: (message: Message) => string,
): readonly Pair[] {
  const candidates = after.slice(right, rightEnd).map((message, index) => ({ key: keyOf(message), place: right + index }))
  const places = Map.groupBy(candidates.reverse(), ({ key }) => key)
  const pairs = before.slice(left, leftEnd).flatMap((message, index): readonly Pair[] => {
    // Each place is used once: the earliest that is left.
    const found = places.get(keyOf(message))?.pop()
    return found === undefined ? [] : [[left + index, found.place]]
  })
  return risingSubsequence(pairs)
}

/** The longest increasing subsequence of the second numbers, by patience sorting. */
function risingSubsequence(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = []
  const previous: number[] = []
  pairs.forEach(([, place], index) => {
    const low = firstPlace(ends.length, (middle) => (pairs[ends[middle] ?? 0]?.[1] ?? 0) < place)
    previous.push(low === 0 ? -1 : (ends[low - 1] ?? -1))
    ends[low] = index
  })
  const rising: Pair[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) rising.push(pair)
  }
  return rising.reverse()
}

const keys = new WeakMap<Message, string>()

/** The content of a message as one text: messages with the same key are the same to a model, regardless of ids and times. */
export function messageKey(message: Message): string {
  const key = keys.get(message) ?? textOf(message)
  keys.set(message, key)
  return key
}

/** The content of a part, likewise. */
export function partKey(part: Part): string {
  // Models never see it.
  return JSON.stringify(part.type === 'tool-result' ? { ...part, metadata: undefined } : part)
}

function textOf({ role, parts, id }: Message): string {
  try {
    return `${role}\n${parts.map(partKey).join('\n')}`
  } catch {
    // A message that contains itself has no text; it is the same as itself only.
    return `${role} ${id}`
  }
}

type ShownStep =
  | { readonly isFolded: false; readonly step: MessageStep }
  | { readonly isFolded: true; readonly kind: MessageStep['kind']; readonly steps: readonly MessageStep[] }

/** Of a long run of messages that were removed or added, this many stay visible. */
const seenOfRun = 3

/** Collapses unchanged messages except one next to a changed one, and the rest of long runs that were only removed or only added. */
export function foldSteps(steps: readonly MessageStep[]): readonly ShownStep[] {
  return foldSame(steps, ({ kind }) => kind === 'same', 1).flatMap(({ isFolded, items }): readonly ShownStep[] =>
    isFolded ? [{ isFolded: true, kind: 'same', steps: items }] : runsOf(items).flatMap(foldRun),
  )
}

function runsOf(steps: readonly MessageStep[]): readonly (readonly MessageStep[])[] {
  const runs: MessageStep[][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === step.kind) last.push(step)
    else runs.push([step])
  }
  return runs
}

function foldRun(run: readonly MessageStep[]): readonly ShownStep[] {
  const kind = run[0]?.kind
  const shown = (steps: readonly MessageStep[]) => steps.map((step): ShownStep => ({ isFolded: false, step }))
  const isLong = (kind === 'removed' || kind === 'added') && run.length > seenOfRun * 2
  if (kind === undefined || !isLong) return shown(run)
  return [...shown(run.slice(0, seenOfRun)), { isFolded: true, kind, steps: run.slice(seenOfRun) }]
}
