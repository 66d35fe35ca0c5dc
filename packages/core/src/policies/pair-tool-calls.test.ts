import { describe, expect, it } from 'vitest'
import { applyEdits } from '../edit.ts'
import { buildView } from '../engine/build-view.ts'
import type { Message, TextPart } from '../message.ts'
import { checkView } from '../results/invariants.ts'
import { calls, deepFreeze, exchange, expectEdits, result, user } from '../testing/messages.ts'
import { pairToolCalls } from './pair-tool-calls.ts'

const interrupted = 'Error: tool call was interrupted, no result'
const ask = user('ask', 'please continue')

describe('Q-49 calls without results', () => {
  it('gives an unanswered call a result that reports it', () => {
    expectEdits(pairToolCalls, [calls('turn', ['bash', 'Bash', {}]), ask], {}, { 'after turn': interrupted })
  })

  it('adds the missing result of one of several calls next to the others', () => {
    const messages = [
      calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}], ['grep', 'Grep', {}]),
      result('read-result', 'read', 'text'),
      ask,
    ]
    const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
    expect(view.map((message) => message.id)).toEqual(['turn', 'read-result', 'turn:bash', 'turn:grep', 'ask'])
    expect(checkView(view)).toEqual([])
  })

  it('answers the last call of an interrupted session', () => {
    expectEdits(pairToolCalls, [ask, calls('turn', ['bash', 'Bash', {}])], {}, { 'after turn': interrupted })
  })

  it('leaves a call alone that waits for approval', () => {
    const waiting: Message = {
      id: 'turn',
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'bash', tool: 'Bash', input: {}, pending: true }],
    }
    expectEdits(pairToolCalls, [ask, waiting], {}, {})
  })

  it('adds two results for two calls with the same id', () => {
    const messages = [calls('turn', ['bash', 'Bash', {}], ['bash', 'Bash', {}]), ask]
    const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
    expect(view.map((message) => message.id)).toEqual(['turn', 'turn:bash', 'turn:bash:2', 'ask'])
  })
})

describe('Q-49 results without calls', () => {
  it('removes an orphan', () => {
    expectEdits(pairToolCalls, [...exchange('m', 'Bash', {}, 'ok'), result('orphan', 'gone', 'text')], {}, { orphan: null })
  })

  it('does not match a result from long before its call: agents reuse ids', () => {
    const messages = [result('early', 'bash', 'text'), ask, calls('turn', ['bash', 'Bash', {}])]
    expectEdits(pairToolCalls, messages, {}, { early: null, 'after turn': interrupted })
  })

  it('removes a second result for one call', () => {
    expectEdits(
      pairToolCalls,
      [calls('turn', ['bash', 'Bash', {}]), result('result', 'bash', 'passed'), result('again', 'bash', 'passed again')],
      {},
      { again: null },
    )
  })

  it('keeps a result without a call id', () => {
    expectEdits(pairToolCalls, [...exchange('m', 'Bash', {}, 'ok'), ask, result('bare', null, 'text')], {}, {})
  })

  it('keeps every result in a log without any calls', () => {
    expectEdits(pairToolCalls, [result('turn', 'bash', 'passed'), ask, result('next', 'read', 'passed again')], {}, {})
  })

  it('treats the same object in two places as two results', () => {
    const once = result('result', 'bash', 'passed')
    const messages = [calls('turn', ['bash', 'Bash', {}]), once, { ...once, id: 'again' }]
    expectEdits(pairToolCalls, messages, {}, { again: null })
  })

  it('never gives a new message an existing id', () => {
    const messages = [calls('turn', ['bash', 'Bash', {}]), user('turn:bash', 'taken')]
    const { view } = buildView({ messages, policies: [pairToolCalls], facts: {} })
    expect(view.map((message) => message.id)).toEqual(['turn', 'turn:bash:2', 'turn:bash'])
  })

  it('removes only the orphan from a message that continues with a valid result', () => {
    const both: Message = {
      id: 'result',
      role: 'tool',
      parts: [...result('', 'gone', 'orphan').parts, ...result('', 'bash', 'mine').parts],
    }
    const { view } = buildView({ messages: [calls('turn', ['bash', 'Bash', {}]), both], policies: [pairToolCalls], facts: {} })
    expect(view[1]).toEqual(result('result', 'bash', 'mine'))
  })

  it('removes only the orphan from a message that starts with a valid result', () => {
    const both: Message = {
      id: 'result',
      role: 'tool',
      parts: [...result('', 'bash', 'mine').parts, ...result('', 'gone', 'orphan').parts],
    }
    expectEdits(pairToolCalls, [calls('turn', ['bash', 'Bash', {}]), both], {}, { result: 'mine' })
  })
})

describe('results away from their calls', () => {
  it('moves a result from after a user message to its call, with its content', () => {
    const messages = [calls('turn', ['bash', 'Bash', {}]), ask, result('late', 'bash', 'real output'), user('ask2', 'next')]
    const view = applyEdits(messages, pairToolCalls.plan(deepFreeze(messages), {}))
    expect(view.map((message) => message.id)).toEqual(['turn', 'turn:bash', 'ask', 'ask2'])
    expect(view[1]?.parts[0]).toBe(messages[2]?.parts[0])
  })

  it('Q-11 moves each result after its call in a list given newest first', () => {
    const messages = [...exchange('m', 'Bash', {}, 'one'), ...exchange('n', 'Read', {}, 'two')].toReversed()
    const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
    expect(view.map((message) => message.id)).toEqual(['nc', 'nc:call-n', 'mc', 'mc:call-m'])
    expect(view[1]?.parts).toEqual(messages[0]?.parts)
    expect(checkView(view)).toEqual([])
  })

  it('does not match a result right before its call if an earlier call used that id', () => {
    const messages = [
      ...exchange('m', 'Bash', {}, 'passed'),
      result('again', 'call-m', 'passed again'),
      calls('next', ['call-m', 'Bash', {}]),
    ]
    expectEdits(pairToolCalls, messages, {}, { again: null, 'after next': interrupted })
  })

  it('matches a reused id to the nearer call', () => {
    const messages = [calls('turn', ['0', 'Bash', {}]), ask, calls('next', ['0', 'Bash', {}]), result('result', '0', 'of b')]
    expectEdits(pairToolCalls, messages, {}, { 'after turn': interrupted })
  })
})

it('leaves complete pairs alone, also with several calls in one message', () => {
  const messages = [
    ask,
    calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}]),
    result('bash-result', 'bash', 'passed'),
    result('read-result', 'read', 'passed again'),
    ...exchange('m', 'Bash', {}, 'ok'),
  ]
  expectEdits(pairToolCalls, messages, {}, {})
  const swapped = [
    ask,
    calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}]),
    result('read-result', 'read', 'passed again'),
    result('bash-result', 'bash', 'passed'),
  ]
  expectEdits(pairToolCalls, swapped, {}, {})
})

it('R000-35 R001-27 proposes nothing for a repaired list', () => {
  const messages = [
    result('o', 'gone', 'passed'),
    calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}]),
    ask,
    result('late', 'read', 'passed again'),
    calls('next', ['grep', 'Bash', {}]),
  ]
  const once = applyEdits(messages, pairToolCalls.plan(messages, {}))
  expect(pairToolCalls.plan(once, {})).toEqual([])
})

it('repairs a hundred thousand broken pairs in one pass', () => {
  const messages = Array.from({ length: 100_000 }, (_, index) =>
    calls(`a${index}`, [index % 2 === 0 ? 'same' : `${index}`, 'Bash', {}]),
  )
  const view = applyEdits(messages, pairToolCalls.plan(messages, {}))
  expect(view.length).toBe(200_000)
})

describe('the edits of pair-tool-calls', () => {
  it('insert a result for an interrupted call', () => {
    const message: Message = {
      id: 'turn:bash',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'bash', tool: 'Bash', content: { type: 'text', text: interrupted }, isError: true }],
    }
    expect(pairToolCalls.plan([calls('turn', ['bash', 'Bash', {}]), ask], {})).toEqual([
      {
        id: 'pair-tool-calls:turn:bash',
        policy: 'pair-tool-calls',
        kind: 'insert',
        after: 'turn',
        message,
        why: 'the call has no result, and providers reject a call without one',
      },
    ])
  })

  it('insert a moved result and remove the original', () => {
    const late = result('late', 'bash', 'output', { at: 5 })
    const why = 'the result was not right after its call, where providers require it'
    expect(pairToolCalls.plan([calls('turn', ['bash', 'Bash', {}]), ask, late], {})).toEqual([
      {
        id: 'pair-tool-calls:turn:bash',
        policy: 'pair-tool-calls',
        kind: 'insert',
        after: 'turn',
        message: { ...late, id: 'turn:bash' },
        why,
      },
      { id: 'pair-tool-calls:late', policy: 'pair-tool-calls', kind: 'fold', first: 'late', last: 'late', into: null, why },
    ])
  })
})

describe('other parts next to calls and results', () => {
  const text: TextPart = { type: 'text', text: 'a note' }
  const tool = (id: string, ...parts: Message['parts']): Message => ({ id, role: 'tool', parts })
  const shown = (...messages: readonly Message[]) => applyEdits(messages, pairToolCalls.plan(deepFreeze(messages), {}))

  it('answers a call that follows a text in its message', () => {
    const call = calls('turn', ['bash', 'Bash', {}])
    const answered = shown({ ...call, parts: [text, ...call.parts] }, ask)
    expect(answered.map((message) => message.id)).toEqual(['turn', 'turn:bash', 'ask'])
  })

  it('does not count text, or a call outside a model message, as a call', () => {
    const said: Message = { id: 's', role: 'assistant', parts: [text] }
    const notAsked: Message = { ...calls('passed', ['bash', 'Bash', {}]), role: 'user' }
    for (const message of [said, notAsked]) {
      const messages = [message, result('result', 'read', 'passed')]
      expect(shown(...messages)).toEqual(messages)
    }
  })

  it('keeps a text next to an orphan and a valid result', () => {
    const good = result('', 'bash', 'mine').parts
    const both = tool('result', text, ...result('', 'gone', 'orphan').parts, ...good)
    expect(shown(calls('turn', ['bash', 'Bash', {}]), both)[1]).toEqual(tool('result', text, ...good))
  })

  it('does not treat a text in a tool’s message as a result that needs a call', () => {
    const messages = [calls('turn', ['bash', 'Bash', {}]), tool('t', text)]
    expect(shown(...messages)).toEqual([
      ...messages,
      tool('turn:bash', ...result('', 'bash', interrupted, { tool: 'Bash', isError: true }).parts),
    ])
  })

  it('leaves results inside user messages in place', () => {
    const quoted: Message = { ...result('q', 'gone', 'quoted'), role: 'user' }
    const messages = [...exchange('m', 'Bash', {}, 'ok'), quoted, calls('next', ['read', 'Bash', {}])]
    expect(shown(...messages).slice(0, 4)).toEqual(messages)
  })

  it('moves a result with the text next to it, but without other results', () => {
    const [mine] = result('', 'bash', 'mine').parts
    const [other] = result('', 'read', 'other').parts
    const call = calls('turn', ['bash', 'Bash', {}])
    expect(shown(call, ask, tool('t', text, mine as TextPart))[1]).toEqual(tool('turn:bash', text, mine as TextPart))
    expect(shown(call, ask, tool('t', mine as TextPart, other as TextPart))[1]).toEqual(tool('turn:bash', mine as TextPart))
  })

  it('numbers added results for calls with the same id', () => {
    const thrice = calls('turn', ['bash', 'Bash', {}], ['bash', 'Bash', {}], ['bash', 'Bash', {}])
    expect(shown(thrice).map((message) => message.id)).toEqual(['turn', 'turn:bash', 'turn:bash:2', 'turn:bash:3'])
  })
})

describe('pair-tool-calls, planned again', () => {
  const call = calls('turn', ['bash', 'Bash', {}])
  const pair = calls('turn', ['bash', 'Bash', {}], ['read', 'Read', {}])
  const late = result('late', 'bash', 'output', { at: 5 })
  const [strayed] = late.parts
  const note = (text: string): TextPart => ({ type: 'text', text })
  const lateWith = (...parts: Message['parts']): Message => ({ ...late, parts: [...late.parts, ...parts] })

  it.each([
    ['an interrupted call', [call, ask]],
    ['a moved result', [call, ask, lateWith(note('same'))]],
  ])('returns the same edit for %s', (_name, messages) => {
    const [first] = pairToolCalls.plan(messages, {})
    expect(pairToolCalls.plan([...messages, user('next', 'more')], {})[0]).toBe(first)
  })

  it.each<readonly [string, readonly Message[], readonly Message[], Parameters<typeof pairToolCalls.plan>[1]]>([
    ['the id is taken', [call, ask], [call, user('turn:bash', 'taken')], {}],
    ['another result precedes it', [pair, ask], [pair, result('read-result', 'read', 'passed'), ask], {}],
    ['the language changed', [call, ask], [call, ask], { config: { locale: 'zh' } }],
    ['the strings changed', [call, ask], [call, ask], { strings: { interruptedCall: 'no answer' } }],
    ['the result has another time', [call, ask, late], [call, ask, { ...late, at: 6 }], {}],
    ['the result has more text next to it', [call, ask, late], [call, ask, lateWith(note('new'))], {}],
    ['the result has less text next to it', [call, ask, lateWith(note('gone'))], [call, ask, late], {}],
    ['the text next to the result changed', [call, ask, lateWith(note('one'))], [call, ask, lateWith(note('two'))], {}],
    [
      'the text moved before the result',
      [call, ask, lateWith(note('one'))],
      [call, ask, { ...late, parts: lateWith(note('one')).parts.toReversed() }],
      {},
    ],
    [
      'the text moved after the result',
      [call, ask, { ...late, parts: lateWith(note('one')).parts.toReversed() }],
      [call, ask, lateWith(note('one'))],
      {},
    ],
    [
      'the result became an error with the same text',
      [call, ask, late],
      [call, ask, result('late', 'bash', 'output', { at: 5, isError: true })],
      {},
    ],
  ])('returns a new edit if %s', (_name, before, after, facts) => {
    pairToolCalls.plan(before, {})
    const fresh = structuredClone(after)
    expect(pairToolCalls.plan(after, facts)).toEqual(pairToolCalls.plan(fresh, facts))
    expect(strayed).toEqual(result('', 'bash', 'output').parts[0])
  })
})
