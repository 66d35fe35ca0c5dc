import { describe, expect, it } from 'vitest'
import { isLike, likenessOf } from './create-codec.ts'
import { openaiChat } from './dialects/openai-chat.ts'

const message = () => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'hello', nested: { deep: [1] } }] as unknown[],
  tool_calls: [{ id: 'a', function: { name: 'Bash', arguments: '{}' } }],
  extra: Number.NaN as unknown,
})

describe('a message changed in place', () => {
  it('equals itself if it is unchanged', () => {
    const value = message()
    expect(isLike(value, likenessOf(value))).toBe(true)
  })

  it.each<[string, (value: ReturnType<typeof message>) => void]>([
    [
      'a field',
      (value) => {
        value.role = 'user'
      },
    ],
    [
      'a new field',
      (value) => {
        Object.assign(value, { more: 1 })
      },
    ],
    [
      'a field gone',
      (value) => {
        delete value.extra
      },
    ],
    [
      'a block added',
      (value) => {
        value.content.push({})
      },
    ],
    [
      'a block replaced',
      (value) => {
        value.content[0] = {}
      },
    ],
    [
      'the text of a block',
      (value) => {
        Object.assign(value.content[0] as object, { text: 'bye' })
      },
    ],
    [
      'a call added',
      (value) => {
        value.tool_calls.push({ id: 'b', function: { name: 'Read', arguments: '{}' } })
      },
    ],
    [
      'the arguments of a call',
      (value) => {
        ;(value.tool_calls[0] as { function: { arguments: string } }).function.arguments = '{"a":1}'
      },
    ],
  ])('%s', (_name, change) => {
    const value = message()
    const likeness = likenessOf(value)
    change(value)
    expect(isLike(value, likeness)).toBe(false)
  })

  it('is noticed if a field name changed', () => {
    const value: Record<string, unknown> = { tool_call_id: 'a' }
    const likeness = likenessOf(value)
    delete value['tool_call_id']
    value['toolCallId'] = 'a'
    expect(isLike(value, likeness)).toBe(false)
  })

  it('is noticed in the last of many blocks and deep inside a result', () => {
    const item = { type: 'text', text: 'old' }
    const value = [
      {
        role: 'tool',
        content: [...Array.from({ length: 300 }, () => ({ type: 'x' })), { output: { type: 'content', value: [item] } }],
      },
    ]
    const likeness = likenessOf(value)
    expect(isLike(value, likeness)).toBe(true)
    item.text = 'new'
    expect(isLike(value, likeness)).toBe(false)
  })

  it('is read every time if it is too large or too deep to compare', () => {
    const large = { content: Array.from({ length: 10_000 }, (_, index) => ({ index })) }
    expect(isLike(large, likenessOf(large))).toBe(false)
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(isLike(deep, likenessOf(deep))).toBe(false)
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    expect(isLike(cycle, likenessOf(cycle))).toBe(false)
  })
})

it('is read again if the client added calls to it', () => {
  const list = [{ role: 'assistant', content: null, tool_calls: [] as unknown[] }]
  expect(openaiChat.read(list).messages[0]?.parts).toEqual([])
  list[0]?.tool_calls.push({ id: 'a', type: 'function', function: { name: 'Bash', arguments: '{}' } })
  expect(openaiChat.read(list).messages[0]?.parts).toEqual([{ type: 'tool-call', callId: 'a', tool: 'Bash', input: '{}' }])
})
