import { estimateTokens, type Message } from '@plimsoll/core'
import { planCompaction, type Segment } from '@plimsoll/core/compaction'
import { jsonSchema, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseModel } from './choose-model.ts'
import { modelMessages } from './model-prompt.ts'
import type { UsedTokens } from './side-calls.ts'
import { createModelWriter, type ModelWriterOptions, SummaryError } from './summary-writer.ts'
import { failure, lastLine, longConversation } from './testing/long-conversation.ts'
import { type Answer, type ChatMessage, type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'

const overflow: Answer = {
  kind: 'body',
  status: 400,
  body: '{"error":{"message":"This model\'s maximum context length is 4096 tokens","code":"context_length_exceeded"}}',
}
const good: Answer = { kind: 'text', text: 'A summary. '.repeat(100) }
const conversation = longConversation()
const segment = planCompaction(conversation, { keepRounds: 10 }) as Segment

let server: OpenAiServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function writerFor(answers: readonly [Answer, ...Answer[]], options: Partial<ModelWriterOptions> = {}) {
  server = await startOpenAiServer(...answers)
  const model = chooseModel('small', { url: server.url, environment: {} })
  return { writer: createModelWriter({ model, maxInputTokens: 100_000, ...options }), model, server }
}

function textOf(messages: readonly ChatMessage[] | undefined): string {
  return (messages ?? []).map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n')
}

describe('createModelWriter', () => {
  it('R004-30 asks the model in a separate call, with the messages to compact and the prompt', async () => {
    const { writer, server } = await writerFor([good])
    expect(await writer(segment, {})).toBe(good.kind === 'text' ? good.text : '')
    expect(server.requests.map(({ body }) => [body.model, body.stream, body.tools])).toEqual([['small', true, undefined]])
    expect(textOf(server.requests[0]?.body.messages)).toContain('Please go on with part 1 of the work.')
    expect(textOf(server.requests[0]?.body.messages)).not.toContain('Please go on with part 10 of the work.')
  })

  it('R004-30 sends the ends of tool results and all errors', async () => {
    const { writer, server } = await writerFor([good], { maxInputTokens: 4000 })
    await writer(segment, {})
    const sent = textOf(server.requests[0]?.body.messages)
    expect(sent).toContain(failure)
    expect(sent).toContain(lastLine)
  })

  it('R004-30 passes on the user’s instructions for the summary', async () => {
    const { writer, server } = await writerFor([good])
    await writer(segment, { focus: 'the tides of Fundy' })
    expect(textOf(server.requests[0]?.body.messages)).toContain('the tides of Fundy')
  })

  it('R004-30 repeats the live request byte for byte and asks at its end, so that the provider’s cache serves it', async () => {
    const prompt: Message = { id: 'prompt', role: 'system', parts: [{ type: 'text', text: 'You are careful.' }] }
    const summary: Message = { id: 'old', role: 'system', summary: true, parts: [{ type: 'text', text: 'Earlier things.' }] }
    const live = [prompt, summary, ...conversation]
    let runs = 0
    const execute = () => Promise.resolve(String((runs += 1)))
    const inputSchema = jsonSchema<{ command: string }>({ type: 'object', properties: { command: { type: 'string' } } })
    const tools = { Bash: tool({ description: 'runs a command', inputSchema, execute }) }
    const { writer, model, server } = await writerFor([good], { live: { messages: live, tools } })
    await streamText({ model, ...modelMessages(live), tools, maxOutputTokens: 8192 }).text
    await writer(segment, {})

    const [before, after] = server.requests
    expect(after?.body.messages.slice(0, -1)).toEqual(before?.body.messages)
    expect(after?.body.messages.at(-1)?.role).toBe('user')
    expect(after?.body.tools).toEqual(before?.body.tools)
    const shared = before?.text.slice(0, before.text.indexOf(']', before.text.lastIndexOf('Part 13 is done.'))) ?? ''
    expect(shared.length).toBeGreaterThan(10_000)
    expect(after?.text.startsWith(shared)).toBe(true)
    expect(runs).toBe(0)
  })

  it('runs no tool and asks once more without tools if the model called one instead of writing', async () => {
    const inputSchema = jsonSchema<{ command: string }>({ type: 'object', properties: { command: { type: 'string' } } })
    let runs = 0
    const execute = () => Promise.resolve(String((runs += 1)))
    const tools = { Bash: tool({ inputSchema, execute }) }
    const call: Answer = { kind: 'tool-call', tool: 'Bash', input: { command: 'rm -rf /' } }
    const { writer, server } = await writerFor([call, good], { live: { messages: conversation, tools } })
    expect(await writer(segment, {})).toContain('A summary.')
    expect(server.requests.map(({ body }) => body.tools?.length)).toEqual([1, undefined])
    expect(runs).toBe(0)
  })

  it('R004-31 reports how much is written', async () => {
    const { writer } = await writerFor([good])
    const told: number[] = []
    await writer(segment, { progress: (written) => told.push(written) })
    expect(told).toEqual([200, 400, 600, 800, 1000, 1100])
  })

  it('shortens what it sends and asks once more when the model’s window is too small', async () => {
    const { writer, server } = await writerFor([overflow, good])
    expect(await writer(segment, {})).toContain('A summary.')
    const [first, second] = server.requests.map(({ text }) => text.length)
    expect(second).toBeLessThan((first ?? 0) * 0.75)
    expect(textOf(server.requests[1]?.body.messages)).toContain(failure)
  })

  it('asks twice at most', async () => {
    const { writer, server } = await writerFor([overflow])
    await expect(writer(segment, {})).rejects.toMatchObject({ code: 'summary_overflow' })
    expect(server.requests).toHaveLength(2)
  })

  it('stops reading once more came back than went in', async () => {
    const { writer } = await writerFor([{ kind: 'endless', text: 'and so on, '.repeat(100) }])
    await expect(writer(segment, {})).rejects.toMatchObject({ code: 'summary_longer' })
  })

  it('bounds what the model may write', async () => {
    const { writer, server } = await writerFor([good], { maxOutputTokens: 1234 })
    await writer(segment, {})
    expect(server.requests[0]?.body.max_tokens).toBe(1234)
  })

  it.each<[name: string, answer: Answer, code: string, message: RegExp]>([
    ['nothing', { kind: 'text', text: '' }, 'summary_empty', /empty text/],
    ['blanks', { kind: 'text', text: ' \n \n' }, 'summary_empty', /empty text/],
    ['thoughts without end', { kind: 'text', text: '<think>What was it?', finish: 'length' }, 'summary_empty', /empty text/],
    ['a broken connection', { kind: 'cut', text: 'A summ' }, 'summary_failed', /./],
    ['a stream that ends before its end', { kind: 'unfinished', text: 'A summ' }, 'summary_failed', /finish reason/],
    ['a text that a filter stopped', { kind: 'text', text: 'A summ', finish: 'content_filter' }, 'summary_failed', /filter/],
    ['a page in place of a stream', page(200), 'summary_failed', /./],
    ['a page with a status', page(502), 'summary_failed', /HTTP 502/],
    [
      'a wrong key',
      { kind: 'body', status: 401, body: '{"error":{"message":"no such key"}}' },
      'summary_failed',
      /HTTP 401: no such key/,
    ],
    [
      'an error inside the stream',
      {
        kind: 'body',
        status: 200,
        body: 'data: {"error":{"message":"overloaded"}}\n\n',
        headers: { 'content-type': 'text/event-stream' },
      },
      'summary_failed',
      /overloaded/,
    ],
  ])('fails with a reason on %s', async (_name, answer, code, message) => {
    const { writer } = await writerFor([answer])
    const error: unknown = await writer(segment, {}).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SummaryError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it.each([429, 500, 503])('tries a status of %i once more, and no more often', async (status) => {
    const busy: Answer = { kind: 'body', status, body: '{"error":{"message":"busy"}}', headers: { 'retry-after-ms': '1' } }
    const { writer, server } = await writerFor([busy])
    await expect(writer(segment, {})).rejects.toMatchObject({ code: 'summary_failed', message: `HTTP ${status}: busy` })
    expect(server.requests).toHaveLength(2)
  })

  it('gets through when the second try does', async () => {
    const busy: Answer = { kind: 'body', status: 503, body: '{}', headers: { 'retry-after-ms': '1' } }
    const { writer } = await writerFor([busy, good])
    expect(await writer(segment, {})).toContain('A summary.')
  })

  it.each([
    ['<think>\nWhat was it?\n</think>\n\nA summary.', 'A summary.'],
    ['A summary of <think> and </think>.', 'A summary of <think> and </think>.'],
  ])('omits reasoning in the text of a local server: %j', async (text, summary) => {
    const { writer } = await writerFor([{ kind: 'text', text }])
    expect(await writer(segment, {})).toBe(summary)
  })

  it('takes a text that was cut at its limit', async () => {
    const { writer } = await writerFor([{ kind: 'text', text: 'A summary, as far as it', finish: 'length' }])
    expect(await writer(segment, {})).toBe('A summary, as far as it')
  })

  it('ends with the signal’s reason when it is stopped, before or during the answer', async () => {
    const { writer } = await writerFor([{ kind: 'hang', text: 'A summ' }])
    const stop = new AbortController()
    const progress = () => stop.abort(new Error('enough'))
    await expect(writer(segment, { signal: stop.signal, progress })).rejects.toThrow('enough')
    await expect(writer(segment, { signal: stop.signal })).rejects.toThrow('enough')
  })

  it.each<[name: string, answers: readonly [Answer, ...Answer[]], used: readonly (readonly [number, boolean])[]]>([
    ['a summary', [good], [[100, false]]],
    ['one that was filtered', [{ kind: 'text', text: 'A summ', finish: 'content_filter' }], [[100, false]]],
    ['nothing', [{ kind: 'text', text: ' ' }], [[100, false]]],
    ['half of one', [{ kind: 'cut', text: 'A summary of many things' }], [[estimateTokens('A summary of many things'), true]]],
    ['a refusal and then a summary', [overflow, good], [[100, false]]],
    ['an error', [{ kind: 'body', status: 401, body: '{}' }], []],
  ])('reports its usage: %s', async (_name, answers, used) => {
    const told: UsedTokens[] = []
    const { writer } = await writerFor(answers, { onUsage: async (one) => void told.push(one) })
    await writer(segment, {}).catch(() => undefined)
    expect(told.map(({ usage, isEstimated }) => [usage.output, isEstimated])).toEqual(used)
    for (const { usage } of told) expect(usage.input).toBeGreaterThan(900)
  })

  it('reports the usage of both requests if a tool was called instead of writing, and of a stopped one', async () => {
    const told: UsedTokens[] = []
    const onUsage = async (one: UsedTokens) => void told.push(one)
    const tools = {
      Bash: tool({ inputSchema: jsonSchema<object>({ type: 'object', properties: {} }), execute: () => Promise.resolve('') }),
    }
    const call: Answer = { kind: 'tool-call', tool: 'Bash', input: {} }
    const { writer } = await writerFor([call, good], { live: { messages: conversation, tools }, onUsage })
    await writer(segment, {})
    expect(told.map(({ isEstimated }) => isEstimated)).toEqual([false, false])
    await server?.close()
    const { writer: slow } = await writerFor([{ kind: 'hang', text: 'A summ' }], { onUsage })
    const stop = new AbortController()
    await expect(slow(segment, { signal: stop.signal, progress: () => stop.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    )
    expect(told.slice(2).map(({ isEstimated }) => isEstimated)).toEqual([true])
  })

  it('reports that nothing listens at an address', async () => {
    const { writer, server } = await writerFor([good])
    await server.close()
    await expect(writer(segment, {})).rejects.toMatchObject({
      code: 'summary_failed',
      message: expect.stringMatching(/connect/i),
    })
  })
})

function page(status: number): Answer {
  const body = '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>'
  return { kind: 'body', status, body, headers: { 'content-type': 'text/html', 'retry-after-ms': '1' } }
}
