import { hash } from 'node:crypto'
import { handleOf, type Message } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerStoredRecall } from '../mcp/recall-server.ts'
import type { Claim, GatewayStore } from './gateway-store.ts'
import { decision, noon, record, request } from './testing/samples.ts'
import { type StorePlace, storeKinds } from './testing/store-places.ts'

/**
 * Two texts with one handle. A unit that differs in its highest bit changes only the upper bits of the hash's state, 34 in all, so among
 * some hundred thousand such texts two have the same one.
 */
function forgePair(): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let number = 0; ; number += 1) {
    const text = `${Array.from({ length: 24 }, (_, bit) => ((number >> bit) & 1 ? '\u8061' : 'a')).join('')} end`
    const handle = handleOf(text)
    const other = seen.get(handle)
    if (other !== undefined) return [other, text]
    seen.set(handle, text)
  }
}

const [harmless, evil] = forgePair()
const handle = handleOf(harmless)

function hidden(path: string, text: string, conversation: string): Claim {
  const message: Message = {
    id: `result of ${path} in ${conversation}`,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: path, tool: 'Read', content: { type: 'text', text } }],
  }
  const part = { type: 'tool-call', callId: path, tool: 'Read', input: { path } } as const
  const call: Message = { id: `call of ${path} in ${conversation}`, role: 'assistant', parts: [part] }
  const sha256 = hash('sha256', text, 'hex')
  const key = `${path} ${conversation}`
  return { decision: decision(key, 'short'), original: { handle: handleOf(text), sha256, conversation, message, call, at: noon } }
}

describe.each(storeKinds.filter(({ name }) => !name.includes('reopened')))('a forged handle: $name', ({ make }) => {
  let place: StorePlace
  let store: GatewayStore
  beforeAll(async () => {
    place = await make()
    store = await place.open(() => noon)
  }, 120_000)
  afterAll(() => place.remove())

  const ask = (tenant: string, input: unknown) =>
    answerStoredRecall(input, { store, tenants: async () => [tenant], config: completeConfig({}) })

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
})
