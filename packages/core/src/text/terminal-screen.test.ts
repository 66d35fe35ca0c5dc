import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasTerminalCodes, plainLines, screenText } from './terminal-screen.ts'

const up = (rows: number) => `\u001b[${rows}A`
const eraseLine = '\u001b[2K'

describe('screenText', () => {
  it.each<[name: string, text: string, shown: string]>([
    ['plain text', 'a\nb\n', 'a\nb\n'],
    ['colours', '\u001b[31mfailed\u001b[0m\nok\n', 'failed\nok\n'],
    ['lines that end as on Windows', 'a\r\nb\r\n', 'a\nb\n'],
    ['progress on one line', 'start\n10%\r50%\r100%\ndone', 'start\n100%\ndone'],
    ['a line that was erased and written again', `building 1\r${eraseLine}building 2\r${eraseLine}built\n`, 'built\n'],
    ['progress over several lines', `a 1\nb 1\n${up(2)}${eraseLine}a 2\n${eraseLine}b 2\n`, 'a 2\nb 2\n'],
    ['progress that was removed at its end', `a 1\nb 1\n${up(2)}\u001b[Jdone\n`, 'done\n'],
    ['lines up to the start of the line', 'one\ntwo\u001b[1Fx', 'xne\ntwo'],
    ['a saved place', '\u001b7old\nmore\u001b8new', 'new\nmore'],
    ['text before the screen was cleared, which stays', 'first\n\u001b[2J\u001b[Hsecond', 'first\nsecond'],
    ['moves above the first line', `${up(99)}a\n${up(99)}b`, 'b'],
    ['moves below the last line', 'a\n\u001b[99Bb', 'a\nb'],
    ['keyboard protocols, which move nothing', 'a\nb\u001b[>1u\u001b[?u\u001b[<uc\u001b[1A', 'a\nbc'],
  ])('%s', (_name, text, shown) => {
    expect(screenText(text)).toBe(shown)
  })

  it('leaves no escape sequence and no return, and does nothing a second time', () => {
    const piece = fc.constantFrom(
      ...['a', 'bc', ' ', '\n', '\r', '\b', '\u001b[31m', '\u001b[1A', '\u001b[2K', '\u001b[J', '\u001b[H', '\u001b7', '\u001b8'],
      ...['\u001b', '\u009b', '[', '2', 'K', '\u001b]0;t\u0007', '\u001b[3G', '\u001b[2D'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        for (const shown of [screenText(text), plainLines(text)]) {
          expect(hasTerminalCodes(shown)).toBe(false)
          expect(screenText(shown)).toBe(shown)
        }
        expect(plainLines(text).split('\n')).toHaveLength(text.split('\n').length)
      }),
      { numRuns: 300 },
    )
  })

  it('needs memory in proportion to a text that moves up from long lines', () => {
    const rows = 20_000
    const text = `${'\n'.repeat(rows)}${'x'.repeat(100_000)}${`${up(1)}y`.repeat(rows)}`
    expect(screenText(text).length).toBeLessThan(text.length)
  })

  it('strips a line that no terminal has', () => {
    const long = 'x'.repeat(2_000_001)
    expect(screenText(`\u001b[31m${long}\r${long}\u001b[0m`) === long + long).toBe(true)
  })
})
