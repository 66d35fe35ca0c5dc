import { getOrMake } from '../../../node/src/shared/get-or-make.ts'
import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { type Api, ApiError } from './api.ts'

interface Follower {
  /** In order and each once, regardless of the connection. */
  readonly event: (event: SessionEvent, id: string | null) => void
  /** The server rejects the request, so retrying would not help. */
  readonly refused: (error: ApiError) => void
}

/** Milliseconds before the connection is tried again: soon at first, then less and less often. */
const pauses = [250, 500, 1000, 2000, 4000]
/** Milliseconds in which a leading tab waits for more. */
const gatherMs = 10
/** A stream follows at most this many; the address must not become too long. */
const maxFollowed = 128

interface HubOptions {
  /** Without a sign of life for this long the connection is lost: a computer has slept, or a cable was pulled. Signs come every 15 s. */
  readonly maxSilentMs?: number
  readonly sight?: PageSight
  /** A page hidden for this long follows nothing, and catches up when it is seen. */
  readonly maxHiddenMs?: number
  /** How tabs find each other. Default: as the browser has it; null if a tab is on its own. */
  readonly shared?: Shared | null
}

/** The name of the channel to the other tabs of this server, and the browser's locks. */
interface Shared {
  readonly name: string
  readonly locks: Pick<LockManager, 'request' | 'query'>
}

/** One session that a tab follows, and the last event it has. */
interface Followed {
  readonly tab: string
  readonly key: number
  readonly session: string
  last: string
}

type TabMessage =
  /** A tab leads from now on: all others tell it what they follow. */
  | { readonly type: 'lead'; readonly tab: string }
  | { readonly type: 'want'; readonly tab: string; readonly wanted: readonly Followed[] }
  | {
      readonly type: 'event'
      readonly from: string
      readonly key: number
      readonly id: string
      readonly event: SessionEvent
    }
  | { readonly type: 'lost'; readonly from: string }
  | { readonly type: 'refused'; readonly from: string; readonly error: RefusedError }

type RefusedError = Pick<ApiError, 'status' | 'code' | 'message' | 'suggestion'>

type EventHub = ReturnType<typeof createEventHub>

/**
 * Follows the events of sessions for this tab and for all others of the same browser, over one connection: a browser has only six to a server
 * for all of its tabs. One tab leads and holds the connection, the one that was seen last; the others get their events from it.
 */
export function createEventHub(api: Api, options: HubOptions = {}) {
  const { maxSilentMs = 45_000, sight = tabSight, maxHiddenMs = 2000, shared = sharedByTabs() } = options
  const tab = Math.random().toString(36).slice(2)
  const followers = new Map<number, { readonly followed: Followed; readonly follower: Follower }>()
  const ended = Promise.withResolvers<void>()
  /** By tab, if this one leads. */
  const others = new Map<string, readonly Followed[]>()
  const all = shared === null ? null : new BroadcastChannel(shared.name)
  /** Events go to the one tab that they are for: if each were heard by all, many busy tabs would block each other. */
  const channelTo = (name: string) => new BroadcastChannel(`${shared?.name} ${name}`)
  const channels = new Map<string, BroadcastChannel>()
  let mine: BroadcastChannel | null = null
  let made = 0
  let leader: string | null = null
  let waiting: AbortController | null = null
  let stream: AbortController | null = null
  let isAway = sight.isHidden()
  let isStarting = false
  let isClosed = false

  const wanted = () => (isAway ? [] : [...followers.values()].map(({ followed }) => followed))
  const post = (message: TabMessage, channel = all) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is no window
    if (!isClosed) channel?.postMessage(message)
  }

  function announce(): void {
    if (leader === tab) restart()
    else post({ type: 'want', tab, wanted: wanted() })
  }

  function lead(): Promise<void> {
    leader = tab
    forget(...others.keys())
    post({ type: 'lead', tab })
    restart()
    return ended.promise
  }

  /** Leads once the tab that does so is gone, or at once. */
  async function compete(isNow: boolean): Promise<void> {
    if (shared === null || isClosed) return
    waiting?.abort()
    const { signal } = (waiting = new AbortController())
    try {
      await shared.locks.request(leaderLock, isNow ? { steal: true } : { signal }, lead)
    } catch {
      // Another tab was seen later, or this one does not wait any more.
    }
    if (signal.aborted || isClosed) return
    if (leader === tab) {
      leader = null
      stream?.abort()
    }
    void compete(false)
  }

  /** Reads what is wanted now. Many tabs that say so at the same time start one stream. */
  function restart(): void {
    stream?.abort()
    stream = null
    if (isStarting) return
    isStarting = true
    void gather().then(() => {
      isStarting = false
      if (leader !== tab || isClosed) return
      stream = new AbortController()
      void run(stream.signal)
    })
  }

  async function gather(): Promise<void> {
    if (others.size === 0) return
    await pause(gatherMs, AbortSignal.any([]))
    await forgetClosed()
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failed = 0
    while (!signal.aborted) {
      const followed = [...wanted(), ...[...others.values()].flat()].slice(-maxFollowed)
      if (followed.length === 0) return
      let isHeard = false
      const connection = new AbortController()
      try {
        await readEvents(api, followed, AbortSignal.any([signal, connection.signal]), {
          maxSilentMs,
          silent: () => connection.abort(),
          event(one, id, event) {
            isHeard = true
            one.last = id
            if (one.tab === tab) deliver(one.key, id, event)
            else if (others.has(one.tab))
              post(
                { type: 'event', from: tab, key: one.key, id, event },
                getOrMake(channels, one.tab, () => channelTo(one.tab)),
              )
          },
        })
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
          const { status, code, message, suggestion } = error
          post({ type: 'refused', from: tab, error: { status, code, message, suggestion } })
          return refuse(error)
        }
      }
      if (signal.aborted) return
      failed = isHeard ? 0 : failed + 1
      if (failed > 0) post({ type: 'lost', from: tab })
      await pause(pauses[Math.min(failed, pauses.length - 1)] ?? 0, signal)
    }
  }

  /** A tab that crashed does not say that it is gone. */
  async function forgetClosed(): Promise<void> {
    const { held = [] } = (await shared?.locks.query()) ?? {}
    const open = new Set(held.map(({ name }) => name))
    forget(...[...others.keys()].filter((name) => !open.has(tabLock(name))))
  }

  function forget(...tabs: readonly string[]): void {
    for (const name of tabs) {
      others.delete(name)
      channels.get(name)?.close()
      channels.delete(name)
    }
  }

  function deliver(key: number, id: string, event: SessionEvent): void {
    const found = followers.get(key)
    if (found === undefined) return
    found.followed.last = id
    found.follower.event(event, id)
  }

  function refuse(error: RefusedError): void {
    const { status, code, message, suggestion } = error
    for (const { follower } of followers.values()) follower.refused(new ApiError(status, code, message, suggestion))
  }

  function hear({ data: message }: MessageEvent<TabMessage>): void {
    if (message.type === 'lead') {
      leader = message.tab
      stream?.abort()
      if (followers.size > 0) announce()
    } else if (message.type === 'want') {
      if (leader !== tab) return
      if (message.wanted.length === 0) forget(message.tab)
      else others.set(message.tab, message.wanted)
      restart()
    } else if (message.from !== leader) return
    else if (message.type === 'event') deliver(message.key, message.id, message.event)
    else if (message.type === 'refused') refuse(message.error)
    // Only to learn whether the server can be reached.
    else void api.hello().catch(() => undefined)
  }

  function look(): void {
    const wasAway = isAway
    clearTimeout(timer)
    if (sight.isHidden()) {
      timer = setTimeout(() => {
        isAway = true
        announce()
      }, maxHiddenMs)
      return
    }
    isAway = false
    if (followers.size === 0) return
    if (leader !== tab && shared !== null) void compete(true)
    else if (wasAway) announce()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  let unwatch: (() => void) | null = null

  function begin(): void {
    unwatch = sight.watch(look)
    if (shared === null) leader = tab
    else {
      mine = channelTo(tab)
      for (const channel of [all, mine]) channel?.addEventListener('message', hear as (event: Event) => void)
      void shared.locks.request(tabLock(tab), () => ended.promise).catch(() => undefined)
      void compete(!isAway)
    }
  }

  return {
    /** Follows a session after one of its events, and resumes a lost connection where it left off. Returns how to stop. */
    follow(session: string, after: string, follower: Follower): () => void {
      if (unwatch === null) begin()
      made += 1
      const key = made
      followers.set(key, { followed: { tab, key, session, last: after }, follower })
      announce()
      return () => {
        followers.delete(key)
        announce()
      }
    },
    close(): void {
      followers.clear()
      announce()
      isClosed = true
      stream?.abort()
      waiting?.abort()
      ended.resolve()
      clearTimeout(timer)
      unwatch?.()
      for (const channel of [all, mine, ...channels.values()]) channel?.close()
    },
  }
}

const hubs = new WeakMap<Api, EventHub>()

/** Follows a session after one of its events. Returns how to stop. */
export function followEvents(api: Api, session: string, after: string, follower: Follower): () => void {
  const hub = hubs.get(api) ?? createEventHub(api)
  hubs.set(api, hub)
  return hub.follow(session, after, follower)
}

const leaderLock = 'plimsoll-events'
const tabLock = (tab: string) => `plimsoll-tab-${tab}`

/** Without a secure address, as over a network, a browser has no locks, and each tab is on its own. */
function sharedByTabs(): Shared | null {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks
  if (typeof document === 'undefined' || locks === undefined || typeof BroadcastChannel === 'undefined') return null
  return { name: 'plimsoll-events', locks }
}

interface Reading {
  readonly maxSilentMs: number
  readonly silent: () => void
  readonly event: (followed: Followed, id: string, event: SessionEvent) => void
}

/** Reads one stream with the events of several sessions until it ends. */
async function readEvents(api: Api, all: readonly Followed[], signal: AbortSignal, { maxSilentMs, silent, event }: Reading) {
  const query = all.map(({ session, last }) => `follow=${encodeURIComponent(`${session}~${last}`)}`)
  const response = await api.fetch(`/events?${query.join('&')}`, { signal, headers: { accept: 'text/event-stream' } })
  if (response.body === null) return
  const parse = createEventParser()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const silence = setTimeout(silent, maxSilentMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    for (const { id, data } of parse(value)) {
      const [, place = '', name = ''] = /^(\d+) (.*)$/.exec(id ?? '') ?? []
      const followed = all[Number(place || -1)]
      if (followed !== undefined) event(followed, name, JSON.parse(data) as SessionEvent)
    }
  }
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
