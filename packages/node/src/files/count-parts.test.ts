import { describe, expect, it } from 'vitest'
import { countParts } from './parse-conversations.ts'

describe('countParts', () => {
  it.each<[string, readonly unknown[], number]>([
    ['nothing', [], 0],
    ['messages of text', [{ role: 'user', content: 'x' }, { role: 'user' }, null, 7], 4],
    ['parts', [{ content: [{ text: 'x' }, 0, null] }], 4],
    ['calls', [{ content: null, tool_calls: [{}, {}] }], 3],
    ['parts inside results', [{ content: [{ type: 'tool_result', content: [{}, {}] }] }], 4],
    ['parts inside outputs', [{ content: [{ type: 'tool-result', output: { type: 'content', value: [{}, {}] } }] }], 4],
    ['other lists not at all', [{ role: 'user', notes: [1, 2, 3], content: [{ annotations: [1, 2] }] }], 2],
  ])('counts %s', (_name, messages, count) => expect(countParts(messages, 100)).toBe(count))

  it('stops above the limit', () => {
    const unread = new Proxy([], {
      get: (target, key) => (key === 'length' ? 9 : key === Symbol.iterator ? expect.fail('read on') : Reflect.get(target, key)),
    })
    expect(countParts([{ content: unread }], 5)).toBe(10)
  })
})
