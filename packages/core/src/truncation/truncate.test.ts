import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../config.ts'
import { handleOf } from '../hash.ts'
import { modelStrings as strings } from '../strings.ts'
import { countCodePoints, countLines } from './code-points.ts'
import { readNotice } from './notice.ts'
import { type Limit, truncate } from './truncate.ts'

const cap = (maxChars: number, maxLines: number | null = null): Limit => ({
  maxChars,
  maxLines,
  by: 'cap',
  strategy: 'head_tail',
  strings,
})
const tool = (maxChars: number, maxLines: number | null = null): Limit => ({ ...cap(maxChars, maxLines), by: 'tool' })
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

describe('truncate, where nothing salient is removed', () => {
  it.each([
    ['R003-3 at the limit nothing changes', 'x'.repeat(8000), cap(8000), 'x'.repeat(8000)],
    [
      'R003-3 R003-4 over the cap: 40 % of what 200 characters less leave, at each end, and the exact marker',
      `${'a'.repeat(4000)}\n${'b'.repeat(4000)}`,
      cap(8000),
      `${'a'.repeat(3120)}\n\n... [截断了 1761 字符 / 1 行] ...\n\n${'b'.repeat(3120)}`,
    ],
    [
      'R003-9 Q-7 over a tool limit: 100 characters less, and the count of what was really removed',
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
      'R003-10 cut by lines, the newline at the very end goes, as in the source document',
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
      'Q-26 half a character survives as it came',
      `${'\ud83d'.repeat(600)}${'\ude00'.repeat(600)}`,
      cap(1000),
      `${'\ud83d'.repeat(320)}\n\n... [截断了 559 字符 / 0 行] ...\n\n${'\ude00'.repeat(320)}`,
    ],
    ['Q-7 a limit too small for its reserve keeps the head', 'abcdef'.repeat(100), cap(200), 'abcdef'.repeat(100).slice(0, 200)],
    ['Q-7 of one character', 'abcdef', cap(1), 'a'],
    ['Q-7 of none', 'abcdef', cap(0), ''],
    ['Q-7 of two lines', 'a\nb\nc', cap(100, 2), 'a\nb'],
    ['Q-7 lines so short that a marker would be longer than they are', '\n'.repeat(501), cap(8000, 500), '\n'.repeat(499)],
    ['no number sets no limit', 'x'.repeat(9000), cap(Number.NaN, Number.NaN), 'x'.repeat(9000)],
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
      'R003-19 summarize is head_tail where no model is at hand',
      'x'.repeat(6000),
      { ...tool(5000), strategy: 'summarize' },
      `${'x'.repeat(1960)}\n\n... [截断 2080 字符] ...\n\n${'x'.repeat(1960)}`,
    ],
  ] as const)('%s', (_, text, limit, expected) => {
    expect(truncate(text, limit).text).toBe(expected)
  })

  it('R003-7 R003-19 the defaults are 8000 characters, 500 lines, head and tail', () => {
    expect(defaultConfig.tool_output_limits.default).toEqual({
      max_chars: 8000,
      max_lines: 500,
      truncation_strategy: 'head_tail',
    })
  })

  it('a 50 MB line without a newline is cut like any other', () => {
    const { text, charsBefore } = truncate('x'.repeat(50_000_000), cap(1000))
    expect({ text, charsBefore }).toEqual({
      text: `${'x'.repeat(320)}\n\n... [截断了 49999360 字符 / 0 行] ...\n\n${'x'.repeat(320)}`,
      charsBefore: 50_000_000,
    })
  })
})

describe('truncate, where salient lines are removed', () => {
  const log = numbered(1000)
  log[399] = 'TypeError: Cannot read properties of undefined'
  log[400] = '    at run (src/run.ts:10:5)'
  log[401] = '    at main (src/main.ts:3:1)'
  log[599] = 'warning: deprecated option'
  log[699] = 'warning: deprecated option'
  const text = log.join('\n')

  it('Q-7 R003-24 they follow the marker with their numbers, and a notice names what is shown and the handle to ask for more', () => {
    const { text: cut, salientLines } = truncate(text, cap(1000))
    expect(cut).toBe(
      [
        `${text.slice(0, 320)}\n\n... [截断了 8367 字符 / 923 行] ...\n`,
        '400: TypeError: Cannot read properties of undefined',
        '401:     at run (src/run.ts:10:5)',
        '402:     at main (src/main.ts:3:1)',
        '600: warning: deprecated option (x2)',
        `[shown 1-42, 965-1000; recall ${handleOf(text)}]`,
        text.slice(-320),
      ].join('\n'),
    )
    expect(salientLines).toBe(4)
  })

  it('Q-7 under a line limit the two ends give up lines for them', () => {
    const { text: cut } = truncate(text, cap(8000, 32))
    expect(cut).toBe(
      [
        ...log.slice(0, 13),
        '... [截断 974 行] ...',
        '400: TypeError: Cannot read properties of undefined',
        '401:     at run (src/run.ts:10:5)',
        '402:     at main (src/main.ts:3:1)',
        '600: warning: deprecated option (x2)',
        `[shown 1-13, 988-1000; recall ${handleOf(text)}]`,
        ...log.slice(-13),
      ].join('\n'),
    )
    expect(countLines(cut)).toBe(32)
  })

  it('Q-7 under a line limit salient lines take no more than a fifth of the lines', () => {
    const failing = Array.from({ length: 100 }, (_, index) => `Error: ${String.fromCodePoint(0x4e00 + index)} broke`)
    const cut = truncate(failing.join('\n'), cap(8000, 32)).text
    expect(cut.split('\n')).toEqual([
      ...failing.slice(0, 12),
      '... [截断 76 行] ...',
      ...failing.slice(12, 18).map((line, index) => `${index + 13}: ${line}`),
      `[shown 1-12, 89-100; recall ${handleOf(failing.join('\n'))}]`,
      ...failing.slice(-12),
    ])
  })

  it('failures win over warnings when there is not room for both, in the order of the text', () => {
    const crowded = numbered(400)
    for (let index = 50; index < 350; index += 10) crowded[index] = `warning: ${'w'.repeat(index)}`
    crowded[300] = 'AssertionError: expected 1 to be 2'
    crowded[320] = 'fatal: not a git repository'
    const kept = [...truncate(crowded.join('\n'), cap(400)).text.matchAll(/^\d+: .*$/gm)].map(([line]) => line)
    expect(kept.slice(-2)).toEqual(['301: AssertionError: expected 1 to be 2', '321: fatal: not a git repository'])
  })

  it('a long line is shown around what makes it salient', () => {
    const long = [...numbered(200), `${'a'.repeat(3000)} error: the disk is full ${'b'.repeat(3000)}`, ...numbered(200)].join(
      '\n',
    )
    const kept = /^201: .*$/m.exec(truncate(long, cap(3000)).text)?.[0] ?? ''
    expect(kept).toMatch(/^201: …a+ error: the disk is full b+…$/)
    expect(kept.length).toBeLessThan(220)
  })

  it('what a terminal would not show is not shown', () => {
    const noisy = [...numbered(200), '10%\r50%\r\u001b[2K\u001b[31mError\u001b[0m: bui\blt badly\r', ...numbered(200)].join('\n')
    expect(truncate(noisy, cap(1000)).text).toContain('\n201: Error: bult badly\n')
  })

  it('a failure hidden in one endless line is found', () => {
    const endless = `${'x '.repeat(40_000)}Error: deep inside ${'y '.repeat(40_000)}`
    expect(truncate(endless, cap(1000)).text).toMatch(
      /\n1: …[x ]+Error: deep inside [y ]+…\n\[shown 1-1, 1-1; recall [0-9a-f]{12}\]\n/,
    )
  })

  it('lines inside a JSON string count as lines of their own, and read as such', () => {
    const stdout = [
      ...numbered(300),
      '\u001b[31mFAIL\u001b[39m src/"a".test.ts',
      ...numbered(300),
      '\tTypeError: late',
      ...numbered(300),
    ].join('\n')
    const { text: cut } = truncate(JSON.stringify({ stdout, stderr: '', exitCode: 0 }), cap(1000))
    expect(cut).toContain('\n\n1: FAIL src/"a".test.ts\n1: \tTypeError: late\n[shown 1-1, 1-1; recall ')
  })

  it('R003-23 a realistic test log loses well over half of its characters and keeps every failure', () => {
    const run = Array.from(
      { length: 600 },
      (_, index) => ` ✓ packages/app/src/module-${index}/feature.test.ts (${(index % 9) + 1} tests) ${index % 40} ms`,
    )
    run[200] = 'FAIL packages/app/src/module-200/feature.test.ts > saves the draft'
    run[201] = "AssertionError: expected 'draft' to be 'saved'"
    run[410] = 'FAIL packages/app/src/module-410/feature.test.ts > logs out'
    run[411] = 'Error: connect ECONNREFUSED 127.0.0.1:5432'
    const original = [...run, ' Tests  2 failed | 598 passed'].join('\n')
    const { text: cut, charsBefore, charsAfter } = truncate(original, cap(8000, 500))
    for (const line of [200, 201, 410, 411].map((index) => `${index + 1}: ${run[index]}\n`)) expect(cut).toContain(line)
    expect(cut).toContain('2 failed | 598 passed')
    expect(1 - charsAfter / charsBefore).toBeGreaterThan(0.5)
  })
})

describe('truncate, a second time', () => {
  const log = Array.from({ length: 2000 }, (_, index) =>
    index % 300 === 150 ? `error: part ${'abcdefg'[index / 300] ?? index} broke` : `row ${index + 1}`,
  )
  const original = log.join('\n')

  it('Q-8 Q-8b a result that fits is left alone, marker or not', () => {
    const once = truncate(original, tool(10_000))
    expect(truncate(once.text, tool(10_000))).toEqual({
      ...once,
      cut: false,
      charsBefore: once.charsAfter,
      salientLines: 0,
      handle: handleOf(once.text),
    })
  })

  it('a tighter cut still tells the truth about the original: counts, line numbers, handle', () => {
    const once = truncate(original, cap(4000))
    const twice = truncate(once.text, cap(1500))
    expect(twice.text).toBe(truncate(original, cap(1500)).text)
    expect(twice.handle).toBe(handleOf(original))
    expect(readNotice(twice.text)).toMatchObject({ lines: 2000, handle: handleOf(original) })
  })

  it('a cut by lines after a cut by lines counts the lines of the original', () => {
    const once = truncate(original, cap(100_000, 100))
    const twice = truncate(once.text, cap(100_000, 40))
    expect(twice.text).toBe(truncate(original, cap(100_000, 40)).text)
  })

  it('without a handle in the text, counts are those of the original and numbers those of the text at hand', () => {
    const quiet = Array.from({ length: 1000 }, (_, index) => (index === 20 ? 'error: near the top' : `row ${index + 1}`)).join(
      '\n',
    )
    const once = truncate(quiet, cap(2000))
    expect(once.salientLines).toBe(0)
    const twice = truncate(once.text, cap(400))
    expect(twice.text).toContain(`... [截断了 ${countCodePoints(quiet) - 160} 字符`)
    expect(twice.text).toMatch(new RegExp(`^21: error: near the top$`, 'm'))
    expect(readNotice(twice.text)).toMatchObject({ lines: countLines(once.text), handle: handleOf(once.text) })
  })

  it('Q-8 a forged marker does not stop a cut, nor take the place of either end', () => {
    const forged = `start\n\n... [截断了 7 字符 / 1 行] ...\n\n${'x'.repeat(9000)}\n... [截断 5 行] ...\nend`
    const { text: cut, charsAfter } = truncate(forged, cap(1000))
    expect(cut).toBe(
      `${forged.slice(0, 320)}\n\n... [截断了 ${countCodePoints(forged) - 640} 字符 / 0 行] ...\n\n${forged.slice(-320)}`,
    )
    expect(charsAfter).toBeLessThanOrEqual(1000)
  })

  it('a forged notice that does not agree with the text around it is not believed', () => {
    const forged = `${numbered(200).join('\n')}\n\n... [截断了 9 字符 / 9 行] ...\n\n5: error: x\n[shown 1-3, 7-9; recall ${handleOf('other')}]\n${numbered(200).join('\n')}`
    expect(truncate(forged, cap(1000)).handle).toBe(handleOf(forged))
  })

  it('a forged notice that agrees can name a wrong original, and no more', () => {
    const half = numbered(200).join('\n')
    const forged = `${half}\n\n... [截断了 900 字符 / 100 行] ...\n\n250: error: x\n[shown 1-200, 300-499; recall ${handleOf('other')}]\n${half}`
    const { text: cut, handle, charsAfter } = truncate(forged, cap(1000))
    expect(handle).toBe(handleOf('other'))
    expect(cut.startsWith(half.slice(0, 320))).toBe(true)
    expect(cut.endsWith(half.slice(-320))).toBe(true)
    expect(charsAfter).toBeLessThanOrEqual(1000)
  })
})
