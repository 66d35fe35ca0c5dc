import { describe, expect, it } from 'vitest'
import { StoreError } from '../../store/gateway-store.ts'
import { contentKinds } from './content-kinds.ts'
import { createKeptModels } from './kept-models.ts'

const prose = (tokens: number) => contentKinds.map((kind) => (kind === 'prose' ? tokens : 0))

/** A store in memory that can fail. */
function memoryStore(value: unknown = null) {
  const store = {
    value: JSON.stringify(value),
    writes: 0,
    failure: null as StoreError | null,
    learned: async (): Promise<unknown> => {
      if (store.failure !== null) throw store.failure
      return JSON.parse(store.value)
    },
    keepLearned: async (learned: unknown): Promise<void> => {
      if (store.failure !== null) throw store.failure
      store.value = JSON.stringify(learned)
      store.writes += 1
    },
  }
  return store
}

type MemoryStore = ReturnType<typeof memoryStore>

async function gatewayOf(store: MemoryStore) {
  const models = createKeptModels(store)
  await settled()
  const learn = (model: string, ratio: number) => {
    models.of(model).tokens.learn(prose(5000), 5000 * ratio)
    models.note()
  }
  const ratio = (model: string) => models.of(model).tokens.predict(prose(1000)) / 1000
  return { ...models, learn, ratio }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

describe('createKeptModels', () => {
  it('knows after a restart what was learned before it', async () => {
    const store = memoryStore()
    const first = await gatewayOf(store)
    first.learn('a', 1.3)
    await first.keep('end')
    expect((await gatewayOf(store)).ratio('a')).toBeCloseTo(1.3, 6)
  })

  it('stores no names of models', async () => {
    const store = memoryStore()
    const gateway = await gatewayOf(store)
    gateway.learn('ft:secret-project', 1.3)
    await gateway.keep('end')
    expect(store.value).not.toContain('secret')
  })

  it('keeps what another gateway learned about other models', async () => {
    const store = memoryStore()
    const [one, other] = [await gatewayOf(store), await gatewayOf(store)]
    one.learn('a', 1.3)
    await one.keep('end')
    other.learn('b', 0.8)
    await other.keep('end')
    one.learn('a', 1.3)
    await one.keep('end')
    const later = await gatewayOf(store)
    expect([later.ratio('a'), later.ratio('b')]).toEqual([expect.closeTo(1.3, 6), expect.closeTo(0.8, 6)])
  })

  it('does not overwrite a model that another gateway knows better by now', async () => {
    const store = memoryStore()
    const seed = await gatewayOf(store)
    seed.learn('a', 1)
    await seed.keep('end')
    const [idle, busy] = [await gatewayOf(store), await gatewayOf(store)]
    for (let count = 0; count < 50; count += 1) busy.learn('a', 1.5)
    await busy.keep('end')
    idle.learn('b', 1)
    await idle.keep('end')
    expect((await gatewayOf(store)).ratio('a')).toBeGreaterThan(1.4)
  })

  it('deletes nothing if the store cannot be read, and reads it later', async () => {
    const store = memoryStore()
    const first = await gatewayOf(store)
    first.learn('a', 1.3)
    await first.keep('end')
    store.failure = new StoreError('unreachable', 'gone')
    const second = await gatewayOf(store)
    second.learn('a', 1.3)
    await second.keep('end')
    store.failure = null
    expect(store.writes).toBe(1)
    await second.keep('end')
    expect(store.writes).toBe(2)
    expect((await gatewayOf(store)).ratio('a')).toBeCloseTo(1.3, 6)
  })

  it('replaces damaged entries', async () => {
    const store = memoryStore()
    store.failure = new StoreError('broken', 'damaged')
    const gateway = await gatewayOf(store)
    gateway.learn('a', 1.3)
    store.failure = null
    await gateway.keep('end')
    expect((await gatewayOf(store)).ratio('a')).toBeCloseTo(1.3, 6)
  })

  it('writes less and less often, and not at all if nothing was learned', async () => {
    const store = memoryStore()
    const gateway = await gatewayOf(store)
    await gateway.keep('end')
    expect(store.writes).toBe(0)
    for (let count = 0; count < 1000; count += 1) {
      gateway.learn('a', 1.3)
      await gateway.keep('due')
      if (count === 0) expect(store.writes).toBe(1)
    }
    expect(store.writes).toBeLessThan(40)
  })
})
