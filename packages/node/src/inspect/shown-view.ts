import type { Edit, Message } from '@plimsoll/core'
import {
  createFillSum,
  type FillSum,
  type PartCounter,
  type SizedMessage,
  sizeMessage,
  sizePart,
  type ToolOfCall,
  withSizedPart,
} from '@plimsoll/core/bill'
import type { FoldEdit } from '@plimsoll/core/policies'
import { type EditsEntry, isStandingFold } from '@plimsoll/core/session'
import { getOrMake } from '../shared/get-or-make.ts'
import { type ActiveEdit, createEditsByMessage } from './edits-by-message.ts'
import { createMessageChain, createPrefixSums, type Numbers, type Unit } from './message-chain.ts'

export type ShownView = ReturnType<typeof createShownView>

export interface ViewChange {
  readonly edit: Edit
  readonly isWithdrawn: boolean
  /** Whether it replaces messages with something else, such as a summary. */
  readonly isFold: boolean
  /** The number of the first message whose bytes change, if known. */
  readonly number: number | null
  readonly numbers: Numbers
}

/** Tracks the view of a conversation from one request to the next, and recalculates only what messages and edits change. */
export function createShownView(toolOf: ToolOfCall, count: PartCounter) {
  const edits = createEditsByMessage()
  const dirty = new Set<string>()
  /** Messages that were added since the sums were last updated. */
  let fresh: Unit[] = []
  const sum: FillSum = createFillSum()
  const places = createPrefixSums()
  const sizes = new WeakMap<Message, SizedMessage>()
  let order: readonly string[] = []
  let ranks: ReadonlyMap<string, number> = new Map()
  let isListFirst = false

  const size = (message: Message) => getOrMake(sizes, message, () => sizeMessage(message, toolOf, count))

  /** A message inserted after this one depends on it, and so do those folded with it. */
  const touch = (id: string) => {
    const waiting = [id]
    // An edit of many messages is found on each of them.
    let followed: Set<ActiveEdit> | undefined
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (dirty.has(next)) continue
      dirty.add(next)
      for (const on of edits.on(next)) {
        if (on.targets.length < 2 || followed?.has(on) === true) continue
        followed ??= new Set()
        followed.add(on)
        for (const target of on.targets) waiting.push(target)
      }
    }
  }

  const chain = createMessageChain({ size, changed: touch })

  function targetsOf(edit: Edit): readonly string[] {
    switch (edit.kind) {
      case 'replace':
        return [edit.message]
      case 'insert':
        return edit.after === null ? [edit.message.id] : [edit.message.id, edit.after]
      case 'fold': {
        if (edit.first === edit.last) return [edit.first]
        const targets: string[] = []
        const to = chain.get(edit.last)
        for (let unit = chain.get(edit.first) ?? null; unit !== null; unit = unit === to ? null : unit.next) {
          targets.push(unit.id)
          // Messages inserted between them go with them.
          if (unit !== to) for (const { edit: on } of edits.on(unit.id)) if (on.kind === 'insert') targets.push(on.message.id)
        }
        return targets
      }
    }
  }

  function remove(id: string): void {
    for (const target of edits.get(id)?.targets ?? []) touch(target)
    edits.remove(id)
  }

  function put(edit: Edit): void {
    for (const target of edits.get(edit.id)?.targets ?? []) touch(target)
    const targets = isStandingFold(edit) ? [] : targetsOf(edit)
    edits.put(edit, targets)
    for (const target of targets) touch(target)
    if (edit.kind === 'insert') chain.unitOf(edit.message.id, anchorOf(edit.after))
  }

  const anchorOf = (after: string | null): Numbers => (after === null ? start : (chain.get(after) ?? start))

  /** Whether the message an edit depends on is shown: recorded, a summary, or inserted after one that is. */
  function stands(id: string): boolean {
    const seen = new Set([id])
    for (const next of seen) {
      if ((chain.get(next)?.base ?? null) !== null) return true
      if (seen.size > maxChain) return false
      for (const { edit } of edits.on(next)) {
        if (edit.kind !== 'insert' || edit.message.id !== next) continue
        if (edit.after === null) return true
        seen.add(edit.after)
      }
    }
    return false
  }

  function shownOf(unit: Unit, rankOf: (edit: Edit) => number): SizedMessage | null {
    let current = unit.base
    const on = edits.on(unit.id)
    const ordered =
      on.length < 2 ? on : on.toSorted((one, other) => rankOf(one.edit) - rankOf(other.edit) || one.turn - other.turn)
    for (const { edit } of ordered) {
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

  function recount(unit: Unit | undefined, rankOf: (edit: Edit) => number): void {
    const now = unit === undefined ? null : shownOf(unit, rankOf)
    if (unit === undefined || now === unit.shown) return
    if (unit.shown !== null) {
      sum.add(unit.shown, -1)
      places.add(unit.countedAt, -unit.shown.tokens)
    }
    if (now !== null) {
      sum.add(now)
      places.add(unit.first, now.tokens)
    }
    unit.shown = now
    unit.countedAt = unit.first
  }

  return {
    append,
    take,
    settle,
    sum,
    /** Tokens that are shown, by the number of the message. */
    places,
    shown: (id: string) => chain.get(id)?.shown ?? null,
    /** The numbers of the messages that a message or a summary represents; null for an unknown id. */
    numbersOf: (id: string): Numbers | null => chain.get(id) ?? null,
    isActive: (id: string) => edits.get(id) !== undefined,
    /** The tokens shown of each recorded message when the sums were last updated. */
    column: () => chain.said.map((unit) => unit.shown?.tokens ?? 0),
  }

  function append(message: SizedMessage): void {
    const unit = chain.append(message)
    // Nearly always there is no edit on it yet.
    if (edits.on(unit.id).length === 0) fresh.push(unit)
    else touch(unit.id)
  }

  /** Applies an entry and returns its changes in order. */
  function take({ apply = [], withdraw = [] }: EditsEntry): readonly ViewChange[] {
    const changes: ViewChange[] = []
    let mustRefold = false
    const note = (edit: Edit, isWithdrawn: boolean) => {
      const numbers = edit.kind === 'fold' ? spanOf(edit) : anchorOf(edit.kind === 'replace' ? edit.message : edit.after)
      const isKnown = edit.kind === 'insert' || chain.get(edit.kind === 'replace' ? edit.message : edit.first) !== undefined
      // A message is inserted after its place, so the bytes of the next one change.
      const number = edit.kind === 'insert' && edit.after !== null ? numbers.first + 1 : numbers.first
      const { first, last } = numbers
      changes.push({ edit, isWithdrawn, isFold: isStandingFold(edit), number: isKnown ? number : null, numbers: { first, last } })
    }
    for (const id of withdraw) {
      const edit = edits.get(id)?.edit
      if (edit === undefined) continue
      note(edit, true)
      mustRefold ||= isStandingFold(edit)
      remove(id)
    }
    for (const edit of apply) {
      const before = edits.get(edit.id)?.edit
      mustRefold ||= isStandingFold(before)
      // A summary that is made again comes after the summaries it now contains.
      if (isStandingFold(edit)) remove(edit.id)
      note(edit, false)
      put(edit)
      if (isStandingFold(edit) && !mustRefold) chain.fold(edit)
    }
    if (mustRefold) chain.refold([...edits.all()].map(({ edit }) => edit).filter(isStandingFold))
    return changes
  }

  function spanOf({ first, last }: FoldEdit): Numbers {
    const from = anchorOf(first)
    return { first: from.first, last: Math.max(from.first, (chain.get(last) ?? from).last) }
  }

  /** Updates the sums for a request whose policies ran in this order. `isRight` checks a total for that. */
  function settle(policies: readonly string[], isRight?: (tokens: number) => boolean): void {
    if (order.length !== policies.length || order.some((name, index) => name !== policies[index])) {
      for (const id of edits.several()) dirty.add(id)
      order = policies
      ranks = new Map(policies.map((name, index) => [name, index]))
    }
    const inOrder = (edit: Edit) => ranks.get(edit.policy) ?? 0
    if (isListFirst) for (const id of edits.mixed) dirty.add(id)
    isListFirst = false
    for (const unit of fresh) recount(unit, inOrder)
    fresh = []
    for (const id of dirty) recount(chain.get(id), inOrder)
    dirty.clear()
    if (edits.mixed.size === 0 || isRight === undefined || isRight(sum.total())) return
    // If other edits were pending, those that add or remove messages were applied first.
    const listFirst = (edit: Edit) =>
      inOrder(edit) + (edit.policy === policies.at(-1) ? 2 : edit.kind === 'replace' ? 1 : 0) * policies.length
    for (const id of edits.mixed) recount(chain.get(id), listFirst)
    isListFirst = isRight(sum.total())
    if (!isListFirst) for (const id of edits.mixed) recount(chain.get(id), inOrder)
  }
}

const start: Numbers = { first: 0, last: 0 }

/** Maximum messages inserted after inserted messages; Plimsoll's logs never have more in a row. */
const maxChain = 100
