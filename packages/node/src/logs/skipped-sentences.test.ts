import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { skippedSentences } from './log-reader.ts'

const { view } = stringsFor('en')
const compaction = (line: number) => ({ line, reason: 'bad-compaction' })

describe('what is said of lines that could not be read', () => {
  it('names the first, why, and what mends the file', () => {
    const lines = [
      { line: 3, reason: 'not-json' },
      { line: 9, reason: 'not-json' },
    ]
    expect(skippedSentences(lines, view)).toEqual([
      '2 lines were left out, the first is line 3: it is not JSON. plimsoll repair mends such a file into a copy.',
    ])
  })

  it('does not send to plimsoll repair for a compaction whose messages are missing, which that cannot bring back', () => {
    expect(skippedSentences([compaction(8)], view)).toEqual([
      'The compaction in line 8 keeps messages, or has a summary, that are not in the log; it is shown without them.',
    ])
    const both = skippedSentences([compaction(8), { line: 9, reason: 'not-json' }, compaction(11)], view)
    expect(both).toEqual([view.skippedLines(1, 9, view.skipReasons['not-json']), view.damagedCompactions(2, 8)])
  })

  it('cleans a reason that others wrote', () => {
    const [text] = skippedSentences([{ line: 1, reason: 'a\u001b[31mb' }], view, () => 'clean')
    expect(text).toContain('Line 1 was left out: clean.')
  })
})
