import type { Branch, GatewayStore, Recognised } from '../../store/gateway-store.ts'

/** Faults of a store. Everything else works. */
export interface StoreFaults {
  /** Changes what the store answers about a request. May wait or throw. */
  readonly recognised?: (answer: Recognised) => Recognised | Promise<Recognised>
  /** Runs before decisions are claimed. May wait or throw. */
  readonly claiming?: () => void | Promise<void>
}

/** A store that works like another one except for its faults, which are looked up at each call. */
export function faultyStore(store: GatewayStore, faults: () => StoreFaults): GatewayStore {
  return {
    ...store,
    async recognise(tenant, question) {
      const answer = await store.recognise(tenant, question)
      return (await faults().recognised?.(answer)) ?? answer
    },
    async claim(tenant, claims) {
      await faults().claiming?.()
      return store.claim(tenant, claims)
    },
  }
}

/** An answer with another branch. */
export function withBranch(answer: Recognised, change: (branch: Branch) => unknown): Recognised {
  if (answer.branch === null) return answer
  return { ...answer, branch: { ...answer.branch, branch: change(answer.branch.branch) as Branch } }
}
