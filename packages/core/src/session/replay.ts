import type { Edit, FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { emptyLedger } from '../timing.ts'
import { applyFolds } from './apply-folds.ts'
import type { EditsEntry, Entry, EntryHead, HeaderEntry, RequestEntry, UsageEntry } from './entry.ts'
import type { Measurement, SessionState } from './session-state.ts'

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
export function replay<Head extends EntryHead>({ header, path, load }: ReplayInput<Head>): SessionState {
  const { edits, pins } = readEdits(path, load)
  const folds = edits.filter(isStandingFold)
  const shown = applyFolds(
    path.filter(({ type }) => type === 'message'),
    folds,
  )
  const messages = shown.slots.flatMap((slot): readonly Message[] => {
    if ('summary' in slot) return [slot.summary]
    const entry = load(slot.head)
    return entry?.type === 'message' ? [entry.message] : []
  })
  const accepted = readAccepted(path, load)
  const [request] = accepted
  return {
    header,
    leaf: path.at(-1)?.id ?? header.id,
    messages,
    folds: shown.folds,
    edits: applicable(edits, messages),
    pins,
    sent: request === undefined || request.last === null ? null : shown.standsFor(request.last),
    model: request?.model ?? null,
    ledger: request?.ledger ?? emptyLedger,
    measurements: accepted.map(({ model, estimate, usage, last }) => ({ model, estimate, usage, last })).reverse(),
  }
}

/** More of them say nothing new about the estimate. */
const mostMeasurements = 50

/** Something else in the place of messages. A message that is only shown without some of its parts is still that message. */
function isStandingFold(edit: Edit): edit is FoldEdit & { readonly into: Message } {
  return edit.kind === 'fold' && edit.into !== null && !(edit.first === edit.last && edit.into.id === edit.first)
}

function readEdits<Head extends EntryHead>(path: readonly Head[], load: (head: Head) => Entry | null) {
  const inForce = new Map<string, Edit>()
  const pins = new Set<string>()
  for (const head of path) {
    if (head.type !== 'edits') continue
    const entry = load(head)
    if (entry?.type === 'edits') takeEffect(entry, inForce, pins)
  }
  return { edits: [...inForce.values()], pins: [...pins] }
}

/** What an entry takes back goes first, so that it can replace an edit by another one of the same name. */
function takeEffect({ apply, withdraw, pin, unpin }: EditsEntry, inForce: Map<string, Edit>, pins: Set<string>): void {
  for (const id of withdraw ?? []) inForce.delete(id)
  for (const edit of apply ?? []) {
    // A fold may be of what others made: one that is made again comes after those it is made of now.
    if (isStandingFold(edit)) inForce.delete(edit.id)
    inForce.set(edit.id, edit)
  }
  for (const id of unpin ?? []) pins.delete(id)
  for (const id of pin ?? []) pins.add(id)
}

/** Requests that the provider answered with a count, newest first. */
function readAccepted<Head extends EntryHead>(path: readonly Head[], load: (head: Head) => Entry | null) {
  const requests = new Map<string, Head>()
  for (const head of path) if (head.type === 'request') requests.set(head.id, head)
  const accepted: (Measurement & { readonly ledger: RequestEntry['ledger'] })[] = []
  for (let index = path.length - 1; index >= 0 && accepted.length < mostMeasurements; index -= 1) {
    const head = path[index] as Head
    const answer = head.type === 'usage' ? load(head) : null
    const request = answer?.type === 'usage' ? requestOf(answer, requests, load) : null
    if (answer?.type !== 'usage' || request === null) continue
    const { model, estimate, last, ledger } = request
    accepted.push({ model, estimate, usage: answer.usage, last, ledger })
  }
  return accepted
}

function requestOf<Head extends EntryHead>(
  { request }: UsageEntry,
  requests: ReadonlyMap<string, Head>,
  load: (head: Head) => Entry | null,
): RequestEntry | null {
  const head = requests.get(request)
  const entry = head === undefined ? null : load(head)
  return entry?.type === 'request' ? entry : null
}

/** The edits besides the folds that stand, as far as what they name is still shown. */
function applicable(edits: readonly Edit[], shown: readonly Message[]): readonly Edit[] {
  if (edits.length === 0) return edits
  const ids = new Map(shown.map((message) => [message.id, message]))
  return edits.filter((edit) => {
    switch (edit.kind) {
      case 'replace':
        return ids.get(edit.message)?.parts[edit.part] !== undefined
      case 'fold':
        return !isStandingFold(edit) && ids.has(edit.first) && ids.has(edit.last)
      case 'insert':
        if ((edit.after !== null && !ids.has(edit.after)) || ids.has(edit.message.id)) return false
        ids.set(edit.message.id, edit.message)
        return true
    }
  })
}
