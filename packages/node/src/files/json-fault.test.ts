import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonFault } from './json-fault.ts'

describe('findJsonFault', () => {
  it.each([
    ['', { line: 1, column: 1, expected: 'value', came: null }],
    ['[1, 2', { line: 1, column: 6, expected: 'comma-or-bracket', came: null }],
    ['[1,\n 2,\n ]', { line: 3, column: 2, expected: 'value', came: ']' }],
    ['{"a": 1 "b": 2}', { line: 1, column: 9, expected: 'comma-or-brace', came: '"' }],
    ["{'a': 1}", { line: 1, column: 2, expected: 'key', came: "'" }],
    ['{"a" 1}', { line: 1, column: 6, expected: 'colon', came: '1' }],
    ['{"a": 1,}', { line: 1, column: 9, expected: 'key', came: '}' }],
    ['[1] x', { line: 1, column: 5, expected: 'end', came: 'x' }],
    ['["abc', { line: 1, column: 6, expected: 'quote', came: null }],
    ['["a\\q"]', { line: 1, column: 5, expected: 'escape', came: 'q' }],
    ['["a\nb"]', { line: 1, column: 4, expected: 'printable', came: '\n' }],
    ['[-]', { line: 1, column: 3, expected: 'digit', came: ']' }],
    ['[1.]', { line: 1, column: 4, expected: 'digit', came: ']' }],
    ['[nul]', { line: 1, column: 2, expected: 'value', came: 'n' }],
    ['[😀]', { line: 1, column: 2, expected: 'value', came: '😀' }],
  ])('%j', (text, fault) => expect(findJsonFault(text)).toEqual(fault))

  it('agrees with the engine on what is JSON, over documents with a character changed', () => {
    let broken = 0
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '-', 'e', '.', '\\', 'u', ' ', '\n', 't'),
        (text, place, inserted) => {
          const at = place % (text.length + 1)
          const changed = text.slice(0, at) + inserted + text.slice(at + (place % 2))
          const valid = isJson(changed)
          if (!valid) broken += 1
          expect(findJsonFault(changed) === null).toBe(valid)
        },
      ),
      { numRuns: 2000 },
    )
    expect(broken).toBeGreaterThan(300)
  })

  it('is not overwhelmed by nesting', () => {
    const depth = 200_000
    expect(findJsonFault('['.repeat(depth))).toMatchObject({ column: depth + 1, expected: 'value', came: null })
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
