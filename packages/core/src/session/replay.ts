import type { Measurement } from '../facts.ts'
import type { Message } from '../message.ts'
import { emptyLedger } from '../timing/ledger.ts'
import { settleLedger } from '../timing/settle-ledger.ts'
import { applyFolds } from './apply-folds.ts'
import { applicable, type EditsInForce, isStandingFold, movesFolds, takeEffect } from './edits-in-force.ts'
import type { Entry, EntryHead, HeaderEntry, RequestEntry, UsageEntry } from './entry.ts'
import type { SessionState } from './session-state.ts'

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
