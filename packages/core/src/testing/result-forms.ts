import { isRecord } from '../message.ts'
import type { DialectName } from '../wire/write-request.ts'

/** One form of a tool result that a vendor accepts. */
export interface ResultForm {
  readonly name: string
  /** A request whose results are strings, with every one of them in this form. The same messages give the same objects. */
  readonly write: (request: Raw) => Raw
  /** The text of each result of a request, in order; null for a result that is not in this form. */
  readonly read: (request: Raw) => readonly (string | null)[]
}

type Raw = Readonly<Record<string, unknown>>
type Write = (text: string) => unknown
type Read = (value: unknown) => string | null

/** The forms of each API format. The first is a string; all others are compared with it. */
export const resultForms: Readonly<Record<DialectName, readonly [ResultForm, ...ResultForm[]]>> = {
  anthropic: [
    anthropic('a string', same, asString),
    anthropic('a list of one text', (text) => [block(text)], textsOf),
    anthropic('a list of several texts', (text) => pieces(text).map(block), textsOf),
    anthropic('texts, the last marked', (text) => withMark(pieces(text).map(block)), ifMarked(textsOf)),
    anthropic('a document of plain text', documentOf('text', same), pathOf(0, 'source', 'data')),
    anthropic('a document of text blocks', documentOf('content', blocks), within(textsOf, 0, 'source', 'content')),
    anthropic(
      'a search result',
      (text) => [{ type: 'search_result', source: 'https://example.com', title: 't', content: blocks(text) }],
      within(textsOf, 0, 'content'),
    ),
    anthropic('a string in a frame', framed, unframed),
  ],
  'openai-chat': [
    chat('a string', same, asString),
    chat('a list of one text', (text) => [block(text)], textsOf),
    chat('a list of several texts', blocks, textsOf),
    chat('a string in a frame', framed, unframed),
  ],
  'openai-responses': [
    responses('a string', same, asString),
    responses('a list of one text', (text) => [inputBlock(text)], textsOf),
    responses('a list of several texts', (text) => pieces(text).map(inputBlock), textsOf),
    responses('a string in a frame', framed, unframed),
    responses('the output of a custom tool', same, asString, customCalls),
    responses('the output of a custom tool as a list', (text) => [inputBlock(text)], textsOf, customCalls),
    responses('the output of a shell call', same, (value) => asString(value) ?? chunksText(value), shellCalls),
  ],
  gemini: [
    gemini(
      'an output',
      (text) => ({ output: text }),
      (value) => asString(at(value, 'output')) ?? asString(at(value, 'error')),
    ),
    gemini('a result', (text) => ({ result: text }), pathOf('result')),
    gemini('a content', (text) => ({ content: text }), pathOf('content')),
    gemini('blocks of an MCP tool', (text) => ({ content: blocks(text) }), within(textsOf, 'content')),
    gemini('parts without a type', (text) => ({ content: [{ text }] }), pathOf('content', 0, 'text')),
    gemini('a resource of an MCP tool', resource, pathOf('content', 0, 'resource', 'text')),
  ],
  'ai-sdk': [
    aiSdk('a text', (text) => ({ type: 'text', value: text }), typed('text', asString)),
    aiSdk('a list of one text', (text) => ({ type: 'content', value: [block(text)] }), typed('content', textsOf)),
    aiSdk('a list of several texts', (text) => ({ type: 'content', value: blocks(text) }), typed('content', textsOf)),
    aiSdk('a value that is a string', (text) => ({ type: 'json', value: text }), typed('json', asString)),
    aiSdk('a value with one text', (text) => ({ type: 'json', value: { result: text } }), typed('json', pathOf('result'))),
    aiSdk(
      'the value of an MCP tool',
      (text) => ({ type: 'json', value: { content: blocks(text), isError: false } }),
      typed('json', within(textsOf, 'content')),
    ),
    aiSdk(
      'a resource of an MCP tool',
      (text) => ({ type: 'json', value: resource(text) }),
      typed('json', pathOf('content', 0, 'resource', 'text')),
    ),
    aiSdk('an older result', same, asString, 'result'),
    aiSdk('an older result with one text', (text) => ({ output: text }), pathOf('output'), 'result'),
  ],
}

function anthropic(name: string, write: Write, read: Read): ResultForm {
  return formOf(name, {
    list: 'messages',
    map: eachBlock('content', (raw) => (isString(raw['content']) ? { ...raw, content: write(raw['content']) } : raw)),
    results: (message) =>
      blocksIn(message, 'content').flatMap((raw) => (raw['type'] === 'tool_result' ? [read(raw['content'])] : [])),
  })
}

function chat(name: string, write: Write, read: Read): ResultForm {
  return formOf(name, {
    list: 'messages',
    map: (raw) => (raw['role'] === 'tool' && isString(raw['content']) ? { ...raw, content: write(raw['content']) } : raw),
    results: (raw) => (raw['role'] === 'tool' ? [read(raw['content'])] : []),
  })
}

function responses(name: string, write: Write, read: Read, prepare: (item: Raw) => Raw = (item) => item): ResultForm {
  return formOf(name, {
    list: 'input',
    map(given) {
      const item = prepare(given)
      return isOutput(item) && isString(item['output']) ? { ...item, output: write(item['output']) } : item
    },
    results: (item) => (isOutput(item) ? [read(item['output'])] : []),
  })
}

function isOutput({ type }: Raw): boolean {
  return isString(type) && type.endsWith('_output')
}

function customCalls(item: Raw): Raw {
  if (item['type'] === 'function_call_output') return { ...item, type: 'custom_tool_call_output' }
  if (item['type'] !== 'function_call') return item
  const { arguments: input, ...rest } = item
  return { ...rest, type: 'custom_tool_call', input }
}

/** Only shell calls have this form; results of other tools stay strings. */
function shellCalls(item: Raw): Raw {
  if (!isString(item['call_id']) || !item['call_id'].startsWith(shellCallId)) return item
  if (item['type'] === 'function_call_output') {
    const output = pieces(String(item['output'])).map((stdout) => ({
      stdout,
      stderr: '',
      outcome: { type: 'exit', exit_code: 0 },
    }))
    return { ...item, type: 'shell_call_output', output }
  }
  return { type: 'shell_call', call_id: item['call_id'], action: JSON.parse(String(item['arguments'])) as unknown }
}

/** Prefix of the ids of shell calls. */
export const shellCallId = 'shell_'

function chunksText(value: unknown): string | null {
  if (!Array.isArray(value)) return null
  const texts = value.map((chunk) => asString(at(chunk, 'stdout')))
  return texts.includes(null) ? null : texts.filter((text) => text !== '').join('\n')
}

function gemini(name: string, write: Write, read: Read): ResultForm {
  return formOf(name, {
    list: 'contents',
    map: eachBlock('parts', (part) => {
      const { functionResponse } = part
      const text = asString(at(functionResponse, 'response', 'output')) ?? asString(at(functionResponse, 'response', 'error'))
      return text === null ? part : { functionResponse: { ...(functionResponse as Raw), response: write(text) } }
    }),
    results: (content) =>
      blocksIn(content, 'parts').flatMap((part) =>
        'functionResponse' in part ? [read(at(part, 'functionResponse', 'response'))] : [],
      ),
  })
}

function aiSdk(name: string, write: Write, read: Read, field: 'output' | 'result' = 'output'): ResultForm {
  return formOf(name, {
    list: 'messages',
    map: eachBlock('content', (raw) => {
      const { output, ...rest } = raw
      const text = raw['type'] === 'tool-result' ? asString(at(output, 'value')) : null
      return text === null ? raw : { ...rest, [field]: write(text) }
    }),
    results: (message) =>
      blocksIn(message, 'content').flatMap((raw) => (raw['type'] === 'tool-result' ? [read(raw[field])] : [])),
  })
}

function formOf(
  name: string,
  shape: {
    readonly list: string
    readonly map: (entry: Raw) => Raw
    readonly results: (entry: Raw) => readonly (string | null)[]
  },
): ResultForm {
  const written = new WeakMap<Raw, Raw>()
  const entriesOf = (request: Raw) => request[shape.list] as readonly Raw[]
  const write = (entry: Raw): Raw => {
    const known = written.get(entry) ?? shape.map(entry)
    written.set(entry, known)
    return known
  }
  return {
    name,
    write: (request) => ({ ...request, [shape.list]: entriesOf(request).map(write) }),
    read: (request) => entriesOf(request).flatMap(shape.results),
  }
}

function eachBlock(field: string, map: (block: Raw) => Raw): (entry: Raw) => Raw {
  return (entry) => (Array.isArray(entry[field]) ? { ...entry, [field]: blocksIn(entry, field).map(map) } : entry)
}

function blocksIn(entry: Raw, field: string): readonly Raw[] {
  const value = entry[field]
  return Array.isArray(value) ? (value as readonly Raw[]) : []
}

function same(text: string): string {
  return text
}

function block(text: string): Raw {
  return { type: 'text', text }
}

function inputBlock(text: string): Raw {
  return { type: 'input_text', text }
}

function blocks(text: string): readonly Raw[] {
  return pieces(text).map(block)
}

/** A text in up to three pieces, split between lines. No piece is empty, because some forms omit empty ones. */
function pieces(text: string): readonly string[] {
  const lines = text.split('\n')
  const third = Math.ceil(lines.length / 3)
  const parts = [0, 1, 2].map((index) => lines.slice(index * third, (index + 1) * third)).filter((part) => part.length > 0)
  const texts = parts.map((part) => part.join('\n'))
  return texts.includes('') ? [text] : texts
}

function documentOf(type: 'text' | 'content', write: Write): Write {
  return (text) => {
    const source = type === 'text' ? { type, media_type: 'text/plain', data: write(text) } : { type, content: write(text) }
    return [{ type: 'document', title: 't', source }]
  }
}

function resource(text: string): Raw {
  return { content: [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text } }] }
}

const mark = { type: 'ephemeral' }

function withMark(list: readonly Raw[]): readonly Raw[] {
  return list.map((each, index) => (index === list.length - 1 ? { ...each, cache_control: mark } : each))
}

function ifMarked(read: Read): Read {
  return (value) => (Array.isArray(value) && isRecord(at(value.at(-1), 'cache_control')) ? read(value) : null)
}

function framed(text: string): string {
  return `{"output":${JSON.stringify(text)},"metadata":{"exit_code":0,"duration_seconds":0.0}}`
}

function unframed(value: unknown): string | null {
  if (!isString(value) || !value.endsWith(',"metadata":{"exit_code":0,"duration_seconds":0.0}}')) return null
  return asString(at(JSON.parse(value), 'output'))
}

function typed(type: string, read: Read): Read {
  return (output) => (at(output, 'type') === type || at(output, 'type') === `error-${type}` ? read(at(output, 'value')) : null)
}

function pathOf(...path: readonly (string | number)[]): Read {
  return within(asString, ...path)
}

function within(read: Read, ...path: readonly (string | number)[]): Read {
  return (value) => read(at(value, ...path))
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (held, step) => (held as Readonly<Record<string | number, unknown>> | null | undefined)?.[step],
    value,
  )
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function asString(value: unknown): string | null {
  return isString(value) ? value : null
}

function textsOf(value: unknown): string | null {
  if (!Array.isArray(value)) return null
  const texts = value.map((each) => asString(at(each, 'text')))
  return texts.includes(null) ? null : texts.join('\n')
}
