import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandRepeatedBlocks, nameRepeatedBlocks } from './repeated-blocks.ts'

const block = (name: string) => [1, 2, 3, 4].map((at) => `${name} ${at}: ${'word '.repeat(12)}`).join('\n')

describe('nameRepeatedBlocks', () => {
  it('names a block that is shown further up', () => {
    const text = `start\n${block('warning')}\nmiddle\n${block('warning')}\nend`
    const mark = '[the same 4 lines as from line 2: warning 1: word word word word word word word word word wor…]'
    expect(nameRepeatedBlocks(text)).toBe(`start\n${block('warning')}\nmiddle\n${mark}\nend`)
  })

  it.each<[name: string, text: string]>([
    ['a text without repeats', block('warning')],
    ['a short block', 'a1\na2\na3\nb\na1\na2\na3'],
    ['a text with a mark of its own', `[the same 4 lines as from line 1: x]\n${block('warning')}\n${block('warning')}`],
    ['an empty text', ''],
  ])('leaves %s alone', (_name, text) => {
    expect(nameRepeatedBlocks(text)).toBeNull()
  })

  it('can be expanded to the same text', () => {
    const piece = fc.constantFrom(block('a'), block('b'), 'x', '', '7→x', '[the same 2 lines as from line 1: ', '12\tcode')
    let named = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = pieces.join('\n')
        const shown = nameRepeatedBlocks(text)
        if (shown === null) return
        named += 1
        expect(expandRepeatedBlocks(shown)).toBe(text)
        expect(shown.length).toBeLessThan(text.length)
      }),
      { numRuns: 300 },
    )
    expect(named).toBeGreaterThan(20)
  })
})
