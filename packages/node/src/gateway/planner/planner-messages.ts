import type { StoreError } from '../../store/gateway-store.ts'
import type { Measured, Plan, RelayedRequest, RequestOutcome } from '../planner.ts'
import { bodyBytes, isShared } from '../relay/read-request-body.ts'

/** What the thread is told and asked. */
export type PlannerAsked =
  | { readonly type: 'noted'; readonly number: number; readonly notes: readonly PlannerNote[] }
  | { readonly type: 'check' | 'close'; readonly number: number }

/** What it hears of requests, in order: one to be planned, one that is only measured, or what became of one. */
export type PlannerNote =
  | { readonly type: 'plan'; readonly number: number; readonly request: RelayedRequest }
  | { readonly type: 'observe'; readonly request: RelayedRequest }
  | { readonly type: 'answered'; readonly outcome: RequestOutcome }

/** What it says. */
export type PlannerTold =
  | { readonly type: 'ready' }
  | { readonly type: 'planned'; readonly plans: readonly NumberedPlan[] }
  /** So many notes, which carried so many bytes, have been dealt with: those of the bundle of this number. */
  | { readonly type: 'taken'; readonly number: number; readonly notes: number; readonly bytes: number }
  | { readonly type: 'measured'; readonly measured: readonly Measured[] }
  | { readonly type: 'done'; readonly number: number; readonly trouble: StoreTrouble | null }
  | { readonly type: 'failed'; readonly trouble: StoreTrouble }

/** The answer to a question. */
export interface NumberedPlan {
  readonly number: number
  readonly plan: Plan
}

/** A store's error as it can be sent. */
export interface StoreTrouble {
  readonly kind: StoreError['kind']
  readonly message: string
}

/** How many bytes a note carries. */
export function noteBytes(note: PlannerNote): number {
  if (note.type !== 'answered') return note.request.body.byteLength
  const { answer } = note.outcome
  return answer === null ? 0 : answer.head.byteLength + (answer.tail?.byteLength ?? 0)
}

/** Gathers notes for another thread, so that many of them cost one message. */
export interface NoteBundle {
  /** What somebody waits for goes out at the end of this turn of the event loop, with all that was gathered before it. */
  readonly add: (note: PlannerNote) => void
  /** Sends those that were gathered. */
  readonly send: () => void
}

/** Sends notes with the buffers that hold their bytes, which are given away. What is lent is to be given back when they were taken. */
type SendNotes = (notes: readonly PlannerNote[], buffers: ArrayBuffer[], lent: readonly Uint8Array[]) => void

/** A bundle that goes out after a few milliseconds at the latest, sooner where it is large. */
export function createNoteBundle(send: SendNotes): NoteBundle {
  let notes: PlannerNote[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Immediate | null = null

  function sendAll(): void {
    if (timer !== null) clearTimeout(timer)
    if (soon !== null) clearImmediate(soon)
    timer = null
    soon = null
    if (notes.length === 0) return
    const { moved, buffers, lent } = movable(notes)
    notes = []
    bytes = 0
    send(moved, buffers, lent)
  }

  return {
    add(note) {
      notes.push(note)
      bytes += noteBytes(note)
      if (notes.length >= mostNotes || bytes >= mostBytes) sendAll()
      else if (note.type === 'plan') soon ??= setImmediate(sendAll)
      else timer ??= setTimeout(sendAll, mostMilliseconds)
    },
    send: sendAll,
  }
}

const mostNotes = 64
const mostBytes = 128 * 1024
const mostMilliseconds = 5

/**
 * The same notes with their bytes in buffers that can be given away: the small ones copied into one, a large one in its own or in memory
 * that is lent. Views of larger buffers would take all of those along.
 */
function movable(notes: readonly PlannerNote[]) {
  const shared = new Uint8Array(notes.reduce((sum, note) => sum + smallBytes(note), 0))
  const buffers: ArrayBuffer[] = [shared.buffer]
  const lent: Uint8Array[] = []
  let end = 0
  const moveSmall = (bytes: Uint8Array): Uint8Array => {
    const start = end
    end += bytes.byteLength
    shared.set(bytes, start)
    return shared.subarray(start, end)
  }
  const moveBody = ({ body, isBodyFree = false }: RelayedRequest): Uint8Array => {
    if (body.byteLength <= mostShared) {
      const moved = moveSmall(body)
      if (isBodyFree) bodyBytes.giveBack(body)
      return moved
    }
    const isOwn = isBodyFree && (isShared(body) || body.buffer.byteLength === body.byteLength)
    const own = isOwn ? body : copyOf(body)
    if (isShared(own)) lent.push(own)
    else buffers.push(own.buffer as ArrayBuffer)
    return own
  }
  const moveAnswer = (bytes: Uint8Array): Uint8Array => {
    if (bytes.byteLength <= mostShared) return moveSmall(bytes)
    const own = new Uint8Array(bytes)
    buffers.push(own.buffer)
    return own
  }
  const moved = notes.map((note): PlannerNote => {
    if (note.type !== 'answered') return { ...note, request: { ...note.request, body: moveBody(note.request) } }
    const { answer } = note.outcome
    if (answer === null) return note
    const tail = answer.tail === null ? null : moveAnswer(answer.tail)
    return { type: 'answered', outcome: { ...note.outcome, answer: { ...answer, head: moveAnswer(answer.head), tail } } }
  })
  return { moved, buffers, lent }
}

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = bodyBytes.take(bytes.byteLength)
  copy.set(bytes)
  return copy
}

function smallBytes(note: PlannerNote): number {
  const { answer } = note.type === 'answered' ? note.outcome : { answer: null }
  const pieces = note.type === 'answered' ? [answer?.head, answer?.tail] : [note.request.body]
  return pieces.reduce((sum, piece) => sum + (piece == null || piece.byteLength > mostShared ? 0 : piece.byteLength), 0)
}

/** Bytes up to which it is cheaper to copy them than to hand over a buffer of their own. */
const mostShared = 16 * 1024
