import { handleOf } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { manage, requestOf, type Step, usesOf } from '../testing/managed-requests.ts'
import { defaultThinkingTurns } from './context-management.ts'

const long = (index: number): string => `line ${index} of what the tool said. `.repeat(40)
const read = (index: number): Step => ({ tool: 'read', text: long(index) })
const search = (index: number): Step => ({ tool: 'search', text: long(index) })
const clear = (options: object = {}): object => ({ edits: [{ type: 'clear_tool_uses_20250919', ...options }] })
const cleared = (text: string): string => `[Old tool result cleared; recall ${handleOf(text)}]`

describe('clear_tool_uses_20250919', () => {
  const five = [read(0), search(1), read(2), search(3), read(4)]

  /** Which of the five results and arguments are cleared. */
  const outcome = (options: object, steps: readonly Step[] = five, inputTokens = 200_000): string => {
    const { sent } = manage(requestOf(steps, clear(options)), { inputTokens })
    return Object.entries(usesOf(sent))
      .map(([id, { result, input }]) => {
        const isCleared = typeof result === 'string' && result.startsWith('[Old tool result cleared')
        return `${id}${isCleared ? '-' : '+'}${Object.keys(input as object).length === 0 ? '!' : ''}`
      })
      .join(' ')
  }

  it.each<[name: string, options: object, expected: string, inputTokens?: number]>([
    ['by default at 100,000 tokens, and keeps three', {}, 'c0- c1- c2+ c3+ c4+'],
    ['not at the trigger itself', {}, 'c0+ c1+ c2+ c3+ c4+', 100_000],
    ['one token above it', {}, 'c0- c1- c2+ c3+ c4+', 100_001],
    ['at tokens that are given', { trigger: { type: 'input_tokens', value: 5 } }, 'c0- c1- c2+ c3+ c4+', 6],
    ['at fewer tool uses than there are', { trigger: { type: 'tool_uses', value: 4 } }, 'c0- c1- c2+ c3+ c4+', 1],
    ['not at as many tool uses as there are', { trigger: { type: 'tool_uses', value: 5 } }, 'c0+ c1+ c2+ c3+ c4+'],
    ['keeps one', { keep: { type: 'tool_uses', value: 1 } }, 'c0- c1- c2- c3- c4+'],
    ['keeps none', { keep: { type: 'tool_uses', value: 0 } }, 'c0- c1- c2- c3- c4-'],
    ['keeps more than there are', { keep: { type: 'tool_uses', value: 9 } }, 'c0+ c1+ c2+ c3+ c4+'],
    ['never an excluded tool', { exclude_tools: ['search'], keep: { type: 'tool_uses', value: 1 } }, 'c0- c1+ c2- c3+ c4+'],
    [
      'an excluded tool counts as kept',
      { exclude_tools: ['search'], keep: { type: 'tool_uses', value: 2 } },
      'c0- c1+ c2- c3+ c4+',
    ],
    ['with all arguments', { clear_tool_inputs: true }, 'c0-! c1-! c2+ c3+ c4+'],
    ['with the arguments of some tools', { clear_tool_inputs: ['search'] }, 'c0- c1-! c2+ c3+ c4+'],
    ["with nobody's arguments", { clear_tool_inputs: false }, 'c0- c1- c2+ c3+ c4+'],
    [
      'not the arguments of an excluded tool',
      { clear_tool_inputs: ['search'], exclude_tools: ['search'] },
      'c0- c1+ c2+ c3+ c4+',
    ],
    ['where enough goes', { clear_at_least: { type: 'input_tokens', value: 100 } }, 'c0- c1- c2+ c3+ c4+'],
    ['not where too little would go', { clear_at_least: { type: 'input_tokens', value: 5000 } }, 'c0+ c1+ c2+ c3+ c4+'],
    ['options that are null', { clear_at_least: null, exclude_tools: null, clear_tool_inputs: null }, 'c0- c1- c2+ c3+ c4+'],
  ])('%s', (_name, options, expected, inputTokens) => expect(outcome(options, five, inputTokens)).toBe(expected))

  it('shows a placeholder that names the original, and reports how much was cleared', () => {
    const { managed, sent } = manage(requestOf(five, clear()))
    const { c0, c1 } = usesOf(sent)
    expect([c0?.result, c1?.result]).toEqual([cleared(long(0)), cleared(long(1))])
    expect(managed?.applied).toEqual([
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: expect.any(Number) },
    ])
    const tokens = managed?.applied?.[0]?.cleared_input_tokens ?? 0
    expect(tokens).toBeGreaterThan(500)
  })

  it('clears exactly at the minimum that has to be cleared', () => {
    const tokens = manage(requestOf(five, clear())).managed?.applied?.[0]?.cleared_input_tokens ?? 0
    const least = (value: number) =>
      manage(requestOf(five, clear({ clear_at_least: { type: 'input_tokens', value } }))).managed?.applied
    expect([least(tokens)?.length, least(tokens + 1)?.length]).toEqual([1, 0])
  })

  it('removes images from a result and keeps its error flag and its cache mark', () => {
    const request = requestOf(five, clear())
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const block = {
      type: 'tool_result',
      tool_use_id: 'c0',
      content: [image],
      is_error: true,
      cache_control: { type: 'ephemeral' },
    }
    const messages = request.messages.map((message, index) => (index === 2 ? { ...message, content: [block] } : message))
    const { sent } = manage({ ...request, messages })
    expect(sent.messages[2]?.content).toEqual([{ ...block, content: [{ type: 'text', text: '[Old tool result cleared]' }] }])
  })

  it("skips results without a call, a second result, calls without a result, and the provider's own tools", () => {
    const request = requestOf([], clear({ keep: { type: 'tool_uses', value: 0 }, clear_tool_inputs: true }))
    const result = (id: string, text: string) => ({
      role: 'user' as const,
      content: [{ type: 'tool_result', tool_use_id: id, content: text }],
    })
    const own = [
      { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 'w', content: [{ type: 'web_search_result', encrypted_content: 'E' }] },
    ]
    const messages = [
      { role: 'user' as const, content: 'go' },
      { role: 'assistant' as const, content: [...own, { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } }] },
      result('a', 'first'),
      result('a', 'second'),
      result('nobody', 'orphan'),
      { role: 'assistant' as const, content: [{ type: 'tool_use', id: 'b', name: 'read', input: { path: 'b' } }] },
    ]
    const { sent } = manage({ ...request, messages })
    expect(sent.messages).toEqual([
      messages[0],
      { role: 'assistant', content: [...own, { type: 'tool_use', id: 'a', name: 'read', input: {} }] },
      result('a', cleared('first')),
      messages[3],
      messages[4],
      messages[5],
    ])
  })
})

describe('clear_thinking_20251015', () => {
  const think = (keep?: unknown): object => ({
    edits: [{ type: 'clear_thinking_20251015', ...(keep === undefined ? {} : { keep }) }],
  })
  const said = (index: number): Step => ({ text: `user ${index}`, reasoning: `thought ${index} `.repeat(20) })
  const did = (index: number): Step => ({ tool: 'read', text: 'ok', reasoning: `thought ${index} `.repeat(20) })
  /** Three turns: two answers, and a chain of two calls that is not over. */
  const three = [said(0), said(1), { text: 'now do it' }, did(3), did(4)]

  const kept = (request: { readonly messages: readonly { readonly content: unknown }[] }): string =>
    request.messages
      .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Record<string, unknown>[]) : []))
      .flatMap(({ type, signature }) => (type === 'thinking' ? [String(signature)] : []))
      .join(' ')

  it.each<[name: string, keep: unknown, expected: string, model?: string]>([
    ['the last turn by default', undefined, 's3 s4'],
    ['all of them by the default of newer models', undefined, 's0 s1 s3 s4', 'claude-opus-5-5'],
    ['one turn, which is all of a chain of calls', { type: 'thinking_turns', value: 1 }, 's3 s4'],
    ['two turns', { type: 'thinking_turns', value: 2 }, 's1 s3 s4'],
    ['more than there are', { type: 'thinking_turns', value: 9 }, 's0 s1 s3 s4'],
    ['all', 'all', 's0 s1 s3 s4'],
    ['all, the other way', { type: 'all' }, 's0 s1 s3 s4'],
  ])('keeps %s', (_name, keep, expected, model) => {
    // The third user message is answered without reasoning, so it is not a turn with reasoning, and the chain after it continues.
    const request = requestOf(three, think(keep), {
      model: model ?? 'claude-sonnet-4-5',
      thinking: { type: 'enabled', budget_tokens: 1024 },
    })
    expect(kept(manage(request).sent)).toBe(expected)
  })

  it('reports how many turns and tokens were cleared', () => {
    const { managed } = manage(requestOf(three, think()))
    expect(managed?.applied).toEqual([
      { type: 'clear_thinking_20251015', cleared_thinking_turns: 2, cleared_input_tokens: expect.any(Number) },
    ])
    expect(managed?.applied?.[0]?.cleared_input_tokens).toBeGreaterThan(50)
  })

  it('continues a turn while user messages have results, even with text next to them', () => {
    const request = requestOf([did(0)], think())
    const beside = {
      role: 'user' as const,
      content: [
        { type: 'tool_result', tool_use_id: 'c0', content: 'ok' },
        { type: 'text', text: 'hurry' },
      ],
    }
    const next = requestOf([did(1)], null).messages.slice(1)
    const messages = [...request.messages.slice(0, 2), beside, ...next]
    expect(kept(manage({ ...request, messages }).sent)).toBe('s0 s0')
  })

  it('clears redacted reasoning too, but not from a message that has nothing else', () => {
    const hidden = { type: 'redacted_thinking', data: 'XYZ' }
    const silent = { type: 'thinking', thinking: '', signature: 'long' }
    const user = { role: 'user' as const, content: 'u' }
    const messages = [
      user,
      { role: 'assistant' as const, content: [hidden, silent, { type: 'text', text: 'one' }] },
      user,
      { role: 'assistant' as const, content: [{ type: 'thinking', thinking: 'only', signature: 's' }] },
      user,
      { role: 'assistant' as const, content: [silent, { type: 'text', text: 'two' }] },
      user,
    ]
    const { sent, managed } = manage({ ...requestOf([], think()), messages })
    expect(sent.messages).toEqual([user, { role: 'assistant', content: [{ type: 'text', text: 'one' }] }, ...messages.slice(2)])
    expect(managed?.applied).toMatchObject([{ cleared_thinking_turns: 1 }])
  })

  it.each([
    ['claude-opus-4-5-20251101', 'all'],
    ['claude-opus-4-1-20250805', 1],
    ['claude-opus-4-20250514', 1],
    ['anthropic/claude-opus-5.5', 'all'],
    ['claude-sonnet-4-6', 'all'],
    ['claude-sonnet-4-5-20250929', 1],
    ['us.anthropic.claude-sonnet-5-5-v1:0', 'all'],
    ['claude-3-7-sonnet-20250219', 1],
    ['claude-3-opus-20240229', 1],
    ['claude-haiku-4-5', 1],
    ['claude-fable-5-1', 'all'],
    ['claude-mythos-preview', 'all'],
    ['glm-5.1', 1],
    [null, 1],
  ] as const)('has a default for %s: %s', (model, expected) => expect(defaultThinkingTurns(model)).toBe(expected))
})

describe('manageContext', () => {
  const four = [read(0), read(1), read(2), { tool: 'read', text: long(3), reasoning: 'hm' }]

  it.each<[name: string, management: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no edits', {}],
    ['an empty list', { edits: [] }],
  ])('asked for %s, does nothing', (_name, management) => {
    const request = requestOf(four, management)
    const { managed, sent } = manage(request)
    expect([managed, sent]).toEqual([null, request])
  })

  it.each<[name: string, management: unknown, count: number]>([
    ['a list', [], 1],
    ['a text', 'clear_tool_uses_20250919', 1],
    ['edits that are not a list', { edits: { type: 'clear_tool_uses_20250919' } }, 1],
    ['edits without end', { edits: Array.from({ length: 11 }, () => ({ type: 'clear_tool_uses_20250919' })) }, 1],
    ['an edit that is none', { edits: ['clear_tool_uses_20250919'] }, 1],
    ['compaction', { edits: [{ type: 'compact_20260112' }] }, 1],
    ['two unknown edits', { edits: [{ type: 'clear_everything' }, {}] }, 2],
    ['a trigger of another kind', clear({ trigger: { type: 'words', value: 5 } }), 1],
    ['a trigger without a value', clear({ trigger: { type: 'input_tokens' } }), 1],
    ['a trigger that is null', clear({ trigger: null }), 1],
    ['a value below zero', clear({ keep: { type: 'tool_uses', value: -1 } }), 1],
    ['a value that is not an integer', clear({ keep: { type: 'tool_uses', value: 1.5 } }), 1],
    ['a value that is a text', clear({ keep: { type: 'tool_uses', value: '3' } }), 1],
    ['a value as a bare number', clear({ keep: 3 }), 1],
    ['the least to clear in other units', clear({ clear_at_least: { type: 'tool_uses', value: 1 } }), 1],
    ['one tool to exclude, not a list', clear({ exclude_tools: 'read' }), 1],
    ['a list of other things', clear({ exclude_tools: [3] }), 1],
    ['arguments by a word', clear({ clear_tool_inputs: 'yes' }), 1],
    ['an unknown option', clear({ clear_at_most: 3 }), 1],
    ['no turns to keep', { edits: [{ type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 0 } }] }, 1],
    ['thoughts after tool uses', { edits: [{ type: 'compact_20260112' }, { type: 'clear_thinking_20251015' }] }, 2],
  ])('leaves the request unchanged with a finding if it asks for %s', (_name, management, count) => {
    const request = requestOf(four, management)
    const { managed, sent } = manage(request)
    expect([managed, sent]).toEqual([
      { edits: [], applied: null, patches: [], findings: [{ code: 'context-management', count }] },
      request,
    ])
  })

  it('lets the provider refuse to clear reasoning of a model without reasoning', () => {
    const request = requestOf(four, { edits: [{ type: 'clear_thinking_20251015' }] }, { thinking: { type: 'disabled' } })
    expect(manage(request).managed).toMatchObject({ applied: null, findings: [{ code: 'context-management', count: 1 }] })
  })

  it('removes the field from the request and reports no edits if nothing has to be cleared', () => {
    const { context_management: _asked, ...rest } = requestOf(four, clear({ keep: { type: 'tool_uses', value: 9 } }))
    const { managed, sent, sentText } = manage(requestOf(four, clear({ keep: { type: 'tool_uses', value: 9 } })))
    expect([managed?.applied, managed?.findings, sent]).toEqual([[], [], rest])
    expect(sentText).toBe(JSON.stringify(rest))
  })

  it('leaves only unknown edits to the upstream', () => {
    const compact = { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }
    const management = {
      edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, compact, { type: 'clear_tool_uses_20250919' }],
    }
    const { managed, sent } = manage(requestOf(four, management))
    expect(sent['context_management']).toEqual({ edits: [compact] })
    expect([managed?.applied?.length, managed?.findings]).toEqual([1, [{ code: 'context-management', count: 1 }]])
  })

  it('applies each edit to the result of the one before: clearing reasoning may bring the prompt below the trigger', () => {
    const reasoning = 'a very long thought '.repeat(500)
    const steps = [{ text: 'u', reasoning }, { text: 'v' }, ...four]
    const management = (value: number) => ({
      edits: [
        { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } },
        { type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value } },
      ],
    })
    const types = (value: number) =>
      manage(requestOf(steps, management(value)), { inputTokens: 10_000 }).managed?.applied?.map(({ type }) => type)
    expect([types(9000), types(1000)]).toEqual([
      ['clear_thinking_20251015'],
      ['clear_thinking_20251015', 'clear_tool_uses_20250919'],
    ])
  })

  it('gives reasons in the user’s language', () => {
    const request = requestOf(four, clear({ keep: { type: 'tool_uses', value: 0 } }))
    const whys = (locale: string | null) => manage(request, { inputTokens: 200_000, locale }).managed?.edits.map(({ why }) => why)
    expect([new Set(whys(null)), new Set(whys('zh-CN'))]).toEqual([
      new Set(['the client asked for it with context_management']),
      new Set(['客户端通过 context_management 提出的要求']),
    ])
  })

  it.each([null, undefined, 3, 'x', [], {}, { messages: 5 }])('never throws: %j', (request) =>
    expect(manage(requestOf([], null), { request }).managed).toBeNull(),
  )
})
