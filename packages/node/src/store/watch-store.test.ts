import { expect, it } from 'vitest'
import { type GatewayStore, StoreError } from './gateway-store.ts'
import { claim, question, record, request } from './testing/samples.ts'
import { watchStore } from './watch-store.ts'

const full = new StoreError('full', 'The store is full.')

function watched() {
  let failure: StoreError | null = null
  let clock = 0
  const reported: (string | null)[] = []
  let probes = 0
  const write = async () => {
    if (failure !== null) throw failure
  }
  const store = {
    check: async () => undefined,
    tryWrite: async () => {
      probes += 1
      await write()
    },
    claim: async () => write().then(() => []),
    record: write,
    recognise: async () => ({ branch: null, firstSeen: [], decisions: [], ...(failure === null ? {} : { unwritten: failure }) }),
  } as unknown as GatewayStore
  return {
    store: watchStore(store, { now: () => clock, onProblem: (problem) => reported.push(problem?.message ?? null) }),
    fail: (error: StoreError | null) => {
      failure = error
    },
    wait: (milliseconds: number) => {
      clock += milliseconds
    },
    reported,
    probes: () => probes,
  }
}

it('reports a problem once, fails its check meanwhile, and reports the end', async () => {
  const { store, fail, wait, reported } = watched()
  await store.check()
  fail(full)
  await expect(store.claim('t', [claim('a', 'b')])).rejects.toBe(full)
  await expect(store.record('t', record(request('r')))).rejects.toBe(full)
  expect((await store.recognise('t', question())).unwritten).toBe(full)
  await expect(store.check()).rejects.toBe(full)
  expect(reported).toEqual(['The store is full.'])
  fail(null)
  await expect(store.check()).rejects.toBe(full)
  wait(60_000)
  await store.check()
  expect(reported).toEqual(['The store is full.', null])
})

it('notices a problem from a question alone, and when nothing was written for long', async () => {
  const { store, fail, wait, reported, probes } = watched()
  await store.record('t', record(request('r')))
  await store.check()
  expect(probes()).toBe(0)
  fail(full)
  await store.recognise('t', question())
  expect(reported).toEqual(['The store is full.'])
  fail(null)
  wait(60_000)
  // A short row finds room on a full disk, too.
  await store.record('t', record(request('r')))
  expect(reported).toEqual(['The store is full.'])
  await store.claim('t', [claim('a', 'b')])
  fail(full)
  wait(60_000)
  await expect(store.check()).rejects.toBe(full)
  expect(reported).toEqual(['The store is full.', null, 'The store is full.'])
})

it('does not take a value that cannot be stored for a problem of the store', async () => {
  const { store, fail, reported } = watched()
  fail(new StoreError('broken', 'The request is nested too deeply to be stored.'))
  await expect(store.record('t', record(request('r')))).rejects.toMatchObject({ kind: 'broken' })
  expect(reported).toEqual([])
})
