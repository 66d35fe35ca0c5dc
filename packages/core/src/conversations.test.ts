import { expect, it } from 'vitest'
import { conversations } from './conversations.ts'
import { economyPolicies } from './policies/economy-policies.ts'
import { handleOf } from './text/hash.ts'
import { codecs } from './wire/codecs.ts'

const body = (text: string) => ({ model: 'gpt-5.5', messages: [{ role: 'user', content: text }] })
const open = (max?: number) =>
  conversations({ codec: codecs['openai-chat'], policies: economyPolicies, ...(max === undefined ? {} : { max }) })

it('conversations keeps one conversation per key, also with interleaved requests', () => {
  const all = open()
  const one = all.of('one').next(body('first'), { now: 1 })
  const other = all.of('other').next(body('second'), { now: 2 })
  all.of('other').accepted({ prompt_tokens: 2 }, other.sent)
  all.of('one').accepted({ prompt_tokens: 1 }, one.sent)
  const counted = ['one', 'other'].map((key) =>
    all
      .of(key)
      .state()
      .measurements?.map(({ usage }) => usage.input),
  )
  expect(counted).toEqual([[1], [2]])
})

it('conversations drops the least recently used one above the maximum', () => {
  const all = open(2)
  const first = all.of('a')
  all.of('b')
  expect(all.of('a')).toBe(first)
  const second = all.of('b')
  all.of('a')
  all.of('c')
  expect([all.size(), all.of('a') === first, all.of('b') === second]).toEqual([2, true, false])
})

it('conversations continues from the state the host loads', () => {
  const before = open()
  before.of('a').next(body('first'), { now: 1 })
  before.of('a').accepted({ prompt_tokens: 7 })
  const state = before.of('a').state()
  const after = conversations({ codec: codecs['openai-chat'], policies: economyPolicies, load: () => state })
  expect(after.of('a').state()).toBe(state)
})

it('conversations recalls from the one that has the handle', () => {
  const all = open()
  const text = (name: string) => Array.from({ length: 400 }, (_, line) => `${name} ${line}`).join('\n')
  const asked = (name: string) => ({
    messages: [
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: text(name) },
    ],
  })
  all.of('one').next(asked('first'), { now: 1 })
  all.of('other').next(asked('second'), { now: 1 })
  expect(all.recall({ handle: handleOf(text('first')), lines: '7-7' })).toContain('first 6')
  expect(all.recall({ handle: handleOf(text('second')), lines: '7-7' })).toContain('second 6')
  expect(all.recall({ handle: '0123456789ab' })).toContain('No text of this session has the handle')
  expect(open().recall({ handle: '0123456789ab' })).not.toBe('')
})
