import { type GatewayStore, StoreError } from './gateway-store.ts'

interface WatchOptions {
  readonly now: () => number
  /** Receives why the store can no longer be written, and null once it can again. */
  readonly onProblem: (problem: StoreError | null) => void
}

/** The same store, whose `check` also fails while nothing can be written: a full disk still answers questions. */
export function watchStore(store: GatewayStore, { now, onProblem }: WatchOptions): GatewayStore {
  let problem: StoreError | null = null
  let writtenAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY

  const note = (next: StoreError | null): void => {
    if (next === null) writtenAt = now()
    else failedAt = now()
    const isNew = next?.message !== problem?.message
    problem = next
    if (isNew) onProblem(next)
  }

  /** Short rows still find room on a full disk, so only a long one shows that there is room again, and only if none failed at the same time. */
  const isOver = (isLong: boolean): boolean => problem?.kind !== 'full' || (isLong && Math.abs(now() - failedAt) >= quietMs)

  const writing = async <Value>(done: Promise<Value>, isLong: boolean): Promise<Value> => {
    try {
      const value = await done
      if (isOver(isLong)) note(null)
      return value
    } catch (error) {
      if (isDown(error)) note(error)
      throw error
    }
  }

  const { recordAll } = store
  return {
    ...store,
    async recognise(tenant, question) {
      try {
        const recognised = await store.recognise(tenant, question)
        if (recognised.unwritten !== undefined) note(recognised.unwritten)
        return recognised
      } catch (error) {
        if (isDown(error)) note(error)
        throw error
      }
    },
    claim: (tenant, claims) => (claims.length === 0 ? store.claim(tenant, claims) : writing(store.claim(tenant, claims), true)),
    record: (tenant, record) => writing(store.record(tenant, record), false),
    ...(recordAll === undefined ? {} : { recordAll: (records) => writing(recordAll(records), false) }),
    async check() {
      await store.check()
      if (problem === null && Math.abs(now() - writtenAt) < trustMs) return
      // A trial takes room, too.
      if (problem !== null && !isOver(true)) throw problem
      await writing(store.tryWrite(), true)
    },
  }
}

/** Milliseconds for which a write proves that more can be written. */
const trustMs = 10_000

/** Milliseconds without a failed write after which a full store may be one that was full. */
const quietMs = 2000

/** A single value that cannot be stored says nothing about the store. */
function isDown(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.kind === 'full' || error.kind === 'unreachable')
}
