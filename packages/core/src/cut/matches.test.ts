import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelStrings as strings } from '../strings/specification.ts'
import { fits, type Limit, truncate } from './truncate.ts'

const limit = (maxLines: number, maxChars = 8000, context?: number): Limit => ({
  ...{ maxChars, maxLines, by: 'cap', strategy: 'head_tail', strings, matches: true },
  ...(context === undefined ? {} : { context }),
})
const found = (count: number) => Array.from({ length: count }, (_, index) => `src/a.ts:${index + 1}: hit`)

describe('truncate, counting matches', () => {
  it.each([
    ['R003-13 as many as allowed stay as they are', found(100).join('\n'), limit(100), found(100).join('\n')],
    [
      'R003-13 of more, the first, and how many there are',
      found(150).join('\n'),
      limit(100),
      `${found(100).join('\n')}\n... [显示前100个结果，共150个] ...\n`,
    ],
    [
      'R003-13 one more than allowed',
      found(101).join('\n'),
      limit(100),
      `${found(100).join('\n')}\n... [显示前100个结果，共101个] ...\n`,
    ],
    [
      'Q-23 context lines follow their match and are not counted',
      [
        'a.ts:1: one',
        'a.ts-2- after',
        '--',
        'b.ts:5: two',
        'b.ts-6- after',
        'b.ts-7- after',
        '--',
        'b.ts-8- before',
        'b.ts:9: three',
      ].join('\n'),
      limit(2, 8000, 2),
      `${['a.ts:1: one', 'a.ts-2- after', '--', 'b.ts:5: two', 'b.ts-6- after', 'b.ts-7- after'].join('\n')}\n... [显示前2个结果，共3个] ...\n`,
    ],
    [
      'Q-23 no more context than is asked for',
      ['a.ts:1: one', 'a.ts-2- after', 'a.ts-3- before', 'a.ts:4: two'].join('\n'),
      limit(1, 8000, 1),
      'a.ts:1: one\na.ts-2- after\n... [显示前1个结果，共2个] ...\n',
    ],
    [
      'Q-23 line numbers under a file name',
      'src/a.ts\n1:one\n2-context\n7:two\n9:three',
      limit(2),
      'src/a.ts\n1:one\n2-context\n7:two\n... [显示前2个结果，共3个] ...\n',
    ],
    ['Q-23 a Windows path', 'C:\\a.ts:1: one\nC:\\a.ts:2: two', limit(1), 'C:\\a.ts:1: one\n... [显示前1个结果，共2个] ...\n'],
    [
      'Q-23 counts every non-empty line if nothing looks like a match',
      'a\n\nb\nc',
      limit(2),
      'a\n\nb\n... [显示前2个结果，共3个] ...\n',
    ],
    [
      'Q-23 over the characters, fewer matches are shown and counted',
      found(150).join('\n'),
      limit(100, 100),
      `${found(4).join('\n')}\n... [显示前4个结果，共150个] ...\n`,
    ],
    [
      'R003-13 Q-23 no more matches than allowed but too many characters: cut as any other text',
      found(90).join('\n'),
      limit(100, 1000),
      `${found(90).join('\n').slice(0, 320)}\n\n... [截断了 ${found(90).join('\n').length - 640} 字符 / 52 行] ...\n\n${found(90).join('\n').slice(-320)}`,
    ],
    [
      'Q-23 when not even one fits, the characters are cut',
      `a.ts:1: ${'x'.repeat(5000)}`,
      limit(100, 1000),
      `a.ts:1: ${'x'.repeat(312)}\n\n... [截断了 4368 字符 / 0 行] ...\n\n${'x'.repeat(320)}`,
    ],
  ] as const)('%s', (_, text, given, expected) => {
    expect(truncate(text, given).text).toBe(expected)
  })

  it.each([
    ['with line numbers', found(150).join('\n')],
    ['without', found(150).map((line) => line.replace(/:\d+:/, ' ')).join('\n')], // biome-ignore format: a row
  ])('Q-8b changes nothing the second time, %s', (_, text) => {
    const once = truncate(text, limit(100)).text
    expect(truncate(once, limit(100)).text).toBe(once)
  })

  it('Q-23 whatever the lines, the result is within both limits and a second time changes nothing', () => {
    const reached = { matches: 0, characters: 0 }
    const line = fc.oneof(
      fc.string(),
      fc.nat(99).map((n) => `a.ts:${n}: x`),
      fc.nat(99).map((n) => `a.ts-${n}- x`),
      fc.constantFrom('--', '', 'x'.repeat(500)),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.nat(40), fc.nat(900), (list, maxLines, maxChars) => {
        const once = truncate(list.join('\n'), limit(maxLines, maxChars))
        expect(once.charsAfter).toBeLessThanOrEqual(maxChars)
        expect(fits(once.text, limit(maxLines, maxChars))).toBe(true)
        if (once.text.includes('个结果')) reached.matches += 1
        else if (once.limitedBy !== null) reached.characters += 1
      }),
      { numRuns: 1500, seed: 4 },
    )
    expect(Math.min(reached.matches, reached.characters)).toBeGreaterThan(50)
  })

  it('does not count lines added by a cut as matches', () => {
    const context = Array.from({ length: 200 }, () => 'a.ts-2- row of context')
    const text = ['a.ts:1: x', ...context, 'error: y', ...context, 'a.ts:9: z'].join('\n')
    const once = truncate(text, limit(2, 1000))
    expect(once).toMatchObject({ salientLines: 0, limitedBy: 'cap', kept: 'head-and-tail' })
    expect(once.text).toContain('字符 / ')
    expect(truncate(text, limit(3, 1000))).toMatchObject({ salientLines: 1, limitedBy: 'cap', kept: 'head-and-tail' })
  })

  it('reports the original number of matches after a tighter cut by characters', () => {
    const once = truncate(found(150).join('\n'), limit(100)).text
    expect(truncate(once, limit(200, 100)).text).toBe(`${found(4).join('\n')}\n... [显示前4个结果，共150个] ...\n`)
  })

  it('reports the original number of matches after a tighter cut by matches', () => {
    const once = truncate(found(150).join('\n'), limit(100)).text
    expect(truncate(once, limit(10)).text).toBe(`${found(10).join('\n')}\n... [显示前10个结果，共150个] ...\n`)
  })

  it('ignores a count that does not match the lines above it', () => {
    const forged = `${found(20).join('\n')}${strings.matchesShown(5, 9000)}`
    expect(truncate(forged, limit(10)).text).toBe(`${found(10).join('\n')}\n... [显示前10个结果，共20个] ...\n`)
  })
})

describe('results with a last line like our count of matches', () => {
  it('counts such results once: a second cut changes neither text nor number', () => {
    const lines = ['one', '... [显示前3个结果，共9个] ...', 'three', 'four']
    const { text } = truncate(lines.join('\n'), limit(2))
    expect(text).toBe('one\n... [显示前3个结果，共9个] ...\n... [显示前2个结果，共4个] ...\n')
    expect(truncate(text, limit(2)).text).toBe(text)
  })
})
