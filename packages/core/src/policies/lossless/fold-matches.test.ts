import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldMatches, unfoldMatches } from './fold-matches.ts'

describe('foldMatches', () => {
  it.each<[name: string, text: string, shown: string | null]>([
    ['matches of one file', 'src/a.ts:1:x\nsrc/a.ts:20: y', 'src/a.ts\n1:x\n20: y'],
    [
      'matches of two files',
      'src/a.ts:1:x\nsrc/a.ts:2:y\nsrc/b.ts:1:x\nsrc/b.ts:3:z',
      'src/a.ts\n1:x\n2:y\n\nsrc/b.ts\n1:x\n3:z',
    ],
    [
      'a file with one match, which stays as it is',
      'src/a.ts:1:x\nsrc/b.ts:1:x\nsrc/b.ts:3:z\nsrc/c.ts:1:x',
      'src/a.ts:1:x\n\nsrc/b.ts\n1:x\n3:z\n\nsrc/c.ts:1:x',
    ],
    ['lines around matches', 'a-1.ts-1-x\na-1.ts:2:y\n--\na-1.ts:9:z\na-1.ts-10-', 'a-1.ts\n1-x\n2:y\n--\n9:z\n10-'],
    ['matches without numbers', 'src/a.ts:x\nsrc/a.ts:y', 'src/a.ts:\nx\ny'],
    ['columns', 'a.ts:1:5:x\na.ts:2:7:y', 'a.ts\n1:5:x\n2:7:y'],
    ['a drive', 'C:\\a.ts:1:x\nC:\\a.ts:2:y', 'C:\\a.ts\n1:x\n2:y'],
    ['other lines around them', 'Found 2\nsrc/a.ts:1:x\nsrc/a.ts:2:y\nend', 'Found 2\n\nsrc/a.ts\n1:x\n2:y\n\nend'],
    ['times', '10:32:45 started\n10:32:46 done', null],
    ['addresses', 'http://a.de:80:x\nhttp://a.de:80:y', null],
    ['one match for each file', 'src/a.ts:1:x\nsrc/b.ts:1:x', null],
    ['matches that are folded already', 'src/a.ts\n1:x\n2:y\n\nsrc/b.ts:1:x\nsrc/b.ts:2:x', null],
    ['matches without numbers or text', 'src/a.ts:\nsrc/a.ts:\nsrc/a.ts:y', null],
    ['an empty text', '', null],
  ])('%s', (_name, text, shown) => {
    expect(foldMatches(text)).toBe(shown)
  })

  it('can be unfolded to the same text, and is not folded again', () => {
    const line = fc.constantFrom(
      ...[
        'src/a.ts:1:x',
        'src/a.ts:2:',
        'src/a.ts-3-y',
        'src/b.ts:1:see src/a.ts:4:z',
        'src/b.ts-2-',
        '--',
        '',
        'src/a.ts',
        '1:x',
      ],
      ...['src/a.ts:text', 'src/a.ts:', 'Found 3 matches', 'src/b.ts:', 'c:\\d.ts:9:x', '2-y', 'a b.ts:3:x'],
    )
    let folded = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join('\n')
        const shown = foldMatches(text)
        if (shown === null) return
        folded += 1
        expect(unfoldMatches(shown)).toBe(text)
      }),
      { numRuns: 500 },
    )
    expect(folded).toBeGreaterThan(20)
  })
})
