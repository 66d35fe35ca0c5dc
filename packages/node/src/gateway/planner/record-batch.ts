import { type GatewayStore, StoreError, type TenantRecord } from '../../store/gateway-store.ts'

interface RecordBatchOptions {
  /** Calls `flush` when its caller has time for it. */
  readonly onDue: () => void
  /** Milliseconds between two steps; the first request after a while is due at once. Default: 250. */
  readonly everyMilliseconds?: number
  readonly max?: number
}

/** Records requests together: each step of a store costs about the same, regardless of how much is written in it. */
export function createRecordBatch(
  store: Pick<GatewayStore, 'record' | 'recordAll'>,
  { onDue, everyMilliseconds = 250, max = 200 }: RecordBatchOptions,
) {
  let waiting: Waiting[] = []
  let flushedAt = Number.NEGATIVE_INFINITY
  let isDue = false
  let timer: NodeJS.Timeout | null = null

  function due(): void {
    timer = null
    if (isDue) return
    isDue = true
    onDue()
  }

  return {
    /** `done` receives whether the request was written. */
    add(record: TenantRecord, done: (isWritten: boolean) => void): void {
      waiting.push({ record, done })
      if (waiting.length >= max) return due()
      if (isDue || timer !== null) return
      const rest = flushedAt + everyMilliseconds - performance.now()
      if (rest <= 0) due()
      else timer = setTimeout(due, rest)
    },
    /** Writes everything that was added. Never rejects. */
    async flush(): Promise<void> {
      if (timer !== null) clearTimeout(timer)
      timer = null
      isDue = false
      if (waiting.length === 0) return
      const taken = waiting
      waiting = []
      await writeAll(store, taken)
      flushedAt = performance.now()
    },
  }
}

interface Waiting {
  readonly record: TenantRecord
  readonly done: (isWritten: boolean) => void
}

async function writeAll(store: Pick<GatewayStore, 'record' | 'recordAll'>, waiting: readonly Waiting[]): Promise<void> {
  if (store.recordAll !== undefined && waiting.length > 1) {
    try {
      await store.recordAll(waiting.map(({ record }) => record))
      for (const { done } of waiting) done(true)
      return
    } catch (error) {
      if (error instanceof StoreError && error.kind !== 'broken') {
        for (const { done } of waiting) done(false)
        return
      }
      // One that cannot be written must not keep the others from it.
    }
  }
  for (const { record, done } of waiting) {
    const isWritten = await store.record(record.tenant, record.record).then(
      () => true,
      () => false,
    )
    done(isWritten)
  }
}
