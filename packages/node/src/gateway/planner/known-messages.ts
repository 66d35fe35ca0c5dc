import type { Branch } from '../../store/gateway-store.ts'

export type KnownMessages = ReturnType<typeof createKnownMessages>

interface KnownMessagesOptions {
  readonly now: () => number
  /** Default: 100,000. */
  readonly max?: number
  /** Default: half an hour. A store notes every hour that something is still in use, and hears of it only when it is asked. */
  readonly milliseconds?: number
}

/** Remembers when messages were first seen, as the store said: that never changes. */
export function createKnownMessages({ now, max = 100_000, milliseconds = 1_800_000 }: KnownMessagesOptions) {
  // Two halves: when the newer one is full, the older one is dropped.
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
    if (count < max / 2) return
    older = newer
    newer = new Map()
    count = 0
  }

  return {
    /** When each was first seen; null if the store has to be asked. */
    find(tenant: string, messages: readonly { readonly id: string }[]): readonly (number | null)[] {
      const time = now()
      let recent = newer.get(tenant)
      return messages.map(({ id }) => {
        let known = recent?.get(id)
        if (known === undefined) {
          known = older.get(tenant)?.get(id)
          if (known === undefined) return null
          add(tenant, id, known)
          // It may have started a new half.
          recent = newer.get(tenant)
        }
        return Math.abs(time - known.askedAt) < milliseconds ? known.firstSeen : null
      })
    },
    note: (tenant: string, message: string, firstSeen: number) => add(tenant, message, { firstSeen, askedAt: now() }),
  }
}

type Half = Map<string, Map<string, KnownMessage>>

interface KnownMessage {
  readonly firstSeen: number
  readonly askedAt: number
}

export type RecentBranches = ReturnType<typeof createRecentBranches>

/** Remembers the state of conversations after requests whose outcome the planner has just heard, and which were not accepted. */
export function createRecentBranches(max = 500) {
  const branches = new Map<string, Branch>()
  const tried = new Map<string, string>()
  return {
    find: (tenant: string, chain: string) => branches.get(`${tenant} ${chain}`) ?? null,
    note: (tenant: string, branch: Branch) => addNewest(branches, `${tenant} ${branch.chain}`, branch, max),
    /** The conversation of a request that no upstream accepted, so that another try belongs to it, or null. */
    tried: (tenant: string, chain: string) => tried.get(`${tenant} ${chain}`) ?? null,
    noteTried: (tenant: string, chain: string, conversation: string) => addNewest(tried, `${tenant} ${chain}`, conversation, max),
  }
}

/** Adds an item as the newest, and drops the oldest if there are too many. */
export function addNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
