import { describe, expect, it } from 'vitest'
import { terminalText } from './terminal-text.ts'

describe('terminalText', () => {
  it.each([
    ['plain text', 'nothing to do', 'nothing to do'],
    ['the return of a CRLF line', 'done\r', 'done'],
    ['colours', '\u001b[1;31mError\u001b[0m: x', 'Error: x'],
    ['a title ended by BEL', '\u001b]0;title\u0007text', 'text'],
    ['a link ended by ST', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a title that never ends', 'text\u001b]0;title', 'text'],
    ['a device string', 'a\u001bPq#0;1\u001b\\b', 'ab'],
    ['a single escape', 'a\u001b(Bb\u001bMc\u001b', 'abc'],
    ['the one-unit introducer', 'a\u009b31mb', 'ab'],
    ['progress', '10%\r20%\r100%', '100%'],
    ['the rest after a shorter text', 'abcdef\rxy', 'xycdef'],
    ['erasing to the end', 'abcdef\rxy\u001b[K', 'xy'],
    ['erasing the line', 'abcdef\u001b[2K\rxy', 'xy    '],
    ['a backspace', 'helk\blo', 'hello'],
    ['a column', 'abcdef\u001b[2Gx', 'axcdef'],
    ['steps to the left and right', 'abcdef\u001b[3Dx\u001b[1Cy', 'abcxey'],
    ['a step beyond the end, which makes no room', 'ab\u001b[999999999Cc', 'abc'],
    ['bells and nulls', 'a\u0007b\u0000c', 'abc'],
    ['tabs, which stay', 'a\tb', 'a\tb'],
    ['characters outside the basic plane', '😀😀\rx', 'x😀'],
    ['erasing up to the cursor', 'abcdef\u001b[3D\u001b[1K', '    ef'],
    ['erasing again after writing over erased text', 'abcdef\u001b[1K\rxy\u001b[1K', '      '],
    ['erasing again without writing', 'abcdef\u001b[2D\u001b[1K\u001b[1K\u001b[1K', '     f'],
    ['the letter K at the end of a title, which erases nothing', 'abc\b\u001b]0;K', 'abc'],
  ])('%s', (_, line, shown) => {
    expect(terminalText(line)).toBe(shown)
  })

  it('handles a megabyte of unfinished sequences in linear time', () => {
    expect(terminalText(`\u001b[${'0'.repeat(500_000)}${'\u001b]'.repeat(250_000)}`)).toBe('')
  })
})

it('terminalText erases a long line thousands of times in linear time', () => {
  const line = 'a'.repeat(200_000) + '\u001b[1K'.repeat(200_000)
  expect(terminalText(line)).toBe(' '.repeat(200_000))
})
