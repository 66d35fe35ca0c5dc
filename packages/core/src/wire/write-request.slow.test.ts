import { modelMessageSchema } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleLayers } from '../../../node/src/layers/assemble-layers.ts'
import { buildView } from '../engine/build-view.ts'
import { callInput, type Message, type Part, resultText } from '../message.ts'
import { pairToolCalls } from '../policies/pair-tool-calls.ts'
import { checkView } from '../results/invariants.ts'
import { conversations } from '../testing/damaged-conversations.ts'
import { calls, deepFreeze, result, user } from '../testing/messages.ts'
import { type Story, stories } from '../testing/stories.ts'
import { writtenList } from '../testing/written-list.ts'
import { codecs } from './codecs.ts'
import { type DialectName, writeRequest } from './write-request.ts'

const names = Object.keys(codecs) as readonly DialectName[]
const options = { model: 'any' }

const images: Readonly<Record<DialectName, Part>> = {
  'openai-chat': {
    type: 'media',
    mediaType: 'image/png',
    data: { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
  },
  anthropic: {
    type: 'media',
    mediaType: 'image/png',
    data: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  },
  'ai-sdk': {
    type: 'media',
    mediaType: 'image/png',
    data: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
  },
  'openai-responses': {
    type: 'media',
    mediaType: 'image/png',
    data: { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
  },
  gemini: { type: 'media', mediaType: 'image/png', data: { inlineData: { mimeType: 'image/png', data: 'AAAA' } } },
}

const session: readonly Message[] = deepFreeze([
  { id: 'layer:system', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { id: 'layer:rules', role: 'system', parts: [{ type: 'text', text: 'Rules.' }] },
  { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: '## Before' }] },
  user('u', 'fix it'),
  {
    id: 'a',
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'first read' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool-call', callId: 'x', tool: 'Read', input: { path: 'a.ts' } },
      { type: 'tool-call', callId: 'y', tool: 'Bash', input: '{"command":"ls"}' },
    ],
  },
  result('r', 'x', 'text of a'),
  result('q', 'y', 'Error: no'),
  { id: 'layer:recap', role: 'system', parts: [{ type: 'text', text: 'Todo: 1 open' }] },
])

describe('a complete request', () => {
  it('Q-14 Q-13 is written for openai-chat with the summary as a system message in its place', () => {
    expect(writeRequest('openai-chat', session, { ...options, system: 'First.' })).toEqual({
      model: 'any',
      messages: [
        { role: 'system', content: 'First.' },
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: 'Rules.' },
        { role: 'system', content: '## Before' },
        { role: 'user', content: 'fix it' },
        {
          role: 'assistant',
          content: 'Reading.',
          tool_calls: [
            { id: 'x', type: 'function', function: { name: 'Read', arguments: '{"path":"a.ts"}' } },
            { id: 'y', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'x', content: 'text of a' },
        { role: 'tool', tool_call_id: 'y', content: 'Error: no' },
        { role: 'system', content: 'Todo: 1 open' },
      ],
    })
  })

  it('Q-14 Q-13 is written for anthropic with the summary as a reminder, never in the system prompt', () => {
    expect(writeRequest('anthropic', session, options)).toEqual({
      model: 'any',
      max_tokens: 8192,
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Rules.' },
      ],
      messages: [
        { role: 'user', content: '<system-reminder>\n## Before\n</system-reminder>' },
        { role: 'user', content: 'fix it' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'x', name: 'Read', input: { path: 'a.ts' } },
            { type: 'tool_use', id: 'y', name: 'Bash', input: { command: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'x', content: 'text of a' },
            { type: 'tool_result', tool_use_id: 'y', content: 'Error: no', is_error: true },
          ],
        },
        { role: 'user', content: '<system-reminder>\nTodo: 1 open\n</system-reminder>' },
      ],
    })
  })

  it('Q-14 Q-13 is written for the AI SDK with instructions, without a system message that it would reject', () => {
    const request = writeRequest('ai-sdk', session, options)
    expect(request).toEqual({
      model: 'any',
      instructions: 'Be brief.\n\nRules.',
      messages: [
        { role: 'user', content: '<system-reminder>\n## Before\n</system-reminder>' },
        { role: 'user', content: 'fix it' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'first read' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool-call', toolCallId: 'x', toolName: 'Read', input: { path: 'a.ts' } },
            { type: 'tool-call', toolCallId: 'y', toolName: 'Bash', input: { command: 'ls' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'x', toolName: 'Read', output: { type: 'text', value: 'text of a' } },
            { type: 'tool-result', toolCallId: 'y', toolName: 'Bash', output: { type: 'error-text', value: 'Error: no' } },
          ],
        },
        { role: 'user', content: '<system-reminder>\nTodo: 1 open\n</system-reminder>' },
      ],
    })
    for (const message of request['messages'] as readonly unknown[])
      expect(modelMessageSchema.safeParse(message).success).toBe(true)
  })

  it('Q-14 Q-13 is written for the Responses API as items, with the summary as a system message in its place', () => {
    expect(writeRequest('openai-responses', session, options)).toEqual({
      model: 'any',
      instructions: 'Be brief.\n\nRules.',
      input: [
        { role: 'system', content: '## Before' },
        { role: 'user', content: 'fix it' },
        { role: 'assistant', content: 'Reading.' },
        { type: 'function_call', call_id: 'x', name: 'Read', arguments: '{"path":"a.ts"}' },
        { type: 'function_call', call_id: 'y', name: 'Bash', arguments: '{"command":"ls"}' },
        { type: 'function_call_output', call_id: 'x', output: 'text of a' },
        { type: 'function_call_output', call_id: 'y', output: 'Error: no' },
        { role: 'system', content: 'Todo: 1 open' },
      ],
    })
  })

  it('Q-14 Q-13 is written for Gemini with all results for one message in one content, and the summary as a reminder', () => {
    expect(writeRequest('gemini', session, options)).toEqual({
      model: 'any',
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Rules.' }] },
      contents: [
        { role: 'user', parts: [{ text: '<system-reminder>\n## Before\n</system-reminder>' }] },
        { role: 'user', parts: [{ text: 'fix it' }] },
        {
          role: 'model',
          parts: [
            { text: 'Reading.' },
            { functionCall: { id: 'x', name: 'Read', args: { path: 'a.ts' } } },
            { functionCall: { id: 'y', name: 'Bash', args: { command: 'ls' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'x', name: 'Read', response: { output: 'text of a' } } },
            { functionResponse: { id: 'y', name: 'Bash', response: { error: 'Error: no' } } },
          ],
        },
        { role: 'user', parts: [{ text: '<system-reminder>\nTodo: 1 open\n</system-reminder>' }] },
      ],
    })
  })

  it('rejects an unknown API format by name', () => {
    expect(() => writeRequest('toString' as DialectName, [], options)).toThrow(
      'dialect: expected one of openai-chat, anthropic, ai-sdk, openai-responses, gemini, got "toString"',
    )
  })

  it('Q-13 writes the older function form back unchanged', () => {
    const legacy = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, function_call: { name: 'grep', arguments: '{"q":1}' } },
      { role: 'function', name: 'grep', content: 'found' },
    ]
    expect(writeRequest('openai-chat', codecs['openai-chat'].read(legacy).messages, options)['messages']).toEqual(legacy)
  })
})

describe.each(names)('a request for %s', (name) => {
  const codec = codecs[name]
  const back = (messages: readonly Message[]) => {
    const read = codec.read(writeRequest(name, deepFreeze(messages), options)).messages
    // The reminder that starts a request is not a message.
    return JSON.stringify(read[0] ?? null).includes('begins with the assistant') ? read.slice(1) : read
  }

  it('reads back as the messages it was written from', () => {
    const reached = { results: 0, shared: 0, images: 0, thoughts: 0 }
    fc.assert(
      fc.property(stories(), fc.nat({ max: 3 }), (story, every) => {
        const messages = storyMessages(story, images[name], every)
        for (const { parts } of messages)
          for (const part of parts) {
            if (part.type === 'tool-result') reached.results += 1
            if (part.type === 'media') reached.images += 1
            if (part.type === 'reasoning') reached.thoughts += 1
          }
        reached.shared += messages.filter(
          (message, index) => message.role === 'tool' && messages[index + 1]?.role === 'tool',
        ).length
        expect(plain(back(messages), name)).toEqual(plain(messages, name))
      }),
      { numRuns: 200 },
    )
    for (const [what, count] of Object.entries(reached)) expect(count, what).toBeGreaterThan(50)
  })

  it('is legal for every view, whatever the log had gone through', () => {
    let odd = 0
    fc.assert(
      fc.property(conversations, (messages) => {
        const { view } = buildView({ messages, policies: [pairToolCalls], facts: {} })
        odd += view.filter(({ parts }) => parts.some((part) => part.type === 'tool-result' && part.callId === null)).length
        const read = back(view)
        expect(checkView(read).filter(({ rule }) => rule !== 'call-has-result' || !hasPending(view))).toEqual([])
        expect(JSON.stringify(read)).not.toContain('"url"')
      }),
      { numRuns: 40 },
    )
    expect(odd).toBeGreaterThan(5)
  })

  it('R004-1 starts with the bytes of the previous one, a hundred times in a row', () => {
    let messages: readonly Message[] = []
    let before = { around: '', list: [] as readonly string[] }
    for (let round = 0; round < 100; round += 1) {
      // A server that restarts its call numbers in every answer.
      messages = [...messages, user(`u${round}`, `q${round}`), ...exchangeOf(round)]
      const layers = { system: 'Be brief.', rules: 'Rules.', messages, recap: `Todo: ${round} open` }
      const request = writeRequest(name, assembleLayers(layers), options)
      const sent = writtenList(request).map((message) => JSON.stringify(message))
      const { messages: _messages, input: _input, contents: _contents, ...around } = request
      if (round > 0) expect(JSON.stringify(around)).toBe(before.around)
      expect(sent.slice(0, before.list.length)).toEqual(before.list)
      // Only the recap is written again.
      before = { around: JSON.stringify(around), list: sent.slice(0, -1) }
    }
    expect(before.list.length).toBeGreaterThanOrEqual(300)
  })

  it.each(names.filter((other) => other !== name))('describes an image of %s as text', (other) => {
    const message: Message = { id: '0', role: 'user', parts: [{ type: 'text', text: 'see' }, images[other]] }
    expect(back([message])[0]?.parts).toEqual([
      { type: 'text', text: 'see' },
      { type: 'text', text: '[image/png]' },
    ])
  })

  it('gives a call and its result the same id, which the vendor accepts', () => {
    const allowed = {
      'openai-chat': /^.{1,40}$/s,
      anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
      'ai-sdk': /^.+$/s,
      'openai-responses': /^.{1,64}$/s,
      gemini: /^.+$/s,
    }[name]
    for (const callId of ['a:b c', 'x'.repeat(90), '', 'call_ok']) {
      const [asked, answered] = back([calls('0', [callId, 'T', {}]), result('1', callId, 'x')]).flatMap(({ parts }) =>
        parts.map((part) => (part.type === 'tool-call' || part.type === 'tool-result' ? part.callId : null)),
      )
      expect(asked).toMatch(allowed)
      expect(answered).toBe(asked)
      if (allowed.test(callId)) expect(asked).toBe(callId)
    }
  })

  it('carries odd values without a crash', () => {
    const cyclic: Record<string, unknown> = { type: 'image_url', image_url: {}, source: {}, mediaType: 'x/y' }
    cyclic['self'] = cyclic
    const list: readonly Message[] = [
      { id: '0', role: 'user', parts: [] },
      { id: '1', role: 'user', parts: [{ type: 'media', mediaType: 'vendor/x', data: cyclic }] },
      { id: '2', role: 'assistant', parts: [{ type: 'reasoning', text: 'only' }] },
      calls('3', ['', 'T', 'not json'], ['a:b c', 'T', undefined]),
      result('4', '', ''),
      result('5', 'a:b c', 'x'),
      { id: '6', role: 'tool', parts: [{ type: 'text', text: 'bare' }] },
      result('7', null, 'nobody asked'),
    ]
    const request = writeRequest(name, list, options)
    expect(JSON.stringify(request)).toContain('Tool results:\\nnobody asked')
    expect(checkView(codec.read(request).messages)).toEqual([])
  })
})

function exchangeOf(round: number): readonly Message[] {
  return [calls(`c${round}`, ['call_0', 'Read', { path: `${round}.ts` }]), result(`r${round}`, 'call_0', `text of ${round}`)]
}

function hasPending(messages: readonly Message[]): boolean {
  return messages.some(({ parts }) => parts.some((part) => part.type === 'tool-call' && part.pending === true))
}

function storyMessages(story: Story, image: Part, every: number): readonly Message[] {
  const messages: Message[] = []
  const add = (role: Message['role'], parts: readonly Part[]) => messages.push({ id: `m${messages.length}`, role, parts })
  for (const [index, step] of story.entries()) {
    if (step.kind === 'user') {
      add('user', [{ type: 'text', text: `said ${step.text}` }, ...(index % 4 === every ? [image] : [])])
      continue
    }
    const made = step.calls.map(({ id, tool, input }): Part => ({ type: 'tool-call', callId: id, tool, input }))
    add('assistant', [
      ...(step.thought === null ? [] : [{ type: 'reasoning' as const, text: step.thought }]),
      { type: 'text', text: `told ${step.text}` },
      ...made,
    ])
    for (const { id, tool, answer, form, failed } of step.calls) {
      const text = `came ${answer}`
      const content =
        form === 'text'
          ? { type: 'text' as const, text }
          : form === 'json'
            ? { type: 'json' as const, value: { text } }
            : { type: 'list' as const, items: [{ type: 'text' as const, text }] }
      add('tool', [{ type: 'tool-result', callId: id, tool, content, ...(failed ? { isError: true } : {}) }])
    }
  }
  return messages
}

/** Messages without what a dialect has no place for. */
function plain(messages: readonly Message[], name: DialectName): readonly unknown[] {
  const list = name === 'openai-responses' ? joinAnswers(messages) : messages
  return list.map(({ role, parts }) => ({
    role,
    parts: parts.flatMap((part): readonly unknown[] => {
      // A thought without words is one that was left out.
      if (part.type === 'reasoning') return name === 'ai-sdk' && part.text !== '' ? [part] : []
      if (part.type === 'tool-call') return [{ callId: part.callId, tool: part.tool, input: callInput(part) }]
      if (part.type !== 'tool-result') return [part]
      const isTold = name === 'gemini' || (!name.startsWith('openai') && part.content.type !== 'list')
      const failed = isTold && part.isError === true
      return [{ callId: part.callId, text: resultText(part), failed }]
    }),
  }))
}

/** There what the model did in a row is one message. */
function joinAnswers(messages: readonly Message[]): readonly Message[] {
  const list: Message[] = []
  for (const message of messages) {
    const last = list.at(-1)
    if (last?.role === 'assistant' && message.role === 'assistant')
      list[list.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else list.push(message)
  }
  return list
}

describe('a request that shares what was written before', () => {
  const behinds: readonly (readonly [DialectName, DialectName])[] = [
    ...names.map((name) => [name, name] as const),
    ['ai-sdk', 'openai-chat'],
    ['ai-sdk', 'anthropic'],
  ]

  it('says the same as one that is written anew, however the conversation grows, is cut back or shown differently', () => {
    const reached = { again: 0, calls: 0, told: 0 }
    fc.assert(
      fc.property(conversations, fc.infiniteStream(fc.nat({ max: 40 })), (messages, lengths) => {
        const facts = { now: Date.UTC(2026, 0, 31, 12) }
        for (let step = 0; step < 4; step += 1) {
          const given = messages.slice(0, lengths.next().value as number)
          const { view } = buildView({ messages: given, policies: [pairToolCalls], facts })
          const last = view.at(-1)
          const told = new Map(last === undefined || step % 2 === 0 ? [] : [[last.id, { anthropic: { mark: step } }]])
          for (const [name, behind] of behinds) {
            const given = { ...options, behind, options: told }
            const shared = writeRequest(name, view, { ...given, isShared: true })
            expect(shared).toEqual(writeRequest(name, view, given))
            reached.told += JSON.stringify(shared).includes('"mark"') ? 1 : 0
          }
          reached.again += step > 0 && view.length > 0 ? 1 : 0
          reached.calls += view.some(({ role }) => role === 'tool') ? 1 : 0
        }
      }),
      { numRuns: 60 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(20)
  })

  it('reuses the message objects of the previous request', () => {
    const shared = { ...options, isShared: true }
    const before = writeRequest('ai-sdk', session.slice(0, 7), shared)['messages'] as readonly unknown[]
    const after = writeRequest('ai-sdk', [...session.slice(0, 7), user('v', 'go on')], shared)['messages'] as readonly unknown[]
    expect(after.slice(0, before.length).every((message, index) => message === before[index])).toBe(true)
    expect(after).toHaveLength(before.length + 1)
  })

  // What is shared is found by the fourth message.
  const first = [user('t', 'look'), calls('k', ['w', 'LS', {}]), result('l', 'w', 'none'), user('u', 'fix the cart tests')]
  const start = [...first, calls('a', ['x', 'Read', {}], ['y', 'Grep', {}]), result('r', 'x', 'one')]
  const early = [...first, result('r', 'z', 'one')]
  it.each<readonly [string, readonly (readonly Message[])[]]>([
    ['one more result of the same calls', [start, [...start, result('s', 'y', 'two')]]],
    ['fewer results', [[...start, result('s', 'y', 'two'), user('v', 'go on')], start]],
    ['another call of the same id', [start, [...first, calls('b', ['x', 'Write', {}]), ...start.slice(5)]]],
    ['a call that comes after its result', [early, [...early, calls('a', ['z', 'Read', {}])]]],
    ['a second call of the same id', [start, [...start, calls('b', ['x', 'Bash', {}])], start]],
  ])('is the same after a request with %s', (_name, requests) => {
    for (const name of ['anthropic', 'ai-sdk'] as const) {
      // The same objects again, as in a session.
      for (const messages of requests)
        expect(writeRequest(name, messages, { ...options, isShared: true })).toEqual(writeRequest(name, messages, options))
    }
  })

  it('names the tool of the current call', () => {
    const answer = result('r', 'x', 'text')
    const written = (tool: string) =>
      JSON.stringify(
        writeRequest('ai-sdk', [user('u', 'fix the cart tests'), calls('a', ['x', tool, {}]), answer], {
          ...options,
          isShared: true,
        }),
      )
    expect(written('Read')).toContain('"type":"tool-result","toolCallId":"x","toolName":"Read"')
    expect(written('Grep')).toContain('"type":"tool-result","toolCallId":"x","toolName":"Grep"')
  })

  it('contains no shared values by default', () => {
    const [one, other] = [1, 2].map(() => writeRequest('ai-sdk', session, options)['messages'] as readonly unknown[])
    expect(one?.every((message, index) => message !== other?.[index])).toBe(true)
  })
})
