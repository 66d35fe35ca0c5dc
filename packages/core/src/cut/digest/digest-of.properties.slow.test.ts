import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Facts } from '../../facts.ts'
import { type Message, resultText, type ToolResultPart } from '../../message.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { deepFreeze, exchange } from '../../testing/messages.ts'
import { countPart, estimator } from '../../tokens/count-tokens.ts'
import { digestOf } from './digest-of.ts'

const tools = [
  'LS',
  'Glob',
  'Grep',
  'Read',
  'Edit',
  'Write',
  'Bash',
  'TodoWrite',
  'repo_map',
  'screenshot',
  'recall',
  'unheard_of',
]
const names = [
  'path',
  'content',
  'fragment',
  'stdout',
  'stderr',
  'output',
  'recap',
  'todos',
  'items',
  'error',
  'message',
  'exitCode',
]
const facts: Facts = {}

const character = fc.oneof(
  fc.constantFrom('🎉', '字', '\ud800', '\udc00', '"', '\\', '\t', '\r', '\u001b'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)
const line = fc.oneof(
  fc.array(character, { maxLength: 60 }).map((list) => list.join('')),
  fc.tuple(fc.nat(2000), fc.string({ maxLength: 20 })).map(([at, text]) => `src/a.ts:${at}: ${text}`),
  fc.nat(2000).map((at) => `${at}→const a = ${at}`),
  fc.constantFrom(
    '@@ -1,9 +1,12 @@',
    '+new',
    '-old',
    '- [ ] open',
    '- [x] done',
    'lib/',
    'File: a.ts',
    'exit code: 0',
    'Found 3 files',
  ),
  fc.nat(1500).map((length) => 'x'.repeat(length)),
)
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom(1, 1, 1, 4, 40))
  .map(([list, times]) => Array.from({ length: times }, () => list.join('\n')).join('\n'))
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, fc.boolean(), fc.integer(), fc.constant(null), tie('list'), tie('record')),
  list: fc
    .tuple(fc.array(tie('value'), { maxLength: 4 }), fc.constantFrom(1, 1, 1, 12))
    .map(([list, times]) => Array.from({ length: times }, () => list).flat()),
  record: fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 }), fc.constant('__proto__')),
    tie('value'),
    { maxKeys: 6 },
  ),
})).value
const envelope = fc.record(
  {
    status: fc.constantFrom('success', 'partial', 'error', 'open'),
    data: value,
    error: fc.oneof(fc.constant(null), fc.record({ code: fc.string(), message: text })),
    text,
    stats: fc.constant({ time_ms: 3 }),
    context: fc.record({ path: text, params: fc.record({ query: text }) }),
    truncated: fc.boolean(),
  },
  { requiredKeys: ['status'] },
)
const written = fc.oneof(
  text,
  value.map((any) => JSON.stringify(any)),
  envelope.map((any) => JSON.stringify(any)),
)
const content: fc.Arbitrary<ToolResultPart['content']> = fc.oneof(
  { weight: 5, arbitrary: written.map((all) => ({ type: 'text', text: all }) as const) },
  { weight: 1, arbitrary: value.map((any) => ({ type: 'json', value: any }) as const) },
  {
    weight: 1,
    arbitrary: fc.array(written, { maxLength: 3 }).map((list) => ({
      type: 'list' as const,
      items: [
        { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' },
        ...list.map((each) => ({ type: 'text' as const, text: each })),
      ],
    })),
  },
)

const digests: Record<string, number> = {}

it('a digest is shorter, is JSON with status, data and handle, keeps errors errors, and has no digest itself', () => {
  fc.assert(
    // A read is left as it is below 500 lines, so it is tried more often.
    fc.property(fc.constantFrom(...tools, 'Read', 'Read', 'Read'), content, fc.boolean(), (tool, answer, flag) => {
      const part = digestOf(placed(tool, answer, flag), facts)
      if (part === null) return
      digests[tool] = (digests[tool] ?? 0) + 1
      const was = placed(tool, answer, flag)
      expect(resultText(part).length).toBeLessThan(resultText(was.part).length)
      expect(countPart(part, estimator)).toBeLessThan(countPart(was.part, estimator))
      const shown = JSON.parse(resultText(part)) as Record<string, unknown>
      expect(Object.keys(shown).filter((key) => !['status', 'data', 'error'].includes(key))).toEqual([])
      expect(shown).toMatchObject({ status: expect.any(String), data: { recall: expect.stringMatching(/^[0-9a-f]{12}$/) } })
      // A log never has the objects that were made for the view.
      const again = placed(tool, structuredClone(part.content), flag)
      expect(again.isError).toBe(was.isError)
      expect(digestOf(again, facts)).toBeNull()
    }),
    { numRuns: 450 },
  )
  for (const tool of tools) expect(digests[tool] ?? 0, `the generator must reach ${tool}`).toBeGreaterThan(4)
})

it('the same content gives the same bytes, and no half of a character that was whole', () => {
  fc.assert(
    fc.property(fc.constantFrom(...tools), content, (tool, answer) => {
      const first = digestOf(placed(tool, answer, false), facts)
      expect(digestOf(placed(tool, structuredClone(answer), false), facts)).toEqual(first)
      if (
        first !== null &&
        resultText(placed(tool, answer, false).part).isWellFormed() &&
        !/\\ud[89a-f]/i.test(resultText(placed(tool, answer, false).part))
      )
        expect(resultText(first)).not.toMatch(/\\ud[89a-f]/i)
    }),
    { numRuns: 300 },
  )
})

function placed(tool: string, answer: ToolResultPart['content'], isError: boolean): PlacedResult {
  const messages: readonly Message[] = deepFreeze(exchange('a', tool, { path: 'a' }, '', { content: answer, isError }))
  return toolResults(messages, facts)[0] as PlacedResult
}
