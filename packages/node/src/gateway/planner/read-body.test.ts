import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSharedBytes } from '../relay/read-request-body.ts'
import { createBodyReader } from './read-body.ts'

const bytesOf = (text: string) => Buffer.from(text)
const read = (text: string) => createBodyReader().read(bytesOf(text), 'messages', 'somebody')

describe('a body is what JSON.parse makes of it', () => {
  test.each([
    ['an empty object', '{}'],
    ['fields before and after the messages', '{"model":"m","messages":[{"role":"user"},1,"two",null],"tools":[{}]}'],
    ['white space everywhere', ' \n{ "messages" :\t[ {"a" : 1 } , { } ] , "b" : 2 }\r\n'],
    ['names with escapes', '{"mess\\u0061ges":[1],"\\u0062":2}'],
    ['a field called __proto__', '{"__proto__":{"messages":[]},"messages":[{"__proto__":1}]}'],
    ['messages that are a text', '{"messages":"one \\" two"}'],
    ['the last of two lists', '{"messages":[1],"messages":[2]}'],
    ['characters of four bytes', '{"messages":["😀","\\ud83d"]}'],
  ])('%s', (_name, text) => {
    expect(read(text)?.value).toEqual(JSON.parse(text))
  })

  test.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['a mark of byte order', '\ufeff{}'],
    ['a comma too many', '{"messages":[1,]}'],
    ['a comma too few', '{"messages":[1 2]}'],
    ['no colon', '{"messages" [1]}'],
    ['brackets that do not match', '{"messages":[{"a":[1}]]}'],
    ['half a body', '{"messages":[{"role":"us'],
    ['two bodies', '{}{}'],
    ['an unfinished name', '{"messages'],
    ['a bare word', '{"messages":[nope]}'],
    ['nesting without end', `{"messages":[${'['.repeat(100_000)}`],
    ['nesting deeper than anybody means', `{"messages":[${'['.repeat(1000)}${']'.repeat(1000)}]}`],
  ])('%s is not read', (_name, text) => {
    expect(read(text)).toBeNull()
  })

  test('a character that is cut where a body stops being the one before is not read', () => {
    const earlier = bytesOf(`{"messages":["${'a'.repeat(2000)}é€😀","é"]}`)
    for (let at = 2000; at < earlier.length - 2; at += 1) {
      const changed = Buffer.concat([earlier.subarray(0, at), bytesOf('x"]}')])
      const reader = createBodyReader()
      expect(reader.read(earlier, 'messages', 'somebody')).not.toBeNull()
      const isRead = reader.read(changed, 'messages', 'somebody') !== null
      expect([at, isRead]).toEqual([at, createBodyReader().read(changed, 'messages', 'somebody') !== null])
    }
  })

  test('bytes that are not UTF-8 are not read', () => {
    const bytes = Buffer.concat([bytesOf('{"messages":["'), Buffer.from([0xc3, 0x28]), bytesOf('"]}')])
    expect(createBodyReader().read(bytes, 'messages', 'somebody')).toBeNull()
  })

  test('a field that occurs twice is reported', () => {
    expect(read('{"model":"a","messages":[],"model":"b"}')?.hasTwins).toBe(true)
    expect(read('{"model":"a","messages":[]}')?.hasTwins).toBe(false)
  })
})

describe('a body that goes on from another', () => {
  test('shares message objects if their bytes are the same, at any position', () => {
    const reader = createBodyReader()
    const first = reader.read(bytesOf('{"system":"a","messages":[{"n":1},{"n":2}],"tools":[{"t":1}]}'), 'messages', 'x')
    const next = reader.read(
      bytesOf('{"system":"another, longer","messages":[{"n":1},{"n":2},{"n":3}],"tools":[{"t":1}]}'),
      'messages',
      'x',
    )
    const same = (index: number) => next?.list?.values[index] === first?.list?.values[index]
    expect([same(0), same(1)]).toEqual([true, true])
    expect(next?.value['tools']).toBe(first?.value['tools'])
    expect(next?.list?.values[2]).toEqual({ n: 3 })
  })

  test('parses only a message that differs, and shares the ones after it', () => {
    const reader = createBodyReader()
    const first = reader.read(bytesOf('{"messages":[{"n":1},{"n":2,"cache":1},{"n":3}]}'), 'messages', 'x')
    const next = reader.read(bytesOf('{"messages":[{"n":1},{"n":2},{"n":3}]}'), 'messages', 'x')
    expect(next?.value).toEqual({ messages: [{ n: 1 }, { n: 2 }, { n: 3 }] })
    expect(next?.list?.values[2]).toBe(first?.list?.values[2])
  })

  test('does not mistake a longer number for its prefix', () => {
    const reader = createBodyReader()
    reader.read(bytesOf('{"max":10,"messages":[1]}'), 'messages', 'x')
    expect(reader.read(bytesOf('{"max":100,"messages":[12]}'), 'messages', 'x')?.value).toEqual({ max: 100, messages: [12] })
  })

  test('shares nothing with the body of another owner', () => {
    const reader = createBodyReader()
    const mine = reader.read(bytesOf('{"messages":[{"n":1}]}'), 'messages', 'me')
    const theirs = reader.read(bytesOf('{"messages":[{"n":1}]}'), 'messages', 'them')
    expect(theirs?.list?.values[0]).not.toBe(mine?.list?.values[0])
  })

  test('replaces it, so that a long conversation is kept once', () => {
    const reader = createBodyReader()
    for (let length = 1; length <= 20; length += 1) {
      const list = Array.from({ length }, (_, n) => ({ n }))
      reader.read(bytesOf(JSON.stringify({ messages: list })), 'messages', 'x')
    }
    expect(reader.kept().bodies).toBe(1)
  })

  test('is known after the memory of both was used again', () => {
    const reader = createBodyReader()
    const { take, giveBack } = createSharedBytes()
    const [memory, values] = [new Set<ArrayBufferLike>(), new Set<unknown>()]
    for (let length = 1; length <= 60; length += 1)
      for (const name of ['one', 'other']) {
        const messages = Array.from({ length: length * 20 }, (_, n) => ({ [name]: `${n} `.repeat(30) }))
        const text = JSON.stringify({ messages, length })
        const lent = take(text.length)
        lent.write(text)
        const body = reader.read(lent, 'messages', 'x')
        expect(body?.value).toEqual({ messages, length })
        reader.settle()
        lent.fill(0)
        giveBack(lent)
        reader.rest()
        expect(body?.bytes.equals(Buffer.from(text))).toBe(true)
        values.add(body?.list?.values[0])
        if (body !== null && body !== undefined) memory.add(body.bytes.buffer)
      }
    expect([values.size, reader.kept().bodies]).toEqual([2, 2])
    // Otherwise no memory would have been used again; and all of it is counted.
    expect(memory.size).toBeLessThan(60)
    const size = (length: number) =>
      JSON.stringify({ messages: Array.from({ length: length * 20 }, () => ({ one: '100 '.repeat(30) })) }).length
    expect(reader.kept().bytes).toBeGreaterThan(size(60) * 2)
    expect(reader.kept().bytes).toBeLessThan(size(60) * 8)
  })

  test('is forgotten beyond a maximum of bodies and bytes', () => {
    const few = createBodyReader({ maxBodies: 3 })
    const small = createBodyReader({ maxBytes: 100 })
    for (let n = 0; n < 10; n += 1) {
      const body = bytesOf(JSON.stringify({ messages: [{ conversation: n }] }))
      few.read(body, 'messages', 'x')
      small.read(body, 'messages', 'x')
    }
    expect(few.kept().bodies).toBe(3)
    expect(small.kept().bytes).toBeLessThanOrEqual(100)
  })

  test('property: whatever two bodies have in common, both are what JSON.parse makes of them', () => {
    const reached = { shared: 0, invalid: 0, differing: 0 }
    const check = ({ one, other, cut }: Pair) => {
      const reader = createBodyReader()
      const texts = [one, other, damaged(other, cut)]
      const bodies = texts.map((text) => reader.read(bytesOf(text), 'messages', 'x'))
      for (const [index, text] of texts.entries()) expect(bodies[index]?.value ?? null).toEqual(parsed(text))
      const [first, next] = bodies
      const common = (first?.list?.values ?? []).filter((value, index) => isObject(value) && value === next?.list?.values[index])
      if (common.length > 0) reached.shared += 1
      if (one !== other) reached.differing += 1
      if (bodies[2] === null) reached.invalid += 1
    }
    fc.assert(fc.property(pairs, check), {
      numRuns: 300,
      examples: [[{ one: '{"messages":[{"a":1}]}', other: '{"messages":[{"a":1},{"b":[2]}]}', cut: 30 }]],
    })
    expect(Object.values(reached).every((times) => times > 0)).toBe(true)
  })
})

interface Pair {
  readonly one: string
  readonly other: string
  readonly cut: number
}

const pairs: fc.Arbitrary<Pair> = fc
  .record({
    shared: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
    ends: fc.tuple(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.array(fc.jsonValue(), { maxLength: 3 })),
    before: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
    after: fc.tuple(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), fc.boolean()),
    space: fc.constantFrom(0, 1, 2),
    cut: fc.nat(),
  })
  .map(({ shared, ends, before, after, space, cut }) => {
    const [first, second, isSame] = after
    const bodyOf = (end: readonly unknown[], behind: unknown) =>
      JSON.stringify({ ...before, messages: [...shared, ...end], behind }, null, space)
    return { one: bodyOf(ends[0], first), other: bodyOf(ends[1], isSame ? first : second), cut }
  })

/** A body with one character less somewhere. */
function damaged(text: string, cut: number): string {
  const at = cut % text.length
  return text.slice(0, at) + text.slice(at + 1)
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
