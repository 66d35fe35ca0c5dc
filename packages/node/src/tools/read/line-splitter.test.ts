import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLineSplitter } from './read-lines.ts'

it('gives the lines of a text whatever the pieces it comes in', () => {
  let split = 0
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(40)), (words, cuts) => {
      const lines = words.map((word) => word.replaceAll('\n', ' '))
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const splitter = createLineSplitter(10_000)
      const found: string[] = []
      let at = 0
      for (const cut of [...cuts, bytes.byteLength]) {
        const piece = bytes.subarray(at, at + cut)
        if (piece.byteLength > 0 && piece.at(-1) !== 0x0a) split += 1
        found.push(...splitter.add(piece))
        at += cut
      }
      expect(found).toEqual(lines)
    }),
  )
  expect(split).toBeGreaterThan(20)
})

it('refuses a line that is too long, in one piece or in many', () => {
  expect(() => createLineSplitter(3).add(Buffer.from('abcd\n'))).toThrow('a line of more than 3 bytes')
  const splitter = createLineSplitter(3)
  expect(splitter.add(Buffer.from('ab'))).toEqual([])
  expect(() => splitter.add(Buffer.from('cd'))).toThrow('a line of more than 3 bytes')
  expect(createLineSplitter(3).add(Buffer.from('abc\nabc\n'))).toEqual(['abc', 'abc'])
})
