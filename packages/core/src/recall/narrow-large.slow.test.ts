import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, ToolResultPart } from '../message.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { countLines } from '../text/lines.ts'
import { type LargeText, type RecallRequest, type RecallSource, recall } from './recall.ts'

/** A text that is held after all, to compare with. */
function largeOf(text: string): LargeText {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return {
    length: text.length,
    lines: countLines(text),
    startOf: (line) => starts[line - 1] ?? text.length,
    slice: (start, end) => text.slice(start, end),
  }
}

function resultOf(text: string): { readonly messages: readonly Message[]; readonly part: ToolResultPart } {
  const blob = { sha256: '0'.repeat(64), bytes: text.length, handle: handleOf(text) }
  const part: ToolResultPart = {
    type: 'tool-result',
    callId: 'c',
    tool: 'Bash',
    content: { type: 'text', text: 'extract' },
    blob,
  }
  const call = { type: 'tool-call', callId: 'c', tool: 'Bash', input: { command: 'make' } } as const
  return {
    part,
    messages: [
      { id: 'a', role: 'assistant', parts: [call] },
      { id: 'r', role: 'tool', parts: [part] },
    ],
  }
}

function sources(text: string): { readonly whole: RecallSource; readonly large: RecallSource } {
  const { messages, part } = resultOf(text)
  const whole = sourceOf(messages, [], { whole: () => ({ part: { ...part, content: { type: 'text', text } } }) })
  return { whole, large: { ...whole, whole: () => ({ trouble: 'too large' }), large: () => ({ text: largeOf(text) }) } }
}

/** An answer without the one thing that may differ: whether the whole text hangs on it. */
function compared(request: RecallRequest, source: RecallSource) {
  const answer = recall(request, source)
  return answer.kind === 'found' ? { ...answer, original: { ...answer.original, text: '' } } : answer
}

const texts = fc
  .array(fc.constantFrom('one line', 'an error: 5', '', 'größe 漢字', '🦀🦀🦀', 'x'.repeat(300), '\r'), {
    minLength: 1,
    maxLength: 40,
  })
  .map((lines) => lines.join('\n'))
  .chain((text) => fc.constantFrom(text, `${text}\n`))
const place = fc.integer({ min: -2, max: 60 })
const ranges = fc.tuple(place, place)

describe('a text that is too large to be held', () => {
  it('reports no match for an empty text, at any size', () => {
    const { whole, large } = sources('')
    for (const source of [whole, large])
      expect(compared({ tool: 'Bash', pattern: '^$' }, source)).toMatchObject({ kind: 'missing', reason: 'no-match' })
  })

  it('Q-9 is recalled by lines, pattern and characters as any other', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(
        texts,
        fc.record(
          {
            lines: ranges,
            characters: ranges,
            pattern: fc.constantFrom('error', 'x', '^$', 'nowhere'),
            budget: fc.integer({ min: 40, max: 400 }),
          },
          { requiredKeys: [] },
        ),
        fc.constantFrom({ tool: 'Bash' }, { byHandle: true }),
        (text, narrowing, by) => {
          // Nothing of it asked for is answered otherwise.
          if (narrowing.lines === undefined && narrowing.characters === undefined && narrowing.pattern === undefined) return
          const { whole, large } = sources(text)
          const request = { ...('tool' in by ? by : { handle: handleOf(text) }), ...narrowing }
          const answer = compared(request, large)
          kinds.add(answer.kind === 'missing' ? answer.reason : answer.kind)
          expect(answer).toEqual(compared(request, whole))
        },
      ),
      { numRuns: 1000 },
    )
    expect([...kinds].sort()).toEqual(['found', 'no-match', 'outside'])
  })

  const long = `${'a line of it\n'.repeat(500_000)}the end`

  it.each<[string, RecallRequest, RegExp]>([
    ['nothing', { tool: 'Bash' }, /^[0-9a-f]{12} has 6500007 characters in 500001 lines, too many .* "1-200", .* "1-4000"\.$/],
    [
      'too much',
      { tool: 'Bash', lines: [5, 400_000] },
      /^Lines 5-400000 of [0-9a-f]{12} have 5199947 characters in 399996 lines/,
    ],
  ])('Q-9 reports its size if %s of it is requested', (_, request, words) => {
    const answer = recall({ ...request, budget: 4000 }, sources(long).large)
    expect(answer).toMatchObject({ kind: 'missing', reason: 'too-large', text: expect.stringMatching(words) })
  })

  it('is returned in full without a limit, if it fits in memory', () => {
    const { whole, large } = sources(long)
    const answer = recall({ tool: 'Bash' }, { ...large, whole: whole.whole })
    expect(answer.kind === 'found' && answer.text === long).toBe(true)
  })

  it('is searched in pieces if its lines are too long for memory', () => {
    const text = `first\n${'y'.repeat(9_000_000)}needle${'y'.repeat(9_000_000)}\nlast needle`
    const answer = recall({ tool: 'Bash', pattern: 'needle', budget: 1000 }, sources(text).large)
    expect(answer).toMatchObject({ kind: 'found', shown: [[2, 3]], lines: 3 })
  })

  it('shows the first of very many matches', () => {
    const answer = recall({ tool: 'Bash', pattern: 'line', budget: 1000 }, sources(long).large)
    expect(answer.kind === 'found' && answer.text).toMatch(
      /^1: a line of it\n2: .*of at least 10000 matching lines shown; the next is line \d+: narrow/s,
    )
  })

  it('reports a problem if it is lost while being read', () => {
    const { large } = sources(long)
    const lost: LargeText = {
      ...largeOf(long),
      slice() {
        throw new Error('the file is gone')
      },
    }
    const answer = recall({ tool: 'Bash', lines: [1, 2] }, { ...large, large: () => ({ text: lost }) })
    expect(answer).toEqual({ kind: 'missing', reason: 'lost-blob', text: 'the file is gone' })
  })
})
