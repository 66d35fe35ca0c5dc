import { codecs } from '@plimsoll/core'
import { completeConfig, defaultConfig, gatewayPolicies } from '@plimsoll/core/policies'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireDialect } from '../../store/gateway-record.ts'
import { createSmallBodyCheck } from './measuring-share.ts'

const isSmall = createSmallBodyCheck(defaultConfig)
const dialects: readonly WireDialect[] = ['openai-chat', 'anthropic', 'openai-responses']

function requestWith(dialect: WireDialect, tool: string, result: unknown): Readonly<Record<string, unknown>> {
  switch (dialect) {
    case 'openai-chat':
      return {
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: tool, arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: result },
        ],
      }
    case 'anthropic':
      return {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: tool, input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: result }] },
        ],
      }
    case 'openai-responses':
      return {
        input: [
          { type: 'function_call', call_id: 'c', name: tool, arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: result },
        ],
      }
    case 'gemini':
      return {
        contents: [
          { role: 'model', parts: [{ functionCall: { name: tool, args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: tool, response: { result } } }] },
        ],
      }
  }
}

const bytesOf = (request: unknown) => new TextEncoder().encode(JSON.stringify(request))

describe('a small body', () => {
  test('is one that is shorter than any limit, in characters and in lines', () => {
    const small = (result: unknown, tool = 'grep') => isSmall('openai-chat', bytesOf(requestWith('openai-chat', tool, result)))
    expect(small('fine')).toBe(true)
    expect(small('x'.repeat(7000))).toBe(true)
    expect(small('x'.repeat(8000))).toBe(false)
    expect(small('line\n'.repeat(400))).toBe(true)
    expect(small('\n'.repeat(510))).toBe(false)
    expect([small('\n'.repeat(90), 'grep_search'), small('\n'.repeat(120), 'grep_search')]).toEqual([true, false])
    expect(isSmall('gemini', bytesOf(requestWith('gemini', 'grep', 'fine')))).toBe(false)
  })

  test('is none where something is data by its name, however it is written, or is asked to be cleared', () => {
    const small = (text: string) => isSmall('openai-chat', new TextEncoder().encode(text))
    expect(small('{"messages":[]}')).toBe(true)
    expect(small(JSON.stringify(requestWith('openai-chat', 'shot', '{"imageBase64":"aGk="}')))).toBe(false)
    expect(small(String.raw`{"messages":[{"role":"tool","content":"{\"\u0069mageBase64\":1}"}]}`)).toBe(false)
    expect(small('{"messages":[],"context_management":{}}')).toBe(false)
  })

  test('goes by the limits that are set', () => {
    const strict = createSmallBodyCheck(completeConfig({ tool_output_limits: { tools: { grep: { max_chars: 200 } } } }))
    const body = bytesOf(requestWith('openai-chat', 'grep', 'x'.repeat(300)))
    expect([strict('openai-chat', body), isSmall('openai-chat', body)]).toEqual([false, true])
  })

  test('has nothing that the rules of safe would cut', () => {
    const config = completeConfig({
      tool_output_limits: { default: { max_chars: 900, max_lines: 24 }, tools: { Bash: { max_chars: 600, max_lines: 12 } } },
    })
    const check = createSmallBodyCheck(config)
    const piece = fc.constantFrom(
      'a',
      'word ',
      '\n',
      '"',
      'é',
      '\u{1f6a2}',
      '{"imageBase64":"aGk="}',
      'x'.repeat(90),
      'a line\n',
      '\u2028',
    )
    const pieces = fc.oneof(fc.array(piece, { maxLength: 8 }), fc.array(piece, { minLength: 20, maxLength: 40 }))
    const text = pieces.map((list) => list.join(''))
    const result = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }))
    const reached = { small: 0, cut: 0 }
    fc.assert(
      fc.property(fc.constantFrom(...dialects), fc.constantFrom('grep', 'Bash', 'mystery'), result, (dialect, tool, given) => {
        const content = typeof given === 'string' ? given : given.map((each) => ({ type: textType[dialect], text: each }))
        const request = requestWith(dialect, tool, content)
        const { messages } = codecs[dialect].read(request)
        const edits = gatewayPolicies('safe').flatMap(({ plan }) => plan(messages, { now: 0, config }))
        const small = check(dialect, bytesOf(request))
        if (small) reached.small += 1
        if (edits.length > 0) reached.cut += 1
        if (small) expect(edits).toEqual([])
      }),
      { numRuns: 900 },
    )
    expect(reached.small).toBeGreaterThan(50)
    expect(reached.cut).toBeGreaterThan(50)
  })
})

const textType: Readonly<Record<WireDialect, string>> = {
  'openai-chat': 'text',
  anthropic: 'text',
  'openai-responses': 'output_text',
  gemini: 'text',
}
