import { handleOf } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgePair } from '../../../core/src/testing/forge-pair.ts'
import { answerStoredRecall } from '../mcp/recall-server.ts'
import type { GatewayStore } from './gateway-store.ts'
import { hidden } from './testing/forged-handles.ts'
import { noon, record, request } from './testing/samples.ts'
import { type StorePlace, storeKinds } from './testing/store-places.ts'

const [harmless, evil] = forgePair()
const handle = handleOf(harmless)

describe.each(storeKinds.filter(({ name }) => !name.includes('reopened')))('a forged handle: $name', ({ make }) => {
  let place: StorePlace
  let store: GatewayStore
  beforeAll(async () => {
    place = await make()
    store = await place.open(() => noon)
  }, 120_000)
  afterAll(() => place.remove())

  const ask = (tenant: string, input: unknown, since = 0) =>
    answerStoredRecall(input, { store, tenants: async () => [tenant], config: completeConfig({}), since })

  it('names two texts that differ', () => {
    expect([harmless === evil, handleOf(evil)]).toEqual([false, handle])
  })

  it.each([
    ['in one conversation', 'one', 'one'],
    ['in two conversations', 'one', 'two'],
  ])('%s gives neither back, and asks for tool and path', async (name, mine, theirs) => {
    await store.claim(name, [hidden('harmless.ts', harmless, mine), hidden('evil.ts', evil, theirs)])
    const kept = await store.originals(name, handle)
    expect(new Set(kept.map(({ sha256 }) => sha256)).size).toBe(2)
    const answer = await ask(name, { handle })
    expect(answer).toMatch(/^Different texts have the handle .* Ask by tool and about/)
    expect([answer.includes(harmless), answer.includes(evil)]).toEqual([false, false])
    for (const conversation of new Set([mine, theirs]))
      await store.record(name, record(request(`r-${conversation}`, { conversation })))
    const byTool = await ask(name, { tool: 'Read', about: 'harmless.ts' })
    expect([byTool.includes(harmless), byTool.includes(evil)]).toEqual([true, false])
  })

  it('of the same text in two conversations is no forgery', async () => {
    await store.claim('twice', [hidden('a.ts', harmless, 'one'), hidden('b.ts', harmless, 'two')])
    expect(await ask('twice', { handle })).toContain(harmless)
  })

  it('gives a tenant its own text, whatever another tenant made', async () => {
    await store.claim('victim', [hidden('harmless.ts', harmless, 'shared')])
    await store.claim('attacker', [hidden('harmless.ts', evil, 'shared')])
    for (const tenant of ['victim', 'attacker']) await store.record(tenant, record(request('r', { conversation: 'shared' })))
    const [victims, attackers] = [await ask('victim', { handle }), await ask('attacker', { handle })]
    expect([victims.includes(harmless), victims.includes(evil)]).toEqual([true, false])
    expect([attackers.includes(harmless), attackers.includes(evil)]).toEqual([false, true])
    for (const input of [{ query: 'end' }, { tool: 'Read', about: 'harmless.ts' }, { id: 'result of harmless.ts in shared' }]) {
      expect((await ask('victim', input)).includes(harmless)).toBe(true)
      expect((await ask('attacker', input)).includes(harmless)).toBe(false)
    }
  })

  it('searches only conversations that went on since, and finds a handle in all', async () => {
    await store.claim('scoped', [hidden('old.ts', harmless, 'old'), hidden('new.ts', `${harmless}, later`, 'new')])
    await store.record('scoped', record(request('r-old', { conversation: 'old', at: noon })))
    await store.record('scoped', record(request('r-new', { conversation: 'new', at: noon + 1000 })))
    for (const input of [{ query: 'end' }, { tool: 'Read', about: 'old.ts' }, { id: 'result of old.ts in old' }]) {
      expect(await ask('scoped', input)).toContain(harmless)
      expect(await ask('scoped', input, noon + 1)).not.toMatch(new RegExp(`${harmless}(?!, later)`))
    }
    expect(await ask('scoped', { query: 'later' }, noon + 1)).toContain(`${harmless}, later`)
    expect(await ask('scoped', { query: 'end' }, noon + 2000)).toMatch(/^Nothing has been hidden from this conversation/)
    expect(await ask('scoped', { handle }, noon + 2000)).toContain(harmless)
  })
})
