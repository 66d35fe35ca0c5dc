import type { Edit, FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { isStandingFold } from '../session/edits-in-force.ts'
import type { EditsEntry } from '../session/entry.ts'
import { createFillSum, type FillSum } from './fill-sum.ts'
import { createPrefixSums, type PrefixSums } from './prefix-sums.ts'
import { type PartCounter, type SizedMessage, sizeMessage, sizePart, type ToolOfCall, withSizedPart } from './sized-message.ts'

/**
 * What requests show of a conversation, carried from one request to the next: messages are added, edits come into force and are taken
 * back, and only what they change is worked out again.
 */
export interface ShownView {
  /** Adds the next message. */
  readonly append: (message: SizedMessage) => void
  /** Takes in an entry and tells what it changes, in order. */
  readonly take: (entry: EditsEntry) => readonly ViewChange[]
  /** Brings the sums up to date for a request whose policies ran in this order. `isRight` tells from a total whether that was it. */
  readonly settle: (policies: readonly string[], isRight?: (tokens: number) => boolean) => void
  /** Of everything that is shown. */
  readonly sum: FillSum
  /** Tokens that are shown, by the number of the message they stand for. */
  readonly places: Pick<PrefixSums, 'between' | 'findMore'>
  /** What is shown of a message or a summary; null for nothing. */
  readonly shown: (id: string) => SizedMessage | null
  /** The numbers of the messages that one, or a summary, stands for; null for an unknown one. */
  readonly numbersOf: (id: string) => Numbers | null
  readonly isInForce: (edit: string) => boolean
  /** What was shown of each message that was said, in tokens, when the sums were last brought up to date. */
  readonly column: () => readonly number[]
}

/** The first and the last of messages by number. */
export interface Numbers {
  readonly first: number
  readonly last: number
}

/** Something that is shown differently from here on. */
export interface ViewChange {
  readonly edit: Edit
  readonly isWithdrawn: boolean
  /** Whether it is something else in the place of messages, such as a summary. */
  readonly isFold: boolean
  /** The number of the first message whose bytes change; null where nobody knows. */
  readonly number: number | null
  readonly numbers: Numbers
}

/** How edits are measured. */
export interface ShownViewOptions {
  readonly toolOf: ToolOfCall
  readonly count: PartCounter
}

/** A message, a summary or an inserted message. */
interface Unit {
  readonly id: string
  /** The numbers of the messages it stands for. */
  first: number
  last: number
  /** As it was said; null for what nobody said. */
  said: SizedMessage | null
  /** As it stands once summaries are in place, before other edits; null where it does not. */
  base: SizedMessage | null
  /** As it was counted last. */
  shown: SizedMessage | null
  before: Unit | null
  next: Unit | null
}

interface InForce {
  readonly edit: Edit
  /** In the order they came. */
  readonly turn: number
  /** The messages it is about, besides those between the ends of a fold that stands. */
  readonly targets: readonly string[]
}

/** The edits in force on one message, and how many of them change whether it is there, and what it says. */
interface Target {
  readonly names: Set<string>
  structural: number
  replacing: number
}

/** A view in which nothing was said yet. */
export function createShownView({ toolOf, count }: ShownViewOptions): ShownView {
  const units = new Map<string, Unit>()
  const said: Unit[] = []
  const inForce = new Map<string, InForce>()
  const editsOn = new Map<string, Target>()
  /** Messages with a change of what is there and one of what it says, whose order matters. */
  const mixed = new Set<string>()
  const dirty = new Set<string>()
  /** What was said since the sums were last brought up to date. */
  let fresh: Unit[] = []
  const foldedInto = new Set<string>()
  const sum = createFillSum()
  const places = createPrefixSums()
  const sizes = new WeakMap<object, SizedMessage>()
  let tail: Unit | null = null
  let turns = 0
  let order: readonly string[] = []
  let ranks: ReadonlyMap<string, number> = new Map()
  let isListFirst = false

  const size = (message: Message): SizedMessage => {
    let sized = sizes.get(message)
    if (sized === undefined) {
      sized = sizeMessage(message, toolOf, count)
      sizes.set(message, sized)
    }
    return sized
  }

  const unitOf = (id: string, numbers: Numbers): Unit => {
    let unit = units.get(id)
    if (unit === undefined) {
      unit = { id, first: numbers.first, last: numbers.last, said: null, base: null, shown: null, before: null, next: null }
      units.set(id, unit)
    }
    return unit
  }

  const place = (unit: Unit, base: SizedMessage | null) => {
    if (unit.base === base) return
    unit.base = base
    touch(unit.id)
  }

  /** What stands behind a message hangs on it, and what is folded with it too. */
  const touch = (id: string) => {
    const waiting = [id]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (dirty.has(next)) continue
      dirty.add(next)
      for (const name of editsOn.get(next)?.names ?? []) {
        const known = inForce.get(name)
        if (known !== undefined && known.targets.length > 1) for (const target of known.targets) waiting.push(target)
      }
    }
  }

  const link = (unit: Unit, before: Unit | null, next: Unit | null) => {
    unit.before = before
    unit.next = next
    if (before !== null) before.next = unit
    if (next !== null) next.before = unit
    else tail = unit
  }

  function makeFold({ first, last, into }: FoldEdit): void {
    const from = units.get(first)
    const to = units.get(last)
    if (into === null || from === undefined || to === undefined || from.base === null || to.base === null) return
    if (from.first > to.first || foldedInto.has(into.id) || (units.get(into.id)?.base ?? null) !== null) return
    for (let unit: Unit | null = from; unit !== null; unit = unit === to ? null : unit.next) {
      place(unit, null)
      foldedInto.add(unit.id)
    }
    const unit = unitOf(into.id, { first: from.first, last: to.last })
    unit.first = from.first
    unit.last = to.last
    link(unit, from.before, to.next)
    place(unit, size(into))
  }

  function foldAnew(): void {
    const summaries = [...units.values()].filter((unit) => unit.base !== null && unit.said === null)
    for (const unit of summaries) place(unit, null)
    foldedInto.clear()
    tail = null
    for (const unit of said) {
      link(unit, tail, null)
      place(unit, unit.said)
    }
    for (const { edit } of inForce.values()) if (isStandingFold(edit)) makeFold(edit)
  }

  function targetsOf(edit: Edit): readonly string[] {
    switch (edit.kind) {
      case 'replace':
        return [edit.message]
      case 'insert':
        return edit.after === null ? [edit.message.id] : [edit.message.id, edit.after]
      case 'fold': {
        if (edit.first === edit.last) return [edit.first]
        const targets: string[] = []
        const to = units.get(edit.last)
        for (let unit = units.get(edit.first) ?? null; unit !== null; unit = unit === to ? null : unit.next) {
          targets.push(unit.id)
          // What was put between them goes with them.
          if (unit !== to) for (const name of editsOn.get(unit.id)?.names ?? []) targets.push(...insertedBy(name))
        }
        return targets
      }
    }
  }

  const insertedBy = (name: string): readonly string[] => {
    const edit = inForce.get(name)?.edit
    return edit?.kind === 'insert' ? [edit.message.id] : []
  }

  function remove(id: string): void {
    const known = inForce.get(id)
    if (known === undefined) return
    for (const target of known.targets) {
      touch(target)
      const on = editsOn.get(target)
      if (on?.names.delete(id) === true) noteKind(target, on, known.edit, -1)
    }
    inForce.delete(id)
  }

  function put(edit: Edit): void {
    const turn = inForce.get(edit.id)?.turn ?? (turns += 1)
    remove(edit.id)
    const targets = isStandingFold(edit) ? [] : targetsOf(edit)
    inForce.set(edit.id, { edit, turn, targets })
    for (const target of targets) {
      let on = editsOn.get(target)
      if (on === undefined) {
        on = { names: new Set(), structural: 0, replacing: 0 }
        editsOn.set(target, on)
      }
      if (!on.names.has(edit.id)) noteKind(target, on, edit, 1)
      on.names.add(edit.id)
      touch(target)
    }
    if (edit.kind === 'insert') unitOf(edit.message.id, anchorOf(edit.after))
  }

  function noteKind(id: string, target: Target, edit: Edit, times: 1 | -1): void {
    if (edit.kind === 'replace') target.replacing += times
    else if (edit.kind === 'fold' || edit.message.id === id) target.structural += times
    if (target.structural > 0 && target.replacing > 0) mixed.add(id)
    else mixed.delete(id)
  }

  const anchorOf = (after: string | null): Numbers => (after === null ? start : (units.get(after) ?? start))

  /** Whether what an edit hangs on is shown. */
  function stands(id: string, depth = 0): boolean {
    const unit = units.get(id)
    if (unit === undefined) return false
    if (unit.base !== null) return true
    if (depth > deepestChain) return false
    for (const name of editsOn.get(id)?.names ?? []) {
      const edit = inForce.get(name)?.edit
      if (edit?.kind === 'insert' && edit.message.id === id && (edit.after === null || stands(edit.after, depth + 1))) return true
    }
    return false
  }

  function shownOf(unit: Unit, rankOf: (edit: Edit) => number): SizedMessage | null {
    const names = editsOn.get(unit.id)?.names
    if (names === undefined || names.size === 0) return unit.base
    const list = [...names].flatMap((name) => inForce.get(name) ?? [])
    if (list.length > 1) list.sort((one, other) => rankOf(one.edit) - rankOf(other.edit) || one.turn - other.turn)
    let current = unit.base
    for (const { edit } of list) {
      switch (edit.kind) {
        case 'replace':
          if (current?.parts[edit.part] !== undefined)
            current = withSizedPart(current, edit.part, sizePart(edit.with, current, toolOf, count))
          break
        case 'fold':
          if (edit.first === edit.last || (stands(edit.first) && stands(edit.last)))
            current = current === null || edit.into === null ? null : size(edit.into)
          break
        case 'insert':
          if (edit.message.id === unit.id && current === null && (edit.after === null || stands(edit.after)))
            current = size(edit.message)
          break
      }
    }
    return current
  }

  function recount(id: string, rankOf: (edit: Edit) => number): void {
    const unit = units.get(id)
    if (unit !== undefined) recountUnit(unit, rankOf)
  }

  function recountUnit(unit: Unit, rankOf: (edit: Edit) => number): void {
    const now = shownOf(unit, rankOf)
    if (now === unit.shown) return
    if (unit.shown !== null) {
      sum.add(unit.shown, -1)
      places.add(unit.first, -unit.shown.tokens)
    }
    if (now !== null) {
      sum.add(now)
      places.add(unit.first, now.tokens)
    }
    unit.shown = now
  }

  return {
    append,
    take,
    settle,
    sum,
    places,
    shown: (id) => units.get(id)?.shown ?? null,
    numbersOf,
    isInForce: (id) => inForce.has(id),
    column: () => said.map((unit) => unit.shown?.tokens ?? 0),
  }

  function append(message: SizedMessage): void {
    const number = said.length
    const isNew = !units.has(message.id)
    const unit = unitOf(message.id, { first: number, last: number })
    unit.said = message
    said.push(unit)
    link(unit, tail, null)
    if (isNew && !editsOn.has(message.id)) {
      unit.base = message
      fresh.push(unit)
      return
    }
    unit.first = number
    unit.last = number
    place(unit, message)
  }

  function numbersOf(id: string): Numbers | null {
    return units.get(id) ?? null
  }

  function take({ apply = [], withdraw = [] }: EditsEntry): readonly ViewChange[] {
    const changes: ViewChange[] = []
    let isFoldedAnew = false
    const note = (edit: Edit, isWithdrawn: boolean) => {
      const numbers = edit.kind === 'fold' ? spanOf(edit) : anchorOf(edit.kind === 'replace' ? edit.message : edit.after)
      const isKnown = edit.kind === 'insert' || units.has(edit.kind === 'replace' ? edit.message : edit.first)
      // A message is put after its place, so it is the next one's bytes that change.
      const number = edit.kind === 'insert' && edit.after !== null ? numbers.first + 1 : numbers.first
      const { first, last } = numbers
      changes.push({ edit, isWithdrawn, isFold: isStandingFold(edit), number: isKnown ? number : null, numbers: { first, last } })
    }
    for (const id of withdraw) {
      const edit = inForce.get(id)?.edit
      if (edit === undefined) continue
      note(edit, true)
      isFoldedAnew ||= isStandingFold(edit)
      remove(id)
    }
    for (const edit of apply) {
      const before = inForce.get(edit.id)?.edit
      if (isStandingFold(edit)) {
        isFoldedAnew ||= isStandingFold(before)
        // One that is made again comes after those it is made of now.
        remove(edit.id)
      } else isFoldedAnew ||= isStandingFold(before)
      note(edit, false)
      put(edit)
      if (isStandingFold(edit) && !isFoldedAnew) makeFold(edit)
    }
    if (isFoldedAnew) foldAnew()
    return changes
  }

  function spanOf({ first, last }: FoldEdit): Numbers {
    const from = anchorOf(first)
    return { first: from.first, last: Math.max(from.first, (units.get(last) ?? from).last) }
  }

  function settle(policies: readonly string[], isRight?: (tokens: number) => boolean): void {
    if (order.length !== policies.length || order.some((name, index) => name !== policies[index])) {
      for (const [id, { names }] of editsOn) if (names.size > 1) dirty.add(id)
      order = policies
      ranks = new Map(policies.map((name, index) => [name, index]))
    }
    const inOrder = (edit: Edit) => ranks.get(edit.policy) ?? 0
    if (isListFirst) for (const id of mixed) dirty.add(id)
    isListFirst = false
    for (const unit of fresh) recountUnit(unit, inOrder)
    fresh = []
    for (const id of dirty) recount(id, inOrder)
    dirty.clear()
    if (mixed.size === 0 || isRight === undefined || isRight(sum.total())) return
    // Where others had to wait, those that change which messages there are were applied before them.
    const listFirst = (edit: Edit) =>
      inOrder(edit) + (edit.policy === policies.at(-1) ? 2 : edit.kind === 'replace' ? 1 : 0) * policies.length
    for (const id of mixed) recount(id, listFirst)
    isListFirst = isRight(sum.total())
    if (!isListFirst) for (const id of mixed) recount(id, inOrder)
  }
}

const start: Numbers = { first: 0, last: 0 }

/** Nobody puts messages behind messages that were put behind messages for longer; what does is no log of ours. */
const deepestChain = 100
