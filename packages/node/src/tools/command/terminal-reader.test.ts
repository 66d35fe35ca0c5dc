import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTerminalReader, redactedPieces } from './terminal-reader.ts'

function read(bytes: Buffer, sizes: readonly number[]): string {
  const reader = createTerminalReader()
  let text = ''
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const end = start + (sizes[turn % sizes.length] ?? 1)
    text += reader.read('stdout', bytes.subarray(start, end))
    start = end
  }
  return text + reader.end()
}

describe('what a terminal would show', () => {
  it('does not depend on where one piece ends and the next begins', () => {
    let folded = 0
    const words = fc.constantFrom('word ', 'ö漢🦀', '\n', '\r', '\r\n', '\b', '\u001b[31m', '\u001b[2K', '\u0000', '50%')
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (some, sizes) => {
          const bytes = Buffer.from(some.join(''))
          const whole = read(bytes, [bytes.length + 1])
          if (whole.length < some.join('').length) folded += 1
          expect(read(bytes, sizes)).toBe(whole)
        },
      ),
    )
    expect(folded).toBeGreaterThan(10)
  })

  it('is the last state of a progress bar that never ends its line', () => {
    const bar = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `\r${index} of 200000`).join(''))
    expect(read(bar, [65_536])).toBe('199999 of 200000')
  })

  it('is the line itself if it never ends', () => {
    expect(read(Buffer.alloc(3_000_000, 'x'), [65_536])).toBe('x'.repeat(3_000_000))
  })

  it('reports whether there were bytes that are not text', () => {
    const binary = (bytes: Buffer) => {
      const reader = createTerminalReader()
      reader.read('stderr', bytes)
      reader.end()
      return reader.isBinary()
    }
    expect(
      [Buffer.from('größe\n'), Buffer.from([65, 0, 66]), Buffer.from([65, 255]), Buffer.from([0xe6, 0xbc])].map(binary),
    ).toEqual([false, true, true, true])
  })
})

describe('a redacted text that comes in pieces', () => {
  const redact = (text: string) =>
    text.replaceAll(/secret=\w+/g, '[gone]').replaceAll(/-----BEGIN K-----[^-]*-----END K-----/g, '[key]')

  it('is the redacted text, whatever the pieces', () => {
    let blanked = 0
    const line = fc.constantFrom(
      'a line of it\n',
      'secret=abc\n',
      `-----BEGIN K-----\n${'abc\n'.repeat(1000)}-----END K-----\n`,
      '🦀\n',
    )
    fc.assert(
      fc.property(fc.array(line, { minLength: 100, maxLength: 300 }), fc.integer({ min: 1000, max: 200_000 }), (lines, size) => {
        const text = lines.join('')
        const pieces = redactedPieces(redact)
        let clean = ''
        for (let start = 0; start < text.length; start += size) clean += pieces.write(text.slice(start, start + size))
        clean += pieces.end()
        if (text.length > 150_000 && clean.includes('[key]')) blanked += 1
        expect(clean === redact(text)).toBe(true)
      }),
      { numRuns: 60 },
    )
    expect(blanked).toBeGreaterThan(0)
  })

  it('has nothing of a key whose last line comes in two pieces', () => {
    const pieces = redactedPieces(redact)
    const before = 'a line of it\n'.repeat(10_500)
    const clean = pieces.write(`${before}-----BEGIN K-----\nabc\n-----END `) + pieces.write('K-----\nand on\n') + pieces.end()
    expect(clean === `${before}[key]\nand on\n`).toBe(true)
  })

  it('is cut between characters if one line never ends', () => {
    const pieces = redactedPieces(redact)
    const text = `${'🦀'.repeat(100_000)}x`
    let clean = ''
    for (let start = 0; start < text.length; start += 4001) {
      const piece = pieces.write(text.slice(start, start + 4001))
      expect(piece.isWellFormed() || start % 2 === 1).toBe(true)
      clean += piece
    }
    expect(clean + pieces.end() === text).toBe(true)
  })
})
