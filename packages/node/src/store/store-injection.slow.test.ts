import { completeConfig } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerStoredRecall } from '../mcp/recall-server.ts'
import { type GatewayStore, tenantOf } from './gateway-store.ts'
import { answer, branch, claim, message, noon, question, record, request } from './testing/samples.ts'
import { type StorePlace, storeKinds } from './testing/store-places.ts'

/** Ends a string, a list, an array or a statement of SQL, escapes, is a placeholder, a pattern or JSON, or is no text that a database takes. */
const hostile = [
  "'; drop table plimsoll.requests; --",
  "x' or '1'='1",
  "' union select value from plimsoll.settings --",
  '"; delete from originals; --',
  "\\'; select pg_sleep(100); --",
  '$1',
  '$$; drop schema plimsoll cascade; $$',
  '{"a","b"}',
  '{a,NULL}',
  'NULL',
  '%',
  '_',
  '*/ or 1=1 /*',
  '?1',
  ':name',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u02bc or 1=1',
  '\\x00',
  '',
  'e'.repeat(10_000),
]

describe.each(storeKinds.filter(({ name }) => !name.includes('reopened')))('a store with hostile names: $name', ({ make }) => {
  let place: StorePlace
  let store: GatewayStore
  beforeAll(async () => {
    place = await make()
    store = await place.open(() => noon)
    await write(store, 'bystander', 'harmless')
  }, 120_000)
  afterAll(() => place.remove())

  it.each(hostile.map((name) => [JSON.stringify(name).slice(0, 60), name]))(
    '%s in every place is only a name',
    async (_, name) => {
      const before = await readAll(store, 'bystander', 'harmless')
      // The key of a request, hashed: the only name that is not escaped.
      const tenant = tenantOf(new Uint8Array(32), name)
      await write(store, tenant, name)
      const kept = await readAll(store, tenant, name)
      // In full: the tenant finds its own rows, and only these.
      expect(kept).toEqual(await alone(tenant, name))
      expect(kept.conversations).toHaveLength(1)
      expect(await readAll(store, 'bystander', 'harmless')).toEqual(before)
      expect(await readAll(store, 'nobody', name)).toEqual(nothing)
    },
  )

  it('recall serves a handle to its own tenant only, and says the same of one that never was', async () => {
    await store.claim('a', [claim('secret', 'cut', { handle: '0123456789ab', conversation: 'of-a' })])
    const config = completeConfig({})
    const ask = (tenant: string, input: object) => answerStoredRecall(input, { store, tenants: async () => [tenant], config })
    expect(await ask('a', { handle: '0123456789ab' })).toContain('all of secret')
    const [others, never] = [await ask('b', { handle: '0123456789ab' }), await ask('b', { handle: 'ba9876543210' })]
    expect(others.replaceAll('0123456789ab', 'X')).toBe(never.replaceAll('ba9876543210', 'X'))
    for (const input of [
      {},
      { query: 'all of secret' },
      { id: 'secret' },
      { tool: 'Bash' },
      { handle: '%' },
      { handle: "' or 1=1 --" },
    ])
      expect(await ask('b', input)).not.toContain('all of secret')
    expect(await store.originalsOf('b', 'of-a')).toEqual([])
    expect(await store.claimsOf('b', 'of-a')).toEqual([])
    expect([...(await store.texts('b', ['secret']))]).toEqual([])
  })
})

const nothing = { conversations: [], conversation: null, originals: [], originalsOf: [], claims: [], texts: [], branch: null }

/** Writes a name into every field that takes one. */
async function write(store: GatewayStore, tenant: string, name: string): Promise<void> {
  const conversation = `conversation ${name}`
  const handle = name === 'harmless' ? 'handle-harmless' : `handle ${name}`
  await store.claim(tenant, [claim(name, `shown ${name}`, { conversation, handle })])
  const own = request(`request ${name}`, { conversation, model: name })
  const state = branch(`chain ${name}`, { conversation })
  await store.record(tenant, record(own, { label: name, messages: [message(name)], texts: [answer(name, name)], branch: state }))
}

/** Everything that can be asked for by a name. */
async function readAll(store: GatewayStore, tenant: string, name: string) {
  const conversation = `conversation ${name}`
  const asked = question({ chains: [`chain ${name}`], messages: [], parts: [claim(name, '').decision], isIdle: true })
  const { branch: found } = await store.recognise(tenant, asked)
  return {
    conversations: await store.conversations(tenant),
    conversation: await store.conversation(tenant, conversation),
    originals: await store.originals(tenant, name === 'harmless' ? 'handle-harmless' : `handle ${name}`),
    originalsOf: await store.originalsOf(tenant, conversation),
    claims: await store.claimsOf(tenant, conversation),
    texts: [...(await store.texts(tenant, [name]))],
    branch: found,
  }
}

/** The same in a store that no one else uses. */
async function alone(tenant: string, name: string) {
  const place = await (storeKinds[0] as (typeof storeKinds)[number]).make()
  try {
    const store = await place.open(() => noon)
    await write(store, tenant, name)
    return await readAll(store, tenant, name)
  } finally {
    await place.remove()
  }
}
