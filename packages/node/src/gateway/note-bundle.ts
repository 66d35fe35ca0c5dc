import { noteBytes, type PlannerNote } from './planner-messages.ts'

/** Gathers notes for another thread, so that many of them cost one message. */
export interface NoteBundle {
  /** What somebody waits for goes out at the end of this turn of the event loop, with all that was gathered before it. */
  readonly add: (note: PlannerNote) => void
  /** Sends those that were gathered. */
  readonly send: () => void
}

/** Sends notes with the buffers that hold their bytes, which are given away. */
export type SendNotes = (notes: readonly PlannerNote[], buffers: ArrayBuffer[]) => void

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
    const { moved, buffers } = movable(notes)
    notes = []
    bytes = 0
    send(moved, buffers)
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
 * The same notes with their bytes in buffers that can be given away: the small ones copied into one, a large one in its own. Views of
 * larger buffers would take all of those along.
 */
function movable(notes: readonly PlannerNote[]) {
  const shared = new Uint8Array(notes.reduce((sum, note) => sum + smallBytes(note), 0))
  const buffers: ArrayBuffer[] = [shared.buffer]
  let end = 0
  const moveBytes = <Bytes extends Uint8Array | null>(given: Bytes, isFree = false): Bytes => {
    if (given === null) return given
    if (given.byteLength > mostShared) {
      const own = isFree && given.buffer.byteLength === given.byteLength ? given : new Uint8Array(given)
      buffers.push(own.buffer as ArrayBuffer)
      return own as Bytes
    }
    const start = end
    end += given.byteLength
    shared.set(given, start)
    return shared.subarray(start, end) as Uint8Array as Bytes
  }
  const moved = notes.map((note): PlannerNote => {
    if (note.type !== 'answered') {
      const { request } = note
      return { ...note, request: { ...request, body: moveBytes(request.body, request.isBodyFree === true) } }
    }
    const { answer } = note.outcome
    if (answer === null) return note
    const moving = { ...answer, head: moveBytes(answer.head), tail: moveBytes(answer.tail) }
    return { type: 'answered', outcome: { ...note.outcome, answer: moving } }
  })
  return { moved, buffers }
}

function smallBytes(note: PlannerNote): number {
  const { answer } = note.type === 'answered' ? note.outcome : { answer: null }
  const pieces = note.type === 'answered' ? [answer?.head, answer?.tail] : [note.request.body]
  return pieces.reduce((sum, piece) => sum + (piece == null || piece.byteLength > mostShared ? 0 : piece.byteLength), 0)
}

/** Bytes up to which it is cheaper to copy them than to hand over a buffer of their own. */
const mostShared = 16 * 1024
