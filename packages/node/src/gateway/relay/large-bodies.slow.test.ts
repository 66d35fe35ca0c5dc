import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createPlannerThread } from '../planner/create-planner-thread.ts'
import type { Measured, RelayedRequest } from '../planner.ts'
import { accepted, openPlanningBench, plainSettings, relayed } from '../testing/planning.ts'
import { bodyBytes, isShared } from './read-request-body.ts'

const textOf = (number: number) => `${`number ${number} `.repeat(3000 + number * 50)}\n`
const valueOf = (number: number) => ({ model: 'gpt-4o', messages: [{ role: 'user', content: textOf(number) }] })

/** A body as the relay holds it: in memory that is reused as soon as it was sent on and the planner has read it. */
function passed(number: number): RelayedRequest {
  const request = relayed('openai-chat', valueOf(number), number % 3 === 0 ? 'safe' : 'observe')
  const body = bodyBytes.take(request.body.byteLength)
  body.set(request.body)
  return { ...request, body, isBodyFree: request.mode === 'observe' }
}

test('successive large bodies in the same memory are each read correctly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-large-'))
  const thread = await createPlannerThread({ store: join(folder, 'gateway.sqlite'), settings: plainSettings })
  const reported: Measured[] = []
  thread.onMeasured((measured) => reported.push(measured))
  const memory = new Set<ArrayBufferLike>()
  const ids: string[] = []
  for (let number = 0; number < 60; number += 1) {
    const request = passed(number)
    if (isShared(request.body)) memory.add(request.body.buffer)
    ids.push(request.id)
    if (request.mode === 'observe') thread.observe(request)
    else {
      await thread.plan(request)
      bodyBytes.giveBack(request.body)
    }
    thread.answered(accepted(request))
    // A slow machine reads none before the next one comes; the memory of the first half is free for the second.
    if (number === 29) await vi.waitFor(() => expect(reported).toHaveLength(ids.length), 30_000)
  }
  await thread.close()
  await rm(folder, { recursive: true, force: true })

  const bench = await openPlanningBench()
  const alone = bench.planner()
  const expected: number[] = []
  for (let number = 0; number < 60; number += 1)
    expected.push((await alone.plan(relayed('openai-chat', valueOf(number), 'observe'))).tokensBefore ?? 0)
  await bench.close()

  const tokens = new Map(reported.map(({ id, tokensBefore }) => [id, tokensBefore]))
  expect(ids.map((id) => tokens.get(id))).toEqual(expected)
  // Otherwise the test would not have reused memory.
  expect(memory.size).toBeLessThan(40)
}, 60_000)
