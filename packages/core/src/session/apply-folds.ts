import type { FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import type { EntryHead } from './entry.ts'

/** A fold that puts a message in the place of others. */
type StandingFold = FoldEdit & { readonly into: Message }

/** What stands at one place of a conversation: a message still to be loaded, or a summary. */
export type Slot<Head extends EntryHead> = { readonly head: Head } | { readonly summary: Message }

/** A conversation with its folds in place. */
export interface Folded<Head extends EntryHead> {
  readonly slots: readonly Slot<Head>[]
  /** The folds that could be made, in order. */
  readonly folds: readonly StandingFold[]
  /** The message that now stands for another one: itself, or the summary it was folded into; null for an unknown one. */
  readonly standsFor: (id: string) => string | null
}

/**
 * Puts folds in the place of the messages they stand for, without looking at the messages. A fold whose ends are not both there,
 * are in the wrong order, or whose summary would be a second message of its name, is left out.
 */
export function applyFolds<Head extends EntryHead>(heads: readonly Head[], folds: readonly StandingFold[]): Folded<Head> {
  const links = new Map<string, Link<Head>>()
  const start: Link<Head> = { place: -1, slot: null, id: '', next: null, before: null }
  let tail = start
  for (const [place, head] of heads.entries()) {
    const link: Link<Head> = { place, slot: { head }, id: head.id, next: null, before: tail }
    tail.next = link
    links.set(head.id, link)
    tail = link
  }
  const foldedInto = new Map<string, string>()
  const made = folds.filter((fold) => makeFold(fold, links, foldedInto))
  const slots: Slot<Head>[] = []
  for (let link = start.next; link !== null; link = link.next) if (link.slot !== null) slots.push(link.slot)
  return {
    slots,
    folds: made,
    standsFor(id) {
      let shown = id
      for (let into = foldedInto.get(shown); into !== undefined; into = foldedInto.get(shown)) shown = into
      return links.has(shown) ? shown : null
    },
  }
}

interface Link<Head extends EntryHead> {
  /** Grows along the list, so that the order of two ends is known without walking from one to the other. */
  readonly place: number
  readonly slot: Slot<Head> | null
  readonly id: string
  next: Link<Head> | null
  before: Link<Head> | null
}

function makeFold<Head extends EntryHead>(
  { first, last, into }: StandingFold,
  links: Map<string, Link<Head>>,
  foldedInto: Map<string, string>,
): boolean {
  const from = links.get(first)
  const to = links.get(last)
  if (from === undefined || to === undefined || from.place > to.place) return false
  if (links.has(into.id) || foldedInto.has(into.id)) return false
  for (let link: Link<Head> | null = from; link !== null; link = link === to ? null : link.next) {
    links.delete(link.id)
    foldedInto.set(link.id, into.id)
  }
  const link: Link<Head> = { place: from.place, slot: { summary: into }, id: into.id, next: to.next, before: from.before }
  if (from.before !== null) from.before.next = link
  if (to.next !== null) to.next.before = link
  links.set(into.id, link)
  return true
}
