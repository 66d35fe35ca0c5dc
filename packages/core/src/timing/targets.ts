import { type Earlier, perChange, perPair } from '../derive.ts'
import { isSamePart, partKey, placeEdits, placesOf, type ReplaceEdit } from '../edit.ts'
import type { Tokenizer } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { countPart } from '../tokens/count-tokens.ts'

/** One part of a message that is shown differently, or is proposed to be. */
export interface Target {
  /** `message.part`, the key of debts. */
  readonly key: string
  readonly index: number
  /** The active edits, in order. */
  readonly old: readonly ReplaceEdit[]
  /** In order; empty if nothing is proposed any more. */
  readonly proposed: readonly ReplaceEdit[]
  /** Whether both show the same. */
  readonly isSame: boolean
  /** Whether the same rules show the same: a decision of one rule for several keeps its name. */
  readonly isSettled: boolean
  /** Tokens of the part in the log, as last sent, and as proposed. */
  readonly whole: number
  readonly before: number
  readonly after: number
}

export interface Targets {
  readonly targets: readonly Target[]
  /** The places of those that are not settled: few. */
  readonly unsettled: readonly number[]
  /** The tokens that the active edits of the first targets save, from none to all of them. */
  readonly saved: Float64Array
  /** The proposed edits of all targets, and how many of them the first targets have. */
  readonly edits: readonly ReplaceEdit[]
  readonly starts: Int32Array
}

/** Groups active and proposed edits by part, in message order. Edits of missing parts are skipped. */
export function targetsOf(
  messages: readonly Message[],
  proposals: readonly ReplaceEdit[],
  inForce: readonly ReplaceEdit[],
  tokenizer: Tokenizer,
): Targets {
  return groupByPart(tokenizer)(messages, inForce, proposals)
}

/** The place of the first target at or after a message. */
export function firstTargetAt(targets: readonly Target[], index: number): number {
  let low = 0
  let high = targets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((targets[middle] as Target).index < index) low = middle + 1
    else high = middle
  }
  return low
}

type BothSides = readonly [messages: readonly Message[], inForce: readonly ReplaceEdit[], proposals: readonly ReplaceEdit[]]

interface Grouped extends Targets {
  readonly old: Int32Array
  readonly proposed: Int32Array
}

const groupByPart = perChange(
  function groupEdits(
    [messages, inForce, proposals]: BothSides,
    latest: Earlier<BothSides, Grouped> | null,
    tokenizer: Tokenizer,
  ): Grouped {
    const index = placesOf(messages)
    // A new message takes over the edits of an earlier one with the same id.
    const earlier = index.hasDoubles ? null : latest
    const find = ({ message }: ReplaceEdit) => index.get(message) ?? -1
    const place = (edits: readonly ReplaceEdit[], side: 1 | 2) =>
      placeEdits(
        messages,
        edits,
        earlier && {
          lists: [earlier.lists[0], earlier.lists[side]],
          answer: { places: side === 1 ? earlier.answer.old : earlier.answer.proposed },
        },
        find,
      )
    const old = place(inForce, 1)
    const proposed = place(proposals, 2)
    // Both sides of a message that changed on one of them are grouped again.
    const { isChanged } = proposed
    for (let at = 0; at < isChanged.length; at += 1) if (old.isChanged[at] === 1) isChanged[at] = 1
    const chains = new Map<number, Chain>()
    const add = (edit: ReplaceEdit, at: number, side: 'old' | 'proposed') => {
      let first = chains.get(at)
      if (first === undefined) chains.set(at, (first = startChain(edit.part)))
      const chain = first.part === edit.part ? first : chainBeside(first, edit.part)
      chain[side] = withOneMore(chain[side], edit)
    }
    const addChanged = (edits: readonly ReplaceEdit[], places: Int32Array, side: 'old' | 'proposed') => {
      for (let at = 0; at < edits.length; at += 1)
        if (isChanged[places[at] as number] === 1) add(edits[at] as ReplaceEdit, places[at] as number, side)
    }
    addChanged(inForce, old.places, 'old')
    addChanged(proposals, proposed.places, 'proposed')
    const before = earlier?.answer.targets ?? []
    const firstChanged = isChanged.indexOf(1)
    // Those before the first change are the same as earlier.
    const same = firstTargetAt(before, firstChanged < 0 ? messages.length : firstChanged)
    const targets = before.slice(0, same)
    const addTarget = (at: number, { part, old: was, proposed: is }: Chain) => {
      const given = messages[at]?.parts[part]
      if (given !== undefined) targets.push(targetOf(given, at, was, is, tokenizer))
    }
    let next = same
    for (const at of [...chains.keys()].sort((one, other) => one - other)) {
      for (; (before[next]?.index ?? Number.POSITIVE_INFINITY) < at; next += 1) keep(before[next] as Target)
      const first = chains.get(at) as Chain
      addTarget(at, first)
      if (first.others !== null) for (const chain of first.others.values()) addTarget(at, chain)
    }
    for (; next < before.length; next += 1) keep(before[next] as Target)
    const unsettled = (earlier?.answer.unsettled ?? []).filter((at) => at < same)
    const saved = new Float64Array(targets.length + 1)
    const starts = new Int32Array(targets.length + 1)
    if (earlier !== null) {
      saved.set(earlier.answer.saved.subarray(0, same + 1))
      starts.set(earlier.answer.starts.subarray(0, same + 1))
    }
    const edits = earlier?.answer.edits.slice(0, starts[same]) ?? []
    for (let at = same; at < targets.length; at += 1) {
      const target = targets[at] as Target
      for (let one = 0; one < target.proposed.length; one += 1) edits.push(target.proposed[one] as ReplaceEdit)
      starts[at + 1] = edits.length
      if (!target.isSettled) unsettled.push(at)
      saved[at + 1] = (saved[at] as number) + (target.whole - target.before)
    }
    return { targets, unsettled, saved, edits, starts, old: old.places, proposed: proposed.places }

    function keep(target: Target): void {
      if (isChanged[target.index] === 0) targets.push(target)
    }
  },
  { hasOneList: true },
)

interface Chain {
  readonly part: number
  old: readonly ReplaceEdit[]
  proposed: readonly ReplaceEdit[]
  others: Map<number, Chain> | null
}

function startChain(part: number): Chain {
  return { part, old: noEdits, proposed: noEdits, others: null }
}

/** A new list: most have one or two edits, and growing lists reserve room for many. */
function withOneMore(edits: readonly ReplaceEdit[], edit: ReplaceEdit): readonly ReplaceEdit[] {
  return edits.length === 0 ? [edit] : [...edits, edit]
}

const noEdits: readonly ReplaceEdit[] = []

function chainBeside(first: Chain, part: number): Chain {
  first.others ??= new Map()
  let chain = first.others.get(part)
  if (chain === undefined) {
    chain = startChain(part)
    first.others.set(part, chain)
  }
  return chain
}

function targetOf(
  part: Part,
  index: number,
  old: readonly ReplaceEdit[],
  proposed: readonly ReplaceEdit[],
  tokenizer: Tokenizer,
): Target {
  if (old.length > 2 || proposed.length > 2) return makeTarget(part, index, old, proposed, tokenizer)
  return shortTarget(part, index, tokenizer, old[0], old[1], proposed[0], proposed[1])
}

const shortTarget = perPair(
  (
    part: Part,
    index: number,
    tokenizer: Tokenizer,
    old: ReplaceEdit | undefined,
    laterOld: ReplaceEdit | undefined,
    proposed: ReplaceEdit | undefined,
    laterProposed: ReplaceEdit | undefined,
  ): Target => {
    const given = (...edits: readonly (ReplaceEdit | undefined)[]) => edits.filter((edit) => edit !== undefined)
    return makeTarget(part, index, given(old, laterOld), given(proposed, laterProposed), tokenizer)
  },
)

function makeTarget(
  part: Part,
  index: number,
  old: readonly ReplaceEdit[],
  proposed: readonly ReplaceEdit[],
  tokenizer: Tokenizer,
): Target {
  const whole = countPart(part, tokenizer)
  const shown = (last: ReplaceEdit | undefined) => (last === undefined ? whole : countPart(last.with, tokenizer))
  const [was, is] = [old.at(-1), proposed.at(-1)]
  const isSame = was === undefined || is === undefined ? was === is : isSamePart(was, is)
  const before = shown(was)
  const after = isSame ? before : shown(is)
  const key = partKey((old[0] ?? proposed[0]) as ReplaceEdit)
  return { key, index, old, proposed, isSame, isSettled: isSame && isSameChain(old, proposed), whole, before, after }
}

function isSameChain(old: readonly ReplaceEdit[], proposed: readonly ReplaceEdit[]): boolean {
  if (old.length !== proposed.length) return false
  for (let at = 0; at < old.length; at += 1) if (old[at] !== proposed[at] && old[at]?.id !== proposed[at]?.id) return false
  return true
}
