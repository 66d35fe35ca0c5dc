import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { buildView } from '../../engine/build-view.ts'
import { type Message, type Part, resultText, type ToolResultPart, withShownText } from '../../message.ts'
import { pairToolCalls } from '../../policies/pair-tool-calls.ts'
import { checkView } from '../../results/invariants.ts'
import { toolResults } from '../../results/tool-results.ts'
import { deepFreeze } from '../../testing/messages.ts'
import { type Story, stories } from '../../testing/stories.ts'
import { testCodec } from '../../testing/test-codec.ts'
import { patchText, patchValue } from '../../text/patch.ts'
import { historyElsewhere } from '../history-elsewhere.ts'
import { openaiResponses } from './openai-responses.ts'

const image = 'data:image/png;base64,iVBORw0KGgo='

// The vendor's own types hold the shapes to what it takes.
const session: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
  model: 'any',
  instructions: 'Be brief.',
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'look' },
        { type: 'input_image', image_url: image, detail: 'auto' },
        { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
        { type: 'input_file', file_id: 'file_1' },
      ],
    },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'c2VhbGVk' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [
        { type: 'output_text', text: 'Reading.', annotations: [] },
        { type: 'refusal', refusal: 'not that' },
      ],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read_file', arguments: '{"path":"x"}', status: 'completed' },
    { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '*** Begin Patch' },
    { type: 'function_call_output', call_id: 'a', output: 'text of x' },
    {
      type: 'custom_tool_call_output',
      call_id: 'b',
      output: [{ type: 'input_text', text: 'done', prompt_cache_breakpoint: { mode: 'explicit' } }],
    },
    {
      type: 'local_shell_call',
      id: 'ls_1',
      call_id: 'c',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'shell_call', call_id: 'd', action: { commands: ['make', 'ls'] } },
    {
      type: 'apply_patch_call',
      call_id: 'e',
      status: 'completed',
      operation: { type: 'update_file', path: 'a.ts', diff: '@@' },
    },
    { type: 'local_shell_call_output', id: 'ls_1', output: '{"output":"a.ts"}' },
    {
      type: 'shell_call_output',
      call_id: 'd',
      output: [
        { stdout: 'built', stderr: 'warned', outcome: { type: 'exit', exit_code: 0 } },
        { stdout: '', stderr: 'gone', outcome: { type: 'timeout' } },
      ],
    },
    { type: 'apply_patch_call_output', call_id: 'e', status: 'failed', output: 'no such file' },
    {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'f',
      status: 'completed',
      pending_safety_checks: [],
      action: { type: 'screenshot' },
    },
    { type: 'computer_call_output', call_id: 'f', output: { type: 'computer_screenshot', image_url: image } },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q', queries: ['q'] } },
    { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'n', arguments: '{}', output: 'kept' },
    { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'n', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' },
    { type: 'function_call', call_id: 'g', name: 'screenshot', arguments: '{}' },
    {
      type: 'function_call_output',
      call_id: 'g',
      output: [
        { type: 'input_text', text: 'see' },
        { type: 'input_image', image_url: image },
      ],
    },
    { role: 'assistant', content: 'done' },
  ],
}

const continued = {
  model: 'any',
  previous_response_id: 'resp_1',
  input: [
    { type: 'function_call_output', call_id: 'before', output: 'of a call that is elsewhere' },
    { type: 'function_call', call_id: 'here', name: 'ls', arguments: '{}' },
    { role: 'user', content: 'and now?' },
  ],
}

const odd = {
  model: 'any',
  input: [
    { type: 'compaction', encrypted_content: 'c2VhbGVk' },
    { role: 'user', content: 7 },
    { role: 'user' },
    { type: 'made_up', x: 1 },
    { type: 'made_up_output', call_id: 'z', output: 'x' },
    { type: 'function_call', name: 'no-id', arguments: '' },
    { type: 'function_call', call_id: 'h', name: 'ls', arguments: '{not json' },
    { type: 'function_call_output', call_id: 'h', output: { stdout: 'x' } },
    { type: 'function_call_output', call_id: 'h', output: true },
    { type: 'shell_call_output', call_id: 'i', output: [] },
    { type: 'shell_call_output', call_id: 'i', output: 'no list' },
    { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'aloud' }] },
    { type: 'configuration_update', reasoning: { effort: 'low' } },
    { type: 'constructor' },
  ],
}

testCodec(openaiResponses, {
  joins: true,
  linked: ['c', 'ls_1'],
  fixtures: {
    session,
    odd,
    'a list of items': session.input,
    'no items': { model: 'any', input: [] },
    'a text': { model: 'any', instructions: 'Be brief.', input: 'hi' },
  },
  conversations: stories().map(writeStory),
  refused: [
    [7, 'conversation: expected a list of items or an object with "input", got 7'],
    [{ model: 'any' }, 'input: expected a list of items, got nothing'],
    [{ input: 7 }, 'input: expected a list of items, got 7'],
    [{ input: ['hello'] }, 'input[0]: expected an item object, got "hello"'],
    [{ input: [{}] }, 'input[0].role: expected one of user, assistant, system, developer, got nothing'],
    [
      { input: [{ type: 'message', role: 'critic' }] },
      'input[0].role: expected one of user, assistant, system, developer, got "critic"',
    ],
    [
      { input: [{ role: 'assistant', content: '' }, { role: 'critic' }] },
      'input[1].role: expected one of user, assistant, system, developer, got "critic"',
    ],
  ],
})

describe('reading', () => {
  const { messages, locate } = openaiResponses.read(session)

  it('joins consecutive items of the model into one message', () => {
    expect(messages.map(({ id, role, parts }) => `${id} ${role} ${parts.map(kindOf).join(' ')}`)).toEqual([
      'system system text',
      '0 system text',
      '1 user text image/png application/pdf vendor/input_file',
      '2 assistant reasoning text vendor/refusal tool-call tool-call',
      '6 tool tool-result',
      '7 tool tool-result',
      '8 assistant tool-call tool-call tool-call',
      '11 tool tool-result',
      '12 tool tool-result',
      '13 tool tool-result',
      '14 assistant vendor/computer_call',
      '15 tool image/*',
      '16 assistant vendor/web_search_call vendor/mcp_call vendor/mcp_approval_request',
      '19 tool vendor/mcp_approval_response',
      '20 assistant image/* tool-call',
      '22 tool tool-result',
      '23 assistant text',
    ])
  })

  it('R001-16 pairs every result with its call in any form', () => {
    expect(checkView(messages)).toEqual([])
    const parts = messages.flatMap((message) => message.parts)
    expect(parts.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.tool, part.input]] : []))).toEqual([
      ['a', 'read_file', '{"path":"x"}'],
      ['b', 'apply_patch', '*** Begin Patch'],
      ['c', 'local_shell', { type: 'exec', command: ['ls'], env: {} }],
      ['d', 'shell', { commands: ['make', 'ls'] }],
      ['e', 'apply_patch', { type: 'update_file', path: 'a.ts', diff: '@@' }],
      ['g', 'screenshot', '{}'],
    ])
    expect(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.callId, resultText(part), part.isError]] : []))).toEqual(
      [
        ['a', 'text of x', undefined],
        ['b', 'done', undefined],
        ['c', '{"output":"a.ts"}', undefined],
        ['d', 'built\nwarned\ngone', true],
        ['e', 'no such file', true],
        ['g', 'see', undefined],
      ],
    )
  })

  it('keeps encrypted reasoning, which has no text and is never omitted', () => {
    expect(messages[3]?.parts[0]).toEqual({
      type: 'reasoning',
      text: '',
      providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'c2VhbGVk' } },
    })
  })

  it('locates a part in the list', () => {
    expect([locate('2', 0), locate('2', 2), locate('2', 4), locate('1', 1), locate('system', 0)]).toEqual([
      { message: '2', part: 0 },
      { message: '3', part: 1 },
      { message: '5', part: 0 },
      { message: '1', part: 1 },
      { message: 'system', part: 0 },
    ])
  })

  it('reads only the new items when some were appended', () => {
    const items = session.input as readonly unknown[]
    const before = openaiResponses.read({ input: items.slice(0, 8) }).messages
    const after = openaiResponses.read({ input: items.slice(0, 14) }).messages
    before.forEach((message, index) => expect(after[index]).toBe(message))
  })

  it('reads a run again in which an item was changed in place', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'ls', arguments: 'first' }
    const input = [{ role: 'assistant', content: 'now' }, call]
    openaiResponses.read({ input })
    call.arguments = 'second'
    expect(openaiResponses.read({ input }).messages[0]?.parts[1]).toMatchObject({ input: 'second' })
  })
})

describe('a history that is elsewhere', () => {
  it.each<readonly [string, unknown, boolean]>([
    ['an earlier response', { input: 'x', previous_response_id: 'resp_1' }, true],
    ['a conversation', { input: 'x', conversation: 'conv_1' }, true],
    ['a conversation as an object', { input: 'x', conversation: { id: 'conv_1' } }, true],
    ['an item that is only named', { input: [{ type: 'item_reference', id: 'x' }] }, true],
    ['an item named in the short form', { input: [{ id: 'x' }] }, true],
    ['contents in a cache', { contents: [], cachedContent: 'cachedContents/x' }, true],
    ['contents in a cache, counted', { generateContentRequest: { contents: [], cached_content: 'cachedContents/x' } }, true],
    ['a thread that goes on', { messages: [], thread: { type: 'continue', previous_message_id: 'msg_1' } }, true],
    ['a thread that starts', { messages: [], thread: { type: 'create' } }, false],
    ['nulls', { input: [], previous_response_id: null, conversation: null }, false],
    ['all of it here', session, false],
    ['other dialects', { messages: [{ role: 'user', content: 'hi' }] }, false],
    ['nothing', null, false],
  ])('is detected by %s', (_name, value, elsewhere) => {
    expect(historyElsewhere(value)).toBe(elsewhere)
  })

  it.each([
    ['an earlier response', continued],
    ['items that are only named', { input: [{ id: 'msg_1' }, { type: 'item_reference', id: 'x' }, ...continued.input] }],
  ])('leaves calls and results without each other alone: %s', (_name, value) => {
    const reading = openaiResponses.read(deepFreeze(value))
    expect(checkView(reading.messages)).toEqual([])
    const { view, report } = buildView({ messages: reading.messages, policies: [pairToolCalls], facts: {} })
    expect(report.edits).toEqual([])
    expect(reading.patches(view)).toEqual([])
    expect(reading.messages.flatMap(({ parts }) => parts.filter((part) => part.type.startsWith('tool')))).toEqual([
      { type: 'tool-result', callId: null, tool: null, content: { type: 'text', text: 'of a call that is elsewhere' } },
      { type: 'tool-call', callId: 'here', tool: 'ls', input: '{}', pending: true },
    ])
  })

  it('is not assumed: otherwise an open call is answered in its own form', () => {
    const input = (Array.isArray(session.input) ? session.input : []).filter(
      ({ type }) => !String(type).endsWith('_output') || type === 'computer_call_output',
    )
    const { view, patched } = repaired({ input })
    expect(checkView(view)).toEqual([])
    expect(checkView(openaiResponses.read(patched).messages)).toEqual([])
    const answers = (patched as { readonly input: readonly Readonly<Record<string, unknown>>[] }).input.filter(
      (item) => String(item['type']).endsWith('_output') && item['type'] !== 'computer_call_output',
    )
    expect(answers.map(({ type, call_id, id, status }) => [type, call_id ?? id, status])).toEqual([
      ['function_call_output', 'a', undefined],
      ['custom_tool_call_output', 'b', undefined],
      ['local_shell_call_output', 'c', undefined],
      ['shell_call_output', 'd', undefined],
      ['apply_patch_call_output', 'e', 'failed'],
      ['function_call_output', 'g', undefined],
    ])
  })

  it('is not needed for a call that is still running', () => {
    const input = [{ type: 'function_call', call_id: 'a', name: 'wait', arguments: '{}', async: true }]
    expect(repaired({ input }).patched).toEqual({ input })
  })
})

describe('the streams of a shell item', () => {
  it('Q-9c stay separate next to its text, so that stderr counts', () => {
    const output = [{ stdout: 'built', stderr: 'warned', outcome: { type: 'exit', exit_code: 0 } }]
    const { messages } = openaiResponses.read({
      input: [
        { type: 'shell_call', call_id: 'make', action: { commands: ['make'] } },
        { type: 'shell_call_output', call_id: 'make', output },
      ],
    })
    const [result] = toolResults(messages, {})
    expect([result?.kind, result?.isError, result?.part.metadata]).toEqual([
      'terminal',
      true,
      { stdout: 'built', stderrTail: 'warned' },
    ])
  })
})

describe('writing', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['a', ['input', 6, 'output'], 'short'],
    ['b', ['input', 7, 'output', 0, 'text'], 'short'],
    ['c', ['input', 11, 'output'], 'short'],
    ['e', ['input', 13, 'output'], 'short'],
    ['g', ['input', 22, 'output', 0, 'text'], 'short'],
  ])('changes the text of result %s where it stands', (callId, path, value) => {
    expect(replacedBy(callId, 'short')).toEqual([{ op: 'set', path, value }])
  })

  it('keeps the number of shell outputs and their exit codes', () => {
    expect(replacedBy('d', 'short')).toEqual([
      { op: 'set', path: ['input', 12, 'output', 0, 'stdout'], value: 'short' },
      { op: 'set', path: ['input', 12, 'output', 0, 'stderr'], value: '' },
      { op: 'set', path: ['input', 12, 'output', 1, 'stderr'], value: '' },
    ])
  })

  it('changes one text of several, and keeps images', () => {
    const reading = openaiResponses.read(session)
    const view = reading.messages.map((message) =>
      mapResult(message, 'g', (part) => ({
        ...part,
        content: {
          type: 'list',
          items: (part.content as { items: readonly Part[] }).items.map((item) =>
            item.type === 'text' ? { ...item, text: 'cut' } : item,
          ),
        } as ToolResultPart['content'],
      })),
    )
    expect(reading.patches(view)).toEqual([{ op: 'set', path: ['input', 22, 'output', 0, 'text'], value: 'cut' }])
  })

  it('keeps the cache mark when several blocks become one text', () => {
    const mark = { prompt_cache_breakpoint: { mode: 'explicit' } }
    const output = [
      { type: 'input_text', text: 'a' },
      { type: 'input_text', text: 'b', ...mark },
    ]
    const request = deepFreeze([
      { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output },
    ])
    const reading = openaiResponses.read(request)
    const view = reading.messages.map((message) => mapResult(message, 'a', (part) => withShownText(part, 'short')))
    expect(reading.patches(view)).toEqual([
      { op: 'set', path: [1, 'output'], value: [{ type: 'input_text', text: 'short', ...mark }] },
    ])
  })

  it('leaves items of the provider unchanged, which cannot be text', () => {
    const reading = openaiResponses.read(session)
    const view = reading.messages.map((message) => ({
      ...message,
      parts: message.parts.map(
        (part): Part =>
          part.type === 'media' && (part.data as { type: string }).type !== 'input_file' && !isBlockOf(message)
            ? { type: 'text', text: 'gone' }
            : part.type === 'reasoning'
              ? { ...part, text: 'other' }
              : part,
      ),
    }))
    expect(reading.patches(view)).toEqual([])
  })

  it('keeps a changed text a text, and makes it a list if messages are added', () => {
    const request = deepFreeze({ model: 'any', input: 'hi' })
    const reading = openaiResponses.read(request)
    const [said] = reading.messages as readonly [Message]
    const changed = { ...said, parts: [{ type: 'text' as const, text: 'bye' }] }
    expect(reading.patches([changed])).toEqual([{ op: 'set', path: ['input'], value: 'bye' }])
    const answer: Message = { id: 'n', role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }
    expect(patchValue(request, reading.patches([said, answer]))).toEqual({
      model: 'any',
      input: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
    })
  })

  it('changes arguments in the form they have', () => {
    const reading = openaiResponses.read(session)
    const view = reading.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === 'tool-call' ? { ...part, input: { cut: true } } : part)),
    }))
    expect(reading.patches(view).slice(0, 3)).toEqual([
      { op: 'set', path: ['input', 4, 'arguments'], value: '{"cut":true}' },
      { op: 'set', path: ['input', 5, 'input'], value: '{"cut":true}' },
      { op: 'remove', path: ['input', 8, 'action', 'type'] },
    ])
  })

  it('leaves every character outside the changed text unchanged', () => {
    const text = JSON.stringify(session, null, 3)
    const spliced = patchText(text, replacedBy('a', 'short'))
    expect(spliced).toBe(text.replace('"text of x"', '"short"'))
  })
})

function replacedBy(callId: string, text: string) {
  const reading = openaiResponses.read(session)
  return reading.patches(reading.messages.map((message) => mapResult(message, callId, (part) => withShownText(part, text))))
}

function mapResult(message: Message, callId: string, change: (part: ToolResultPart) => ToolResultPart): Message {
  const isIt = (part: Part) => part.type === 'tool-result' && part.callId === callId
  if (!message.parts.some(isIt)) return message
  return { ...message, parts: message.parts.map((part) => (part.type === 'tool-result' && isIt(part) ? change(part) : part)) }
}

function repaired(value: unknown) {
  const reading = openaiResponses.read(deepFreeze(value))
  const { view } = buildView({ messages: reading.messages, policies: [pairToolCalls], facts: {} })
  return { view, patched: patchValue(value, reading.patches(view)) }
}

function isBlockOf({ role, id }: Message): boolean {
  return role === 'user' || id === '2'
}

function kindOf(part: Part): string {
  return part.type === 'media' ? part.mediaType : part.type
}

function writeStory(story: Story): unknown {
  const input = story.flatMap((step): readonly unknown[] => {
    if (step.kind === 'user')
      return [{ role: 'user', content: step.asBlocks ? [{ type: 'input_text', text: step.text }] : step.text }]
    const calls = step.calls.map(({ id, tool, input: given, failed }) =>
      failed
        ? { type: 'custom_tool_call', call_id: id, name: tool, input: JSON.stringify(given) }
        : { type: 'function_call', call_id: id, name: tool, arguments: JSON.stringify(given) },
    )
    const answers = step.calls.flatMap(({ id, answer, form, failed }) => {
      if (answer === null) return []
      const type = failed ? 'custom_tool_call_output' : 'function_call_output'
      const several = [
        { type: 'input_text', text: answer },
        { type: 'input_text', text: 'b' },
      ]
      const one = [{ type: 'input_text', text: answer }]
      return [{ type, call_id: id, output: form === 'text' ? answer : form === 'list' ? several : one }]
    })
    return [
      ...(step.thought === null ? [] : [{ type: 'reasoning', id: 'rs', summary: [], encrypted_content: step.thought }]),
      ...(step.text === null ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text: step.text }] }]),
      ...calls,
      ...answers,
    ]
  })
  return { model: 'any', input }
}
