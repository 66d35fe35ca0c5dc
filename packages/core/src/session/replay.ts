import type { Edit, FoldEdit } from '../edit.ts'
import type { Measurement } from '../facts.ts'
import type { Message } from '../message.ts'
import { emptyLedger, type Ledger, settleLedger } from '../timing/ledger.ts'
import { applicable, type EditsInForce, isStandingFold, movesFolds, takeEffect } from './edits-in-force.ts'
import type { Entry, EntryHead, HeaderEntry, RequestEntry, UsageEntry } from './entry.ts'

/** The state at the end of one branch of a log: everything needed for the next request. */
export interface SessionState {
  readonly header: HeaderEntry
  readonly leaf: string
  /** The messages of the branch in order, with the summaries of `folds` instead of the messages they replace. */
  readonly messages: readonly Message[]
  /** The active folds, oldest first. A later one may replace the summaries of earlier ones. */
  readonly folds: readonly FoldEdit[]
  readonly edits: readonly Edit[]
  readonly pins: readonly string[]
  /** Messages whose results the user has hidden. */
  readonly hides: readonly string[]
  /** Last message and model of the last accepted request on this branch. */
  readonly sent: string | null
  readonly model: string | null
  readonly ledger: Ledger
  /** Estimated and counted tokens of the latest requests, oldest first, at most 50. */
  readonly measurements: readonly Measurement[]
}

export interface ReplayInput<Head extends EntryHead = EntryHead> {
  readonly header: HeaderEntry
  readonly path: readonly Head[]
  /** Loads an entry with its content; null if it cannot be read. Called only for entries the state needs. */
  readonly load: (head: Head) => Entry | null
}

/** Replays a branch. Messages replaced by a summary are never loaded, which saves memory. */
export function replay<Head extends EntryHead>(input: ReplayInput<Head>): SessionState {
  return startReplay(input).state
}

export interface Replayed<Head extends EntryHead = EntryHead> {
  readonly state: SessionState
  /** Continues with further entries, once. Null if they change earlier ones, so that the branch must be replayed in full. */
  readonly goOn: (heads: readonly Head[], load: ReplayInput<Head>['load']) => Replayed<Head> | null
}

/** `replay` for a branch that grows. */
export function startReplay<Head extends EntryHead>({ header, path, load }: ReplayInput<Head>): Replayed<Head> {
  const inForce: EditsInForce = { edits: new Map(), pins: new Set(), hides: new Set() }
  for (const head of path) {
    const entry = head.type === 'edits' ? load(head) : null
    if (entry?.type === 'edits') takeEffect(entry, inForce)
  }
  const wanted = [...inForce.edits.values()].filter(isStandingFold)
  const spoken = path.filter(({ type }) => type === 'message')
  const { slots, folds, standsFor } = applyFolds(spoken, wanted)
  const messages: Message[] = []
  for (const slot of slots) {
    const entry = 'summary' in slot ? null : load(slot.head)
    if ('summary' in slot) messages.push(slot.summary)
    else if (entry?.type === 'message') messages.push(entry.message)
  }
  const shown = new Map(messages.map((message) => [message.id, message]))
  const requests = new Map(path.filter(({ type }) => type === 'request').map((head) => [head.id, head]))
  const answers = readAccepted(path, requests, load)
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
      hides: [...inForce.hides],
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
        counted.length === 0 ? known : counted.reverse().concat(known).slice(0, maxMeasurements),
      )
    }

  return replayed(path.at(-1)?.id ?? header.id, messages, applicable(inForce, shown), answers.accepted)
}

const maxMeasurements = 50

interface Accepted extends Measurement {
  readonly ledger: RequestEntry['ledger']
}

function readAccepted<Head extends EntryHead>(
  path: readonly Head[],
  requests: ReadonlyMap<string, Head>,
  load: ReplayInput<Head>['load'],
): { readonly accepted: readonly Accepted[]; readonly isComplete: boolean } {
  const accepted: Accepted[] = []
  let isComplete = true
  for (let index = path.length - 1; index >= 0 && accepted.length < maxMeasurements; index -= 1) {
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

type StandingFold = FoldEdit & { readonly into: Message }
type Slot<Head extends EntryHead> = { readonly head: Head } | { readonly summary: Message }

interface Shown<Head extends EntryHead> {
  readonly id: string
  readonly slot: Slot<Head>
  readonly start: number
  readonly end: number
}

function applyFolds<Head extends EntryHead>(heads: readonly Head[], folds: readonly StandingFold[]) {
  const places = heads.map((head, place): Shown<Head> => ({ id: head.id, slot: { head }, start: place, end: place }))
  const shown = new Map(places.map((each) => [each.id, each]))
  const foldedInto = new Map<string, string>()
  const made = folds.filter(({ first, last, into }) => {
    const from = shown.get(first)
    const to = shown.get(last)
    if (from === undefined || to === undefined || from.start > to.start) return false
    if (shown.has(into.id) || foldedInto.has(into.id)) return false
    for (const { id } of shownFrom(places, from.start, to.end)) {
      shown.delete(id)
      foldedInto.set(id, into.id)
    }
    const summary: Shown<Head> = { id: into.id, slot: { summary: into }, start: from.start, end: to.end }
    places[from.start] = summary
    shown.set(into.id, summary)
    return true
  })
  const standsFor = (id: string): string | null => {
    let last = id
    for (let into = foldedInto.get(last); into !== undefined; into = foldedInto.get(last)) last = into
    return shown.has(last) ? last : null
  }
  return { slots: shownFrom(places, 0, places.length - 1).map(({ slot }) => slot), folds: made, standsFor }
}

function shownFrom<Head extends EntryHead>(places: readonly Shown<Head>[], start: number, end: number): readonly Shown<Head>[] {
  const found: Shown<Head>[] = []
  for (let each = places[start]; each !== undefined && each.start <= end; each = places[each.end + 1]) found.push(each)
  return found
}
