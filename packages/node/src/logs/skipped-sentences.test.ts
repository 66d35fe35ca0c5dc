import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { skippedSentences } from './log-reader.ts'

const { view } = stringsFor('en')
const compaction = (line: number) => ({ line, reason: 'bad-compaction' })

describe('skippedSentences', () => {
  it('names the first line, the reason and the command that repairs the file', () => {
    const lines = [
      { line: 3, reason: 'not-json' },
      { line: 9, reason: 'not-json' },
    ]
    expect(skippedSentences(lines, view)).toEqual([view.skippedLines(2, 3, view.skipReasons['not-json'])])
    expect(view.skippedLines(2, 3, view.skipReasons['not-json'])).toMatch(/\b2\b.*\b3\b.*plimsoll repair/)
  })

  it('does not suggest plimsoll repair for a compaction whose messages are missing, which it cannot restore', () => {
    expect(skippedSentences([compaction(8)], view)).toEqual([view.damagedCompactions(1, 8)])
    expect(view.damagedCompactions(1, 8)).not.toContain('repair')
    const changed = [4, 6].map((line) => ({ line, reason: 'changed' }))
    expect(skippedSentences(changed, view)).toEqual([view.changedLines(2, 4)])
    const both = skippedSentences([compaction(8), { line: 9, reason: 'not-json' }, compaction(11)], view)
    expect(both).toEqual([view.skippedLines(1, 9, view.skipReasons['not-json']), view.damagedCompactions(2, 8)])
  })

  it('cleans a reason taken from the file', () => {
    const [text] = skippedSentences([{ line: 1, reason: 'a\u001b[31mb' }], view, () => 'clean')
    expect(text).toBe(view.skippedLines(1, 1, 'clean'))
  })
})
