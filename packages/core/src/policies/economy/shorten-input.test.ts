import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolCallPart } from '../../message.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { handleOf } from '../../text/hash.ts'
import { type InputRoom, shortenInput } from './shorten-input.ts'

const room: InputRoom = { over: 50, to: 20, which: 'all', files: [] }
const long = 'abcdefghij'.repeat(10)
const short = `abcdefghijabcdefghij… [1 line cut; recall ${handleOf(long)}]`
const call = (input: unknown): ToolCallPart => ({ type: 'tool-call', callId: 'k', tool: 'Write', input })

/** The shortened arguments; null if they are unchanged. */
function shown(input: unknown, changed: Partial<InputRoom> = {}): unknown {
  const made = shortenInput(deepFreeze(call(input)), { ...room, ...changed })
  if (made === null) return null
  expect(made).toEqual({ ...call(input), input: made.input })
  return made.input
}

describe('shortenInput, a long text', () => {
  it.each<[name: string, text: string, to: number, head: string, cut: string]>([
    ['ends after a line in the second half of its room', `${'a'.repeat(11)}\n${'b'.repeat(99)}`, 20, 'a'.repeat(11), '2 lines'],
    [
      'ends within a line if its room would be half empty otherwise',
      `${'a'.repeat(10)}\n${'b'.repeat(99)}`,
      20,
      `${'a'.repeat(10)}\n${'b'.repeat(9)}`,
      '1 line',
    ],
    [
      'ends after the last line that has room',
      `a\n${'b'.repeat(9)}\n${'c'.repeat(6)}\n${'d'.repeat(99)}`,
      20,
      `a\n${'b'.repeat(9)}\n${'c'.repeat(6)}`,
      '2 lines',
    ],
    ['ends between two characters', '😀'.repeat(50), 21, '😀'.repeat(10), '1 line'],
    ['names the number of cut lines', `${'a'.repeat(40)}\n`.repeat(1234), 20, 'a'.repeat(20), '1,234 lines'],
  ])('%s', (_name, text, to, head, cut) => {
    expect(shown({ text }, { to })).toEqual({ text: `${head}… [${cut} cut; recall ${handleOf(text)}]` })
  })

  it('names exactly the files that only the cut text mentioned', () => {
    const text = `src/a.ts ${'x'.repeat(40)} src/b.ts src/c.ts ${'x'.repeat(40)}`
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts']
    expect(shown({ text }, { files })).toEqual({
      text: `src/a.ts ${'x'.repeat(11)}… [1 line cut; files: src/b.ts src/c.ts; recall ${handleOf(text)}]`,
    })
  })

  it.each([
    ['of exactly the allowed length', long.slice(0, 50), 20, null],
    ['one character over that would not get shorter', long.slice(0, 51), 20, null],
    ['that would keep its length', long.slice(0, 55), 20, null],
    [
      'that gets one character shorter',
      long.slice(0, 56),
      20,
      `${long.slice(0, 20)}… [1 line cut; recall ${handleOf(long.slice(0, 56))}]`,
    ],
    ['of exactly the allowed length that would get shorter', long.slice(0, 50), 1, null],
    ['one character over that gets shorter', long.slice(0, 51), 1, `a… [1 line cut; recall ${handleOf(long.slice(0, 51))}]`],
  ])('is shortened only if it exceeds its limit and gets shorter: %s', (_name, text, to, expected) => {
    expect(shown({ text }, { to })).toEqual(expected === null ? null : { text: expected })
    expect(shown(text, { to })).toEqual(expected)
  })
})

describe('shortenInput, of replaced text only', () => {
  const replaced = { which: 'replaced' } as const
  it.each<[name: string, input: unknown, expected: unknown]>([
    ['shortens text next to its replacement', { old_string: long, new_string: long }, { old_string: short, new_string: long }],
    ['shortens it under other field names', { Search: long, REPLACE: '' }, { Search: short, REPLACE: '' }],
    ['shortens a list of it', { find: ['x', long], replacement: 'y' }, { find: ['x', short], replacement: 'y' }],
    ['keeps text without a replacement', { search: long, path: 'a.ts' }, null],
    ['keeps text whose replacement is in another object', { edit: { old: long }, new: 'x' }, null],
    ['keeps text outside of an object', long, null],
  ])('%s', (_name, input, expected) => {
    expect(shown(input, replaced)).toEqual(expected)
  })
})

describe('shortenInput, arguments', () => {
  it.each<[name: string, input: unknown]>([
    ['a list', [long]],
    ['a number', 5],
    ['nothing', null],
    ['JSON that is a list', JSON.stringify([long]).slice(0, 50)],
    ['an object without a long text', { path: 'a.ts', lines: [1, 2], more: { is: true, list: [] } }],
  ])('keeps %s unchanged', (_name, input) => {
    expect(shown(input)).toBeNull()
  })

  it('keeps JSON byte for byte if nothing in it is shortened', () => {
    expect(shown('{ "path" : "a.ts", "list" : [ 1, [], { "a" : null } ] , "none" : [ ] }')).toBeNull()
  })

  it('keeps all other values', () => {
    const kept = { at: [1, [], { is: true }], none: null, list: [] }
    const input = deepFreeze({ first: kept, texts: ['x', long, 'y', { deep: [long] }], last: 'z' })
    const made = shown(input) as { readonly first: unknown }
    expect(made).toEqual({ first: kept, texts: ['x', short, 'y', { deep: [short] }], last: 'z' })
    expect(made.first).toBe(kept)
  })

  it.each([
    ['as long', 0, false],
    ['shorter', 1, true],
  ])('shortens JSON only if it gets shorter: it would be %s', (_name, spaces, isShortened) => {
    // A lone surrogate is one character in the input and six in our JSON.
    const strays = '\ud83d'.repeat(20)
    const shortest = `{"text":"${long}","strays":"${strays}"}`
    const written = JSON.stringify({ text: short, strays })
    expect(written.length).toBeGreaterThan(shortest.length)
    const input = `{${' '.repeat(written.length - shortest.length + spaces)}${shortest.slice(1)}`
    expect(shown(input)).toBe(isShortened ? written : null)
  })
})

describe('shortenInput, nested values', () => {
  const nested = (levels: number, text: string) => {
    let value: unknown = text
    for (let level = 1; level < levels; level += 1) value = { inner: value }
    return { outer: value }
  }
  const listed = (levels: number, text: string) => {
    let value: unknown = text
    for (let level = 1; level < levels; level += 1) value = [value]
    return { outer: value }
  }
  it.each([
    ['objects', nested],
    ['lists', listed],
  ])('shortens texts up to eight levels of %s deep', (_name, inside) => {
    expect(shown(inside(8, long))).toEqual(inside(8, short))
    expect(shown(inside(9, long))).toBeNull()
  })

  it('shortens texts up to the 5,000th value', () => {
    const after = (count: number, text: string) => ({ numbers: Array.from({ length: count }, () => 1), text })
    expect(shown(after(4998, long))).toEqual(after(4998, short))
    expect(shown(after(4999, long))).toBeNull()
  })

  it('keeps texts that recall would not find', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]))
    expect(shown({ first: { text: long }, ...many })).toBeNull()
    expect(shown({ text: long, first: { text: `${long}!` }, ...many })).toEqual({
      text: short,
      first: { text: `${long}!` },
      ...many,
    })
  })
})

it('keeps every field, texts that are short, and the start, the lines, the files and the handle of those that are long', () => {
  const text = fc
    .array(fc.constantFrom('word', 'src/a.ts', 'src/b.ts', '\n', '😀'), { minLength: 15, maxLength: 60 })
    .map((words) => words.join(' '))
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b', 'content'), tie('value'))), // biome-ignore format: one line
  })).value
  let cut = 0
  const expectKept = (made: unknown, given: unknown): void => {
    if (typeof given !== 'string' || made === given) {
      if (typeof given !== 'object' || given === null) return expect(made).toBe(given)
      expect(Object.keys(made as object)).toEqual(Object.keys(given))
      for (const [key, one] of Object.entries(given)) expectKept((made as Record<string, unknown>)[key], one)
      return
    }
    cut += 1
    const [, head = '', lines, named = ''] =
      /^([^]*)… \[([\d,]+) lines? cut(?:; files: (.*))?; recall [0-9a-f]{12}\]$/.exec(String(made)) ?? []
    expect(given.startsWith(head)).toBe(true)
    expect(made).toContain(`recall ${handleOf(given)}]`)
    expect(Number(lines)).toBe(given.slice(head.length).split('\n').length - Number(given.endsWith('\n')))
    for (const file of ['src/a.ts', 'src/b.ts']) expect(`${head} ${named}`.includes(file)).toBe(given.includes(file))
  }
  fc.assert(
    fc.property(fc.record({ content: value, more: text }), (given) => {
      const made = shown(given, { files: ['src/a.ts', 'src/b.ts'] })
      if (made !== null) expectKept(made, given)
    }),
    { seed: 7, numRuns: 80 },
  )
  expect(cut).toBeGreaterThan(20)
})
