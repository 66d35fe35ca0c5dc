import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactJson } from './compact-json.ts'

describe('compactJson', () => {
  it.each<[name: string, text: string, shown: string | null]>([
    ['an indented object', '{\n  "a": 1,\n  "b": [ 1, 2 ]\n}\n', '{"a":1,"b":[1,2]}'],
    ['numbers as they are written', '[\n  12345678901234567890, 1.0, -0, 1e5\n]', '[12345678901234567890,1.0,-0,1e5]'],
    ['keys in their order, twice if they are', '{ "2": 1, "1": 2, "2": 3 }', '{"2":1,"1":2,"2":3}'],
    ['blanks and escapes in strings', '{ "a b": " \\" , \\u00e9 \\\\" }', '{"a b":" \\" , \\u00e9 \\\\"}'],
    ['text that only starts like JSON', '[info]\n  started', null],
    ['two values', '{\n"a": 1\n}\n{\n"a": 2\n}', null],
    ['JSON that was cut', '{\n  "a": 1,\n  "b"', null],
    ['an empty text', '', null],
  ])('%s', (_name, text, shown) => {
    expect(compactJson(text)).toBe(shown)
  })

  it('keeps one line for each entry of a long list', () => {
    const entries = Array.from({ length: 60 }, (_, id) => ({ id, name: `entry ${id}`, tags: ['a', 'b'] }))
    expect(compactJson(JSON.stringify(entries, null, 2))?.split('\n')).toHaveLength(60)
    expect(compactJson(JSON.stringify({ total: 60, entries }, null, 2))?.split('\n')).toHaveLength(61)
  })

  it('a parser gives the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        const shown = compactJson(text)
        if (shown === null) return
        expect(shown.length).toBeLessThanOrEqual(text.length)
        expect(JSON.stringify(JSON.parse(shown))).toBe(JSON.stringify(JSON.parse(text)))
        expect(compactJson(shown) ?? shown).toBe(shown)
      }),
      { numRuns: 200 },
    )
  })
})
