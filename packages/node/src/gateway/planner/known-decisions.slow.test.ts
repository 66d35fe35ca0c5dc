import { expect, test } from 'vitest'
import type { Recognised } from '../../store/gateway-store.ts'
import { asking, bodyOf, long, resultsOf, send, turn } from '../testing/anthropic-turns.ts'
import { faultyStore } from '../testing/faulty-store.ts'
import { openPlanningBench, plainSettings, relayed } from '../testing/planning.ts'
import { createPlanner } from './create-planner.ts'

test('decisions hold for a request that waits for the store while another one finds that the numbers started again', async () => {
  const bench = await openPlanningBench()
  let answer: (given: Recognised) => Recognised | Promise<Recognised> = (given) => given
  const store = faultyStore(bench.store, () => ({ recognised: (given) => answer(given) }))
  const planner = createPlanner({ store, settings: plainSettings, now: () => 1_700_000_000_000 })
  const first = [asking, ...turn('toolu_01a7x9', long('one'))]
  const { results } = await send(planner, first, 'economy')
  expect(results['toolu_01a7x9']).not.toBe(long('one'))

  const gate = Promise.withResolvers<void>()
  answer = async (given) => {
    await gate.promise
    return given
  }
  const next = [...first, ...turn('toolu_01b8y7', 'short')]
  const waiting = resultsOf(planner, relayed('anthropic', bodyOf(next), 'economy'))
  await new Promise((resolve) => setImmediate(resolve))
  let asked = 0
  answer = (given) => {
    asked += 1
    return asked === 1 && given.decided !== undefined ? { ...given, decided: { ...given.decided, later: null } } : given
  }
  await send(planner, [{ role: 'user', content: 'something else' }, ...turn('toolu_01c6z5', long('other'))], 'economy')
  gate.resolve()
  expect((await waiting)['toolu_01a7x9']).toBe(results['toolu_01a7x9'])
  await bench.close()
})
