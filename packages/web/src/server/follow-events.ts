import type { SessionEvent } from '@plimsoll/core'
import type { Api } from './api.ts'
import { ApiError } from './api.ts'
import { inSight, type PageSight, tabSight, whenHidden } from './page-sight.ts'
import { createEventParser } from './parse-events.ts'

/** Who follows a session. */
export interface Follower {
  /** In order, each once, whatever happens to the connection. */
  readonly event: (event: SessionEvent, id: string | null) => void
  readonly connection: (state: 'open' | 'lost') => void
  /** The server says no, so that trying again would not help. */
  readonly refused: (error: ApiError) => void
}

/** Milliseconds before the connection is tried again: soon at first, then less and less often. */
const pauses = [250, 500, 1000, 2000, 4000]

/** How a session is followed. */
export interface FollowOptions {
  /**
   * Milliseconds without a sign of life after which the connection is lost: a computer has slept, or a cable was pulled. Default: three
   * times the 15 seconds between signs.
   */
  readonly mostSilentMs?: number
  /** Default: that of the tab. */
  readonly sight?: PageSight
  /** Milliseconds out of sight after which the connection is let go of. Default: 2,000. */
  readonly mostHiddenMs?: number
}

/**
 * Follows the events of a session behind one of them, and goes on after a lost connection where it left off. A page that nobody sees
 * follows nothing, and catches up when it is seen: a browser has six connections to a server for all of its tabs. Returns how to stop.
 */
export function followEvents(
  api: Api,
  session: string,
  after: string,
  follower: Follower,
  { mostSilentMs = 45_000, sight = tabSight, mostHiddenMs = 2000 }: FollowOptions = {},
): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let last = after

  async function read(connection: AbortController): Promise<void> {
    const path = `/sessions/${encodeURIComponent(session)}/events?after=${encodeURIComponent(last)}`
    const response = await api.fetch(path, {
      signal: AbortSignal.any([signal, connection.signal]),
      headers: { accept: 'text/event-stream' },
    })
    if (response.body === null) return
    follower.connection('open')
    const parse = createEventParser()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const silence = setTimeout(() => connection.abort(), mostSilentMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      for (const { id, data } of parse(value)) {
        if (id !== null) last = id
        follower.event(JSON.parse(data) as SessionEvent, id)
      }
    }
  }

  async function follow(): Promise<void> {
    let failed = 0
    while (!signal.aborted) {
      await inSight(sight, signal)
      const from = last
      const connection = new AbortController()
      const stay = whenHidden(sight, mostHiddenMs, () => connection.abort())
      try {
        await read(connection)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) return follower.refused(error)
      } finally {
        stay()
      }
      if (signal.aborted) return
      if (sight.isHidden()) continue
      follower.connection('lost')
      failed = last === from ? failed + 1 : 0
      await pause(pauses[Math.min(failed, pauses.length - 1)] ?? 0, signal)
    }
  }

  void follow()
  return () => controller.abort()
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
