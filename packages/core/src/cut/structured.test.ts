import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../../test/property-runs.ts'
import { modelStrings as strings } from '../strings/specification.ts'
import { handleOf } from '../text/hash.ts'
import { cutStructured } from './structured.ts'
import { type Limit, truncate } from './truncate.ts'

const limit = (maxChars: number, maxLines: number | null = null): Limit => ({
  maxChars,
  maxLines,
  by: 'cap',
  strategy: 'structured',
  strings,
})

const handle = handleOf('the original')

describe('JSON', () => {
  it('removes the middle of a long list and keeps valid JSON', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index)
    const removed = JSON.stringify(list.slice(19, 982)).length - 2
    expect(JSON.parse(truncate(JSON.stringify(list, null, 2), limit(150)).text)).toEqual([
      ...list.slice(0, 19),
      `... [截断 ${removed} 字符] ...`,
      ...list.slice(-18),
    ])
  })

  it('shrinks long strings and wide objects inside', () => {
    const value = {
      name: 'x'.repeat(3000),
      ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, index])),
    }
    const cut: unknown = JSON.parse(truncate(JSON.stringify(value), limit(500)).text)
    expect(cut).toMatchObject({
      name: expect.stringMatching(/^x+\n\n\.\.\. \[截断 \d+ 字符\] \.\.\.\n\nx+$/),
      '...': expect.any(String),
      key49: 49,
    })
  })

  it('whatever the value, what comes out parses, or the text is cut as any other', () => {
    let kept = 0
    const value = fc.object({
      maxDepth: 3,
      values: [fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)],
    })
    fc.assert(
      fc.property(fc.array(value, { minLength: 20, maxLength: 100 }), fc.integer({ min: 60, max: 900 }), (list, maxChars) => {
        const cut = cutStructured(JSON.stringify(list), limit(maxChars), handle)
        if (cut === null) return
        kept += 1
        expect(() => JSON.parse(cut) as unknown).not.toThrow()
        expect([...cut].length).toBeLessThanOrEqual(maxChars)
      }),
      { numRuns: tries(200), seed: 2 },
    )
    expect(kept).toBeGreaterThan(20)
  })

  it.each([
    ['numbers too long to be read and written', `[${'12345678901234567890,'.repeat(100)}1]`],
    ['nesting without end', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['text that only starts like JSON', `{${'x'.repeat(3000)}`],
  ])('cuts %s like any other text', (_, text) => {
    expect(truncate(text, limit(1000)).text).toBe(truncate(text, { ...limit(1000), strategy: 'head_tail' }).text)
  })
})

describe('tables', () => {
  const rows = Array.from({ length: 100 }, (_, index) => `${index},"name, ${index}","two\nlines"`)

  it('keeps the header, complete rows, and a row of the same width with the number of removed rows', () => {
    const text = `id,name,note\n${rows.join('\n')}\n`
    expect(truncate(text, limit(300)).text).toBe(
      `${['id,name,note', ...rows.slice(0, 5), '... [截断 91 行] ...,,', ...rows.slice(-4)].join('\n')}\n`,
    )
  })

  it('does not treat rows of different width as a table', () => {
    const text = Array.from({ length: 300 }, (_, index) => `a${',b'.repeat(index % 3)}`).join('\n')
    expect(cutStructured(text, limit(200), handle)).toBeNull()
  })
})

describe('diffs', () => {
  const hunk = (at: number) => `@@ -${at},2 +${at},2 @@\n context ${at}\n-old ${at}\n+new ${at}\n`
  const file = (name: string, ...places: readonly number[]) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${places.map(hunk).join('')}`

  it('keeps complete hunks under their file headers, and the number of removed lines', () => {
    const text = file('a.ts', 1, 11, 21) + file('b.ts', 1, 11) + file('c.ts', 1, 11)
    expect(truncate(text, limit(230)).text).toBe(
      `${file('a.ts', 1)}diff --git a/c.ts b/c.ts\n--- a/c.ts\n+++ b/c.ts\n${hunk(11)}... [截断 23 行] ...\n`,
    )
  })

  it('does not treat a text as a diff if a hunk has the wrong number of lines', () => {
    expect(cutStructured(`${file('a.ts', 1, 11)}@@ -1,9 +1,9 @@\n x\n`.repeat(20), limit(300), handle)).toBeNull()
  })

  it('accepts a diff without a trailing newline', () => {
    const text = file('a.ts', ...Array.from({ length: 20 }, (_, index) => index * 10 + 1)).trimEnd()
    expect(cutStructured(text, limit(300), handle)).toMatch(/^diff --git .*\[截断 \d+ 行\] \.\.\.\n$/s)
  })
})
