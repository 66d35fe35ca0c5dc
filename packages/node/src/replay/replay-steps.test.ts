import type { Message } from '@plimsoll/core'
import { countMessage, estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { exchange, result, user } from '../../../core/src/testing/messages.ts'
import { createPromptBlocks } from './replay-steps.ts'
import { says } from './testing/recorded.ts'

const blocksOf = (...views: readonly (readonly Message[])[]) => {
  const blocks = createPromptBlocks(estimator, 500)
  return views.map((view) => {
    blocks.show(view)
    const { keys, tokens, ends, sums } = blocks
    expect(sums).toEqual(tokens.reduce((all, count) => [...all, (all.at(-1) ?? 0) + count], [0]))
    return { keys: [...keys], tokens: [...tokens], ends: [...ends] }
  })
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

  it('makes the same blocks of a view as from scratch, wherever it differs from the one before', () => {
    const messages = [
      user('u', 'go'),
      two,
      ...exchange('x', 'Read', { file_path: 'a' }, 'text'),
      user('v', 'on'),
      says('w', 'yes'),
    ]
    const changed = (place: number) => messages.map((message, index) => (index === place ? user('c', `cut ${place}`) : message))
    const views = [
      messages.slice(0, 2),
      messages,
      changed(3),
      changed(0),
      messages.slice(0, 4),
      [],
      changed(5),
      messages.slice(2),
    ]
    const numbered = createPromptBlocks(estimator, 500)
    for (const view of views) {
      const before = [...numbered.keys]
      const { kept, left } = numbered.show(view)
      expect([...numbered.keys.slice(0, kept), ...left]).toEqual(before)
      const { tokens, ends } = blocksOf(view)[0] as ReturnType<typeof blocksOf>[number]
      expect({ tokens: numbered.tokens, ends: numbered.ends }).toEqual({ tokens, ends })
      const again = createPromptBlocks(estimator, 500)
      for (const each of views.slice(0, views.indexOf(view))) again.show(each)
      again.show([])
      again.show(view)
      expect(numbered.keys).toEqual(again.keys)
    }
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
