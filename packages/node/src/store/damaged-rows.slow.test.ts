import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GatewayStore } from './gateway-store.ts'
import { isSharedStore } from './gateway-store.ts'
import { loadSqlite } from './sqlite/sqlite-database.ts'
import { answer, branch, claim, message, noon, question, record, request } from './testing/samples.ts'
import { type StorePlace, storeKinds } from './testing/store-places.ts'

const parts = ['a', 'b'].map((name) => claim(name, '').decision)

describe.each(storeKinds.filter(({ name }) => !name.includes('reopened')))('damaged rows: $name', ({ make }) => {
  let place: StorePlace
  let store: GatewayStore
  let tenant = ''
  let tenants = 0
  beforeAll(async () => {
    place = await make()
    store = await place.open(() => noon)
  }, 120_000)
  afterAll(() => place.remove())
  beforeEach(async () => {
    tenants += 1
    tenant = `tenant-${tenants}`
    for (const [number, name] of ['a', 'b'].entries()) {
      await store.claim(tenant, [claim(name, `short ${name}`, { handle: `handle-${name}` })])
      const texts = [answer(name, `text of ${name}`)]
      const state = branch(`chain-${name}`, { requests: number + 1 })
      await store.record(tenant, record(request(`r-${name}`, { number }), { messages: [message(name)], texts, branch: state }))
    }
  })

  /** Changes rows behind the store's back. */
  async function change(sql: string): Promise<void> {
    if (!isSharedStore(place.location)) {
      const database = new (loadSqlite().DatabaseSync)(place.location)
      database.exec(sql.replaceAll('plimsoll.', ''))
      database.close()
      return
    }
    const client = new Client({ connectionString: place.location })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  const letter = (table: string, from: string, to: string, column = 'body') =>
    change(`update plimsoll.${table} set ${column} = replace(${column}, '${from}', '${to}') where tenant = '${tenant}'`)
  const known = () => store.recognise(tenant, question({ parts, chains: ['chain-a', 'chain-b'], isIdle: true }))

  it('are none while nothing is damaged', async () => {
    expect(await known()).not.toHaveProperty('damaged')
    expect(await store.conversation(tenant, 'c1')).not.toHaveProperty('damaged')
    expect(await store.claimsOf(tenant, 'c1')).toEqual(['a', 'b'].map((name) => claim(name, `short ${name}`)))
  })

  it('of decisions are not used, are counted, and are replaced by the next decision', async () => {
    await letter('decisions', 'short a', 'shirt a')
    const found = await known()
    expect([found.decisions.map(({ key }) => key), found.damaged]).toEqual([['b'], 1])
    expect((await store.claimsOf(tenant, 'c1')).map(({ decision }) => decision.key)).toEqual(['b'])
    const again = claim('a', 'another', { handle: 'handle-a' })
    expect(await store.claim(tenant, [again])).toEqual([again.decision])
    expect((await known()).decisions.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('of originals are not given back, and recall learns why', async () => {
    await letter('originals', 'all of a', 'all or a')
    await expect(store.originals(tenant, 'handle-a')).rejects.toMatchObject({ name: 'StoreError', kind: 'damaged' })
    expect((await store.originals(tenant, 'handle-b')).length).toBe(1)
    expect((await store.originals(tenant, 'handle-')).map(({ handle }) => handle)).toEqual(['handle-b'])
    expect((await store.originalsOf(tenant, 'c1')).map(({ handle }) => handle)).toEqual(['handle-b'])
  })

  it('with the content of another row are not used', async () => {
    const body = (of: string) => `(select body from plimsoll.originals where tenant = '${tenant}' and handle = 'handle-${of}')`
    await change(`update plimsoll.originals set body = ${body('b')} where tenant = '${tenant}' and handle = 'handle-a'`)
    await expect(store.originals(tenant, 'handle-a')).rejects.toMatchObject({ kind: 'damaged' })
    // Not even that of another tenant, should somebody copy it.
    const other = `${tenant}-other`
    await store.claim(other, [claim('a', 'theirs', { handle: 'handle-b' })])
    const theirs = `(select body from plimsoll.originals where tenant = '${other}')`
    await change(`update plimsoll.originals set body = ${theirs} where tenant = '${tenant}' and handle = 'handle-b'`)
    await expect(store.originals(tenant, 'handle-b')).rejects.toMatchObject({ kind: 'damaged' })
  })

  it('of branches leave the one before', async () => {
    expect((await known()).branch?.branch.chain).toBe('chain-b')
    await change(
      `update plimsoll.branches set state = replace(state, '"bank":2', '"bank":3') where tenant = '${tenant}' and chain = 'chain-b'`,
    )
    const { branch: found, damaged } = await known()
    expect([found?.place, found?.branch.chain, damaged]).toEqual([0, 'chain-a', 1])
    await letter('branches', '"model":"m"', '"model":"n"', 'state')
    const none = await known()
    expect([none.branch, none.damaged]).toEqual([null, 2])
  })

  it('of requests, messages and texts are missing and counted', async () => {
    await letter('requests', '"number":0', '"number":7')
    await letter('messages', '"id":"b"', '"id":"c"')
    await letter('texts', 'text of a', '')
    const { requests, messages, damaged } = (await store.conversation(tenant, 'c1')) ?? {}
    expect([requests?.map(({ id }) => id), messages?.map(({ id }) => id), damaged]).toEqual([['r-b'], ['a'], 2])
    expect([...(await store.texts(tenant, ['a', 'b'])).keys()]).toEqual(['b'])
  })

  it('that lost their end, and the checksum with it, are not read', async () => {
    await change(`update plimsoll.decisions set body = substr(body, 1, length(body) - 18) || '}' where tenant = '${tenant}'`)
    expect(await store.claimsOf(tenant, 'c1')).toEqual([])
  })

  it('without a checksum are those of earlier versions, and are read', async () => {
    for (const table of ['decisions', 'originals', 'requests', 'messages', 'texts'])
      await change(
        `update plimsoll.${table} set body = '{' || substr(body, 3, length(body) - 20) || '}' where tenant = '${tenant}'`,
      )
    expect(await store.claimsOf(tenant, 'c1')).toEqual(['a', 'b'].map((name) => claim(name, `short ${name}`)))
    expect((await store.conversation(tenant, 'c1'))?.requests.length).toBe(2)
    expect((await store.texts(tenant, ['a', 'b'])).size).toBe(2)
  })
})
