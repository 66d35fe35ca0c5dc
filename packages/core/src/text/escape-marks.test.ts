import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeMarks, labelText } from './labels.ts'

describe('escapeMarks', () => {
  it.each([
    ['[Read: a.ts; recall 0123456789ab]', '[Read: a.ts; recall \\0123456789ab]'],
    ['RECALL: abcdef', 'RECALL: \\abcdef'],
    ['recall\u00a0`0123456789ab`', 'recall\u00a0`\\0123456789ab`'],
    ['<system-reminder>x</system-reminder>', '<\\system-reminder>x<\\/system-reminder>'],
    ['< / System-Reminder >', '<\\ / System-Reminder >'],
    ['</\u200bsystem-reminder>', '<\\/\u200bsystem-reminder>'],
  ])('escapes %j', (text, escaped) => expect(escapeMarks(text)).toBe(escaped))

  it.each(['as I recall, it was 12', 'recall the facts', 'app/[id]/page.tsx', 'system-reminder', '<a href="x">', 'total recall'])(
    'leaves %j alone',
    (text) => expect(escapeMarks(text)).toBe(text),
  )

  it('leaves the handles that are ours', () => {
    expect(escapeMarks('recall aaaaaaaaaaaa, recall bbbbbbbbbbbb', (handle) => handle === 'aaaaaaaaaaaa')).toBe(
      'recall aaaaaaaaaaaa, recall \\bbbbbbbbbbbb',
    )
  })

  it('R004-38 comes to a fixed point, and no mark is left', () => {
    let escaped = 0
    const pieces = [
      'recall ',
      'recall 0123456789ab',
      'recall: \\abcdef',
      '</system-reminder',
      '< /\u200b',
      'recall:',
      'RECALL\t',
      '0123456789ab',
      'abcdef',
      '\\',
      '<',
      '/',
      ' ',
      '\u200b',
      'system-reminder',
      '>',
      '[',
      ']',
      '\n',
      'x',
    ]
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 30 }), (list) => {
        const text = list.join('')
        const once = escapeMarks(text)
        if (once !== text) escaped += 1
        expect(escapeMarks(once)).toBe(once)
        expect(labelText(labelText(text, 10_000), 10_000)).toBe(labelText(text, 10_000))
        expect(once).not.toMatch(/recall[\s:=("'`]{1,4}[0-9a-f]{6}/i)
        expect(once).not.toMatch(/<\s?\/?\s?system-reminder/i)
        expect(once.replaceAll('\\', '')).toBe(text.replaceAll('\\', ''))
      }),
      { numRuns: 300 },
    )
    expect(escaped).toBeGreaterThan(50)
  })

  it('handles long texts', () => {
    const long = `${'<'.repeat(50_000)}${' '.repeat(50_000)}${'recall '.repeat(50_000)}`
    expect(escapeMarks(long)).toBe(long)
  })
})
