import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from './text.ts'

describe('cleanText', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a title', '\u001b]0;owned\u0007name', 'name'],
    ['a link', '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a device string', 'a\u001bPq#0\u001b\\b', 'ab'],
    ['8-bit sequences', 'a\u009b31mb\u009d0;t\u009cc', 'abc'],
    ['an unfinished sequence', 'a\u001b[31', 'a'],
    ['cursor movement and clearing', 'a\u001b[2J\u001b[Hb\u001bc', 'ab'],
    ['line ends and tabs', 'one\r\ntwo\tthree\u2028four', 'one two three four'],
    ['bells, backspaces and zeros', 'a\u0007\bb\u0000', 'ab'],
    ['direction marks', 'a\u202egnp.exe\u202c', 'agnp.exe'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['ordinary text', 'Grüße 港 😀 é', 'Grüße 港 😀 é'],
  ])('cleans %s', (_name, text, clean) => expect(cleanText(text)).toBe(clean))

  it('never lets a control character through', () => {
    let dirty = 0
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('\u001b', '[', ']', 'P', '\u0007', '\\', '\u009b', 'm', ';', '\n'),
            fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          ),
        }),
        (text) => {
          if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) dirty += 1
          expect(cleanText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        },
      ),
    )
    expect(dirty).toBeGreaterThan(20)
  })

  it('handles a very long text', () => expect(cleanText('\u001b]'.repeat(5_000_000)).length).toBeLessThan(2001))
})
