import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type GatewayStore, keptBranches, StoreError } from './gateway-store.ts'
import { answer, branch, claim, decision, dollars, message, noon, question, record, request } from './testing/samples.ts'
import { type StorePlace, storeKinds } from './testing/store-places.ts'

const hour = 3_600_000

describe.each(storeKinds)('a store: $name', ({ name, make }) => {
  let place: StorePlace
  let store: GatewayStore
  let time = noon
  let tenants = 0
  /** Tests share a store, but each has its own tenant. */
  const newTenant = () => `tenant-${tenants++}`

  beforeAll(async () => {
    place = await make()
    store = await place.open(() => time)
  }, 120_000)
  afterAll(() => place.remove())

  async function ownPlace(): Promise<StorePlace> {
    const own = await make()
    onTestFinished(() => own.remove())
    return own
  }

  it('has one secret, which stays the same when it is opened again', async () => {
    const [secret, again, other] = [await store.secret(), await store.secret(), await (await place.open()).secret()]
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect([again, other]).toEqual([secret, secret])
  })

  it('keeps learned facts for all gateways, without expiry or tenant', async () => {
    const own = await ownPlace()
    const one = await own.open(() => noon)
    expect(await one.learned()).toBeNull()
    await one.keepLearned({ a: [1, 2.5] })
    await one.keepLearned({ b: { '\u0000': 'x' } })
    const other = await own.open(() => noon)
    await other.expire(noon + 1e12)
    expect(await other.learned()).toEqual({ b: { '\u0000': 'x' } })
    expect(await other.tenants()).toEqual([])
    expect(await other.secret()).toEqual(await one.secret())
  })

  it('remembers when a message was first seen, in the order asked', async () => {
    const tenant = newTenant()
    expect(await store.recognise(tenant, question({ messages: ['a', 'b', 'a'] }))).toEqual({
      branch: null,
      firstSeen: [noon, noon, noon],
      decisions: [],
    })
    const later = await store.recognise(tenant, question({ messages: ['c', 'b', 'a'], at: noon + 5.5 }))
    expect(later.firstSeen).toEqual([noon + 5.5, noon, noon])
  })

  it.each([
    ['on its own', []],
    ['with the decisions of the same request', [claim('k', 'short')]],
  ])('notes a new message after the answer if it may, %s, and before it is closed', async (_name, claims) => {
    const own = await ownPlace()
    const one = await own.open(() => noon)
    const asked = question({ messages: ['a'], notesLater: true })
    expect((await one.recognise('t', asked)).firstSeen).toEqual([noon])
    await one.claim('t', claims)
    await one.close()
    const other = await own.open(() => noon)
    expect((await other.recognise('t', question({ messages: ['a'], at: noon + 7 }))).firstSeen).toEqual([noon])
  })

  it('writes nothing for a request that is only counted', async () => {
    const tenant = newTenant()
    const idle = await store.recognise(tenant, question({ messages: ['a'], isIdle: true }))
    const real = await store.recognise(tenant, question({ messages: ['a'], at: noon + 1 }))
    const then = await store.recognise(tenant, question({ messages: ['a', 'z'], at: noon + 2, isIdle: true }))
    expect([idle.firstSeen, real.firstSeen, then.firstSeen]).toEqual([[noon], [noon + 1], [noon + 1, noon + 2]])
  })

  it('finds the longest prefix that a request ended with', async () => {
    const tenant = newTenant()
    const states = [branch('one', { requests: 1 }), branch('three', { requests: 2 }), branch('elsewhere', { requests: 9 })]
    for (const [number, state] of states.entries()) await store.record(tenant, record(request(`r${number}`), { branch: state }))
    const { branch: found } = await store.recognise(tenant, question({ chains: ['zero', 'one', 'two', 'three', 'four'] }))
    expect(found).toEqual({ place: 3, branch: states[1] })
    const { branch: shorter } = await store.recognise(tenant, question({ chains: ['zero', 'one', 'other'] }))
    expect(shorter).toEqual({ place: 1, branch: states[0] })
  })

  it('continues from the last state if two requests ended with the same messages', async () => {
    const tenant = newTenant()
    await store.record(tenant, record(request('r0'), { branch: branch('one', { requests: 1 }) }))
    await store.record(tenant, record(request('r1'), { branch: branch('one', { requests: 2, at: noon + 1 }) }))
    const { branch: found } = await store.recognise(tenant, question({ chains: ['one'] }))
    expect(found?.branch).toEqual(branch('one', { requests: 2, at: noon + 1 }))
  })

  it('keeps the last states of a long conversation, and some older ones', async () => {
    const tenant = newTenant()
    const count = keptBranches * 2 + 5
    const chains = Array.from({ length: count }, (_, index) => `chain-${index + 1}`)
    for (const [index, chain] of chains.entries()) {
      await store.record(tenant, record(request(`r${index}`), { branch: branch(chain, { requests: index + 1 }) }))
    }
    const known: number[] = []
    for (const [index, chain] of chains.entries()) {
      const { branch: found } = await store.recognise(tenant, question({ chains: [chain], isIdle: true }))
      if (found !== null) known.push(index + 1)
    }
    const last = Array.from({ length: keptBranches }, (_, index) => count - keptBranches + 1 + index)
    expect(known).toEqual([...new Set([keptBranches, ...last])])
  })

  it('returns the decisions about the given parts, for the same original only', async () => {
    const tenant = newTenant()
    const [first, second] = [claim('call-1', 'short'), claim('call-1', 'shorter', { part: 1 })]
    await store.claim(tenant, [first, second])
    const parts = [second.decision, { ...first.decision, original: 'another' }, first.decision, decision('call-2', '')]
    const { decisions } = await store.recognise(tenant, question({ parts }))
    expect(decisions).toEqual([second.decision, first.decision])
  })

  it('returns the later decisions of a tenant by number, if it numbers them', async () => {
    const own = await ownPlace()
    const [one, other] = [await own.open(() => noon), await own.open(() => noon)]
    await one.claim('a', [claim('x', 'first')])
    const { decided } = await one.recognise('a', question({ decidedAfter: null }))
    if (decided === undefined) return expect(name).toBe('PostgreSQL')
    expect(decided).toEqual({ until: 1, later: [] })
    await other.claim('a', [claim('y', 'of another gateway')])
    await other.claim('b', [claim('z', 'of another tenant')])
    await one.claim('a', [claim('x', 'too late')])
    const answer = await one.recognise('a', question({ decidedAfter: decided.until }))
    expect(answer.decided).toEqual({ until: 3, later: [claim('y', 'of another gateway').decision] })
    const restored = await one.recognise('a', question({ decidedAfter: 1000 }))
    expect(restored.decided).toEqual({ until: 3, later: null })
  })

  it('keeps the first decision, and answers in the order of the claims', async () => {
    const tenant = newTenant()
    const mine = claim('b', 'mine')
    expect(await store.claim(tenant, [mine])).toEqual([mine.decision])
    const others = [claim('c', 'c1'), claim('b', 'theirs', { handle: 'lost' }), claim('a', 'a1'), claim('c', 'c2')]
    expect((await store.claim(tenant, others)).map(({ with: shown }) => shown)).toEqual(
      ['c1', 'mine', 'a1', 'c1'].map((text) => ({ type: 'text', text })),
    )
    expect(await store.originals(tenant, 'lost')).toEqual([])
  })

  it('accepts an empty claim', async () => expect(await store.claim(newTenant(), [])).toEqual([]))

  it('keeps an original once for two hidden parts of a message', async () => {
    const tenant = newTenant()
    const claims = [claim('k', 'first', { handle: 'h' }), claim('k', 'second', { handle: 'h', part: 1 })]
    await store.claim(tenant, claims.slice(0, 1))
    await store.claim(tenant, claims)
    expect(await store.originals(tenant, 'h')).toEqual([claims[0]?.original])
    expect((await store.recognise(tenant, question({ parts: claims.map((one) => one.decision) }))).decisions).toHaveLength(2)
  })

  it('has one winner when many claim the same part at once, through several connections', async () => {
    const tenant = newTenant()
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open(() => time)))
    const keys = ['x', 'y', 'z']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        // In different orders, so that two of them could deadlock.
        const asked = index % 2 === 0 ? keys : keys.toReversed()
        const claims = asked.map((key) => claim(key, `${key} by ${index}`, { handle: `h-${index}-${key}` }))
        return (stores[index % 4] as GatewayStore).claim(tenant, claims)
      }),
    )
    const shown = answers.map((decisions) => decisions.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    expect(new Set(shown.map((decisions) => JSON.stringify(decisions))).size).toBe(1)
    expect(await store.originals(tenant, 'h-')).toHaveLength(3)
  })

  it('agrees on when a message was first seen, when several see it at once', async () => {
    const tenant = newTenant()
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open(() => time)))
    const ids = Array.from({ length: 50 }, (_, index) => `m${index}`)
    const ask = (index: number) =>
      (stores[index % 4] as GatewayStore).recognise(
        tenant,
        question({ messages: index % 2 === 0 ? ids : ids.toReversed(), at: noon + index }),
      )
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(index)))
    const held = await store.recognise(tenant, question({ messages: ids, at: noon + 99 }))
    expect(answers.map(({ firstSeen }, index) => (index % 2 === 0 ? firstSeen : firstSeen.toReversed()))).toEqual(
      answers.map(() => held.firstSeen),
    )
  })

  it('returns a conversation as recorded, with its sums', async () => {
    const tenant = newTenant()
    const requests = [
      request('r0', { number: 0, at: noon }),
      request('r1', { number: 1, at: noon + 1, cost: null, untrimmed: null }),
      request('r2', { number: 2, at: noon + 2, untrimmed: null, model: null, mode: 'economy', isHeldOut: true }),
      request('r3', { number: 3, at: noon + 3, status: 529, cost: null, untrimmed: null, usage: null, mode: 'economy' }),
    ]
    await store.record(tenant, record(requests[0] as never, { label: 'the label', messages: [message('z'), message('a')] }))
    await store.record(tenant, record(requests[2] as never, { messages: [message('z', noon + 2), message('b', noon + 2)] }))
    await store.record(tenant, record(requests[1] as never, { messages: [message('k', noon + 1)] }))
    await store.record(tenant, record(requests[3] as never))
    const conversation = {
      id: 'c1',
      label: 'the label',
      dialect: 'anthropic',
      model: 'claude-sonnet-5',
      mode: 'economy',
      isHeldOut: false,
      first: noon,
      last: noon + 3,
      requests: 4,
      dollars: 0.5,
      untrimmedDollars: 0.75,
      unpriced: 1,
    }
    expect(await store.conversation(tenant, 'c1')).toEqual({
      conversation,
      requests,
      messages: [message('z'), message('a'), message('k', noon + 1), message('b', noon + 2)],
    })
    expect(await store.conversations(tenant)).toEqual([conversation])
    expect(await store.conversation(tenant, 'c2')).toBeNull()
  })

  it('counts a request once that is recorded twice', async () => {
    const tenant = newTenant()
    const recorded = record(request('r0', { cost: dollars(1) }), {
      messages: [message('a')],
      texts: [answer('a', 'text')],
      branch: branch('one'),
    })
    await store.record(tenant, recorded)
    const once = await store.conversation(tenant, 'c1')
    await store.record(tenant, recorded)
    expect(await store.conversation(tenant, 'c1')).toEqual(once)
  })

  it('records several requests of several tenants in one step, or none of them', async () => {
    if (store.recordAll === undefined) return
    const [one, other] = [newTenant(), newTenant()]
    const records = [
      { tenant: one, record: record(request('r0'), { messages: [message('a')], branch: branch('one') }) },
      { tenant: other, record: record(request('r0'), { messages: [message('b')] }) },
    ]
    const circular: { self?: unknown } = {}
    circular.self = circular
    const unwritable = { tenant: one, record: record(request('r1', { usage: circular as never })) }
    await expect(store.recordAll([...records, unwritable])).rejects.toMatchObject({ name: 'StoreError' })
    expect(await store.conversation(one, 'c1')).toBeNull()
    expect(await store.conversation(other, 'c1')).toBeNull()
    await store.recordAll(records)
    expect((await store.conversation(one, 'c1'))?.messages).toEqual([message('a')])
    expect((await store.conversation(other, 'c1'))?.messages).toEqual([message('b')])
  })

  it('knows the state after each of several requests in one step, and the last one for the same messages', async () => {
    if (store.recordAll === undefined) return
    const tenant = newTenant()
    const recorded = (id: string, chain: string, requests: number) => ({
      tenant,
      record: record(request(id), { branch: branch(chain, { requests, at: noon + requests }) }),
    })
    await store.recordAll([
      recorded('r0', 'one', 1),
      recorded('r1', 'two', 2),
      recorded('r2', 'one', 40),
      recorded('r3', 'three', 3),
    ])
    const places = async () => {
      const found = await Promise.all(
        ['one', 'two', 'three'].map((chain) =>
          store.recognise(tenant, question({ chains: [chain], messages: [], isIdle: true })),
        ),
      )
      return found.map(({ branch: held }) => held?.branch.requests ?? null)
    }
    expect(await places()).toEqual([40, 2, 3])
    await store.recordAll([recorded('r4', 'four', 41), recorded('r5', 'five', 42)])
    expect(await places()).toEqual([40, null, null])
  })

  it('lists conversations, the latest first, up to the given number', async () => {
    const tenant = newTenant()
    for (const [index, at] of [2, 9, 4].entries()) {
      await store.record(tenant, record(request(`r${index}`, { conversation: `c${index}`, at: noon + at })))
    }
    const ids = async (limit?: number) =>
      (await store.conversations(tenant, limit === undefined ? {} : { limit })).map(({ id }) => id)
    expect([await ids(), await ids(2), await ids(0), await ids(-1)]).toEqual([['c1', 'c2', 'c0'], ['c1', 'c2'], [], []])
  })

  it('returns the stored texts', async () => {
    const tenant = newTenant()
    const texts = [answer('a', 'first'), answer('b', 'second')]
    await store.record(tenant, record(request('r0'), { messages: [message('a'), message('b'), message('c')], texts }))
    expect(await store.texts(tenant, ['b', 'c', 'a', 'toString'])).toEqual(
      new Map([
        ['b', texts[1]],
        ['a', texts[0]],
      ]),
    )
    expect(await store.texts(tenant, [])).toEqual(new Map())
  })

  it('finds originals by a prefix of their handle', async () => {
    const tenant = newTenant()
    const handles = ['ab12', 'ab_2', 'ab%2', 'AB12', 'b']
    const claims = handles.map((handle, index) => claim(`k${index}`, 'short', { handle }))
    await store.claim(tenant, claims)
    const found = async (beginning: string) => (await store.originals(tenant, beginning)).map(({ handle }) => handle)
    expect(await Promise.all(['ab', 'ab_', 'ab%', '%', 'ab12', 'ab123', 'a'].map(found))).toEqual([
      ['ab%2', 'ab12', 'ab_2'],
      ['ab_2'],
      ['ab%2'],
      [],
      ['ab12'],
      [],
      ['ab%2', 'ab12', 'ab_2'],
    ])
    expect(await store.originals(tenant, 'b')).toEqual([claims[4]?.original])
  })

  it('finds at most twenty originals', async () => {
    const tenant = newTenant()
    const claims = Array.from({ length: 30 }, (_, index) => claim(`k${index}`, 'short', { handle: `h${index}` }))
    await store.claim(tenant, claims)
    expect([(await store.originals(tenant, 'h')).length, (await store.originals(tenant, '')).length]).toEqual([20, 20])
  })

  it('returns the originals of a conversation, oldest first', async () => {
    const tenant = newTenant()
    const claims = [
      claim('late', 's', { at: noon + 9 }),
      claim('early', 's', { at: noon + 1 }),
      claim('same', 's', { at: noon + 9 }),
    ]
    await store.claim(tenant, [...claims, claim('other', 's', { conversation: 'c2' })])
    const keys = (await store.originalsOf(tenant, 'c1')).map(({ message: { id } }) => id)
    expect([keys[0], keys.slice(1).toSorted(), await store.originalsOf(tenant, 'c3')]).toEqual(['early', ['late', 'same'], []])
  })

  it('returns the decisions of a conversation with what they hide, oldest first', async () => {
    const tenant = newTenant()
    const claims = [claim('late', 's', { at: noon + 9 }), claim('early', 's', { at: noon + 1 })]
    await store.claim(tenant, [...claims, claim('other', 's', { conversation: 'c2' })])
    expect([await store.claimsOf(tenant, 'c1'), await store.claimsOf(tenant, 'c3')]).toEqual([claims.toReversed(), []])
  })

  it.each([
    ['a NUL', 'a\u0000b'],
    ['half a pair', 'a\ud800b'],
    ['the other half', 'a\udc00b'],
    ['quotes and a backslash', `'"\\'; drop table decisions; --`],
    ['a name of JavaScript', '__proto__'],
    ['nothing', ''],
    ['two hundred thousand letters', 'k'.repeat(200_000)],
    ['many characters of Chinese', '字'.repeat(5000)],
  ])('keeps client ids separate and complete: %s', async (_name, text) => {
    const tenant = newTenant()
    const other = `${text}x`
    const claims = [claim(text, text), claim(other, other)]
    expect(await store.claim(tenant, claims)).toEqual([claims[0]?.decision, claims[1]?.decision])
    expect((await store.recognise(tenant, question({ parts: claims.map((one) => one.decision) }))).decisions).toEqual(
      claims.map((one) => one.decision),
    )
    const ids = { conversation: text, id: text, model: text }
    await store.record(
      tenant,
      record(request('r', ids), {
        label: text,
        messages: [message(text)],
        texts: [answer(text, text)],
        branch: branch(text, { conversation: text }),
      }),
    )
    const { branch: found, firstSeen } = await store.recognise(
      tenant,
      question({ chains: [other, text], messages: [text, other], at: noon + 1 }),
    )
    expect([found?.place, found?.branch.state.sent, firstSeen]).toEqual([1, text, [noon + 1, noon + 1]])
    const stored = await store.conversation(tenant, text)
    expect([stored?.conversation.label, stored?.conversation.model, stored?.requests, stored?.messages]).toEqual([
      text,
      text,
      [request('r', ids)],
      [message(text)],
    ])
    expect(await store.conversation(tenant, stored?.conversation.id ?? '')).toEqual(stored)
    expect(await store.texts(tenant, [text])).toEqual(new Map([[text, answer(text, text)]]))
    expect(Array.isArray(await store.originals(tenant, text))).toBe(true)
  })

  it('writes nothing of a claim that is nested too deep', async () => {
    const tenant = newTenant()
    let deep: unknown = 0
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    const endless = claim('deep', 'short')
    const original = {
      ...endless.original,
      message: { id: 'm', role: 'tool', parts: [{ type: 'media', mediaType: 'x', data: deep }] },
    }
    const claims = [claim('flat', 'short'), { decision: endless.decision, original }]
    await expect(store.claim(tenant, claims as never)).rejects.toThrow(StoreError)
    expect(await store.originals(tenant, 'handle')).toEqual([])
    const parts = [claim('flat', '').decision, endless.decision]
    expect((await store.recognise(tenant, question({ parts }))).decisions).toEqual([])
  })

  it('knows thousands of messages and hundreds of parts at once', async () => {
    const tenant = newTenant()
    const ids = Array.from({ length: 2000 }, (_, index) => `message-${index}`)
    const claims = Array.from({ length: 500 }, (_, index) => claim(`call-${index}`, `short ${index}`))
    await store.claim(tenant, claims)
    await store.record(tenant, record(request('r'), { messages: ids.map((id) => message(id)), branch: branch('chain-1990') }))
    const asked = question({
      chains: ids.map((_, index) => `chain-${index}`),
      messages: ids,
      parts: claims.map((one) => one.decision),
    })
    await store.recognise(tenant, asked)
    expect(await store.recognise(tenant, { ...asked, at: noon + 1 })).toEqual({
      branch: { place: 1990, branch: branch('chain-1990') },
      firstSeen: ids.map(() => noon),
      decisions: claims.map((one) => one.decision),
    })
    expect((await store.conversation(tenant, 'c1'))?.messages).toHaveLength(2000)
  })

  it('expires unused records, and nothing else', async () => {
    let clock = noon
    const own = await (await ownPlace()).open(() => clock)
    const old = claim('old', 'short', { conversation: 'old' })
    const used = claim('used', 'short', { conversation: 'used' })
    const recalled = claim('recalled', 'short', { conversation: 'old' })
    await own.claim('t', [old, used, recalled])
    for (const name of ['old', 'used']) {
      await own.record(
        't',
        record(request(`r-${name}`, { conversation: name }), {
          messages: [message(name)],
          texts: [answer(name, name)],
          branch: branch(name, { conversation: name }),
        }),
      )
      await own.recognise('t', question({ messages: [name] }))
    }
    // Within the hour nothing is renewed; after it, everything that is looked up.
    for (const at of [noon + hour / 2, noon + 5 * hour]) {
      clock = at
      await own.recognise('t', question({ messages: ['used'], parts: [used.decision], chains: ['used'], at }))
    }
    await own.originals('t', 'handle-recalled')
    await own.record('t', record(request('r-again', { conversation: 'used', number: 1 })))

    // Two decisions, an original, a text, a branch, a first-seen time, a conversation with a request and a message.
    expect(await own.expire(noon + 4 * hour)).toBe(9)
    expect(await own.expire(noon + 4 * hour)).toBe(0)
    const {
      branch: found,
      firstSeen,
      decisions,
    } = await own.recognise(
      't',
      question({
        messages: ['old', 'used'],
        parts: [old.decision, used.decision, recalled.decision],
        chains: ['used', 'old'],
        at: clock,
      }),
    )
    expect([found?.place, firstSeen, decisions]).toEqual([0, [clock, noon], [used.decision]])
    expect([await own.originalsOf('t', 'old'), await own.originalsOf('t', 'used')]).toEqual([
      [recalled.original],
      [used.original],
    ])
    expect(await own.texts('t', ['old', 'used'])).toEqual(new Map([['used', answer('used', 'used')]]))
    expect([await own.conversation('t', 'old'), (await own.conversation('t', 'used'))?.requests.length]).toEqual([null, 2])
    expect((await own.conversation('t', 'used'))?.messages).toEqual([message('used')])
  })

  it('does not renew for a request that is only counted', async () => {
    let clock = noon
    const own = await (await ownPlace()).open(() => clock)
    await own.recognise('t', question({ messages: ['a'] }))
    clock = noon + 5 * hour
    await own.recognise('t', question({ messages: ['a'], isIdle: true }))
    expect(await own.expire(noon + hour)).toBe(1)
  })

  it('expires many records, in batches', async () => {
    const own = await (await ownPlace()).open(() => noon)
    const ids = Array.from({ length: 1201 }, (_, index) => `m${index}`)
    await own.recognise('t', question({ messages: ids }))
    await own.record('t', record(request('r'), { messages: ids.map((id) => message(id)) }))
    expect(await own.expire(noon + 1)).toBe(1201 * 2 + 2)
    expect(await own.conversations('t')).toEqual([])
  })

  it('lists all tenants with records, and shares no secret with other stores', async () => {
    const own = await (await ownPlace()).open(() => noon)
    expect(await own.secret()).not.toEqual(await store.secret())
    await own.claim('b', [claim('k', 'short')])
    await own.record('a', record(request('r')))
    await own.recognise('c', question({ messages: ['m'] }))
    expect(await own.tenants()).toEqual(['a', 'b'])
  })

  it('passes a check while open, and rejects once closed', async () => {
    const own = await place.open(() => time)
    await own.check()
    await own.close()
    await own.close()
    await expect(own.check()).rejects.toThrow(new StoreError('unreachable', 'The store is closed.'))
    time = noon
  })
})
