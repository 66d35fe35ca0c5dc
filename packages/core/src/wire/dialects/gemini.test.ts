import { type Content, Language, Outcome } from '@google/genai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildView } from '../../engine/build-view.ts'
import { type Message, type Part, resultText, type ToolResultPart, withShownText } from '../../message.ts'
import { pairToolCalls } from '../../policies/pair-tool-calls.ts'
import { checkView } from '../../results/invariants.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { type Story, stories } from '../../testing/stories.ts'
import { testCodec } from '../../testing/test-codec.ts'
import { patchText, patchValue } from '../../text/patch.ts'
import { gemini } from './gemini.ts'

const png = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }
const ask = (name: string, args: Record<string, unknown>, id?: string) => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args },
})
const answer = (name: string, response: Record<string, unknown>, id?: string) => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response },
})

// The vendor's own types hold the shapes to what it takes.
const contents: readonly Content[] = [
  { role: 'user', parts: [{ text: 'look' }, { inlineData: png }, { fileData: { fileUri: 'gs://a', mimeType: 'video/mp4' } }] },
  {
    role: 'model',
    parts: [
      { text: 'hm', thought: true },
      { text: 'Reading.', thoughtSignature: 'c2lnbmVk' },
      { ...ask('read_file', { path: 'x' }), thoughtSignature: 'c2lnbmVk' },
      ask('read_file', { path: 'y' }),
      ask('grep', { pattern: 'z' }, 'id_z'),
    ],
  },
  {
    role: 'user',
    parts: [
      answer('read_file', { output: 'text of x' }),
      { inlineData: png },
      answer('read_file', { error: 'no such file' }),
      answer('grep', { matches: 3, output: 'a\nb' }, 'id_z'),
      { text: 'and hurry' },
    ],
  },
  { parts: [{ text: 'a content without a role' }] },
  {
    role: 'model',
    parts: [
      { executableCode: { code: '1+1', language: Language.PYTHON } },
      { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: '2' } },
      ask('mcp', {}),
      ask('shoot', {}),
    ],
  },
  {
    role: 'function',
    parts: [
      answer('mcp', {
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      }),
      { functionResponse: { name: 'shoot', response: { result: 'see' }, parts: [{ inlineData: png }] } },
    ],
  },
  { role: 'model', parts: [{ text: 'done' }] },
]

const session = { systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] }, contents, tools: [] }

const snake = {
  system_instruction: { parts: [{ text: 'Be brief.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'look' }, { inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
    { role: 'model', parts: [{ function_call: { name: 'ls', args: {} }, thought_signature: 'c2lnbmVk' }] },
    { role: 'user', parts: [{ function_response: { name: 'ls', response: { output: 'a.ts' } } }] },
  ],
}

const odd = {
  systemInstruction: 'not a content',
  contents: [
    { role: 'user' },
    { role: 'user', parts: [] },
    {
      role: 'user',
      parts: [7, {}, { text: 7 }, { text: 'a', functionCall: {} }, { made: 'up' }, { functionCall: { name: 'of a user' } }],
    },
    { role: 'model', parts: [{ functionCall: {} }, { functionCall: 'no' }, answer('of a model', {}), ask('none', {})] },
    {
      role: 'user',
      parts: [
        { functionResponse: {} },
        { functionResponse: { name: 'none', response: 'text' } },
        { functionResponse: { name: 'none', response: [1], parts: [{ made: 'up' }] } },
        answer('nobody', { output: { deep: 1 } }),
        { inlineData: { mimeType: 'application/json', data: 'e30=' } },
        answer('nobody', { content: [] }, 'nobody_asked'),
      ],
    },
  ],
}

testCodec(gemini, {
  blocks: 'parts',
  linked: ['id_z'],
  fixtures: {
    session,
    snake,
    odd,
    'a list of contents': contents,
    'no contents': { contents: [] },
    'a request to count': { generateContentRequest: { model: 'models/any', ...session } },
  },
  conversations: fc
    .tuple(stories(), fc.boolean(), fc.boolean())
    .map(([story, hasIds, isSnake]) => writeStory(story, hasIds, isSnake)),
  refused: [
    [7, 'conversation: expected a list of contents or an object with "contents", got 7'],
    [{ contents: 'hi' }, 'contents: expected a list of contents, got "hi"'],
    [{ contents: ['hi'] }, 'contents[0]: expected a content object, got "hi"'],
    [{ contents: [{ role: 'critic', parts: [] }] }, 'contents[0].role: expected one of user, model, function, got "critic"'],
  ],
})

describe('reading', () => {
  const { messages } = gemini.read(session)

  it('makes a message of every result, together with the parts before the next one', () => {
    expect(messages.map(({ id, role, parts }) => `${id} ${role} ${parts.map(kindOf).join(' ')}`)).toEqual([
      'system system text',
      '0 user text image/png video/mp4',
      '1 assistant reasoning text tool-call tool-call tool-call',
      '2.0 tool tool-result image/png',
      '2.2 tool tool-result',
      '2.3 tool tool-result',
      '2.4 user text',
      '3 user text',
      '4 assistant vendor/executableCode vendor/codeExecutionResult tool-call tool-call',
      '5.0 tool tool-result',
      '5.1 tool tool-result',
      '6 assistant text',
    ])
  })

  it('R001-16 pairs every result with its call, by id or by name and order', () => {
    expect(checkView(messages)).toEqual([])
    const parts = messages.flatMap((message) => message.parts)
    const asked = parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
    const answered = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []))
    expect(answered).toEqual(asked)
    expect(asked.map((id) => id.replace(/(?<=^function:).+/, '…'))).toEqual([
      'function:…',
      'function:…',
      'id_z',
      'function:…',
      'function:…',
    ])
  })

  const answers: readonly (readonly [response: Record<string, unknown>, content: ToolResultPart['content'], isError?: true])[] = [
    [{ output: 'x' }, { type: 'text', text: 'x' }],
    [{ result: 'x' }, { type: 'text', text: 'x' }],
    [{ content: 'x' }, { type: 'text', text: 'x' }],
    [{ error: 'x' }, { type: 'text', text: 'x' }, true],
    [
      { name: 't', content: 'x' },
      { type: 'text', text: 'x' },
    ],
    [{ greeting: 'x' }, { type: 'json', value: { greeting: 'x' } }],
    [
      { output: 'x', exitCode: 0 },
      { type: 'json', value: { output: 'x', exitCode: 0 } },
    ],
    [{ error: { code: 1 } }, { type: 'json', value: { code: 1 } }, true],
    [{ output: [1] }, { type: 'json', value: [1] }],
    [
      { error: null, output: 'x' },
      { type: 'json', value: { error: null, output: 'x' } },
    ],
    [{}, { type: 'json', value: {} }],
    [{ content: [{ type: 'text', text: 'x' }], isError: true }, { type: 'list', items: [{ type: 'text', text: 'x' }] }, true],
    [{ content: ['x'] }, { type: 'json', value: ['x'] }],
  ]
  it.each(answers.map((entry) => [entry] as const))('reads the answer %j', ([response, content, isError]) => {
    const [, read] = gemini.read([
      { role: 'model', parts: [ask('t', {})] },
      { role: 'user', parts: [answer('t', response)] },
    ]).messages
    expect(read?.parts[0]).toMatchObject({ type: 'tool-result', tool: 't', content })
    expect((read?.parts[0] as ToolResultPart).isError).toBe(isError)
  })

  it('keeps a signature with the part it signs', () => {
    const google = { providerOptions: { google: { thoughtSignature: 'c2lnbmVk' } } }
    expect(messages[2]?.parts.map((part) => ('providerOptions' in part ? part.providerOptions : null))).toEqual([
      null,
      google.providerOptions,
      google.providerOptions,
      null,
      null,
    ])
  })

  it('reads both spellings the same', () => {
    const { messages: read } = gemini.read(snake)
    expect(read.map(({ role, parts }) => `${role} ${parts.map(kindOf).join(' ')}`)).toEqual([
      'system text',
      'user text image/png',
      'assistant tool-call',
      'tool tool-result',
    ])
    expect(read[2]?.parts[0]).toMatchObject({ providerOptions: { google: { thoughtSignature: 'c2lnbmVk' } } })
  })
})

describe('calls without an id', () => {
  const idsOf = (list: readonly unknown[]) =>
    gemini
      .read(list)
      .messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'tool-call' || part.type === 'tool-result' ? [part.callId] : [])),
      )

  it('have the same id at any position', () => {
    const turn = [
      { role: 'model', parts: [ask('ls', { path: 'a' })] },
      { role: 'user', parts: [answer('ls', { output: 'x' })] },
    ]
    expect(idsOf([{ role: 'user', parts: [{ text: 'hi' }] }, ...turn])).toEqual(idsOf(structuredClone(turn)))
  })

  it('have different ids even with the same arguments', () => {
    const [first, second, third] = idsOf([
      { role: 'model', parts: [ask('ls', {}), ask('ls', {})] },
      { role: 'model', parts: [ask('ls', {})] },
    ])
    expect(new Set([first, second, third]).size).toBe(3)
  })

  it('take results in order, the nearest turn first', () => {
    const [a, b, c, d, ...answered] = idsOf([
      { role: 'model', parts: [ask('ls', { n: 1 })] },
      { role: 'model', parts: [ask('ls', { n: 2 }), ask('cat', {}), ask('ls', { n: 3 })] },
      { role: 'user', parts: ['ls', 'ls', 'cat', 'ls', 'ls'].map((name) => answer(name, {})) },
    ])
    expect(answered).toEqual([b, d, c, a, null])
  })

  it('take a result with an unknown id, as sent by clients that number calls themselves', () => {
    const [made, given, ...answered] = idsOf([
      { role: 'model', parts: [ask('ls', {}), ask('cat', {}, 'given')] },
      { role: 'user', parts: [answer('ls', {}, 'ls-1700000000'), answer('cat', {}, 'other'), answer('cat', {})] },
    ])
    expect([given, ...answered]).toEqual(['given', made, 'other', 'given'])
  })

  it('take a result with an unknown id before calls that have an id', () => {
    const [, made, answered] = idsOf([
      { role: 'model', parts: [ask('ls', {}, 'given'), ask('ls', {})] },
      { role: 'user', parts: [answer('ls', {}, 'ls-1700000000')] },
    ])
    expect(answered).toBe(made)
  })

  it('take linear time for any number of calls', () => {
    const many = 30_000
    const parts = Array.from({ length: many }, (_, index) => ask('ls', {}, `given_${index}`))
    const answers = Array.from({ length: many }, (_, index) => answer('ls', {}, `other_${index}`))
    const ids = idsOf([
      { role: 'model', parts },
      { role: 'user', parts: answers },
    ])
    expect(ids).toHaveLength(2 * many)
    expect(ids.at(-1)).toBe(`other_${many - 1}`)
  })

  it('do not take a second result by name after one by id', () => {
    const [given, made, ...answered] = idsOf([
      { role: 'model', parts: [ask('ls', {}, 'given'), ask('ls', {})] },
      { role: 'user', parts: [answer('ls', {}, 'given'), answer('ls', {})] },
    ])
    expect(answered).toEqual([given, made])
  })
})

describe('writing', () => {
  it.each<readonly [Record<string, unknown>, Record<string, unknown>, readonly object[]]>([
    [{ output: 'long' }, { output: 'short' }, [{ op: 'set', path: ['output'], value: 'short' }]],
    [{ result: 'long' }, { result: 'short' }, [{ op: 'set', path: ['result'], value: 'short' }]],
    [{ error: 'long' }, { error: 'short' }, [{ op: 'set', path: ['error'], value: 'short' }]],
    [{ name: 't', content: 'long' }, { name: 't', content: 'short' }, [{ op: 'set', path: ['content'], value: 'short' }]],
    [
      { content: [{ type: 'text', text: 'long', annotations: {} }] },
      { content: [{ type: 'text', text: 'short', annotations: {} }] },
      [{ op: 'set', path: ['content', 0, 'text'], value: 'short' }],
    ],
    [
      { output: 'long', exitCode: 0 },
      { output: 'short' },
      [
        { op: 'remove', path: ['exitCode'] },
        { op: 'set', path: ['output'], value: 'short' },
      ],
    ],
    [{ name: 't', output: { text: 'long' } }, { name: 't', output: 'short' }, [{ op: 'set', path: ['output'], value: 'short' }]],
    [{ error: { message: 'long' } }, { error: 'short' }, [{ op: 'set', path: ['error'], value: 'short' }]],
  ])('changes the text of the answer %j where it stands', (response, after, patches) => {
    const value = deepFreeze([
      { role: 'model', parts: [ask('t', {})] },
      { role: 'user', parts: [answer('t', response)] },
    ])
    const reading = gemini.read(value)
    const changed = reading.patches(reading.messages.map((message) => replaced(message, 'short')))
    const base = [1, 'parts', 0, 'functionResponse', 'response']
    expect(changed).toEqual(
      patches.map((patch) => ({ ...patch, path: [...base, ...(patch as { path: readonly string[] }).path] })),
    )
    expect((patchValue(value, changed) as typeof value)[1]).toEqual({ role: 'user', parts: [answer('t', after)] })
  })

  it.each(['whole', 'output'])('patches only the changed part of a value: %s', (kind) => {
    const value = { keep: { a: 1 }, data: ['x', 'data:image/png;base64,AA'] }
    const reading = gemini.read([{ role: 'user', parts: [answer('t', kind === 'output' ? { output: value } : value)] }])
    const view = reading.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => {
        if (part.type !== 'tool-result' || part.content.type !== 'json') return part
        const changed = { ...(part.content.value as object), data: ['x', '[image]'] }
        return { ...part, content: { type: 'json' as const, value: changed } }
      }),
    }))
    expect(reading.patches(view)).toEqual([
      {
        op: 'set',
        path: [0, 'parts', 0, 'functionResponse', 'response', ...(kind === 'output' ? ['output'] : []), 'data', 1],
        value: '[image]',
      },
    ])
  })

  it('removes media if a text replaces the complete result, and keeps them if only the text changes', () => {
    const reading = gemini.read(session)
    const whole = reading.messages.map((message) => (message.id === '5.1' ? asText(message, 'short') : message))
    const base = ['contents', 5, 'parts', 1, 'functionResponse']
    expect(reading.patches(whole)).toEqual([
      { op: 'remove', path: [...base, 'parts'] },
      { op: 'set', path: [...base, 'response', 'result'], value: 'short' },
    ])
    const words = reading.messages.map((message) => (message.id === '5.1' ? withItems(message, 'short') : message))
    expect(reading.patches(words)).toEqual([{ op: 'set', path: [...base, 'response', 'result'], value: 'short' }])
  })

  it('answers open calls in one content, and never writes a generated id', () => {
    const value = deepFreeze({
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [ask('ls', {}), ask('cat', {}, 'given'), ask('pwd', {})] },
        { role: 'user', parts: [answer('ls', { output: 'x' })] },
        { role: 'model', parts: [ask('ls', { again: true })] },
        { role: 'user', parts: [{ text: 'stop' }] },
      ],
    })
    const reading = gemini.read(value)
    const { view } = buildView({ messages: reading.messages, policies: [pairToolCalls], facts: {} })
    const patched = patchValue(value, reading.patches(view)) as typeof value
    const error = { error: expect.stringMatching(/^Error: /) as string }
    expect(patched.contents).toEqual([
      ...value.contents.slice(0, 2),
      {
        role: 'user',
        parts: [answer('ls', { output: 'x' }), answer('cat', error, 'given'), answer('pwd', error)],
      },
      value.contents[3],
      { role: 'user', parts: [answer('ls', error)] },
      value.contents[4],
    ])
    expect(checkView(gemini.read(patched).messages)).toEqual([])
  })

  it('patches the request inside a token counting request', () => {
    const value = { generateContentRequest: { model: 'models/any', ...session } }
    const reading = gemini.read(value)
    const view = reading.messages.map((message) => (message.id === '2.0' ? replaced(message, 'short') : message))
    expect(reading.patches(view)).toEqual([
      {
        op: 'set',
        path: ['generateContentRequest', 'contents', 2, 'parts', 0, 'functionResponse', 'response', 'output'],
        value: 'short',
      },
    ])
    expect(reading.patches(view.slice(1))[0]).toEqual({ op: 'remove', path: ['generateContentRequest', 'systemInstruction'] })
  })

  it('leaves every character outside the changed text unchanged', () => {
    const text = JSON.stringify(session, null, 3)
    const reading = gemini.read(session)
    const view = reading.messages.map((message) => (message.id === '2.0' ? replaced(message, 'short') : message))
    expect(patchText(text, reading.patches(view))).toBe(text.replace('"text of x"', '"short"'))
  })
})

function replaced(message: Message, text: string): Message {
  return { ...message, parts: message.parts.map((part) => (part.type === 'tool-result' ? withShownText(part, text) : part)) }
}

function asText(message: Message, text: string): Message {
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === 'tool-result' ? { ...part, content: { type: 'text', text } } : part)),
  }
}

function withItems(message: Message, text: string): Message {
  const parts = message.parts.map((part): Part => {
    if (part.type !== 'tool-result' || part.content.type !== 'list') return part
    const items = part.content.items.map((item) => (item.type === 'text' ? { ...item, text } : item))
    return { ...part, content: { type: 'list', items } }
  })
  return { ...message, parts }
}

function kindOf(part: Part): string {
  return part.type === 'media' ? part.mediaType : part.type
}

function writeStory(story: Story, hasIds: boolean, isSnake: boolean): unknown {
  const [callField, responseField] = isSnake ? ['function_call', 'function_response'] : ['functionCall', 'functionResponse']
  const list = story.flatMap((step): readonly unknown[] => {
    if (step.kind === 'user') return [{ ...(step.asBlocks ? { role: 'user' } : {}), parts: [{ text: step.text }] }]
    const idOf = (id: string) => (hasIds ? { id } : {})
    const calls = step.calls.map(({ id, tool, input }) => ({ [callField as string]: { ...idOf(id), name: tool, args: input } }))
    const answers = step.calls.flatMap(({ id, tool, answer: said, form, failed }) => {
      if (said === null) return []
      const response =
        form === 'text'
          ? { [failed ? 'error' : 'output']: said }
          : form === 'json'
            ? { said, more: 1 }
            : {
                content: [
                  { type: 'text', text: said },
                  { type: 'text', text: 'b' },
                ],
              }
      return [{ [responseField as string]: { ...idOf(id), name: tool, response } }]
    })
    const notes = step.note === null ? [] : [{ text: step.note }]
    return [
      {
        role: 'model',
        parts: [
          ...(step.thought === null ? [] : [{ text: step.thought, thought: true }]),
          ...(step.text === null ? [] : [{ text: step.text }]),
          ...calls,
        ],
      },
      ...(answers.length + notes.length === 0 ? [] : [{ role: 'user', parts: [...answers, ...notes] }]),
    ]
  })
  return { contents: list }
}

it('reads the content of a result', () => {
  const texts = gemini
    .read(session)
    .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
  expect(texts).toEqual(['text of x', 'no such file', '{"matches":3,"output":"a\\nb"}', 'one', 'see'])
})
