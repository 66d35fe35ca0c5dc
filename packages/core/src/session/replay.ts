import type { Edit, FoldEdit } from '../edit.ts'
import type { Measurement } from '../facts.ts'
import type { Message } from '../message.ts'
import { emptyLedger, type Ledger } from '../timing/ledger.ts'
import { settleLedger } from '../timing/settle-ledger.ts'
import { applicable, type EditsInForce, isStandingFold, movesFolds, takeEffect } from './edits-in-force.ts'
import type { Entry, EntryHead, HeaderEntry, RequestEntry, UsageEntry } from './entry.ts'

/** What one branch of a log amounts to: everything the next request is made of. */
export interface SessionState {
  readonly header: HeaderEntry
  /** The last entry of the branch, which the next one continues. */
  readonly leaf: string
  /** The messages of the branch in order, with the summaries of `folds` in place of what they stand for. */
  readonly messages: readonly Message[]
  /** The folds in force, in the order they were made. A later one may stand for the summaries of earlier ones. */
  readonly folds: readonly FoldEdit[]
  /** Every other edit in force. */
  readonly edits: readonly Edit[]
  /** Messages the user wants whole. */
  readonly pins: readonly string[]
  /** The last message of the last request that the provider accepted on this branch. */
  readonly sent: string | null
  /** The model of that request. */
  readonly model: string | null
  readonly ledger: Ledger
  /** What requests of this branch were estimated at and what the provider then counted, oldest first, at most 50. */
  readonly measurements: readonly Measurement[]
}

/** What a branch is replayed from. */
export interface ReplayInput<Head extends EntryHead = EntryHead> {
  readonly header: HeaderEntry
  /** The heads of the branch, first to last. */
  readonly path: readonly Head[]
  /** An entry with its content, or null where it cannot be read. Asked only for what the state is made of. */
  readonly load: (head: Head) => Entry | null
}

/**
 * The state that a branch amounts to. Messages that stand behind a summary are never loaded, so a long session takes no more
 * memory than what is left of it.
 */
export function replay<Head extends EntryHead>(input: ReplayInput<Head>): SessionState {
  return startReplay(input).state
}

/** A branch that was replayed and may go on. */
export interface Replayed<Head extends EntryHead = EntryHead> {
  readonly state: SessionState
  /**
   * The same branch with the entries that continue it, without reading again what came before. Null where they change what stands
   * there, so that all of it has to be replayed. A replayed branch goes on once.
   */
  readonly goOn: (heads: readonly Head[], load: ReplayInput<Head>['load']) => Replayed<Head> | null
}

/** `replay` for a branch that grows. */
export function startReplay<Head extends EntryHead>({ header, path, load }: ReplayInput<Head>): Replayed<Head> {
  const inForce = readEdits(path, load)
  const wanted = [...inForce.edits.values()].filter(isStandingFold)
  const { slots, folds, standsFor } = applyFolds(
    path.filter(({ type }) => type === 'message'),
    wanted,
  )
  const messages: Message[] = []
  for (const slot of slots) {
    const entry = 'summary' in slot ? null : load(slot.head)
    if ('summary' in slot) messages.push(slot.summary)
    else if (entry?.type === 'message') messages.push(entry.message)
  }
  const shown = new Map(messages.map((message) => [message.id, message]))
  const requests = new Map<string, Head>()
  for (const head of path) if (head.type === 'request') requests.set(head.id, head)
  const answers = readAccepted(path, requests, load)
  // Heads whose messages came later than the folds, so that they stand for themselves.
  const later = new Set<string>()
  const summaries = new Set(folds.map(({ into }) => into.id))
  const isSettled = folds.length === wanted.length && answers.isComplete

  const replayed = (leaf: string, said: readonly Message[], edits: SessionState['edits'], accepted: readonly Accepted[]) => {
    const [request] = accepted
    const last = request?.last ?? null
    const state: SessionState = {
      header,
      leaf,
      messages: said,
      folds,
      edits,
      pins: [...inForce.pins],
      sent: last === null || later.has(last) ? last : standsFor(last),
      model: request?.model ?? null,
      ledger: request === undefined ? emptyLedger : settleLedger(request.ledger ?? emptyLedger, request.usage),
      measurements: accepted.map(({ model, estimate, usage, last: to }) => ({ model, estimate, usage, last: to })).reverse(),
    }
    return { state, goOn: goOnFrom(state, accepted) }
  }

  const goOnFrom =
    (before: SessionState, known: readonly Accepted[]): Replayed<Head>['goOn'] =>
    (heads, read) => {
      const said: Message[] = []
      const counted: Accepted[] = []
      let editsMayChange = false
      for (const head of heads) {
        if (!isSettled || head.type === 'rewind') return null
        if (head.type === 'message') later.add(head.id)
        if (head.type === 'request') requests.set(head.id, head)
        const entry = head.type === 'message' || head.type === 'edits' || head.type === 'usage' ? read(head) : null
        if (entry?.type === 'message') {
          if (summaries.has(head.id)) return null
          said.push(entry.message)
          shown.set(entry.message.id, entry.message)
        } else if (entry?.type === 'edits') {
          if (movesFolds(entry, inForce)) return null
          takeEffect(entry, inForce)
        } else if (entry?.type === 'usage') {
          const answer = answerOf(entry, requests, read)
          if (answer === null) return null
          counted.push(answer)
        }
        if (entry !== null && entry.type !== 'usage') editsMayChange = true
      }
      return replayed(
        heads.at(-1)?.id ?? before.leaf,
        said.length === 0 ? before.messages : before.messages.concat(said),
        editsMayChange ? applicable(inForce, shown) : before.edits,
        counted.length === 0 ? known : counted.reverse().concat(known).slice(0, mostMeasurements),
      )
    }

  return replayed(path.at(-1)?.id ?? header.id, messages, applicable(inForce, shown), answers.accepted)
}

/** More of them say nothing new about the estimate. */
const mostMeasurements = 50

function readEdits<Head extends EntryHead>(path: readonly Head[], load: ReplayInput<Head>['load']): EditsInForce {
  const inForce: EditsInForce = { edits: new Map(), pins: new Set() }
  for (const head of path) {
    const entry = head.type === 'edits' ? load(head) : null
    if (entry?.type === 'edits') takeEffect(entry, inForce)
  }
  return inForce
}

/** A request that the provider answered with a count. */
interface Accepted extends Measurement {
  readonly ledger: RequestEntry['ledger']
}

/** Those requests, newest first, and whether there is no count whose request may still come. */
function readAccepted<Head extends EntryHead>(
  path: readonly Head[],
  requests: ReadonlyMap<string, Head>,
  load: ReplayInput<Head>['load'],
): { readonly accepted: readonly Accepted[]; readonly isComplete: boolean } {
  const accepted: Accepted[] = []
  let isComplete = true
  for (let index = path.length - 1; index >= 0 && accepted.length < mostMeasurements; index -= 1) {
    const head = path[index] as Head
    const entry = head.type === 'usage' ? load(head) : null
    const answer = entry?.type === 'usage' ? answerOf(entry, requests, load) : null
    if (answer !== null) accepted.push(answer)
    else if (head.type === 'usage') isComplete = false
  }
  return { accepted, isComplete }
}

function answerOf<Head extends EntryHead>(
  { request: id, usage }: UsageEntry,
  requests: ReadonlyMap<string, Head>,
  load: ReplayInput<Head>['load'],
): Accepted | null {
  const head = requests.get(id)
  const request = head === undefined ? null : load(head)
  if (request?.type !== 'request') return null
  const { model, estimate, last, ledger } = request
  return { model, estimate, usage, last, ledger }
}

/** A fold that puts a message in the place of others. */
type StandingFold = FoldEdit & { readonly into: Message }

/** What stands at one place of a conversation: a message still to be loaded, or a summary. */
type Slot<Head extends EntryHead> = { readonly head: Head } | { readonly summary: Message }

/** A conversation with its folds in place. */
interface Folded<Head extends EntryHead> {
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
function applyFolds<Head extends EntryHead>(heads: readonly Head[], folds: readonly StandingFold[]): Folded<Head> {
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
