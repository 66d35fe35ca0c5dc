import type { StoreError } from '../../store/gateway-store.ts'
import type { KeepAliveNote, Measured, Plan, RelayedRequest, Remembered, RequestOutcome, Splice } from '../planner.ts'
import { bodyBytes, isShared } from '../relay/read-request-body.ts'

/** Messages to the thread. */
export type PlannerAsked =
  | { readonly type: 'noted'; readonly number: number; readonly notes: readonly PlannerNote[] }
  | { readonly type: 'check' | 'rest' | 'close'; readonly number: number }

/** In order: a request to be planned, one that is only measured, or the outcome of one. */
export type PlannerNote =
  /** `isLarge`: so much of it is new that planning it takes long. */
  | { readonly type: 'plan'; readonly number: number; readonly request: RelayedRequest; readonly isLarge?: boolean }
  | { readonly type: 'observe'; readonly request: RelayedRequest }
  | { readonly type: 'answered'; readonly outcome: RequestOutcome }

/** Messages from the thread. */
export type PlannerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'planned'; readonly plans: readonly PackedPlan[] }
  /** The notes of the bundle with this number were dealt with. */
  | {
      readonly type: 'taken'
      readonly number: number
      readonly notes: number
      readonly bytes: number
      readonly remembered: Remembered
    }
  | { readonly type: 'measured'; readonly measured: readonly Measured[] }
  | { readonly type: 'keep-alive'; readonly note: KeepAliveNote }
  | { readonly type: 'done'; readonly number: number; readonly problem: StoreProblem | null }
  | { readonly type: 'failed'; readonly problem: StoreProblem }
  /** The store can no longer be written, or can again. */
  | { readonly type: 'store'; readonly problem: StoreProblem | null }

export interface NumberedPlan {
  readonly number: number
  readonly plan: Plan
}

interface PackedPlan {
  readonly number: number
  readonly plan: Omit<Plan, 'splices'>
  /** Start, end and the length of the new bytes of each splice. */
  readonly places: Uint32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface StoreProblem {
  readonly kind: StoreError['kind']
  readonly message: string
}

export function noteBytes(note: PlannerNote): number {
  if (note.type !== 'answered') return note.request.body.byteLength
  const { answer } = note.outcome
  return answer === null ? 0 : answer.head.byteLength + (answer.tail?.byteLength ?? 0)
}

export type NoteBundle = ReturnType<typeof createNoteBundle>

/** Sends notes and transfers the buffers that hold their bytes. Lent memory is given back when the notes were taken. */
type SendNotes = (notes: readonly PlannerNote[], buffers: ArrayBuffer[], lent: readonly Uint8Array[]) => void

/**
 * Gathers notes for another thread, so that many of them cost one message. Requests for a plan go out at the end of this turn of the event
 * loop with everything before them. So does an outcome, unless another one went out just before: the next request of its conversation
 * should not wait until it was dealt with. The rest goes out after a few milliseconds, or sooner if it is much.
 */
export function createNoteBundle(send: SendNotes) {
  let notes: PlannerNote[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | null = null
  let soon: NodeJS.Immediate | null = null
  let outcomeAt = Number.NEGATIVE_INFINITY

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

  /** Under load, outcomes wait for each other. */
  function isFirstOutcome(): boolean {
    const time = performance.now()
    if (time - outcomeAt < maxMilliseconds) return false
    outcomeAt = time
    return true
  }

  return {
    add(note: PlannerNote): void {
      notes.push(note)
      bytes += noteBytes(note)
      if (notes.length >= maxNotes || bytes >= maxBytes) sendAll()
      else if (note.type === 'plan' || (note.type === 'answered' && isFirstOutcome())) soon ??= setImmediate(sendAll)
      else timer ??= setTimeout(sendAll, maxMilliseconds)
    },
    send: sendAll,
  }
}

const maxNotes = 64
const maxBytes = 128 * 1024
const maxMilliseconds = 5

/**
 * The same notes with their bytes in buffers that can be transferred: small ones copied into one, a large one in its own or in lent
 * memory. A view of a larger buffer would take all of it along.
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
    if (body.byteLength <= maxShared) {
      const moved = moveSmall(body)
      if (isBodyFree) bodyBytes.giveBack(body)
      return moved
    }
    const isOwn = isShared(body) || (isBodyFree && body.buffer.byteLength === body.byteLength)
    const own = isOwn ? body : bodyBytes.take(body.byteLength)
    if (!isOwn) own.set(body)
    else if (!isBodyFree) bodyBytes.lendAgain(own)
    if (isShared(own)) lent.push(own)
    else buffers.push(own.buffer as ArrayBuffer)
    return own
  }
  const moveAnswer = (bytes: Uint8Array): Uint8Array => {
    if (bytes.byteLength <= maxShared) return moveSmall(bytes)
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

/** A plan for another thread, and the buffers to be transferred: hundreds of splices would take longer to send than to make. */
export function packPlan({ number, plan }: NumberedPlan): {
  readonly packed: PackedPlan
  readonly buffers: readonly ArrayBuffer[]
} {
  const { splices, ...rest } = plan
  const places = new Uint32Array(splices.length * 3)
  const bytes = new Uint8Array(splices.reduce((sum, splice) => sum + splice.bytes.byteLength, 0))
  let end = 0
  for (const [index, splice] of splices.entries()) {
    places.set([splice.start, splice.end, splice.bytes.byteLength], index * 3)
    bytes.set(splice.bytes, end)
    end += splice.bytes.byteLength
  }
  return { packed: { number, plan: rest, places, bytes }, buffers: [places.buffer, bytes.buffer] }
}

export function unpackPlan({ plan, places, bytes }: PackedPlan): Plan {
  let at = 0
  const splices = Array.from({ length: places.length / 3 }, (_, index): Splice => {
    const [start, end, length] = places.subarray(index * 3, index * 3 + 3) as Uint32Array & [number, number, number]
    at += length
    return { start, end, bytes: bytes.subarray(at - length, at) }
  })
  return { ...plan, splices }
}

function smallBytes(note: PlannerNote): number {
  const { answer } = note.type === 'answered' ? note.outcome : { answer: null }
  const pieces = note.type === 'answered' ? [answer?.head, answer?.tail] : [note.request.body]
  return pieces.reduce((sum, piece) => sum + (piece == null || piece.byteLength > maxShared ? 0 : piece.byteLength), 0)
}

/** Up to this size it is cheaper to copy bytes than to transfer their own buffer. */
const maxShared = 16 * 1024
