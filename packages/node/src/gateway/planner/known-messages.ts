import type { Branch } from '../../store/gateway-store.ts'

/** When messages were first seen, as far as a planner has asked its store about them lately. */
export interface KnownMessages {
  /** Null where the store has to be asked. */
  readonly find: (tenant: string, message: string) => number | null
  readonly note: (tenant: string, message: string, firstSeen: number) => void
}

/** How much is remembered, and for how long. */
export interface KnownMessagesOptions {
  /** Milliseconds. */
  readonly now: () => number
  /** Default: 100,000. */
  readonly most?: number
  /** Default: half an hour. A store notes every hour that something is still in use, and hears of it only when it is asked. */
  readonly milliseconds?: number
}

/** Remembers nothing yet. When a message was first seen never changes, so what the store once said stays true. */
export function createKnownMessages({ now, most = 100_000, milliseconds = 1_800_000 }: KnownMessagesOptions): KnownMessages {
  // Two halves: when the newer one is full the older one is forgotten.
  let newer: Half = new Map()
  let older: Half = new Map()
  let count = 0

  function add(tenant: string, message: string, known: KnownMessage): void {
    let messages = newer.get(tenant)
    if (messages === undefined) {
      messages = new Map()
      newer.set(tenant, messages)
    }
    if (!messages.has(message)) count += 1
    messages.set(message, known)
    if (count < most / 2) return
    older = newer
    newer = new Map()
    count = 0
  }

  return {
    find(tenant, message) {
      let known = newer.get(tenant)?.get(message)
      if (known === undefined) {
        known = older.get(tenant)?.get(message)
        if (known === undefined) return null
        add(tenant, message, known)
      }
      return Math.abs(now() - known.askedAt) < milliseconds ? known.firstSeen : null
    },
    note: (tenant, message, firstSeen) => add(tenant, message, { firstSeen, askedAt: now() }),
  }
}

type Half = Map<string, Map<string, KnownMessage>>

interface KnownMessage {
  readonly firstSeen: number
  readonly askedAt: number
}

/** Where conversations stand after requests that a planner has just heard the outcome of. */
export interface RecentBranches {
  /** The branch whose last request had exactly these messages; null where it is not among the latest. */
  readonly find: (tenant: string, chain: string) => Branch | null
  readonly note: (tenant: string, branch: Branch) => void
  /** The conversation of a request that no upstream accepted, so that another try belongs to it; null where there was none. */
  readonly tried: (tenant: string, chain: string) => string | null
  readonly noteTried: (tenant: string, chain: string, conversation: string) => void
}

/** Remembers so many of either. */
export function createRecentBranches(most = 500): RecentBranches {
  const branches = new Map<string, Branch>()
  const tried = new Map<string, string>()
  return {
    find: (tenant, chain) => branches.get(`${tenant} ${chain}`) ?? null,
    note: (tenant, branch) => addNewest(branches, `${tenant} ${branch.chain}`, branch, most),
    tried: (tenant, chain) => tried.get(`${tenant} ${chain}`) ?? null,
    noteTried: (tenant, chain, conversation) => addNewest(tried, `${tenant} ${chain}`, conversation, most),
  }
}

/** The oldest goes where there are too many. */
function addNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
