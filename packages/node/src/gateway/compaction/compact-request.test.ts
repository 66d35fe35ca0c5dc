import { defaultConfig } from '@plimsoll/core/policies'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relayed } from '../testing/planning.ts'
import { compactRequest } from './compact-request.ts'
import { tailStart } from './summary-places.ts'

const long = 'word '.repeat(80_000)
const edits = (rest: object = {}) => ({ context_management: { edits: [{ type: 'compact_20260112', ...rest }] } })
const said = [
  { role: 'user', content: long },
  { role: 'assistant', content: 'ok' },
  { role: 'user', content: 'again' },
]

describe('compactRequest', () => {
  it.each<[name: string, mode: 'safe' | 'observe', managed: boolean, body: object]>([
    ['in observe', 'observe', false, { messages: said, ...edits() }],
    ['for a provider that does it', 'safe', true, { messages: said, ...edits() }],
    ['if it was not asked for', 'safe', false, { messages: said }],
    [
      'if the words are only in a text',
      'safe',
      false,
      { messages: [{ role: 'user', content: '"compaction" "compact_20260112"' }] },
    ],
    ['if the provider has the history', 'safe', false, { messages: said, thread: { type: 'continue' }, ...edits() }],
    [
      'with a trigger that Anthropic refuses',
      'safe',
      false,
      { messages: said, ...edits({ trigger: { type: 'input_tokens', value: 10 } }) },
    ],
  ])('does nothing %s', (_, mode, isManagedUpstream, body) => {
    expect(compactRequest(relayed('anthropic', body, mode, { isManagedUpstream }), defaultConfig)).toBeNull()
  })

  it('waits while thoughts are signed together with what is before them', () => {
    const turn = [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'tool_use', id: 'a', name: 'x', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'r' }] },
    ]
    const of = (model: string) => {
      const body = { model, messages: [{ role: 'user', content: long.repeat(2) }, ...turn], ...edits() }
      return compactRequest(relayed('anthropic', body, 'safe'), defaultConfig)?.told ?? null
    }
    expect(of('claude-opus-5-5')).toBeNull()
    expect(of('claude-sonnet-4-5')).not.toBeNull()
  })

  it('never throws, and returns JSON for any messages', () => {
    const block = fc.oneof(
      fc.constantFrom<unknown>(
        { type: 'compaction', content: 'summary', encrypted_content: 'plimsoll-1.e30' },
        { type: 'compaction', content: null },
        { type: 'tool_use', id: 'a', name: 'x', input: {} },
        { type: 'tool_result', tool_use_id: 'a', content: 'r' },
        { type: 'text', text: 't' },
        { type: 'function_call_output', call_id: 'b', output: 'o' },
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const message = fc.oneof(
      block,
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'system'),
        content: fc.oneof(fc.string(), fc.array(block, { maxLength: 3 })),
      }),
    )
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.boolean(), (list, isCompact) => {
        const body = { messages: list, input: list, ...edits({ trigger: { type: 'input_tokens', value: 50_000 } }) }
        for (const dialect of ['anthropic', 'openai-responses'] as const) {
          const result = compactRequest(
            relayed(dialect, body, 'safe', { kind: isCompact ? 'compact' : 'generate' }),
            defaultConfig,
          )
          if (result !== null) JSON.parse(Buffer.from(result.body).toString())
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('tailStart', () => {
  it.each([
    ['the last question', [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }], 2],
    ['several messages of the user', [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'user' }], 2],
    ['the start of an answer', [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'assistant' }], 2],
    [
      'results with the calls they belong to, however far back',
      [
        { role: 'user' },
        { type: 'reasoning' },
        { type: 'function_call', call_id: 'a' },
        { type: 'function_call', call_id: 'b' },
        { type: 'function_call_output', call_id: 'a' },
        { role: 'assistant' },
        { type: 'function_call_output', call_id: 'b' },
      ],
      1,
    ],
  ])('keeps %s', (_, list, start) => expect(tailStart('openai-responses', list)).toBe(start))
})
