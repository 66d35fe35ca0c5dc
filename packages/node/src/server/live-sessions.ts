import type { Config } from '@plimsoll/core/policies'
import { startHandOver } from '../agent/compaction/hand-over.ts'
import type { ModelClient } from '../model/model-client.ts'
import { removeSession } from '../session/list-sessions.ts'
import type { StoredSession } from '../session/session.ts'
import { SessionError } from '../session/session-error.ts'
import { createEventBuffer, type EventBuffer } from './event-buffer.ts'
import type { Subscribe } from './event-stream.ts'
import { canResume, type LiveSession } from './live-session.ts'
import { openLiveSession } from './open-live-session.ts'
import { refusal } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'
import { createSessionReadings } from './session-readings.ts'

/** The sessions that agents are in, and those that somebody looks at. */
export interface LiveSessions {
  /** Begins a session. Rejects where the model cannot be had. */
  readonly create: (model: ModelClient | undefined) => Promise<LiveSession>
  /** The session with an agent in it, which is started where there is none. Rejects with `SessionError`, as `openSession` does. */
  readonly open: (id: string, start?: StartAs) => Promise<LiveSession>
  /** The session where an agent is in it already. */
  readonly find: (id: string) => LiveSession | null
  /** Reads a session, whoever writes to it. What is given must not be used any more once `use` has returned. */
  readonly read: <Value>(id: string, use: (session: StoredSession) => Value) => Promise<Awaited<Value>>
  /** The model and mode that were last chosen for a session; none where nobody chose any. */
  readonly chosen: (id: string) => StartAs
  /** The event behind which whoever has read the session goes on. */
  readonly event: (id: string) => string
  /** The events of a session, also of one that no agent is in yet. */
  readonly subscribe: (id: string) => Subscribe
  /** Goes on in a new session that begins with what is needed of another one, and gives its id. */
  readonly handOver: (id: string) => Promise<string>
  /** Removes a session. Refuses one that an agent is at work in. */
  readonly remove: (id: string) => Promise<void>
  /** Stops what is running and leaves all sessions. Once it resolves, everything that was acknowledged is in their logs. */
  readonly closeAll: () => Promise<void>
}

/** How an agent starts that goes on for another one. */
export interface StartAs {
  readonly model?: ModelClient
  readonly mode?: Config['agent']['mode']
}

/** What agents are started with. */
export interface LiveSessionsOptions
  extends Pick<ServerOptions, 'agents' | 'config' | 'isWindowSet' | 'now' | 'strings' | 'sessions' | 'writing'> {
  /** Milliseconds until a session is left that nobody looks at and nothing happens in. Default: a minute. */
  readonly idleMs?: number
}

/** What is known here of one session. */
interface Room {
  readonly events: EventBuffer
  /** Null where no agent is in it; a promise while one comes or goes. */
  live: LiveSession | null
  changing: Promise<unknown> | null
  timer: NodeJS.Timeout | null
}

/** Keeps an agent in each session that is written to, for as long as it works or somebody looks on. */
export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  const { sessions, writing, idleMs = 60_000 } = options
  const readings = createSessionReadings(sessions)
  const rooms = new Map<string, Room>()
  /** Those that an agent is in or about to enter, known by their ids or not yet. */
  const occupied = new Set<Room>()
  const choices = new Map<string, StartAs>()
  let isClosing = false

  function roomOf(id: string): Room {
    let room = rooms.get(id)
    if (room === undefined) {
      room = newRoom(createEventBuffer())
      rooms.set(id, room)
      touch(id, room)
    }
    return room
  }

  /** From now on, the session is left when nothing has happened for a while. */
  function touch(id: string, room: Room): void {
    if (room.timer !== null) clearTimeout(room.timer)
    if (isClosing) return
    room.timer = setTimeout(() => void leaveIdle(id, room), idleMs)
    room.timer.unref()
  }

  async function leaveIdle(id: string, room: Room): Promise<void> {
    if (room.changing !== null || room.live?.isBusy() === true || room.events.listeners() > 0) return touch(id, room)
    // What goes wrong while it is left is told to whoever asks for it next.
    await vacate(room).catch(() => undefined)
    if (room.live === null && room.changing === null && room.events.listeners() === 0) rooms.delete(id)
  }

  /** One coming or going at a time. */
  async function changing<Value>(room: Room, run: () => Promise<Value>): Promise<Value> {
    while (room.changing !== null) await room.changing.catch(() => undefined)
    const change = run()
    room.changing = change
    try {
      return await change
    } finally {
      room.changing = null
    }
  }

  function vacate(room: Room): Promise<void> {
    return changing(room, async () => {
      const { live } = room
      occupied.delete(room)
      if (live === null) return
      room.live = null
      remember(live)
      await live.close()
    })
  }

  /** Whoever comes back finds the model and the mode they chose. */
  function remember({ id, agent }: LiveSession): void {
    choices.delete(id)
    choices.set(id, { model: agent.model(), mode: agent.mode() })
    const [oldest] = choices.keys()
    if (choices.size > mostChoices && oldest !== undefined) choices.delete(oldest)
  }

  function start(room: Room, session: string | null, { model, mode }: StartAs = {}): Promise<LiveSession> {
    if (isClosing) throw new SessionError({ kind: 'closed' })
    occupied.add(room)
    return changing(room, async () => {
      if (room.live !== null) return room.live
      const onIdle = () => {
        if (room.live !== null) touch(room.live.id, room)
      }
      const starting = openLiveSession({ session, model, mode, server: options, events: room.events, onIdle })
      const live = await starting.catch((error: unknown) => {
        occupied.delete(room)
        throw error
      })
      // Another one may have failed or left since this one was asked for.
      occupied.add(room)
      room.live = live
      if (room.events.listeners() > 0) live.watched(true)
      return live
    })
  }

  async function open(id: string, as: StartAs = choices.get(id) ?? {}): Promise<LiveSession> {
    const room = rooms.get(id) ?? newRoom(createEventBuffer())
    // Whoever comes meanwhile waits for the same agent.
    rooms.set(id, room)
    try {
      const live = room.live !== null && room.changing === null ? room.live : await start(room, id, as)
      touch(id, room)
      return live
    } finally {
      // Only a session that is there takes up room.
      if (room.live === null && room.changing === null && room.timer === null && room.events.listeners() === 0) rooms.delete(id)
    }
  }

  function find(id: string): LiveSession | null {
    const room = rooms.get(id)
    return room === undefined || room.changing !== null ? null : room.live
  }

  async function read<Value>(id: string, use: (session: StoredSession) => Value): Promise<Awaited<Value>> {
    const live = find(id)
    if (live !== null) return await use(live.agent.session)
    return readings.read(id, use)
  }

  return {
    async create(model) {
      const room = newRoom(createEventBuffer())
      const live = await start(room, null, model === undefined ? {} : { model })
      rooms.set(live.id, room)
      touch(live.id, room)
      return live
    },
    open,
    find,
    read,
    chosen: (id) => choices.get(id) ?? {},
    event: (id) => find(id)?.event() ?? roomOf(id).events.last(),
    subscribe: (id) => (after, listen) => {
      const room = roomOf(id)
      const end = room.events.subscribe(after, listen)
      room.live?.watched(true)
      return () => {
        end()
        if (room.events.listeners() > 0) return
        room.live?.watched(false)
        touch(id, room)
      }
    },
    async handOver(id) {
      const old = find(id)
      if (old?.isBusy() === true) throw refusal('BUSY')
      const { next, isOpen } = await read(id, async (session) => {
        const begun = await startHandOver(sessions, session, writing)
        await begun.close()
        return { next: begun.id, isOpen: canResume(session) }
      })
      const as = old === null ? {} : { model: old.agent.model(), mode: old.agent.mode() }
      const live = await open(next, as)
      if (isOpen && canResume(live.agent.session)) live.resume()
      old?.moveTo(next)
      return next
    },
    async remove(id) {
      if (find(id)?.isBusy() === true) throw refusal('BUSY')
      const room = rooms.get(id)
      if (room !== undefined) await vacate(room)
      try {
        await removeSession(sessions, id)
      } catch (error) {
        // One in which nobody said anything went when it was left.
        if (room === undefined || !(error instanceof SessionError) || error.trouble.kind !== 'not-found') throw error
      }
      rooms.delete(id)
      // Whoever looks on asks again, and is told that there is no such session.
      room?.events.add({ type: 'reset', data: { event: room.events.last() } })
    },
    async closeAll() {
      isClosing = true
      // One that an agent is just about to enter is left as soon as it has.
      const ended = await Promise.allSettled([...occupied].map(vacate))
      await readings.closeAll()
      for (const { timer } of rooms.values()) if (timer !== null) clearTimeout(timer)
      const failed = ended.find((one) => one.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}

const mostChoices = 1000

function newRoom(events: EventBuffer): Room {
  return { events, live: null, changing: null, timer: null }
}
