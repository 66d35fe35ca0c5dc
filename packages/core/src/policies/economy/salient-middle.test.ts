import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { salientMiddle } from './cut-output.ts'

const all = 10_000
/** The lines kept of a text without line numbers. */
const kept = (text: string, characters = all) => salientMiddle({ text, firstLine: null }, characters)

describe('salientMiddle', () => {
  const [warning, total, path, definition, detail, failure] = [
    'warning: old',
    '12 passed',
    'see src/a.ts',
    'function f() {',
    'assert x > 1',
    'Error: boom',
  ]
  const text = [warning, total, 'words', path, definition, detail, failure].join('\n')
  it.each<[room: number, lines: readonly string[]]>([
    [9, []],
    [11, [total]],
    [12, [failure]],
    [13, [failure]],
    [24, [total, failure]],
    [25, [detail, failure]],
    [40, [definition, detail, failure]],
    [53, [path, definition, detail, failure]],
    [63, [total, path, definition, detail, failure]],
    [66, [warning, path, definition, detail, failure]],
    [76, [warning, total, path, definition, detail, failure]],
    [all, [warning, total, path, definition, detail, failure]],
  ])('keeps in %i characters failures, then definitions, paths and the rest, in text order', (room, lines) => {
    expect(kept(text, room)).toEqual(lines)
  })

  it('prefers own frames to those in libraries, and names no file of a test that passed', () => {
    const own = '    at checkout (/srv/app/src/cart.ts:12:9)'
    const library = '    at step (/srv/app/node_modules/express/router.js:9:5)'
    const passed = [' ✓ test/a.test.ts > adds 3ms', 'PASS test/b.test.ts', '--- PASS: TestSum (0.01s)', 'test cart::adds ... ok']
    const trace = [...passed, 'TypeError: x is not a function', library, own].join('\n')
    expect(kept(trace)).toEqual(['TypeError: x is not a function', library, own])
    expect(kept(trace, 80)).toEqual(['TypeError: x is not a function', own])
  })

  it('names a single code of which no line fits', () => {
    const line = (code: string) => `src/a.py:3:1: ${code} ${'word '.repeat(20)}`
    const both = [line('E501'), line('F401')].map((text) => text.trimEnd())
    expect(kept(both.join('\n'), 165)).toEqual([both[0], 'also: F401'])
    expect(kept(both.join('\n'), 2 * ((both[0] ?? '').length + 1))).toEqual(both)
  })

  it('takes the first line of each code before more lines of one', () => {
    const line = (code: string, at: number) => `src/a.py:${at}:1: ${code} some words`
    const text = [...Array.from({ length: 8 }, (_, index) => line('E501', index + 1)), line('F401', 9)].join('\n')
    const room = 4 * (line('F401', 9).length + 1)
    expect(kept(text, room)).toEqual([line('E501', 1), line('E501', 2), line('E501', 3), line('F401', 9)])
  })

  it('keeps the name of a failing test that no other word names', () => {
    expect(kept('words\n  1) removes an empty line\nwords')).toEqual(['  1) removes an empty line'])
  })

  it('keeps of a failing test that is named twice the last line, and none of one that is named with its suites', () => {
    expect(kept('FAILED test/a.py::adds\nwords\ntest/a.py::adds FAILED\nFAILED test/a.py::removes')).toEqual([
      'test/a.py::adds FAILED',
      'FAILED test/a.py::removes',
    ])
    expect(kept('  1) adds a line\nwords\n ✗ cart > adds a line\n  2) removes')).toEqual([
      ' ✗ cart > adds a line',
      '  2) removes',
    ])
  })

  it('names a failing test of which no line fits', () => {
    expect(kept(`words\nFAILED test/a.py::adds ${'word '.repeat(60)}`, 100)).toEqual(['also: test/a.py::adds'])
  })

  it('keeps once what differs in an address', () => {
    expect(kept('Error: at 0x7ffd12ab in main\nError: at 0x55AA0011 in main\nError: at  in main')).toEqual([
      'Error: at 0x7ffd12ab in main',
      'Error: at  in main',
    ])
  })

  it('gives lines unlike others half of the room, to the character', () => {
    const lines = Array.from({ length: 14 }, (_, index) => `Linked ${'abcdefghijklmn'.charAt(index).repeat(4 + index)} here`)
    const startOf = (index: number) => lines.slice(0, index).join('').length + index
    const odd = lines.map((line, index) => ({
      start: startOf(index),
      end: startOf(index) + line.length,
      line: index + 1,
      text: line,
    }))
    expect(salientMiddle({ text: lines.join('\n'), firstLine: null, odd }, 189)).toEqual(lines.slice(0, 4))
  })

  it('keeps a line unlike others in its place', () => {
    const odd = [{ start: 0, end: 9, line: 1, text: 'words two' }]
    expect(salientMiddle({ text: 'words two\nError: x\n', firstLine: 1, odd }, all)).toEqual(['1: words two', '2: Error: x'])
  })

  it('numbers the last line of a long text without a newline at its end', () => {
    const text = `${`${'x'.repeat(3999)}\n`.repeat(150)}Error: last`
    expect(salientMiddle({ text, firstLine: 1 }, all)).toEqual(['151: Error: last'])
  })

  it('numbers lines if the first line number is known', () => {
    const middle = { text: 'Error: a\n\nwords\nError: b\n', firstLine: 41 }
    expect(salientMiddle(middle, all)).toEqual(['41: Error: a', '44: Error: b'])
  })

  it('keeps lines once that differ only in indentation', () => {
    const middle = { text: 'Error: a\n  Error: a\nError: b\n\tError: b\nError: a', firstLine: 1 }
    expect(salientMiddle(middle, all)).toEqual(['1: Error: a', '3: Error: b'])
  })

  it('keeps a line that is unlike the others, but no blank one', () => {
    const odd = [
      { start: 6, end: 9, line: 2, text: '   ' },
      { start: 10, end: 19, line: 3, text: 'words two' },
    ]
    expect(salientMiddle({ text: 'words\n   \nwords two\n', firstLine: 1, odd }, all)).toEqual(['3: words two'])
  })

  it('prefers what may be a failure, and values that were compared, to totals, warnings and names', () => {
    expect(kept('see src/a.ts\nthe upload may fail', 22)).toEqual(['the upload may fail'])
    expect(kept('12 tests\nthe upload may fail\nwarning: old', 21)).toEqual(['the upload may fail'])
  })

  it('takes values beside a warning for less than a name of code', () => {
    expect(kept('  expected: 3 warnings\nsee src/a.ts\nclass A {', 25)).toEqual(['see src/a.ts', 'class A {'])
  })

  it('shows a line as a terminal would', () => {
    expect(kept('\x1b[31mError: red\x1b[0m\r\n10 %\r100 % failed')).toEqual(['Error: red', '100 % failed'])
  })

  it('keeps a word of two characters, but no single character', () => {
    expect(kept('失败\n✗\nOOM')).toEqual(['失败', 'OOM'])
  })

  it('shows the text around the reason in a long line, or its start', () => {
    expect(kept(`${'x '.repeat(300)}Error: boom ${'y '.repeat(300)}`)).toEqual([
      `…${'x '.repeat(24)}Error: boom ${'y '.repeat(69)}…`,
    ])
    expect(kept(`function f(${'a, '.repeat(200)})`)).toEqual([`function f(${'a, '.repeat(62)}a,…`])
  })

  it('ignores a path far into a line', () => {
    expect(kept(`${'x '.repeat(246)}src/a.ts`)).toHaveLength(1)
    expect(kept(`${'x '.repeat(250)}src/a.ts`)).toEqual([])
  })
})

describe('salientMiddle, a very long line', () => {
  const filler = 'x'.repeat(4096)

  it('is split at escaped newlines, as in a log inside JSON', () => {
    const line = ['3 passed', filler, 'Error: inside', 'words'].join('\\n')
    const middle = { text: `Error: before\n${line}\nError: behind`, firstLine: 1 }
    expect(salientMiddle(middle, all)).toEqual(['1: Error: before', '2: 3 passed', '2: Error: inside', '3: Error: behind'])
  })

  it.each<[where: string, between: string, found: string]>([
    ['after records', '{"id":1,"state":"ok"},', '{"id":7,"error":"disk gone"},'],
    ['after sentences', 'widget 1 is fine. ', ' Error: disk gone.'],
    ['after semicolons', 'widget 1 is fine; ', ' Error: disk gone;'],
    ['between tags', '<row id="1" state="ok"/>', '<row state="Error: disk gone"/>'],
    ['after 300 characters at a blank', 'word '.repeat(7), ' Error: disk gone'],
  ])('is split %s', (_, between, found) => {
    expect(kept(`${between.repeat(300)}${found}${between.repeat(300)}`)[0]).toContain(found.trim())
  })

  it('has what begins where a part ends in the next part alone', () => {
    expect(kept(`${'y'.repeat(300)} ${'z'.repeat(299)} Error: disk gone ${'word '.repeat(900)}`)).toHaveLength(1)
  })

  it('has more than 4,096 characters', () => {
    const line = (length: number) => `Error: a\\n${'x'.repeat(length)}`.slice(0, length)
    expect(kept(line(4096))).toEqual([`Error: a\\n${'x'.repeat(189)}…`])
    expect(kept(line(4097))).toEqual(['Error: a'])
    expect(kept(`${filler}\nError: a\\nb`)).toEqual(['Error: a\\nb'])
  })

  it('is read to its end', () => {
    expect(kept(`Error: near\\n${'x'.repeat(1_500_000)}\\nError: far\\n${'x'.repeat(1_500_000)}`)).toEqual([
      'Error: near',
      'Error: far',
    ])
  })
})

describe('salientMiddle, in more than a million characters', () => {
  const far = 500_000
  /** This many characters in lines of 4,000 without anything salient: 125 for half a million. */
  const filler = (length: number) =>
    `${`${'x'.repeat(3999)}\n`.repeat(Math.floor(length / 4000))}${length % 4000 === 0 ? '' : `${'x'.repeat((length % 4000) - 1)}\n`}`
  const head = `Error: first\n${filler(far - 13)}`
  const numbered = (text: string) => salientMiddle({ text, firstLine: 10 }, all)

  it('reads half a million at each end in full, and finds lines with salient words between them, with their numbers', () => {
    const between = `Error: between\nsrc/between.ts\n${filler(1000)}Error: between, too\n`
    const tail = `Error: behind\n${filler(far - 25)}src/last.ts`
    expect(numbered(head + between + tail)).toEqual([
      '10: Error: first',
      '136: Error: between',
      '139: Error: between, too',
      '140: Error: behind',
      '266: src/last.ts',
    ])
  })

  it('names one of many lines that differ in numbers between the ends, and each that differs in more', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `Error: disk ${index} gone\n`)
    many[12_345] = 'Error: fan 7 gone\n'
    expect(numbered(`${head}${filler(1000)}${many.join('')}${filler(far * 2)}`)).toEqual([
      '10: Error: first',
      '137: Error: disk 0 gone',
      '12482: Error: fan 7 gone',
    ])
  })

  it('finds lines after one that spans the middle', () => {
    const line = (length: number) => `${'x'.repeat(length - 1)}\n`
    expect(numbered(`${line(far + 1000)}Error: behind\n${'x'.repeat(far - 14)}`)).toEqual(['11: Error: behind'])
  })

  it('reads exactly a million characters in full', () => {
    expect(numbered(`${head}src/middle.ts\n${filler(far - 14)}`)).toEqual(['10: Error: first', '136: src/middle.ts'])
    expect(numbered(`${head}src/middle.ts\n${filler(far)}`)).toEqual(['10: Error: first'])
  })

  it.each<[name: string, before: string, found: readonly string[]]>([
    ['at the start of a line that it would split', `${filler(far - 16)}src/own.ts\nwords zz\n`, ['135: src/own.ts']],
    ['before a line that ends there', `${filler(far - 10)}src/own.ts\n`, []],
    ['before a line of 4,096 characters up to there', `${filler(far - 4096)}src/own.ts ${'y'.repeat(4085)}\n`, []],
    ['within a longer line', `${filler(far - 4097)}src/own.ts ${'y'.repeat(4085)}zz\n`, ['134: src/own.ts yyy']],
  ])('ends what it reads in full %s', (_, before, found) => {
    const kept = numbered(`${before}${filler(far)}${'z'.repeat(5000)}\n`)
    expect(kept.map((line) => line.slice(0, 19).trim())).toEqual(found)
  })
})

it('shows lines of the text in order, and names every code and failing test if there is room for their names', () => {
  const line = fc.oneof(
    fc.nat(99).map((index) => `    ✕ adds ${index}`),
    fc.nat(99).map((index) => `src/a.ts(1,2): error TS${2000 + index}: ${'words '.repeat(9)}end`),
    fc.constantFrom('Error: boom', '    at own (/srv/a.ts:1:2)', 'words', 'warning: old', '3 passed'),
  )
  let named = 0
  fc.assert(
    fc.property(fc.array(line, { minLength: 10, maxLength: 40 }), fc.integer({ min: 300, max: 1500 }), (lines, characters) => {
      const shown = kept(lines.join('\n'), characters)
      expect(shown.join('\n').length).toBeLessThanOrEqual(characters)
      const names = lines.flatMap((one) => /adds \d+|TS\d+/.exec(one)?.[0] ?? [])
      const isOf = (one: string) => !one.startsWith('also: ')
      const places = shown.filter(isOf).map((one) => lines.findIndex((given) => given === one))
      expect(places).not.toContain(-1)
      if (names.join(' ').length + 60 < characters * 0.35) {
        named += names.length
        for (const name of names) expect(shown.join('\n')).toContain(name)
      }
    }),
    { seed: 7, numRuns: 80 },
  )
  expect(named).toBeGreaterThan(100)
})
