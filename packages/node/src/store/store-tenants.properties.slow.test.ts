import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { GatewayStore } from './gateway-store.ts'
import { answer, branch, claim, message, noon, question, record, request } from './testing/samples.ts'
import { type StorePlace, sqliteInFile, storeKinds } from './testing/store-places.ts'

/** Steps of two tenants, with so few names that they often use the same ones. */
interface Step {
  readonly type: 'claim' | 'record' | 'recognise'
  readonly who: number
  readonly name: string
}

const names = ['a', 'b', 'c']
const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom('claim', 'record', 'recognise'),
  who: fc.constantFrom(0, 1),
  name: fc.constantFrom(...names),
})
const steps = fc.array(step, { minLength: 1, maxLength: 12 })

// Both use the same names for everything, so any leak shows.
const both: readonly Step[] = names.flatMap((name) =>
  (['claim', 'record', 'recognise'] as const).flatMap((type) => [0, 1].map((who) => ({ type, who, name }))),
)

describe.each(storeKinds.filter(({ name }) => !name.includes('reopened')))('tenants of a store: $name', ({ make }) => {
  let place: StorePlace
  let store: GatewayStore
  let runs = 0
  beforeAll(async () => {
    place = await make()
    store = await place.open(() => noon)
  }, 120_000)
  afterAll(() => place.remove())

  it('see what they would see alone, whatever the other does', async () => {
    let reached = 0
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        runs += 1
        const returned = await perform(store, list, [`${runs}-0`, `${runs}-1`])
        for (const who of [0, 1]) {
          // The same steps in the same order, in a store that no other tenant used.
          const alone = await emptyStore()
          const own = list.filter((one) => one.who === who)
          expect(returned.filter((one) => one.who === who)).toEqual(await perform(alone, own, ['me', 'me']))
          expect(await everything(store, `${runs}-${who}`)).toEqual(await everything(alone, 'me'))
        }
        const shared = names.filter((name) => [0, 1].every((who) => list.some((one) => one.name === name && one.who === who)))
        reached += shared.length
      }),
      { numRuns: 12, seed: 7, examples: [[[...both]], [[...both].reverse()]] },
    )
    expect(reached).toBeGreaterThan(6)
  })
})

interface Returned {
  readonly who: number
  readonly answer: unknown
}

async function emptyStore(): Promise<GatewayStore> {
  const place = await sqliteInFile.make()
  onTestFinished(() => place.remove())
  return place.open(() => noon)
}

async function perform(store: GatewayStore, list: readonly Step[], tenants: readonly string[]): Promise<Returned[]> {
  const returned: Returned[] = []
  for (const one of list) returned.push({ who: one.who, answer: await performOne(store, tenants[one.who] as string, one) })
  return returned
}

function performOne(store: GatewayStore, tenant: string, { type, name, who }: Step): Promise<unknown> {
  const own = `${name} of ${who}`
  if (type === 'claim') return store.claim(tenant, [claim(name, own, { conversation: name, handle: name })])
  if (type === 'recognise') return store.recognise(tenant, asked(name, false, noon + who))
  const returned = request(`r-${name}`, { conversation: name, model: own })
  return store.record(
    tenant,
    record(returned, {
      label: own,
      messages: [message(name, noon + who)],
      texts: [answer(name, own)],
      branch: branch(own, { conversation: name }),
    }),
  )
}

/** Everything that a tenant can read in any way. */
async function everything(store: GatewayStore, tenant: string): Promise<unknown> {
  return {
    conversations: await store.conversations(tenant),
    each: await Promise.all(names.map((name) => store.conversation(tenant, name))),
    originals: await store.originals(tenant, ''),
    originalsOf: await Promise.all(names.map((name) => store.originalsOf(tenant, name))),
    claimsOf: await Promise.all(names.map((name) => store.claimsOf(tenant, name))),
    texts: await store.texts(tenant, names),
    known: await Promise.all(names.map((name) => store.recognise(tenant, asked(name, true, 0)))),
  }
}

function asked(name: string, isIdle: boolean, at: number) {
  // Both tenants' chains: one that found the other's would return it.
  return question({
    messages: names,
    parts: names.map((one) => claim(one, '').decision),
    chains: [`${name} of 0`, `${name} of 1`],
    at,
    isIdle,
  })
}
