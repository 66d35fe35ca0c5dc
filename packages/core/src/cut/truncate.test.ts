import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../config.ts'
import { cap, numbered, tool } from '../testing/limits.ts'
import { fits, type Limit, truncate } from './truncate.ts'

describe('truncate, if nothing salient is removed', () => {
  it.each([
    ['R003-3 at the limit nothing changes', 'x'.repeat(8000), cap(8000), 'x'.repeat(8000)],
    [
      'R003-3 R003-4 over the cap: 40 % of the cap less 200 characters at each end, and the exact marker',
      `${'a'.repeat(4000)}\n${'b'.repeat(4000)}`,
      cap(8000),
      `${'a'.repeat(3120)}\n\n... [截断了 1761 字符 / 1 行] ...\n\n${'b'.repeat(3120)}`,
    ],
    [
      'R003-9 Q-7 over a tool limit: 100 characters less, and the count of characters really removed',
      'x'.repeat(6000),
      tool(5000),
      `${'x'.repeat(1960)}\n\n... [截断 2080 字符] ...\n\n${'x'.repeat(1960)}`,
    ],
    [
      'R003-10 over the lines: two lines less, halves, one marker line',
      numbered(600).join('\n'),
      cap(8000, 500),
      [...numbered(249), '... [截断 102 行] ...', ...numbered(600).slice(-249)].join('\n'),
    ],
    [
      'R003-10 an odd number of kept lines gives the tail one more',
      numbered(20).join('\n'),
      cap(8000, 9),
      [...numbered(3), '... [截断 13 行] ...', ...numbered(20).slice(-4)].join('\n'),
    ],
    [
      'R003-10 the newline at the very end is not a line',
      `${numbered(9).join('\n')}\n`,
      cap(8000, 9),
      `${numbered(9).join('\n')}\n`,
    ],
    [
      'R003-10 removes the trailing newline in a cut by lines, as in the source document',
      `${numbered(20).join('\n')}\n`,
      cap(8000, 8),
      [...numbered(3), '... [截断 14 行] ...', ...numbered(20).slice(-3)].join('\n'),
    ],
    [
      'R003-8 Q-8b both limits over, cutting lines is enough: the marker of the lines alone',
      numbered(600).join('\n'),
      tool(4000, 100),
      [...numbered(49), '... [截断 502 行] ...', ...numbered(600).slice(-49)].join('\n'),
    ],
    [
      'R003-8 Q-8b both limits over, cutting characters is enough: their marker alone',
      numbered(600).join('\n'),
      tool(500, 100),
      `${numbered(600).join('\n').slice(0, 160)}\n\n... [截断 4971 字符] ...\n\n${numbered(600).join('\n').slice(-160)}`,
    ],
    [
      'R003-8 Q-8b neither is enough: both ends obey both limits, with the marker of the characters',
      `${'\n'.repeat(600)}${'x'.repeat(2000)}`,
      tool(1000, 20),
      `${'\n'.repeat(7)}\n\n... [截断 2233 字符] ...\n\n${'x'.repeat(360)}`,
    ],
    ['Q-26 a character outside the basic plane counts once', '😀'.repeat(8000), cap(8000), '😀'.repeat(8000)],
    [
      'Q-26 and is never split',
      '😀'.repeat(1001),
      cap(1000),
      `${'😀'.repeat(320)}\n\n... [截断了 361 字符 / 0 行] ...\n\n${'😀'.repeat(320)}`,
    ],
    [
      'Q-26 half a character stays unchanged',
      `${'\ud83d'.repeat(600)}${'\ude00'.repeat(600)}`,
      cap(1000),
      `${'\ud83d'.repeat(320)}\n\n... [截断了 559 字符 / 0 行] ...\n\n${'\ude00'.repeat(320)}`,
    ],
    ['Q-7 a limit too small for its reserve keeps the head', 'abcdef'.repeat(100), cap(200), 'abcdef'.repeat(100).slice(0, 200)],
    ['Q-7 of one character', 'abcdef', cap(1), 'a'],
    ['Q-7 of zero characters', 'abcdef', cap(0), ''],
    ['Q-7 of two lines', 'a\nb\nc', cap(100, 2), 'a\nb'],
    ['a negative limit leaves nothing', 'abc', cap(-5), ''],
    [
      'R003-19 head_only keeps the head and the marker',
      'x'.repeat(2000),
      { ...cap(1000), strategy: 'head_only' },
      `${'x'.repeat(800)}\n\n... [截断了 1200 字符 / 0 行] ...\n\n`,
    ],
    [
      'R003-19 head_only by lines',
      numbered(20).join('\n'),
      { ...cap(1000, 5), strategy: 'head_only' },
      `${numbered(3).join('\n')}\n... [截断 17 行] ...\n`,
    ],
    [
      'R003-19 summarize cuts like head_tail without a model',
      'x'.repeat(6000),
      { ...tool(5000), strategy: 'summarize' },
      `${'x'.repeat(1960)}\n\n... [截断 2080 字符] ...\n\n${'x'.repeat(1960)}`,
    ],
  ] as const)('%s', (_, text, limit, expected) => {
    expect(truncate(text, limit).text).toBe(expected)
  })

  it('Q-7 counts an empty line at the end of the head as shown', () => {
    const text = ['a', '', ...numbered(20)].join('\n')
    expect(truncate(text, cap(8000, 6)).text).toBe('a\n\n... [截断 18 行] ...\nline 19\nline 20')
  })

  it('Q-7 removes more lines if the marker is longer than one of them', () => {
    const { text } = truncate('\n'.repeat(501), cap(8000, 500))
    const [, head = '', gone = '', tail = ''] = /^(\n+)\.\.\. \[截断 (\d+) 行\] \.\.\.(\n+)$/.exec(text) ?? []
    expect(text.length).toBeLessThan(501)
    expect(head.length + Number(gone) + tail.length).toBe(501)
  })

  it.each([
    ['NaN characters', cap(Number.NaN), 'maxChars: expected a number, got NaN'],
    ['NaN lines', cap(100, Number.NaN), 'maxLines: expected a number, got NaN'],
    ['characters as a text', cap('many' as unknown as number), 'maxChars: expected a number, got many'],
  ])('rejects a limit that is not a number: %s', (_, limit, message) => {
    expect(() => truncate('x'.repeat(9000), limit)).toThrow(new RangeError(message))
    expect(() => fits('x'.repeat(9000), limit)).toThrow(new RangeError(message))
  })

  it('R003-7 R003-19 uses defaults of 8000 characters, 500 lines, head and tail', () => {
    expect(defaultConfig.tool_output_limits.default).toEqual({
      max_chars: 8000,
      max_lines: 500,
      truncation_strategy: 'head_tail',
    })
  })

  it('cuts a 50 MB line without a newline', () => {
    const { text, charsBefore } = truncate('x'.repeat(50_000_000), cap(1000))
    expect({ text, charsBefore }).toEqual({
      text: `${'x'.repeat(320)}\n\n... [截断了 49999360 字符 / 0 行] ...\n\n${'x'.repeat(320)}`,
      charsBefore: 50_000_000,
    })
  })
})

describe('truncate, the limit that applied', () => {
  it.each<readonly [string, string, Limit, 'cap' | 'tool' | null]>([
    ['nothing', 'x', cap(10), null],
    ['the characters of the cap', 'x'.repeat(2000), cap(1000), 'cap'],
    ['the characters of the tool', 'x'.repeat(2000), tool(1000), 'tool'],
    ['the lines of the cap', numbered(50).join('\n'), cap(1000, 10), 'cap'],
    ['the lines of the tool', numbered(50).join('\n'), { ...cap(1000, 10), linesBy: 'tool' }, 'tool'],
    ['the characters of the cap, lines allowed by the tool', 'x'.repeat(2000), { ...cap(1000, 10), linesBy: 'tool' }, 'cap'],
    ['both, one of them the tool’s', `${'\n'.repeat(600)}${'x'.repeat(2000)}`, { ...cap(1000, 20), linesBy: 'tool' }, 'tool'],
    ['characters too few for a marker', 'x'.repeat(200), tool(50), 'tool'],
    ['lines too few for a marker', 'a\nb\nc', { ...cap(100, 2), linesBy: 'tool' }, 'tool'],
    ['a collapsed text', 'same line\n'.repeat(50), { ...tool(1000, 10), linesBy: 'cap', strategy: 'collapse' }, 'cap'],
    ['a structured text', JSON.stringify(numbered(500)), { ...tool(1000), strategy: 'structured' }, 'tool'],
  ])('Q-25b reports whose limit cut: %s', (_, given, limit, expected) => {
    expect(truncate(given, limit).limitedBy).toBe(expected)
  })
})
