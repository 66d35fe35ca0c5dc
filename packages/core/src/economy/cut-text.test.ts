import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CutRoom, cutText } from './cut-text.ts'

const room: CutRoom = { characters: 400, headShare: 0.45, tailShare: 0.25, cutPaths: 80, handle: '0123456789ab', hasLines: true }
const numbered = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, index) => special[index + 1] ?? `line ${index + 1}`).join('\n')

describe('cutText', () => {
  it('keeps head and tail, and between them what matters with its line numbers, the paths and the way back', () => {
    const text = numbered(200, {
      90: 'TypeError: boom is not a function',
      95: 'export function compute(a: number) {',
      100: 'see src/deep/file.ts for more',
      110: 'done with src/deep/file.ts and src/other.ts',
    })
    expect(cutText(text, room)?.split('\n')).toEqual([
      ...Array.from({ length: 23 }, (_, index) => `line ${index + 1}`),
      '[cut]',
      '90: TypeError: boom is not a function',
      '95: export function compute(a: number) {',
      '100: see src/deep/file.ts for more',
      'paths: src/other.ts',
      '[shown 1-23, 190-200; recall 0123456789ab]',
      ...Array.from({ length: 11 }, (_, index) => `line ${index + 190}`),
    ])
  })

  it('cuts one endless line between characters', () => {
    const text = '😀'.repeat(2000)
    const cut = cutText(text, room) as string
    expect(cut.isWellFormed()).toBe(true)
    expect(cut.split('\n')).toEqual(['😀'.repeat(90), '[cut]', '[3,720 characters cut; recall 0123456789ab]', '😀'.repeat(50)])
  })

  it('finds the failure inside a log that is one line of JSON', () => {
    const text = JSON.stringify({ stdout: numbered(900, { 400: 'FAIL src/tax.test.ts: expected 41 to be 42' }) })
    expect(cutText(text, room)).toContain('\nFAIL src/tax.test.ts: expected 41 to be 42\n')
  })

  it.each([
    ['within its room', numbered(40)],
    [
      'hardly longer',
      Array.from({ length: 30 }, (_, index) => `error: ${index}`)
        .join('\n')
        .padEnd(430, 'x'),
    ],
  ])('leaves alone what is %s', (_, text) => {
    expect(cutText(text, room)).toBeNull()
  })

  it('numbers no lines of an extract, whose lines are not those of the original', () => {
    const cut = cutText(numbered(200, { 90: 'Error: boom' }), { ...room, hasLines: false }) as string
    expect(cut).toContain('\nError: boom\n')
    expect(cut).toMatch(/^\[[\d,]+ characters cut; recall 0123456789ab\]$/m)
  })

  it('is shorter, begins and ends as the text does, is not cut again, and never throws', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('error: x', 'src/a/b.ts', 'def f():', ''),
    )
    const texts = fc.array(line, { minLength: 10, maxLength: 80, size: 'max' }).map((lines) => lines.join('\n'))
    const shares = fc.constantFrom(0.45, 0.25, 0, 1, Number.NaN)
    let cuts = 0
    fc.assert(
      fc.property(texts, shares, shares, fc.nat(2000), (text, headShare, tailShare, characters) => {
        const given = { ...room, headShare, tailShare, characters }
        const cut = cutText(text, given)
        if (cut === null) return
        cuts += 1
        expect(cut.length).toBeLessThan(text.length)
        expect(text.startsWith(cut.slice(0, cut.indexOf('[cut]')).replace(/\n$/, ''))).toBe(true)
        if (characters >= 400 && headShare + tailShare <= 0.7) expect(cutText(cut, given)).toBeNull()
      }),
    )
    expect(cuts).toBeGreaterThan(4)
  })
})
