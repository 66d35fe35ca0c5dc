import { randomBytes } from 'node:crypto'
import type { StoredSession } from '../session/session.ts'
import type { SessionEvent } from '../shared/server-api.ts'
import type { StreamEvent } from './event-stream.ts'

export type EventBuffer = ReturnType<typeof createEventBuffer>

interface EventBufferOptions {
  /** Default: 4,000. */
  readonly maxEvents?: number
  /** Characters of all events held, about. Default: 8 million. */
  readonly maxCharacters?: number
}

/** Holds the latest events of one session, for clients that listen or come back. No other buffer has the same ids, in any process. */
export function createEventBuffer({ maxEvents = 4000, maxCharacters = 8_000_000 }: EventBufferOptions = {}) {
  const epoch = randomBytes(6).toString('hex')
  const listeners = new Set<(event: StreamEvent) => void>()
  let slots: Slot[] = []
  let size = 0
  /** The number of the latest event, and of the latest that was dropped. */
  let latest = 0
  let dropped = 0

  const nameOf = (number: number) => `${epoch}-${number}`
  const streamed = (number: number, event: SessionEvent): StreamEvent => ({ id: nameOf(number), type: event.type, data: event })

  function hold(number: number, event: SessionEvent): void {
    const before = slots.at(-1)
    const piece = pieceOf(event)
    if (piece !== null && before?.piece?.key === piece.key && before.length < maxJoined) {
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

  /** Each one is complete, so earlier ones are not needed. */
  function forgetLive(): void {
    const index = slots.findLastIndex(({ event }) => event.type === 'live')
    if (index < 0) return
    size -= slots[index]?.length ?? 0
    slots.splice(index, 1)
  }

  function shrink(): void {
    let count = 0
    while (slots.length - count > maxEvents || (size > maxCharacters && count < slots.length)) {
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
    /** The id of the latest event; there is one also before the first. */
    last: () => nameOf(latest),
    /** Returns the id of the event. */
    add(event: SessionEvent): string {
      latest += 1
      hold(latest, event)
      shrink()
      const sent = streamed(latest, event)
      for (const listen of [...listeners]) {
        try {
          listen(sent)
        } catch {
          // An error of one listener must not stop the others.
          listeners.delete(listen)
        }
      }
      return sent.id
    },
    /** The events after an id; `gone` if it is unknown, or some of them were dropped. */
    after,
    /** Sends all events after an id, then new ones, in order. If they are gone, a `reset` comes first. */
    subscribe(id: string | null, listen: (event: StreamEvent) => void): () => void {
      // The same function may subscribe twice, and each subscription ends separately.
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

interface Slot {
  readonly first: number
  last: number
  readonly event: SessionEvent
  readonly piece: { readonly key: string; readonly texts: string[] } | null
  length: number
}

/** Longer texts are held in several pieces, so that the oldest can be dropped alone. */
const maxJoined = 64_000

/** Whether an event came after another one of the same buffer. */
export function isLaterEvent(id: string, than: string): boolean {
  const epoch = than.slice(0, than.indexOf('-'))
  const number = numberOf(id, epoch)
  const other = numberOf(than, epoch)
  return number !== null && other !== null && number > other
}

function numberOf(id: string, epoch: string): number | null {
  const [, given, number] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(id) ?? []
  return given === epoch ? Number(number) : null
}

/** The piece of text in an event, with the key of its text; null for other events. */
function pieceOf(event: SessionEvent): { readonly key: string; readonly text: string } | null {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return { key: event.type, text: event.data.text }
  if (event.type !== 'tool_progress') return null
  const { stage, callId, message, progress } = event.data
  return stage === 'output' && progress === null ? { key: `output ${callId}`, text: message } : null
}

function joinedEvent(event: SessionEvent, text: string): SessionEvent {
  if (event.type === 'text_delta' || event.type === 'reasoning_delta') return { ...event, data: { text } }
  return event.type === 'tool_progress' ? { ...event, data: { ...event.data, message: text } } : event
}

/**
 * The event after which a client continues that has read the log. Events about an answer or a call come before the message that holds all
 * of it; once that message is stored, they are not needed again.
 */
export function createSnapshotMark(session: StoredSession, events: EventBuffer) {
  let seen = session.heads().length
  let mark = events.last()

  function look(): void {
    const heads = session.heads()
    let hasGrown = false
    for (; seen < heads.length; seen += 1) hasGrown ||= heads[seen]?.type === 'message'
    if (hasGrown) mark = events.last()
  }

  return {
    /** Checks whether the log has grown. To be called before each event is added. */
    look,
    /** Everything up to an event, or up to now, need not be sent again. */
    settle(upTo: string = events.last()): void {
      look()
      if (isLaterEvent(upTo, mark)) mark = upTo
    },
    event: (): string => {
      look()
      // Otherwise a client that asks for dropped events would be reset again and again.
      if (events.after(mark) === 'gone') mark = events.last()
      return mark
    },
  }
}
