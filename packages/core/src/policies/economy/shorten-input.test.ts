import { describe, expect, it } from 'vitest'
import type { ToolCallPart } from '../../message.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { handleOf } from '../../text/hash.ts'
import { type InputRoom, shortenInput } from './shorten-input.ts'

const room: InputRoom = { over: 50, to: 20, which: 'all', files: [] }
const long = 'abcdefghij'.repeat(10)
const short = `abcdefghijabcdefghij… [1 line cut; recall ${handleOf(long)}]`
const call = (input: unknown): ToolCallPart => ({ type: 'tool-call', callId: 'k', tool: 'Write', input })

/** What is shown of arguments; null where that is all of them. */
function shown(input: unknown, changed: Partial<InputRoom> = {}): unknown {
  const made = shortenInput(deepFreeze(call(input)), { ...room, ...changed })
  if (made === null) return null
  expect(made).toEqual({ ...call(input), input: made.input })
  return made.input
}

describe('a text', () => {
  it.each<[name: string, text: string, to: number, head: string, cut: string]>([
    ['ends behind a line in the second half of its room', `${'a'.repeat(11)}\n${'b'.repeat(99)}`, 20, 'a'.repeat(11), '2 lines'],
    [
      'ends inside of a line where its room would be half empty',
      `${'a'.repeat(10)}\n${'b'.repeat(99)}`,
      20,
      `${'a'.repeat(10)}\n${'b'.repeat(9)}`,
      '1 line',
    ],
    [
      'ends behind the last line that has room',
      `a\n${'b'.repeat(9)}\n${'c'.repeat(6)}\n${'d'.repeat(99)}`,
      20,
      `a\n${'b'.repeat(9)}\n${'c'.repeat(6)}`,
      '2 lines',
    ],
    ['ends between two characters', '😀'.repeat(50), 21, '😀'.repeat(10), '1 line'],
    ['says how many lines are cut', `${'a'.repeat(40)}\n`.repeat(1234), 20, 'a'.repeat(20), '1,234 lines'],
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
    ['of so many characters as may stand', long.slice(0, 50), 20, null],
    ['of one more that would not get shorter', long.slice(0, 51), 20, null],
    ['that would get as long as it is', long.slice(0, 55), 20, null],
    [
      'that gets a character shorter',
      long.slice(0, 56),
      20,
      `${long.slice(0, 20)}… [1 line cut; recall ${handleOf(long.slice(0, 56))}]`,
    ],
    ['of so many characters as may stand, though it would get shorter', long.slice(0, 50), 1, null],
    ['of one more that gets shorter', long.slice(0, 51), 1, `a… [1 line cut; recall ${handleOf(long.slice(0, 51))}]`],
  ])('%s', (_name, text, to, expected) => {
    expect(shown({ text }, { to })).toEqual(expected === null ? null : { text: expected })
    expect(shown(text, { to })).toEqual(expected)
  })
})

describe('only what was replaced', () => {
  const replaced = { which: 'replaced' } as const
  it.each<[name: string, input: unknown, expected: unknown]>([
    ['text beside its replacement', { old_string: long, new_string: long }, { old_string: short, new_string: long }],
    ['under other names', { Search: long, REPLACE: '' }, { Search: short, REPLACE: '' }],
    ['a list of it', { find: ['x', long], replacement: 'y' }, { find: ['x', short], replacement: 'y' }],
    ['text that nothing stands for', { search: long, path: 'a.ts' }, null],
    ['text whose replacement stands elsewhere', { edit: { old: long }, new: 'x' }, null],
    ['text of which nobody can tell', long, null],
  ])('%s', (_name, input, expected) => {
    expect(shown(input, replaced)).toEqual(expected)
  })
})

describe('arguments', () => {
  it.each<[name: string, input: unknown]>([
    ['a list', [long]],
    ['a number', 5],
    ['nothing', null],
    ['JSON that is a list', JSON.stringify([long]).slice(0, 50)],
    ['no long text', { path: 'a.ts', lines: [1, 2], more: { is: true, list: [] } }],
  ])('%s stays', (_name, input) => {
    expect(shown(input)).toBeNull()
  })

  it('stay byte for byte if nothing in them is shortened', () => {
    expect(shown('{ "path" : "a.ts", "list" : [ 1, [], { "a" : null } ] , "none" : [ ] }')).toBeNull()
  })

  it('keep everything else as it is', () => {
    const kept = { at: [1, [], { is: true }], none: null, list: [] }
    const input = deepFreeze({ first: kept, texts: ['x', long, 'y', { deep: [long] }], last: 'z' })
    const made = shown(input) as { readonly first: unknown }
    expect(made).toEqual({ first: kept, texts: ['x', short, 'y', { deep: [short] }], last: 'z' })
    expect(made.first).toBe(kept)
  })

  it.each([
    ['as long as they were', 0, false],
    ['shorter', 1, true],
  ])('that would be written %s', (_name, spaces, isShortened) => {
    // A stray half of a character takes one character as it came and six as it is written.
    const strays = '\ud83d'.repeat(20)
    const shortest = `{"text":"${long}","strays":"${strays}"}`
    const written = JSON.stringify({ text: short, strays })
    expect(written.length).toBeGreaterThan(shortest.length)
    const input = `{${' '.repeat(written.length - shortest.length + spaces)}${shortest.slice(1)}`
    expect(shown(input)).toBe(isShortened ? written : null)
  })
})

describe('far in', () => {
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
  ])('texts are shortened down to the eighth level of %s', (_name, inside) => {
    expect(shown(inside(8, long))).toEqual(inside(8, short))
    expect(shown(inside(9, long))).toBeNull()
  })

  it('texts are shortened up to the five thousandth value', () => {
    const after = (count: number, text: string) => ({ numbers: Array.from({ length: count }, () => 1), text })
    expect(shown(after(4998, long))).toEqual(after(4998, short))
    expect(shown(after(4999, long))).toBeNull()
  })

  it('a text stays that recall would not look at', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]))
    expect(shown({ first: { text: long }, ...many })).toBeNull()
    expect(shown({ text: long, first: { text: `${long}!` }, ...many })).toEqual({
      text: short,
      first: { text: `${long}!` },
      ...many,
    })
  })
})
