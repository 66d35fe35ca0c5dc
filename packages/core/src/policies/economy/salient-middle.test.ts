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
    expect(kept([line('E501'), line('F401')].join('\n'), 165)).toEqual([line('E501').trimEnd(), 'also: F401'])
  })

  it('numbers lines if the first line number is known', () => {
    const middle = { text: 'Error: a\n\nwords\nError: b\n', firstLine: 41 }
    expect(salientMiddle(middle, all)).toEqual(['41: Error: a', '44: Error: b'])
  })

  it('keeps lines once that differ only in indentation', () => {
    const middle = { text: 'Error: a\n  Error: a\nError: b\n\tError: b\nError: a', firstLine: 1 }
    expect(salientMiddle(middle, all)).toEqual(['1: Error: a', '3: Error: b'])
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
  /** A line of this length without anything salient. */
  const filler = (length: number) => `${'x'.repeat(length - 1)}\n`
  const head = `Error: first\n${filler(far - 13)}`
  const numbered = (text: string) => salientMiddle({ text, firstLine: 10 }, all)

  it('reads half a million at each end in full, and finds lines with salient words between them, with their numbers', () => {
    const between = `Error: between\nsrc/between.ts\n${filler(1000)}Error: between, too\n`
    const tail = `Error: behind\n${filler(far - 25)}src/last.ts`
    expect(numbered(head + between + tail)).toEqual([
      '10: Error: first',
      '12: Error: between',
      '15: Error: between, too',
      '16: Error: behind',
      '18: src/last.ts',
    ])
  })

  it('names one of many lines that differ in numbers between the ends, and each that differs in more', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `Error: disk ${index} gone\n`)
    many[12_345] = 'Error: fan 7 gone\n'
    expect(numbered(`${head}${filler(1000)}${many.join('')}${filler(far * 2)}`)).toEqual([
      '10: Error: first',
      '13: Error: disk 0 gone',
      '12358: Error: fan 7 gone',
    ])
  })

  it('finds lines after one that spans the middle', () => {
    expect(numbered(`${filler(far + 1000)}Error: behind\n${'x'.repeat(far - 14)}`)).toEqual(['11: Error: behind'])
  })

  it('reads exactly a million characters in full', () => {
    expect(numbered(`${head}Error: middle\n${filler(far - 14)}`)).toEqual(['10: Error: first', '12: Error: middle'])
  })
})
