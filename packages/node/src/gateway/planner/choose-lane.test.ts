import { expect, test } from 'vitest'
import type { RelayedRequest } from '../planner.ts'
import { relayed } from '../testing/planning.ts'
import { createLaneChoice } from './choose-lane.ts'

const message = (number: number, length = 2000) => ({ role: 'user', content: `${number} `.repeat(length / 4) })
const conversation = (count: number, first = 0) => ({
  model: 'gpt-4o',
  messages: Array.from({ length: count }, (_, number) => message(first + number)),
})
/** Where each request is planned. */
function createChoice(options: Parameters<typeof createLaneChoice>[0] = {}) {
  const choice = createLaneChoice(options)
  return { ...choice, choose: (request: RelayedRequest) => choice.choose(request).lane }
}
const asked = (value: unknown, credential = 'credential') => relayed('openai-chat', value, 'economy', { credential })

test('small bodies are planned quickly, and large ones that are new next to them', () => {
  const { choose } = createChoice()
  expect(choose(asked(conversation(5)))).toBe('quick')
  expect(choose(asked(conversation(500, 100)))).toBe('side')
})

test('a conversation stays where it began, however long it becomes', () => {
  const { choose } = createChoice()
  const grown = Array.from({ length: 40 }, (_, turn) => choose(asked(conversation(10 + turn * 5))))
  expect(new Set(grown)).toEqual(new Set(['quick']))
  expect([choose(asked(conversation(500, 100))), choose(asked(conversation(501, 100)))]).toEqual(['side', 'side'])
})

test('a conversation is known if its last messages changed, and not by the bytes of another owner', () => {
  const { choose } = createChoice()
  const { model, messages } = conversation(30)
  expect(choose(asked({ model, messages: messages.slice(0, 25) }))).toBe('quick')
  const edited = messages.with(28, { role: 'user', content: 'something else' })
  expect(choose(asked({ model, messages: [...edited, message(31)] }))).toBe('quick')
  expect(choose(asked(conversation(60), 'of another'))).toBe('side')
})

test('what a conversation adds is looked at: very much, or very many objects', () => {
  const { choose } = createChoice()
  const { model, messages } = conversation(20)
  const tiny = Array.from({ length: 4000 }, () => ({ role: 'user', content: 'x' }))
  expect(choose(asked({ model, messages }))).toBe('quick')
  expect(choose(asked({ model, messages: [...messages, ...tiny] }))).toBe('side')
  expect(choose(asked({ model, messages: tiny }))).toBe('side')
})

test('a conversation that took too long is not planned for a while', () => {
  let time = 0
  const { choose, exclude } = createChoice({ now: () => time })
  const request = asked(conversation(500))
  expect(choose(request)).toBe('side')
  exclude(request)
  expect([choose(request), choose(asked(conversation(501)))]).toEqual(['none', 'none'])
  expect(choose(asked(conversation(500, 1000)))).toBe('side')
  time = 3_600_000
  expect(choose(asked(conversation(502)))).toBe('side')
})

test('only the latest conversations are remembered', () => {
  const { choose } = createChoice({ max: 2 })
  for (const first of [0, 100, 200]) choose(asked(conversation(20, first)))
  expect([choose(asked(conversation(40, 200))), choose(asked(conversation(100, 0)))]).toEqual(['quick', 'side'])
})

test('tells when a conversation is planned by another thread than before', () => {
  const { choose } = createLaneChoice()
  const { model, messages } = conversation(20)
  const more = Array.from({ length: 600 }, (_, number) => message(number))
  const requests = [messages, [...messages, message(21)], [...messages, ...more], [...messages, ...more, message(22)]]
  expect(requests.map((list) => choose(asked({ model, messages: list })))).toEqual([
    { lane: 'quick', isNew: true, isHeavy: false },
    { lane: 'quick', isNew: false, isHeavy: false },
    { lane: 'side', isNew: true, isHeavy: true },
    { lane: 'side', isNew: false, isHeavy: false },
  ])
})
