import type { Config } from '@plimsoll/core/policies'
import { startHandOver } from '../agent/compaction/hand-over.ts'
import type { ModelClient } from '../model/model-client.ts'
import { removeSession } from '../session/list-sessions.ts'
import type { StoredSession } from '../session/session.ts'
import { SessionError } from '../session/session-error.ts'
import { createEventBuffer, type EventBuffer } from './event-buffer.ts'
import type { Subscribe } from './event-stream.ts'
import { canResume, type LiveSession, openLiveSession } from './live-session.ts'
import { refusal } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'
import { createSessionReadings } from './session-readings.ts'

export type LiveSessions = ReturnType<typeof createLiveSessions>

/** The model and mode of an agent that continues for another one. */
export interface StartAs {
  readonly model?: ModelClient
  readonly mode?: Config['agent']['mode']
}

interface LiveSessionsOptions
  extends Pick<ServerOptions, 'agents' | 'config' | 'isWindowSet' | 'now' | 'strings' | 'root' | 'sessions' | 'writing'> {
  /** Milliseconds until an idle session without listeners is left. Default: a minute. */
  readonly idleMs?: number
}

interface Room {
  readonly events: EventBuffer
  /** Null if no agent is in it; `changing` is set while one comes or goes. */
  live: LiveSession | null
  changing: Promise<unknown> | null
  timer: NodeJS.Timeout | null
}

/** Keeps an agent in each session that is written to, while it works or a client looks on. */
export function createLiveSessions(options: LiveSessionsOptions) {
  const { sessions, writing, idleMs = 60_000 } = options
  const readings = createSessionReadings(sessions)
  const rooms = new Map<string, Room>()
  const occupied = new Set<Room>()
  const choices = new Map<string, StartAs>()
  let isClosing = false

  function roomOf(id: string): Room {
    let room = rooms.get(id)
    if (room === undefined) {
      room = newRoom()
      rooms.set(id, room)
      touch(id, room)
    }
    return room
  }

  function touch(id: string, room: Room): void {
    if (room.timer !== null) clearTimeout(room.timer)
    if (isClosing) return
    room.timer = setTimeout(() => void leaveIdle(id, room), idleMs)
    room.timer.unref()
  }

  async function leaveIdle(id: string, room: Room): Promise<void> {
    if (room.changing !== null || room.live?.isBusy() === true || room.events.listeners() > 0) return touch(id, room)
    // The next request for the session reports what went wrong.
    await vacate(room).catch(() => undefined)
    if (room.live === null && room.changing === null && room.events.listeners() === 0) rooms.delete(id)
  }

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

  /** A user who comes back finds the model and the mode they chose. */
  function remember({ id, agent }: LiveSession): void {
    choices.delete(id)
    choices.set(id, { model: agent.model(), mode: agent.mode() })
    const [oldest] = choices.keys()
    if (choices.size > maxChoices && oldest !== undefined) choices.delete(oldest)
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
      // Another agent may have failed or left meanwhile.
      occupied.add(room)
      room.live = live
      if (room.events.listeners() > 0) live.watched(true)
      return live
    })
  }

  /** The session with an agent in it, which is started if there is none. Rejects with `SessionError`, as `openSession` does. */
  async function open(id: string, as: StartAs = choices.get(id) ?? {}): Promise<LiveSession> {
    const room = rooms.get(id) ?? newRoom()
    rooms.set(id, room)
    try {
      const live = room.live !== null && room.changing === null ? room.live : await start(room, id, as)
      touch(id, room)
      return live
    } finally {
      if (room.live === null && room.changing === null && room.timer === null && room.events.listeners() === 0) rooms.delete(id)
    }
  }

  /** The session if an agent is in it already. */
  function find(id: string): LiveSession | null {
    const room = rooms.get(id)
    return room === undefined || room.changing !== null ? null : room.live
  }

  /** Reads a session, regardless of who writes to it. It must not be used once `use` has returned. */
  async function read<Value>(id: string, use: (session: StoredSession) => Value): Promise<Awaited<Value>> {
    const live = find(id)
    if (live !== null) return await use(live.agent.session)
    return readings.read(id, use)
  }

  return {
    async create(model: ModelClient | undefined): Promise<LiveSession> {
      const room = newRoom()
      const live = await start(room, null, model === undefined ? {} : { model })
      rooms.set(live.id, room)
      touch(live.id, room)
      return live
    },
    open,
    find,
    read,
    chosen: (id: string): StartAs => choices.get(id) ?? {},
    /** The event after which a client continues that has read the session. */
    event: (id: string) => find(id)?.event() ?? roomOf(id).events.last(),
    /** The events of a session, also of one without an agent. */
    subscribe:
      (id: string): Subscribe =>
      (after, listen) => {
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
    /** Continues in a new session that starts with the needed part of another one, and returns its id. */
    async handOver(id: string): Promise<string> {
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
    async remove(id: string): Promise<void> {
      if (find(id)?.isBusy() === true) throw refusal('BUSY')
      const room = rooms.get(id)
      if (room !== undefined) await vacate(room)
      try {
        await removeSession(sessions, id)
      } catch (error) {
        // An empty session was removed when it was left.
        if (room === undefined || !(error instanceof SessionError) || error.problem.kind !== 'not-found') throw error
      }
      rooms.delete(id)
      // Clients ask again, and learn that there is no such session.
      room?.events.add({ type: 'reset', data: { event: room.events.last() } })
    },
    /** Stops what is running and leaves all sessions. Once it resolves, everything that was acknowledged is in their logs. */
    closeAll: async (): Promise<void> => {
      isClosing = true
      // One that an agent is about to enter is left as soon as it has.
      const ended = await Promise.allSettled([...occupied].map(vacate))
      await readings.closeAll()
      for (const { timer } of rooms.values()) if (timer !== null) clearTimeout(timer)
      const failed = ended.find((one) => one.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}

const maxChoices = 1000

function newRoom(): Room {
  return { events: createEventBuffer(), live: null, changing: null, timer: null }
}
