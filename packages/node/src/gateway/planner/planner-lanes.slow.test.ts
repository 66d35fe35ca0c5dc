import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Measured, Plan } from '../planner.ts'
import { spliceBytes } from '../relay/plan-request.ts'
import { asking, bodyOf, long, turn } from '../testing/anthropic-turns.ts'
import { accepted, plainSettings, relayed } from '../testing/planning.ts'
import { createPlannerThread, type PlannerThread } from './create-planner-thread.ts'

let folder: string
let planner: PlannerThread

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-lanes-'))
  planner = await createPlannerThread({ store: join(folder, 'gateway.sqlite'), settings: plainSettings })
})

afterAll(async () => {
  await planner.close()
  await rm(folder, { recursive: true, force: true })
})

const body = bodyOf([asking, ...turn('toolu_01x', long('one'))])

describe('large new bodies', () => {
  test('a large conversation that is planned in the second thread is recorded as any other', async () => {
    const reported: Measured[] = []
    planner.onMeasured((measured) => reported.push(measured))
    const turns = Array.from({ length: 30 }, (_, number) => turn(`toolu_0${number}x`, long(`number ${number}`)))
    const value = bodyOf([asking, ...turns.flat()])
    const request = relayed('anthropic', value, 'economy')
    expect((await planner.plan(request)).rules).not.toEqual([])
    planner.answered(accepted(request))
    await expect.poll(() => reported.find(({ id }) => id === request.id)?.usage?.input).toBe(5000)
    // Memory for bodies comes in blocks.
    const { conversations, bytes } = planner.remembered()
    expect([conversations, bytes >= request.body.byteLength, bytes < request.body.byteLength * 2]).toEqual([1, true, true])
  })

  test('a conversation that moves to the second thread shows what it showed before', async () => {
    const shown = async (messages: readonly object[]) => {
      const request = relayed('anthropic', bodyOf(messages), 'economy')
      const bytes = spliceBytes(request.body, (await planner.plan(request)).splices)
      planner.answered(accepted(request))
      const sent = JSON.parse(String(bytes)) as { readonly messages: readonly unknown[] }
      return sent.messages.slice(0, 5)
    }
    const first = [asking, ...turn('toolu_01m4n5', long('moved'))]
    await shown(first)
    const second = [...first, ...turn('toolu_01p6q7', long('moved too'))]
    const before = await shown(second)
    expect(before).not.toEqual(second)
    const more = Array.from({ length: 20 }, (_, number) => turn(`toolu_02r${number}s8`, long(`more ${number}`).repeat(2)))
    // At once: the second request is not recorded yet.
    expect(await shown([...second, ...more.flat()])).toEqual(before)
  })

  test('a request with 200,000 messages is passed unread', async () => {
    const tiny = '{"role":"user","content":"x"}'
    const hostile = planner.plan(
      relayed('anthropic', `{"model":"m","messages":[${Array(200_000).fill(tiny).join()}]}`, 'economy'),
    )
    expect(await hostile).toMatchObject({ splices: [], findings: [{ code: 'too-large', count: 1 }] })
  })

  test('a plan that takes far too long is given up with its thread, and no other request waits for it', async () => {
    // Three million parts: several times what can be planned until the thread is given up.
    const content = Array.from({ length: 170 }, () => ({ type: 'text', text: 'x' }))
    const huge = JSON.stringify({ model: 'm', messages: Array.from({ length: 19_000 }, () => ({ role: 'user', content })) })
    const request = relayed('anthropic', huge, 'economy')
    // The time starts when the body is there: a slow machine needs long to write it. If the thread is so slow that it does
    // not even start on the body in time, there is more time for the next try.
    let given: Plan | null = null
    for (const ms of [2000, 8000, 32_000]) {
      let isOver = false
      const planned = planner.plan({ ...request, until: Date.now() + ms }).finally(() => {
        isOver = true
      })
      expect((await planner.plan(relayed('anthropic', body, 'economy'))).rules).not.toEqual([])
      const waited = isOver
      given = await planned
      if (given.findings[0]?.code === 'too-late') continue
      expect(waited).toBe(false)
      break
    }
    expect(given).toMatchObject({ splices: [], findings: [{ code: 'not-applied', count: 1 }] })
    expect(await planner.plan(relayed('anthropic', huge, 'economy'))).toMatchObject({
      findings: [{ code: 'too-late', count: 1 }],
    })
    expect((await planner.plan(relayed('anthropic', body, 'economy'))).rules).not.toEqual([])
  })
})

describe('neighbours', () => {
  test('a client with many plans waits for itself, and another one does not wait for all of them', async () => {
    const bodyNumber = (number: number) => bodyOf([asking, ...turn(`toolu_0${number}n`, long(`neighbour ${number}`))])
    let over = 0
    const hostile = Array.from({ length: 40 }, async (_, number) => {
      await planner.plan(relayed('anthropic', bodyNumber(number), 'economy', { credential: 'hostile' }))
      over += 1
    })
    await planner.plan(relayed('anthropic', bodyNumber(99), 'economy', { credential: 'neighbour' }))
    expect(over).toBeLessThan(20)
    await Promise.all(hostile)
  })

  test('closing does not wait for a plan that takes longer than it may', async () => {
    const own = await createPlannerThread({ store: join(folder, 'closing.sqlite'), settings: plainSettings })
    const content = Array.from({ length: 170 }, () => ({ type: 'text', text: 'x' }))
    const huge = JSON.stringify({ model: 'm', messages: Array.from({ length: 4000 }, () => ({ role: 'user', content })) })
    const planned = own.plan(relayed('anthropic', huge, 'economy'))
    // It is under way as soon as another thread has started for it.
    await own.plan(relayed('anthropic', body, 'economy'))
    await own.close(50)
    expect((await planned).findings).toEqual([{ code: 'not-applied', count: 1 }])
  })
})
