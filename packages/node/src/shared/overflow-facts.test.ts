import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentError } from './event.ts'
import { overflowFacts } from './overflow-facts.ts'

describe('overflowFacts', () => {
  it('R002-20 reads the sizes, the three largest parts and the remedies already tried', () => {
    const error = overflow({
      requested: 140_000,
      max: 131_072,
      biggest: [
        { what: 'result of Read (src/app.ts)', tokens: 60_000, message: 'm1', tool: 'Read' },
        { what: 'user message', tokens: 40_000, message: 'm2', tool: null },
        { what: 'tool definitions', tokens: 9000, message: null, tool: null },
        { what: 'reasoning', tokens: 10, message: 'm3', tool: null },
      ],
      tried: ['compress', 'something new'],
    })
    expect(overflowFacts(error)).toStrictEqual({
      requested: 140_000,
      max: 131_072,
      biggest: [
        { kind: 'result', about: 'Read (src/app.ts)', tokens: 60_000 },
        { kind: 'user', about: '', tokens: 40_000 },
        { kind: 'tool-definitions', about: '', tokens: 9000 },
      ],
      tried: ['compress'],
    })
  })

  it.each([
    ['system prompt', 'system', ''],
    ['assistant message', 'assistant', ''],
    ['summary', 'summary', ''],
    ['call of Write', 'call', 'Write'],
    ['image/png', 'media', 'image/png'],
    ['something else', 'other', 'something else'],
    ['constructor', 'other', 'constructor'],
    ['result of a\u202eb', 'result', 'a\\u202eb'],
  ])('returns the kind of %j', (what, kind, about) => {
    expect(overflowFacts(overflow({ biggest: [{ what, tokens: 1 }] })).biggest).toStrictEqual([{ kind, about, tokens: 1 }])
  })

  it('leaves out what is not as expected', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('requested', 'max', 'biggest', 'tried'), fc.jsonValue()), (details) => {
        const facts = overflowFacts(overflow(details))
        expect(facts.biggest.length).toBeLessThanOrEqual(3)
        expect([facts.requested, facts.max].every((value) => value === null || value >= 0)).toBe(true)
      }),
    )
    expect(
      overflowFacts(overflow({ requested: '1', max: -1, biggest: [null, { what: 1, tokens: 1 }], tried: 'x' })),
    ).toStrictEqual({
      requested: null,
      max: null,
      biggest: [],
      tried: [],
    })
  })
})

function overflow(details: Readonly<Record<string, unknown>>): AgentError {
  return { code: 'CONTEXT_LENGTH_EXCEEDED', message: 'too long', suggestion: null, details }
}
