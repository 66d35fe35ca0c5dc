import type { TrimMode } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { credentialHash } from '../store/gateway-store.ts'
import { changeHidden, readHidden } from '../store/hidden-items.ts'
import { accepted, openPlanningBench, planned, relayed } from './testing/planning.ts'

const step = (id: string) => [
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: `toolu_01${id}9f8e7d6c`, name: 'Bash', input: { command: `make ${id}` } }],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_01${id}9f8e7d6c`, content: `output of ${id}: secret ${id}` }],
  },
]
const conversation = (steps: readonly string[]) => ({
  model: 'claude-sonnet-4-5',
  messages: [{ role: 'user', content: 'Go on.' }, ...steps.flatMap(step)],
})

describe.each(['safe', 'economy'] as const)('a result that a user hides in %s', (mode: TrimMode) => {
  it('is gone from the next request, stays gone, and is back once it is shown again', async () => {
    let now = 1_700_000_000_000
    const bench = await openPlanningBench(() => now)
    onTestFinished(bench.close)
    const planner = bench.planner()
    const send = async (steps: readonly string[]) => {
      now += 2000
      const request = relayed('anthropic', conversation(steps), mode, { credential: credentialHash('k'), at: now })
      const sent = (await planned(planner, request)).toString()
      const { prefixKept } = await planner.plan({ ...request, id: `${request.id}-again` })
      planner.answered(accepted(request))
      await planner.rest()
      return { sent, isWhole: sent === JSON.stringify(conversation(steps)), prefixKept }
    }
    expect((await send(['a', 'b'])).isWhole).toBe(true)
    const [tenant = ''] = await bench.store.tenants()
    const [first] = await bench.store.conversations(tenant)
    const stored = await bench.store.conversation(tenant, first?.id ?? '')
    const results = stored?.messages.filter(({ role }) => role === 'tool') ?? []
    const message = results[0]?.id ?? ''

    await changeHidden(bench.store, tenant, { message, isHidden: true, now })
    expect([...(await readHidden(bench.store, tenant)).keys()]).toEqual([message])
    const hidden = await send(['a', 'b', 'c'])
    expect(hidden.sent).not.toContain('secret a')
    expect(hidden.sent).toContain('secret b')
    const later = await send(['a', 'b', 'c', 'd'])
    expect(later.sent.startsWith(hidden.sent.slice(0, -2))).toBe(true)
    expect(later.prefixKept).toBeGreaterThan(hidden.prefixKept ?? Number.POSITIVE_INFINITY)
    // Another planner of the same store sends the same.
    expect(
      (
        await planned(
          bench.planner(),
          relayed('anthropic', conversation(['a', 'b', 'c', 'd', 'e']), mode, { credential: credentialHash('k') }),
        )
      ).toString(),
    ).not.toContain('secret a')
    expect(
      (
        await planned(bench.planner(), relayed('anthropic', conversation(['a']), mode, { credential: credentialHash('other') }))
      ).toString(),
    ).toContain('secret a')

    await changeHidden(bench.store, tenant, { message, isHidden: false, now })
    expect((await send(['a', 'b', 'c', 'd', 'f'])).isWhole).toBe(true)
    await changeHidden(bench.store, tenant, { message, isHidden: true, now })
    expect((await send(['a', 'b', 'g'])).sent).not.toContain('secret a')
    await planner.close()
  })
})
