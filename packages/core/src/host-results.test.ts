import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tries } from '../../../test/property-runs.ts'
import { createConversation } from './conversation.ts'
import { conversations } from './conversations.ts'
import { type HostItem, shortenResult, trimResults } from './host-results.ts'
import type { Message } from './message.ts'
import { economyPolicies } from './policies/economy-policies.ts'
import { gatewayMode } from './policies/gateway-policies.ts'
import { handleOf } from './text/hash.ts'
import { codecs } from './wire/codecs.ts'

const build = Array.from({ length: 900 }, (_, line) =>
  line === 700 ? 'src/cart.ts(12,3): error TS2304: quantity is not defined' : `compiled module ${line}`,
).join('\n')
const bash = (command: string, text: string) => ({ tool: 'Bash', input: { command }, text })

describe('shortenResult', () => {
  it('cuts a long build, keeps its error and names the original', () => {
    const shorter = shortenResult(bash('make', build))
    expect(shorter).toMatchObject({ handle: handleOf(build), policy: 'cut-long-output' })
    expect(shorter?.text).toContain('error TS2304')
    expect(shorter?.text).toContain(`recall ${handleOf(build)}`)
    expect(shorter?.text.length).toBeLessThan(5000)
  })

  it('shows a short result in a shorter form that loses nothing', () => {
    const json = JSON.stringify({ all: Array.from({ length: 30 }, (_, id) => ({ id, name: `item ${id}` })) }, null, 4)
    const shorter = shortenResult({ tool: 'mcp__shop__list', input: {}, text: json })
    expect(JSON.parse(shorter?.text ?? '')).toEqual(JSON.parse(json))
    expect(shorter?.policy).toBe('shorten-losslessly')
  })

  it.each([
    ['short', bash('ls', 'a.ts\nb.ts')],
    ['empty', bash('true', '')],
    ['a file that a command prints', bash('cat src/cart.ts', build)],
    ['a file that a tool reads', { tool: 'Read', input: { file_path: 'a.ts' }, text: build }],
    ['recalled', { tool: 'recall', input: { handle: 'abcdef' }, text: build }],
  ])('leaves a result alone that is %s', (_name, result) => expect(shortenResult(result)).toBeNull())

  it('cuts a printed file over 30,000 characters, which hosts would cut to their own first lines', () => {
    const shorter = shortenResult(bash('cat log.txt', build.repeat(3)))
    expect(shorter?.text).toContain('[cut]')
    expect(shorter?.text.length).toBeLessThan(8000)
  })

  it.each([
    ['many short lines', Array.from({ length: 9000 }, (_, line) => `${line % 97}`).join('\n')],
    [
      'long paths',
      Array.from({ length: 400 }, (_, line) => `/home/me/${'folder/'.repeat(20)}module${line}.ts: found ${line}`).join('\n'),
    ],
  ])('stays below the limits of a gateway with %s', (_name, text) => {
    const shorter = shortenResult(bash('make', text))?.text ?? ''
    expect(shorter).toContain('[cut]')
    expect([shorter.length <= 8000, shorter.split('\n').length <= 500]).toEqual([true, true])
  })

  it('is cut by no gateway mode again, and not by itself', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom('', 'x', 'error: failed', 'ok 1 - a test', '    at f (/srv/app/src/deep/path/to/file.ts:12:3)', '[cut]'),
      fc.integer({ min: 0, max: 9999 }).map((n) => `/home/me/projects/shop/packages/server/src/module${n}/index.ts:${n}: found`),
    )
    const text = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 400 }))
      .map(([lines, times]) =>
        Array.from({ length: times }, (_, round) => lines.map((one) => `${one}${round % 7}`).join('\n')).join('\n'),
      )
    const call = fc.constantFrom(bash('make', ''), bash('rg -n TODO', ''), bash('cat a b', ''), {
      tool: 'mcp__db__query',
      input: { sql: 'select 1' },
      text: '',
    })
    fc.assert(
      fc.property(call, text, (called, given) => {
        const shorter = shortenResult({ ...called, text: given })
        if (shorter?.policy !== 'cut-long-output') return
        const messages: readonly Message[] = [
          { id: 'c', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: called.tool, input: called.input }] },
          {
            id: 'r',
            role: 'tool',
            parts: [{ type: 'tool-result', callId: 'c', tool: called.tool, content: { type: 'text', text: shorter.text } }],
          },
        ]
        expect(shortenResult({ ...called, text: shorter.text })).toBeNull()
        for (const mode of ['safe', 'spec', 'economy'] as const) {
          const { policies, timing, rules } = gatewayMode(mode, 'anthropic')
          const { edits } = createConversation({ policies, timing, rules }).next(messages, { now: 0 })
          expect(edits.filter(({ policy }) => ['cut-long-output', 'limit-tool-output'].includes(policy))).toEqual([])
        }
      }),
      { numRuns: tries(40) },
    )
  })
})

describe('trimResults', () => {
  const all = () => conversations({ codec: codecs.anthropic, policies: economyPolicies, rules: ['results-only'] })
  const history: readonly HostItem[] = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Run make.' },
    { role: 'assistant', text: 'I run it.' },
    { call: 'a', tool: 'bash', input: { command: 'make' } },
    { call: 'b', tool: 'read_file', input: { path: 'a.ts' } },
    { result: 'a', text: build, isError: true },
    { result: 'b', text: 'short' },
  ]

  it('returns only the results to change, by the id of their call', () => {
    const { results, report } = trimResults(all().of('x'), history, { now: 1, model: 'gpt-5-mini' })
    expect([...results.keys()]).toEqual(['a'])
    expect(results.get('a')).toContain('error TS2304')
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore)
  })

  it('returns the same text at the next request, and answers recall', () => {
    const conversation = all().of('x')
    const first = trimResults(conversation, history, { now: 1 })
    conversation.accepted({ input_tokens: 10 }, first.sent)
    const more: readonly HostItem[] = [...history, { role: 'assistant', text: 'Failed.' }, { role: 'user', text: 'Why?' }]
    expect(trimResults(conversation, more, { now: 2 }).results).toEqual(first.results)
    expect(conversation.recall({ handle: handleOf(build), pattern: 'module 500' })).toContain('compiled module 500')
  })

  it('accepts arguments that are text, and calls without a result', () => {
    const items: readonly HostItem[] = [
      { call: 'a', tool: 'bash', input: 'make' },
      { result: 'a', text: build },
      { call: 'b', tool: 'x', input: null },
    ]
    expect([...trimResults(all().of('x'), items, { now: 1 }).results.keys()]).toEqual(['a'])
  })
})

it('leaves a thread alone that the provider keeps, and trims its first request', () => {
  const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: build }] }
  const asked = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'make' } }] }
  const next = (request: object) =>
    createConversation({ codec: codecs.anthropic, policies: economyPolicies }).next(request, { now: 1 }).patches.length
  expect(next({ messages: [results], thread: { type: 'continue', previous_message_id: 'm' } })).toBe(0)
  expect(next({ messages: [asked, results], thread: { type: 'create' } })).toBeGreaterThan(0)
})
