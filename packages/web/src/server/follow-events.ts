import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { type Api, ApiError } from './api.ts'

interface Follower {
  /** In order and each once, regardless of the connection. */
  readonly event: (event: SessionEvent, id: string | null) => void
  readonly connection: (state: 'open' | 'lost') => void
  /** The server rejects the request, so retrying would not help. */
  readonly refused: (error: ApiError) => void
}

/** Milliseconds before the connection is tried again: soon at first, then less and less often. */
const pauses = [250, 500, 1000, 2000, 4000]

/**
 * Follows the events of a session after one of them, and resumes a lost connection where it left off. A page out of sight follows
 * nothing, and catches up when it is seen: a browser has six connections to a server for all of its tabs. Returns how to stop.
 */
export function followEvents(
  api: Api,
  session: string,
  after: string,
  follower: Follower,
  {
    /** Without a sign of life for this long the connection is lost: a computer has slept, or a cable was pulled. Signs come every 15 s. */
    maxSilentMs = 45_000,
    sight = tabSight,
    /** A page hidden for this long closes its connection. */
    maxHiddenMs = 2000,
  } = {},
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
      const silence = setTimeout(() => connection.abort(), maxSilentMs)
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
      const stay = whenHidden(sight, maxHiddenMs, () => connection.abort())
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

type PageSight = typeof tabSight

/** Whether the browser's tab can be seen, and how to hear of changes. Without a browser it always can. */
const tabSight = {
  isHidden: () => typeof document !== 'undefined' && document.visibilityState === 'hidden',
  watch(changed: () => void): () => void {
    if (typeof document === 'undefined') return () => undefined
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  },
}

function inSight(sight: PageSight, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (sight.isHidden() && !signal.aborted) return
      unwatch()
      signal.removeEventListener('abort', look)
      resolve()
    }
    const unwatch = sight.watch(look)
    signal.addEventListener('abort', look)
    look()
  })
}

function whenHidden(sight: PageSight, milliseconds: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    timer = sight.isHidden() ? setTimeout(run, milliseconds) : undefined
  }
  const unwatch = sight.watch(look)
  look()
  return () => {
    unwatch()
    clearTimeout(timer)
  }
}

type StreamEvent = { readonly id: string | null; readonly data: string }

/** Takes the text of a stream piece by piece and returns the complete events. A piece may end anywhere. */
export function createEventParser(): (piece: string) => readonly StreamEvent[] {
  // In pieces, because an image comes in hundreds: text that was read is not searched again.
  let open: string[] = []
  let id: string | null = null
  let data: string[] = []
  return (piece) => {
    const events: StreamEvent[] = []
    let start = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      const raw = [...open, piece.slice(start, end)].join('')
      open = []
      start = end + 1
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line === '') {
        if (data.length > 0) events.push({ id, data: data.join('\n') })
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      else if (line.startsWith('id:')) id = line.slice(3).trim()
    }
    if (start < piece.length) open.push(piece.slice(start))
    return events
  }
}
