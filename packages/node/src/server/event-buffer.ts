import { randomBytes } from 'node:crypto'
import type { StoredSession } from '../session/session.ts'
import type { SessionEvent } from '../shared/server-api.ts'
import type { StreamEvent, Subscribe } from './event-stream.ts'

/** The latest events of one session, for whoever listens and whoever comes back. */
export interface EventBuffer {
  /** The id of the latest event; there is one also before anything happened. */
  readonly last: () => string
  readonly add: (event: SessionEvent) => void
  /** The events behind an id, or `gone` where they are not known, or not all of them are held any more. */
  readonly after: (id: string) => readonly StreamEvent[] | 'gone'
  /** Tells all events behind an id, then those that happen, in order. Where they are gone, a `reset` comes first. */
  readonly subscribe: Subscribe
  readonly listeners: () => number
}

/** How much is held. */
export interface EventBufferOptions {
  /** Default: 4,000. */
  readonly mostEvents?: number
  /** Characters of all events held, about. Default: 8 million. */
  readonly mostCharacters?: number
}

/** Makes a buffer whose ids no other buffer has, in this process or another. */
export function createEventBuffer({ mostEvents = 4000, mostCharacters = 8_000_000 }: EventBufferOptions = {}): EventBuffer {
  const epoch = randomBytes(6).toString('hex')
  const listeners = new Set<(event: StreamEvent) => void>()
  let slots: Slot[] = []
  let size = 0
  /** The number of the latest event, and of the latest that is not held any more. */
  let latest = 0
  let dropped = 0

  const nameOf = (number: number) => `${epoch}-${number}`
  const streamed = (number: number, event: SessionEvent): StreamEvent => ({ id: nameOf(number), type: event.type, data: event })

  function hold(number: number, event: SessionEvent): void {
    const before = slots.at(-1)
    const piece = pieceOf(event)
    if (piece !== null && before?.piece?.key === piece.key && before.length < longestJoined) {
      before.piece.texts.push(piece.text)
      before.length += piece.text.length
      before.last = number
      size += piece.text.length
      return
    }
    if (event.type === 'live') forgetLive()
    const length = piece === null ? JSON.stringify(event).length : piece.text.length + 100
    const joined = piece === null ? null : { key: piece.key, texts: [piece.text] }
    slots.push({ first: number, last: number, event, piece: joined, length })
    size += length
  }

  /** Each one says all there is to say: those before it are of no use to anybody. */
  function forgetLive(): void {
    const index = slots.findLastIndex(({ event }) => event.type === 'live')
    if (index < 0) return
    size -= slots[index]?.length ?? 0
    slots.splice(index, 1)
  }

  function shrink(): void {
    let count = 0
    while (slots.length - count > mostEvents || (size > mostCharacters && count < slots.length)) {
      const slot = slots[count] as Slot
      size -= slot.length
      dropped = slot.last
      count += 1
    }
    if (count > 0) slots = slots.slice(count)
  }

  function after(id: string): readonly StreamEvent[] | 'gone' {
    const number = numberOf(id, epoch)
    if (number === null || number < dropped || number > latest) return 'gone'
    return slots.flatMap((slot) => {
      if (slot.last <= number) return []
      const { piece, first, last } = slot
      if (piece === null) return [streamed(last, slot.event)]
      return [streamed(last, joinedEvent(slot.event, piece.texts.slice(Math.max(0, number + 1 - first)).join('')))]
    })
  }

  return {
    last: () => nameOf(latest),
    add(event) {
      latest += 1
      hold(latest, event)
      shrink()
      const told = streamed(latest, event)
      for (const listen of [...listeners]) {
        try {
          listen(told)
        } catch {
          // Whoever cannot listen must not keep the others from it.
          listeners.delete(listen)
        }
      }
    },
    after,
    subscribe(id, listen) {
      // The same function may come twice, and each is ended by itself.
      const listener = (event: StreamEvent) => listen(event)
      const missed = id === null ? [] : after(id)
      if (missed === 'gone') listen(streamed(latest, { type: 'reset', data: { event: nameOf(latest) } }))
      else for (const event of missed) listen(event)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    listeners: () => listeners.size,
  }
}

/** One event that is held, or several pieces of one text. */
interface Slot {
  readonly first: number
  last: number
  readonly event: SessionEvent
  readonly piece: { readonly key: string; readonly texts: string[] } | null
  length: number
}

/** Longer texts are held in several pieces, so that the oldest can go alone. */
const longestJoined = 64_000

function numberOf(id: string, epoch: string): number | null {
  const [, given, number] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(id) ?? []
  return given === epoch ? Number(number) : null
}

/** A piece of a text that comes in many, and which text that is. */
interface TextPiece {
  readonly key: string
  readonly text: string
}

/** The piece of text that an event tells; null for events that stand for themselves. */
function pieceOf(event: SessionEvent): TextPiece | null {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return { key: event.type, text: event.data.text }
  if (event.type !== 'tool_progress') return null
  const { stage, callId, message, progress } = event.data
  return stage === 'output' && progress === null ? { key: `output ${callId}`, text: message } : null
}

/** An event of the same kind that tells several pieces at once. */
function joinedEvent(event: SessionEvent, text: string): SessionEvent {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return { ...event, data: { text } }
  return event.type === 'tool_progress' ? { ...event, data: { ...event.data, message: text } } : event
}

/** The event up to which everything that happened stands in the log, so that a client that reads the log goes on behind it. */
interface SnapshotMark {
  /** Looks whether the log has grown. To be called before each event is added. */
  readonly look: () => void
  /** What happened until now needs not be told to anybody again. */
  readonly settle: () => void
  /** The event's id. */
  readonly event: () => string
}

/**
 * What the agent tells of an answer or of a call comes before the message that holds it all; once that message is stored, nobody has to
 * be told again.
 */
export function createSnapshotMark(session: StoredSession, events: EventBuffer): SnapshotMark {
  let seen = session.heads().length
  let mark = events.last()

  function look(): void {
    const heads = session.heads()
    let hasGrown = false
    for (; seen < heads.length; seen += 1) hasGrown ||= heads[seen]?.type === 'message'
    if (hasGrown) mark = events.last()
  }

  return {
    look,
    settle() {
      look()
      mark = events.last()
    },
    event() {
      look()
      // Whoever asked for events that are gone would be told to ask again, without end.
      if (events.after(mark) === 'gone') mark = events.last()
      return mark
    },
  }
}
