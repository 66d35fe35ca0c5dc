import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, Part } from '../message.ts'
import { calls, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { canonicalPart, canonicalValue, chainOfMessages, identifyMessages } from './identity.ts'

const idsOf = (messages: readonly Message[]) => identifyMessages(messages, handleOf).map(({ id }) => id)

describe('a message is known by what it holds', () => {
  test('at any position and with any id', () => {
    const [first, second] = idsOf([user('0', 'a'), user('1', 'b')])
    expect(idsOf([user('7', 'x'), user('8', 'b'), user('9', 'a')]).slice(1)).toEqual([second, first])
  })

  test('with a number for repeats', () => {
    const [id] = idsOf([user('0', 'go on')])
    expect(idsOf([user('0', 'go on'), user('1', 'go on'), user('2', 'go on')])).toEqual([id, `${id}-1`, `${id}-2`])
  })

  test.each<[string, Message, Message]>([
    ['the role', user('0', 'a'), { ...user('0', 'a'), role: 'assistant' }],
    ['the call that it answers', result('0', 'one', 'same'), result('0', 'two', 'same')],
    ['whether it is an error', result('0', 'one', 'same'), result('0', 'one', 'same', { isError: true })],
    ['the arguments of a call', calls('0', ['c', 'Bash', { a: 1 }]), calls('0', ['c', 'Bash', { a: 2 }])],
    ['arguments that are called like a mark', calls('0', ['c', 'X', { cache_control: 1 }]), calls('0', ['c', 'X', {}])],
    ['the boundary between two texts', texts('ab', 'c'), texts('a', 'bc')],
    ['halves of characters', user('0', '\ud800'), user('0', '\ud801')],
  ])('it matters: %s', (_name, one, other) => {
    expect(idsOf([one])).not.toEqual(idsOf([other]))
  })

  test.each<[string, Message, Message]>([
    ['the order of fields', calls('0', ['c', 'Bash', { a: 1, b: 2 }]), calls('0', ['c', 'Bash', { b: 2, a: 1 }])],
    ['the cache mark', media({ type: 'image', source: { a: 1 } }), media({ source: { a: 1, cache_control: {} }, type: 'image' })],
    ['when it was said', user('0', 'a', 5), user('0', 'a', 6)],
    ['a text or a list of one text', result('0', 'one', 'same'), listed('same')],
  ])('it does not matter: %s', (_name, one, other) => {
    expect(idsOf([one])).toEqual(idsOf([other]))
  })

  test('keeps the object of an unchanged message, also in a longer list', () => {
    const messages = [user('0', 'a'), user('1', 'b')]
    const before = identifyMessages(messages, handleOf)
    const after = identifyMessages([...messages, user('2', 'c')], handleOf)
    expect(after.slice(0, 2).every((message, index) => message === before[index])).toBe(true)
  })

  test('handles endless nesting', () => {
    let value: unknown = 1
    for (let depth = 0; depth < 5000; depth += 1) value = [value]
    expect(canonicalValue(value).length).toBeLessThan(10_000)
  })

  test('property: two parts have one text only where they are the same but for the order of fields', () => {
    let differing = 0
    const part = fc.oneof(
      fc.string().map((text): Part => ({ type: 'text', text })),
      fc.jsonValue().map((input): Part => ({ type: 'tool-call', callId: 'c', tool: 't', input: sorted(input) })),
    )
    fc.assert(
      fc.property(part, part, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        if (!isSame) differing += 1
        expect(canonicalPart(one) === canonicalPart(other)).toBe(isSame)
      }),
      {
        examples: [
          [
            { type: 'text', text: '1:' },
            { type: 'text', text: '' },
          ],
        ],
      },
    )
    expect(differing).toBeGreaterThan(20)
  })
})

describe('the chain of a conversation', () => {
  test('shares its start with any conversation that starts alike', () => {
    const one = chainOf(['a', 'b', 'c'])
    const other = chainOf(['a', 'b', 'd'])
    expect(other.slice(0, 2)).toEqual(one.slice(0, 2))
    expect(other[2]).not.toBe(one[2])
    expect(new Set(one).size).toBe(3)
  })

  test('differs with another seed', () => {
    expect(chainOf(['a'], 'side')).not.toEqual(chainOf(['a']))
  })

  test('follows the ids of repeated messages, after the same or other ones', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id): Message => ({ id, role: 'user', parts: [] })) as [Message, Message, Message]
    for (const list of [[a, b], [a, b, c], [b, c], [a, c], [a, b, c], [c], []]) {
      for (const seed of ['', 'side'])
        expect(chainOfMessages(list, handleOf, seed)).toEqual(
          chainOf(
            list.map(({ id }) => id),
            seed,
          ),
        )
    }
  })
})

/** The chain of messages that nothing is remembered of. */
function chainOf(ids: readonly string[], seed = ''): readonly string[] {
  const messages = ids.map((id): Message => ({ id, role: 'user', parts: [] }))
  return chainOfMessages(messages, handleOf, seed)
}

function texts(...list: readonly string[]): Message {
  return { id: '0', role: 'user', parts: list.map((text) => ({ type: 'text', text })) }
}

function media(data: unknown): Message {
  return { id: '0', role: 'user', parts: [{ type: 'media', mediaType: 'image/png', data }] }
}

function listed(text: string): Message {
  return result('0', 'one', '', { content: { type: 'list', items: [{ type: 'text', text }] } })
}

/** With fields in one order, and with no number that JSON writes like another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(fields)
      .filter((key) => !/^\d+$/.test(key) && key !== '__proto__')
      .sort()
      .map((key) => [key, sorted(fields[key])]),
  )
}
