import { describe, expect, test } from 'vitest'
import { completeConfig, trimModes } from '../config.ts'
import { buildView } from '../engine/build-view.ts'
import type { Message } from '../message.ts'
import { base64 } from '../testing/base64.ts'
import { calls, exchange, outcome, result, user } from '../testing/messages.ts'
import { unseenOnly } from '../timing/unseen-only.ts'
import { gatewayMode, gatewayPolicies } from './gateway-policies.ts'
import { underRules } from './host-rules.ts'

const long = Array.from({ length: 3000 }, (_, line) => `line ${line}`).join('\n')
const planned = (mode: Parameters<typeof gatewayPolicies>[0], messages: readonly Message[], facts = {}) =>
  gatewayPolicies(mode).flatMap((policy) => policy.plan(messages, facts))

describe('gatewayPolicies', () => {
  test('has no policies for observe; for the others those of the set that change results', () => {
    expect(trimModes.map((mode) => gatewayPolicies(mode).map(({ name }) => name))).toEqual([
      [],
      ['filter-binary', 'shorten-losslessly', 'limit-tool-output'],
      [
        'filter-binary',
        'shorten-losslessly',
        'trim-outdated-commands',
        'trim-repeated-reads',
        'compress-old-results',
        'limit-tool-output',
      ],
      ['filter-binary', 'shorten-losslessly', 'thin-line-numbers', 'cut-long-output', 'skip-shown-lines', 'stub-old-results'],
    ])
  })

  test('cuts long output and binary data in safe mode, but never file reads', () => {
    const messages = [
      user('u', 'x'),
      ...exchange('a', 'Bash', { command: 'x' }, long),
      ...exchange('b', 'Read', { file_path: '/f' }, long),
      ...exchange('c', 'Read', { file_path: '/g' }, base64(60_000)),
      ...exchange('d', 'fetch', {}, `data:image/png;base64,${base64(60_000)}`),
    ]
    const config = completeConfig({ tool_output_limits: { tools: { Read: { max_chars: 100 } } } })
    expect(Object.keys(outcome(planned('safe', messages, { config })))).toEqual(['d', 'a'])
  })

  const worked = (): readonly Message[] => {
    const code = Array.from({ length: 400 }, (_, line) => `const a${line} = ${line}`).join('\n')
    const messages: Message[] = [user('u', 'x')]
    for (let number = 0; number < 30; number += 1) {
      messages.push({
        ...calls(`w${number}`, [`w${number}`, 'Write', { file_path: `/f${number}`, content: code }]),
        parts: [
          { type: 'reasoning', text: 'Let me think. '.repeat(50) },
          { type: 'tool-call', callId: `w${number}`, tool: 'Write', input: { file_path: `/f${number}`, content: code } },
        ],
      })
      messages.push(result(`r${number}`, `w${number}`, 'ok'), ...exchange(`e${number}`, 'Bash', { command: 'x' }, long))
      if (number % 10 === 9)
        messages.push({ id: `s${number}`, role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }, user(`u${number}`, 'y'))
    }
    return messages
  }

  test('proposes changes to nothing but the content of tool results', () => {
    const messages = worked()
    const byId = new Map(messages.map((message) => [message.id, message]))
    for (const mode of ['spec', 'economy'] as const) {
      const edits = planned(mode, messages, { cold: true, now: Date.UTC(2026, 0, 1) })
      expect(edits.length).toBeGreaterThan(0)
      for (const edit of edits) {
        if (edit.kind !== 'replace' || edit.with.type !== 'tool-result') throw new Error(`${edit.policy} proposes a ${edit.kind}`)
        const was = byId.get(edit.message)?.parts[edit.part]
        expect({ ...edit.with, content: null }).toEqual({ ...was, content: null })
      }
    }
  })

  test.each([
    ['anthropic', ['tool-call', 'tool-result', 'reasoning']],
    ['openai-chat', ['tool-call', 'tool-result']],
    ['openai-responses', ['tool-result']],
    ['gemini', ['tool-result']],
  ])('in economy mode changes nothing but the content of results, arguments and reasoning: %s', (dialect, allowed) => {
    const messages = worked()
    const byId = new Map(messages.map((message) => [message.id, message]))
    const { policies, rules } = gatewayMode('economy', dialect)
    const edits = underRules(policies, rules).flatMap((policy) =>
      policy.plan(messages, { cold: true, now: Date.UTC(2026, 0, 1) }),
    )
    const changed = edits.map((edit) => {
      if (edit.kind !== 'replace') throw new Error(`${edit.policy} proposes a ${edit.kind}`)
      const was = byId.get(edit.message)?.parts[edit.part]
      const { type } = was ?? {}
      if (type === 'tool-call') expect(edit.with).toEqual({ ...was, input: expect.anything() })
      if (type === 'tool-result') expect(edit.with).toEqual({ ...was, content: expect.anything() })
      if (type === 'reasoning') expect(edit.with).toEqual({ type: 'reasoning', text: '' })
      return type
    })
    expect(new Set(changed)).toEqual(new Set(allowed))
  })
})

describe('unseenOnly', () => {
  const messages = [user('u', 'x'), ...exchange('a', 'Bash', {}, long), ...exchange('b', 'Bash', {}, long)]
  const view = (sent: string | null, edits: Parameters<typeof buildView>[0]['edits'] = []) =>
    buildView({ messages, policies: gatewayPolicies('safe'), timing: unseenOnly, sent, edits, facts: { now: 7, prefix: 'p' } })

  test('applies edits to unsent messages only', () => {
    expect(view('bc').edits.map((edit) => edit.kind === 'replace' && edit.message)).toEqual(['b'])
    expect(view('b').edits).toEqual([])
  })

  test('applies all edits if nothing was sent', () => {
    expect(view(null).edits).toHaveLength(2)
  })

  test('keeps active edits unchanged', () => {
    const [kept] = view('u').edits
    if (kept?.kind !== 'replace') throw new Error('nothing was cut')
    const other = { ...kept, with: { ...kept.with, content: { type: 'text' as const, text: 'short' } } } as typeof kept
    expect(view('b', [other]).edits).toEqual([other])
    expect(view('u', [other]).edits[0]).toBe(other)
  })

  test('stores the time and the prefix in the ledger', () => {
    expect(view('b').ledger).toMatchObject({ at: 7, prefix: 'p' })
  })
})
