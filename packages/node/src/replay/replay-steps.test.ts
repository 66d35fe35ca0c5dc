import type { Message } from '@plimsoll/core'
import { countMessage, estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { exchange, result, user } from '../../../core/src/testing/messages.ts'
import { createPromptBlocks } from './replay-steps.ts'
import { says } from './testing/recorded.ts'

const blocksOf = (...views: readonly (readonly Message[])[]) => {
  const blocks = createPromptBlocks(estimator, 500)
  return views.map((view) => blocks.of(view))
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('createPromptBlocks', () => {
  const two: Message = { id: 'a', role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'so' }] } // biome-ignore format: one thing

  it('makes one block for everything before the messages and one for each part', () => {
    const [made] = blocksOf([user('u', 'go'), two])
    expect(made).toMatchObject({ keys: [0, 1, 2, 3], ends: [1, 3] })
    expect(made?.tokens[0]).toBe(500)
  })

  it('counts all tokens of the messages, including frames', () => {
    const view = [user('u', 'go'), two, ...exchange('x', 'Read', { file_path: 'a' }, 'text')]
    const [made] = blocksOf(view)
    expect(sum(made?.tokens ?? [])).toBe(500 + sum(view.map((message) => countMessage(message, estimator))))
  })

  it('makes a block for the frame of a message without parts', () => {
    const empty: Message = { id: 'e', role: 'assistant', parts: [] }
    const [made] = blocksOf([empty])
    expect(made).toEqual({ keys: [0, 1], tokens: [500, countMessage(empty, estimator)], ends: [1] })
  })

  it.each<[name: string, one: Message, other: Message, isSame: boolean]>([
    ['the same object', two, two, true],
    ['the same content under another id', user('u', 'go'), user('v', 'go'), true],
    ['another text', user('u', 'go'), user('u', 'stop'), false],
    ['another role', user('u', 'go'), says('u', 'go'), false],
    ['another call', result('r', 'a', 'text'), result('r', 'b', 'text'), false],
  ])('gives the same content the same key: %s', (_name, one, other, isSame) => {
    const [first, second] = blocksOf([one], [other])
    expect(JSON.stringify(first?.keys) === JSON.stringify(second?.keys)).toBe(isSame)
  })
})
