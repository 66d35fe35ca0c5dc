import type { Message, Part } from '@plimsoll/core'
import { firstPlace } from '../../parts/first-place.ts'
import { foldSame } from './diff-lines.ts'

/** What became of one message from one request to another, by the places of both. */
export type MessageStep =
  | { readonly kind: 'same' | 'changed'; readonly before: number; readonly after: number }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'added'; readonly after: number }

type Messages = readonly Message[]

/**
 * What became of each message from one request to the next: messages with the same id belong together, then those that say the same.
 * The steps go through both lists in order, so that taking what is the same, changed or added gives the second one.
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

/** How many messages from the beginning are the very same: as far as a provider's cache can hold. */
export function sameFromStart(steps: readonly MessageStep[]): number {
  const first = steps.findIndex(({ kind }) => kind !== 'same')
  return first === -1 ? steps.length : first
}

/** Whether the second request is the first one with something behind it, or all of it. */
export function onlyGoesOn(steps: readonly MessageStep[]): boolean {
  return steps.slice(sameFromStart(steps)).every(({ kind }) => kind === 'added')
}

type Stretch = readonly [from: number, to: number]
type Pair = readonly [before: number, after: number]

/** Steps between two pairs: first messages that say the same under another id, then those that are gone and those that are new. */
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
  const places = new Map<string, number[]>()
  for (let index = rightEnd - 1; index >= right; index -= 1) {
    const message = after[index]
    if (message === undefined) continue
    const key = keyOf(message)
    const known = places.get(key)
    if (known === undefined) places.set(key, [index])
    else known.push(index)
  }
  const pairs: Pair[] = []
  for (let index = left; index < leftEnd; index += 1) {
    const message = before[index]
    // Each place is given away once: the earliest that is left.
    const place = message === undefined ? undefined : places.get(keyOf(message))?.pop()
    if (place !== undefined) pairs.push([index, place])
  }
  return longestRising(pairs)
}

/** The most pairs whose second numbers rise, by patience sorting. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
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

/** What a message says, as one text: two messages with the same key are the same to a model, whatever their ids and times. */
export function messageKey(message: Message): string {
  const known = keys.get(message)
  if (known !== undefined) return known
  const key = textOf(message)
  keys.set(message, key)
  return key
}

/** What a part says, likewise. */
export function partKey(part: Part): string {
  // Models never see it.
  return JSON.stringify(part.type === 'tool-result' ? { ...part, metadata: undefined } : part)
}

function textOf({ role, parts, id }: Message): string {
  try {
    return `${role}\n${parts.map(partKey).join('\n')}`
  } catch {
    // What is nested without end has no text; it is the same as itself only.
    return `${role} ${id}`
  }
}

/** A step that is shown, or several of one kind in a row that are folded. */
type ShownStep =
  | { readonly isFolded: false; readonly step: MessageStep }
  | { readonly isFolded: true; readonly kind: MessageStep['kind']; readonly steps: readonly MessageStep[] }

/** Of a long run of messages that were removed or added, so many stay to be seen. */
const seenOfRun = 3

/** Folds what is the same but for one message beside what is not, and the rest of long runs that were only removed or only added. */
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
