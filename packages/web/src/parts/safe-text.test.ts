import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginningOf, maxLine, terminalLines, visibleLine, visibleText } from './safe-text.ts'

describe('visibleText', () => {
  it.each([
    ['escape sequences', '\u001b[31mred', '\\u001b[31mred'],
    ['marks that turn text around', 'a\u202eb', 'a\\u202eb'],
    ['characters without width', 'a\u200bb', 'a\\u200bb'],
    ['a return that would write over', 'good\rbad', 'good\\u000dbad'],
    ['line ends and tabs as they are', 'a\r\n\tb\n', 'a\n\tb\n'],
    ['all other languages as they are', '中文 é 🚢', '中文 é 🚢'],
  ])('shows %s', (_name, text, shown) => expect(visibleText(text)).toBe(shown))
})

describe('visibleLine', () => {
  it('is one line, cut at its end', () => {
    expect(visibleLine(' a\n  b\u0007 ', 20)).toBe('a b\\u0007')
    expect(visibleLine('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`)
  })
})

describe('terminalLines', () => {
  it('shows the last lines as a terminal would', () => {
    expect(terminalLines('1\n\u001b[31m2\u001b[0m\n10%\r20%\n', 2)).toBe('2\n20%\n')
  })
})

describe('beginningOf', () => {
  it('loses nothing, and has no line that is too long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * maxLine }), fc.integer({ min: 1, max: 9000 }), (length, most) => {
        const text = 'x'.repeat(length)
        const { text: shown, more } = beginningOf(text, most)
        expect(shown.replaceAll('↵\n', '').length + more).toBe(length)
        expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(maxLine + 1)
      }),
    )
  })
})
