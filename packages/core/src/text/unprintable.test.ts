import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapedPieces, escapeUnprintable, unprintable } from './labels.ts'

describe('escapeUnprintable', () => {
  it.each([
    ['colours', '\u001b[31mred', '\\u001b[31mred'],
    ['eight-bit sequences', 'a\u009b5m', 'a\\u009b5m'],
    ['marks that turn the text around', 'a\u202egnp.exe\u2066', 'a\\u202egnp.exe\\u2066'],
    ['line ends of every kind', 'a\n\r\u0085\u2028b', 'a\\u000a\\u000d\\u0085\\u2028b'],
    ['invisible letters', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
    ['ordinary text', 'Grüße 港 👨‍👩‍👧 é', 'Grüße 港 👨‍👩‍👧 é'],
  ])('shows %s', (_name, text, shown) => expect(escapeUnprintable(text)).toBe(shown))

  const texts = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u001b', '\u007f', '\u009b', '\u2028', '\u202e', '\u2069', '\\', '"', '😀', '\u{e0041}', 'a'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  })

  it('leaves JSON equal, whole and in pieces of any size, with nothing unprintable in it', () => {
    let dirty = 0
    let cut = 0
    fc.assert(
      fc.property(fc.array(texts), fc.integer({ min: 1, max: 9 }), (value, size) => {
        const json = JSON.stringify(value)
        const escaped = escapeUnprintable(json)
        if (escaped !== json) dirty += 1
        expect(escaped.search(unprintable)).toBe(-1)
        expect(JSON.parse(escaped)).toEqual(value)
        const pieces = [...escapedPieces(json, size)]
        if (pieces.length > 1) cut += 1
        expect(pieces.join('')).toBe(escaped)
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
      }),
    )
    expect(Math.min(dirty, cut)).toBeGreaterThan(20)
  })

  it('escapes a hiding character after half a character at the end of a piece', () => {
    const text = `\udb40${String.fromCodePoint(0xe0041)}`
    expect([...escapedPieces(text, 1)]).toEqual(['\udb40', '\\udb40\\udc41'])
    expect(escapeUnprintable(text)).toBe('\udb40\\udb40\\udc41')
  })
})
