import type { Message } from '@plimsoll/core'
import type { SizedMessage } from '@plimsoll/core/bill'
import type { FoldEdit } from '@plimsoll/core/policies'
import { getOrMake } from '../shared/get-or-make.ts'

export interface Numbers {
  readonly first: number
  readonly last: number
}

/** A message, a summary or an inserted message, linked to its neighbours. */
export interface Unit {
  readonly id: string
  /** The numbers of the messages it replaces. */
  first: number
  last: number
  /** As it was recorded; null for summaries and inserted messages. */
  said: SizedMessage | null
  /** As it is with summaries applied, before other edits; null if a summary replaced it. */
  base: SizedMessage | null
  /** As it was last counted, and at which number. */
  shown: SizedMessage | null
  countedAt: number
  before: Unit | null
  next: Unit | null
}

interface MessageChainOptions {
  readonly size: (message: Message) => SizedMessage
  /** Called when a unit appears or disappears, except for messages that are new. */
  readonly changed: (id: string) => void
}

/** A conversation with summaries instead of the messages they replace. */
export function createMessageChain({ size, changed }: MessageChainOptions) {
  const units = new Map<string, Unit>()
  const said: Unit[] = []
  const folded = new Set<string>()
  let tail: Unit | null = null

  const unitOf = (id: string, { first, last }: Numbers) =>
    getOrMake<string, Unit>(units, id, () => {
      return { id, first, last, said: null, base: null, shown: null, countedAt: 0, before: null, next: null }
    })

  function place(unit: Unit, base: SizedMessage | null): void {
    if (unit.base === base) return
    unit.base = base
    changed(unit.id)
  }

  function link(unit: Unit, before: Unit | null, next: Unit | null): void {
    unit.before = before
    unit.next = next
    if (before !== null) before.next = unit
    if (next !== null) next.before = unit
    else tail = unit
  }

  /** Replaces messages with a summary, if all of them exist. */
  function fold({ first, last, into }: FoldEdit): void {
    const from = units.get(first)
    const to = units.get(last)
    if (into === null || from === undefined || to === undefined || from.base === null || to.base === null) return
    if (from.first > to.first || folded.has(into.id) || (units.get(into.id)?.base ?? null) !== null) return
    for (let unit: Unit | null = from; unit !== null; unit = unit === to ? null : unit.next) {
      place(unit, null)
      folded.add(unit.id)
    }
    const unit = unitOf(into.id, from)
    unit.first = from.first
    unit.last = to.last
    link(unit, from.before, to.next)
    place(unit, size(into))
  }

  return {
    get: (id: string) => units.get(id),
    unitOf,
    said: said as readonly Unit[],
    append(message: SizedMessage): Unit {
      const number = said.length
      const known = units.get(message.id)
      const unit = known ?? unitOf(message.id, { first: number, last: number })
      unit.first = number
      unit.last = number
      unit.said = message
      said.push(unit)
      link(unit, tail, null)
      if (known === undefined) unit.base = message
      else place(unit, message)
      return unit
    },
    fold,
    /** Removes all summaries and applies these, one after the other. */
    refold(edits: Iterable<FoldEdit>): void {
      for (const unit of units.values()) if (unit.said === null) place(unit, null)
      folded.clear()
      tail = null
      for (const unit of said) {
        link(unit, tail, null)
        place(unit, unit.said)
      }
      for (const edit of edits) fold(edit)
    },
  }
}

/** Sums of amounts at places (a Fenwick tree); each call takes time in the logarithm of the number of places. */
export function createPrefixSums() {
  let amounts = new Float64Array(64)
  let tree = new Float64Array(65)

  const upTo = (place: number) => {
    let sum = 0
    for (let at = Math.min(place + 1, amounts.length); at > 0; at -= at & -at) sum += tree[at] as number
    return sum
  }

  const insert = (place: number, amount: number) => {
    for (let at = place + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] as number) + amount
  }

  const grow = (places: number) => {
    const before = amounts
    amounts = new Float64Array(Math.max(places, before.length * 2))
    amounts.set(before)
    tree = new Float64Array(amounts.length + 1)
    before.forEach((amount, place) => insert(place, amount))
  }

  return {
    add(place: number, amount: number): void {
      if (place >= amounts.length) grow(place + 1)
      amounts[place] = (amounts[place] as number) + amount
      insert(place, amount)
    },
    /** The sum from one place up to and including another. */
    between: (from: number, to: number) => (to < from ? 0 : upTo(to) - upTo(from - 1)),
    /** The first place at which the sum from the start exceeds an amount; a place after all others if it never does. */
    findMore(than: number): number {
      let at = 0
      let left = than
      for (let step = 2 ** Math.floor(Math.log2(amounts.length)); step >= 1; step /= 2) {
        const next = at + step
        if (next >= tree.length || (tree[next] as number) > left) continue
        at = next
        left -= tree[next] as number
      }
      return at
    },
  }
}
