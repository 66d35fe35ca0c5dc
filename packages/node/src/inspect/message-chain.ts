import type { Message } from '@plimsoll/core'
import type { SizedMessage } from '@plimsoll/core/bill'
import type { FoldEdit } from '@plimsoll/core/policies'

/** The first and the last of messages by number. */
export interface Numbers {
  readonly first: number
  readonly last: number
}

/** A message, a summary or an inserted message, with what stands before and behind it. */
export interface Unit {
  readonly id: string
  /** The numbers of the messages it stands for. */
  first: number
  last: number
  /** As it was said; null for what nobody said. */
  said: SizedMessage | null
  /** As it stands once summaries are in place, before other edits; null where it does not. */
  base: SizedMessage | null
  /** As it was counted last, and where. */
  shown: SizedMessage | null
  countedAt: number
  before: Unit | null
  next: Unit | null
}

/** A conversation with summaries in the place of what they stand for. */
export interface MessageChain {
  readonly get: (id: string) => Unit | undefined
  /** The unit of this id, which is made where there is none. */
  readonly unitOf: (id: string, numbers: Numbers) => Unit
  /** What was said, by number. */
  readonly said: readonly Unit[]
  /** Adds what was said next. */
  readonly append: (message: SizedMessage) => Unit
  /** Puts a summary in the place of messages, where they all are there. */
  readonly fold: (edit: FoldEdit) => void
  /** Takes all summaries away and puts these in their place, one after the other. */
  readonly foldAnew: (edits: Iterable<FoldEdit>) => void
}

/** What a chain is made with. */
export interface MessageChainOptions {
  readonly size: (message: Message) => SizedMessage
  /** Told when something that stood there does not any more, or the other way round; not for what was said for the first time. */
  readonly changed: (id: string) => void
}

/** A conversation in which nothing was said yet. */
export function createMessageChain({ size, changed }: MessageChainOptions): MessageChain {
  const units = new Map<string, Unit>()
  const said: Unit[] = []
  const folded = new Set<string>()
  let tail: Unit | null = null

  function unitOf(id: string, { first, last }: Numbers): Unit {
    let unit = units.get(id)
    if (unit === undefined) {
      unit = { id, first, last, said: null, base: null, shown: null, countedAt: 0, before: null, next: null }
      units.set(id, unit)
    }
    return unit
  }

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
    get: (id) => units.get(id),
    unitOf,
    said,
    append(message) {
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
    foldAnew(edits) {
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

/** Amounts at places, which change, and whose sums up to a place are wanted often. */
export interface PrefixSums {
  readonly add: (place: number, amount: number) => void
  /** What stands from one place up to and with another. */
  readonly between: (from: number, to: number) => number
  /** The first place up to and with which there is more than so much; a place behind all of them where there never is. */
  readonly findMore: (than: number) => number
}

/** Sums in which nothing is anywhere; each call takes time in the logarithm of the number of places. */
export function createPrefixSums(): PrefixSums {
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
    add(place, amount) {
      if (place >= amounts.length) grow(place + 1)
      amounts[place] = (amounts[place] as number) + amount
      insert(place, amount)
    },
    between: (from, to) => (to < from ? 0 : upTo(to) - upTo(from - 1)),
    findMore(than) {
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
