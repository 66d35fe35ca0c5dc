import type { Branch } from '../store/gateway-store.ts'

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
    note: (tenant, branch) => add(branches, `${tenant} ${branch.chain}`, branch, most),
    tried: (tenant, chain) => tried.get(`${tenant} ${chain}`) ?? null,
    noteTried: (tenant, chain, conversation) => add(tried, `${tenant} ${chain}`, conversation, most),
  }
}

/** The oldest goes where there are too many. */
function add<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
