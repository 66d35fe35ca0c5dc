import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayStore, StoreError, type TenantRecord } from '../../store/gateway-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { record, request } from '../../store/testing/samples.ts'
import { createRecordBatch } from './record-batch.ts'

let folder: string
let store: GatewayStore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-batch-'))
  store = await openSqliteStore({ path: join(folder, 'gateway.sqlite'), now: Date.now })
})

afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const recordOf = (tenant: string, id: string, usage: unknown = null): TenantRecord => ({
  tenant,
  record: record(request(id, { usage: usage as never })),
})

const idsOf = async (tenant: string) => ((await store.conversation(tenant, 'c1'))?.requests ?? []).map(({ id }) => id)

describe('requests that are recorded together', () => {
  test('make the first due at once, and batch those that follow', async () => {
    let due = 0
    const batch = createRecordBatch(store, { onDue: () => (due += 1), everyMilliseconds: 3_600_000, max: 4 })
    const done: string[] = []
    const add = (id: string) => batch.add(recordOf('waits', id), (isWritten) => done.push(`${id} ${isWritten}`))
    add('r0')
    expect(due).toBe(1)
    await batch.flush()
    for (const id of ['r1', 'r2', 'r3']) add(id)
    expect([due, done]).toEqual([1, ['r0 true']])
    add('r4')
    expect(due).toBe(2)
    await batch.flush()
    expect(done).toEqual(['r0 true', 'r1 true', 'r2 true', 'r3 true', 'r4 true'])
    expect((await idsOf('waits')).sort()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4'])
  })

  test('become due automatically after a while', async () => {
    const due: Promise<void>[] = []
    const batch = createRecordBatch(store, { onDue: () => due.push(batch.flush()), everyMilliseconds: 20 })
    batch.add(recordOf('later', 'r0'), () => undefined)
    await Promise.all(due)
    await new Promise<void>((resolve) => batch.add(recordOf('later', 'r1'), () => resolve()))
    expect((await idsOf('later')).sort()).toEqual(['r0', 'r1'])
  })

  test('reach the store even if one of them cannot be written', async () => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    const batch = createRecordBatch(store, { onDue: () => undefined })
    const done: string[] = []
    for (const [id, usage] of [
      ['r0', null],
      ['r1', circular],
      ['r2', null],
    ] as const)
      batch.add(recordOf('broken', id, usage), (isWritten) => done.push(`${id} ${isWritten}`))
    await batch.flush()
    expect(done).toEqual(['r0 true', 'r1 false', 'r2 true'])
    expect((await idsOf('broken')).sort()).toEqual(['r0', 'r2'])
  })

  test('do not each try a store that is unreachable', async () => {
    let asked = 0
    const gone = async () => {
      asked += 1
      throw new StoreError('unreachable', 'gone')
    }
    const batch = createRecordBatch({ record: gone, recordAll: gone }, { onDue: () => undefined })
    const done: boolean[] = []
    for (const id of ['r0', 'r1', 'r2']) batch.add(recordOf('gone', id), (isWritten) => done.push(isWritten))
    await batch.flush()
    expect({ asked, done }).toEqual({ asked: 1, done: [false, false, false] })
  })
})
