import { describe, expect, it } from 'vitest'
import { type Message, resultText, type ToolResultPart, withShownText } from '../message.ts'
import { deepFreeze } from '../testing/messages.ts'
import { resultForms, shellCallId } from '../testing/result-forms.ts'
import { patchText, patchValue } from '../text/patch.ts'
import { codecs } from './codecs.ts'
import { type DialectName, writeRequest } from './write-request.ts'

type Raw = Readonly<Record<string, unknown>>

const all = Object.entries(resultForms).flatMap(([dialect, forms]) =>
  forms.map((form) => [dialect as DialectName, form.name, form] as const),
)

function requestWith(dialect: DialectName, text: string): Raw {
  const callId = `${shellCallId}1`
  const messages: readonly Message[] = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
    { id: 'a', role: 'assistant', parts: [{ type: 'tool-call', callId, tool: 'shell', input: { command: 'ls' } }] },
    { id: 'r', role: 'tool', parts: [{ type: 'tool-result', callId, tool: null, content: { type: 'text', text } }] },
  ]
  return writeRequest(dialect, messages, { model: 'some-model' })
}

function resultIn(messages: readonly Message[]): ToolResultPart {
  return messages.flatMap(({ parts }) => parts).find((part) => part.type === 'tool-result') as ToolResultPart
}

/** The request with another text shown for its result, as a value and as text. */
function showing(dialect: DialectName, request: Raw, text: string): { readonly value: Raw; readonly json: string } {
  const reading = codecs[dialect].read(deepFreeze(request))
  const patches = reading.patches(
    reading.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part.type === 'tool-result' ? withShownText(part, text) : part)),
    })),
  )
  return { value: patchValue(request, patches) as Raw, json: patchText(JSON.stringify(request, null, 2), patches) }
}

describe.each(all)('%s: %s', (dialect, _name, form) => {
  const lines = 'first line\n"second" line\nthird'

  it('is read as its text', () => {
    const result = resultIn(codecs[dialect].read(form.write(requestWith(dialect, lines))).messages)
    expect(resultText(result)).toBe(lines)
    expect(result.isError ?? false).toBe(false)
  })

  it('shows another text in its own form', () => {
    const { value, json } = showing(dialect, form.write(requestWith(dialect, lines)), 'short "text"')
    expect(form.read(value)).toEqual(['short "text"'])
    expect(form.read(JSON.parse(json) as Raw)).toEqual(['short "text"'])
    expect(resultText(resultIn(codecs[dialect].read(value).messages))).toBe('short "text"')
  })

  it('changes no other byte', () => {
    const request = form.write(requestWith(dialect, 'a line'))
    expect(showing(dialect, request, 'short').json).toBe(JSON.stringify(request, null, 2).replace('a line', 'short'))
  })
})

describe('other content of a result', () => {
  const anthropic = (content: unknown, fields: object = {}) => ({
    model: 'some-model',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'shell', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content, ...fields }] },
    ],
  })
  const read = (dialect: DialectName, request: unknown) => resultIn(codecs[dialect].read(request).messages)

  it('marks a failed command by the exit code of its frame', () => {
    const frame = (code: number) => `{"output":"x","metadata":{"exit_code":${code}}}`
    expect(read('anthropic', anthropic(frame(2)))).toMatchObject({ content: { text: 'x' }, isError: true })
    expect(read('anthropic', anthropic(frame(0), { is_error: false }))).toMatchObject({ content: { text: 'x' }, isError: false })
  })

  it.each([
    '{"output":"x"}',
    '{"output":"x","metadata":1}',
    '{"output":1,"metadata":{}}',
    '{"output":"x","metadata":{},"more":1}',
    '{"output":"x","metadata":{}',
    'see {"output":"x","metadata":{}}',
  ])('%s is not a frame', (text) => expect(resultText(read('anthropic', anthropic(text)))).toBe(text))

  it('keeps the spaces and other fields of a frame', () => {
    const text = ' { "metadata" : {"exit_code":0, "duration_seconds":0.10}, "output" : "long" } '
    const { value } = showing('anthropic', anthropic(text), 'short')
    expect(JSON.stringify(value)).toBe(JSON.stringify(anthropic(text.replace('long', 'short'))))
  })

  it.each([
    [{ type: 'exit', exit_code: 1 }, true],
    [{ type: 'timeout' }, true],
    [{ type: 'exit', exit_code: 0 }, undefined],
  ])('a shell call that ended with %j', (outcome, isError) => {
    const input = [
      { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'x', stderr: '', outcome }] },
    ]
    expect(read('openai-responses', { model: 'm', input }).isError).toBe(isError)
  })

  it.each([
    ['an error', { type: 'json', value: { error: 'no such file' } }, 'no such file'],
    ['a failure of an MCP tool', { type: 'json', value: { content: [{ type: 'text', text: 'no' }], isError: true } }, 'no'],
  ])('the AI SDK: %s', (_name, output, text) => {
    const block = { type: 'tool-result', toolCallId: 'c', toolName: 't', output }
    const result = read('ai-sdk', [{ role: 'tool', content: [block] }])
    expect([resultText(result), result.isError]).toEqual([text, true])
  })

  it('reads the error flag of an older AI SDK result', () => {
    const block = { type: 'tool-result', toolCallId: 'c', toolName: 't', result: 'no', isError: true }
    expect(read('ai-sdk', [{ role: 'tool', content: [block] }])).toMatchObject({ content: { text: 'no' }, isError: true })
  })

  it("keeps a user's document, and one that is not text, as media", () => {
    const text = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }
    const search = { type: 'search_result', source: 's', title: 't', content: [] }
    const { messages } = codecs.anthropic.read([{ role: 'user', content: [text] }])
    expect(messages[0]?.parts[0]?.type).toBe('media')
    expect(read('anthropic', anthropic([pdf, search])).content).toMatchObject({ items: [{ type: 'media' }, { type: 'media' }] })
  })

  it('moves the cache mark of a removed block to the block before it, and keeps images in place', () => {
    const cache_control = { type: 'ephemeral' }
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const text = (said: string) => ({ type: 'text', text: said })
    const shown = (content: unknown) => showing('anthropic', anthropic(content), 'short').value
    expect(shown([image, text('a'), { ...text('b'), cache_control }])).toEqual(
      anthropic([image, { ...text('short'), cache_control }]),
    )
    expect(shown([text('a'), image, { ...text('b'), cache_control }])).toEqual(
      anthropic([text('short'), { ...image, cache_control }]),
    )
    expect(shown([{ ...text('a'), cache_control }, text('b')])).toEqual(anthropic([{ ...text('short'), cache_control }]))
  })
})
