import { generateText, streamText } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { describeFailure } from './model-client.ts'
import { type CallableModel, type ChooseModelOptions, compatibleModel, localAccess } from './providers.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'

let server: OpenAiServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function answering(...answers: readonly [Answer, ...Answer[]]): Promise<OpenAiServer> {
  server = await startOpenAiServer(...answers)
  return server
}

function localModel(options: ChooseModelOptions): CallableModel {
  return compatibleModel(localAccess(options), 'small')
}

async function streamed(model: CallableModel): Promise<string> {
  return await streamText({ model, prompt: 'hello' }).text
}

/** The errors of a stream, in its parts or while reading it. */
async function firstFailure(stream: AsyncIterable<{ readonly type: string }>): Promise<unknown> {
  try {
    for await (const part of stream) if ('error' in part) return part.error
    return null
  } catch (error) {
    return error
  }
}

describe('a model behind an address', () => {
  it('talks to the server an option names, by the name the server knows the model by', async () => {
    const { url, requests } = await answering({ kind: 'text', text: 'good morning' })
    expect(await streamed(localModel({ url, environment: {} }))).toBe('good morning')
    expect(requests.map(({ path, body }) => [path, body.model, body.messages])).toEqual([
      ['/v1/chat/completions', 'small', [{ role: 'user', content: 'hello' }]],
    ])
  })

  it('takes the address from OPENAI_BASE_URL, and an option before it', async () => {
    const { url, requests } = await answering({ kind: 'text', text: 'yes' })
    const elsewhere = 'http://127.0.0.1:9/v1'
    await streamed(localModel({ environment: { OPENAI_BASE_URL: url } }))
    await streamed(localModel({ url, environment: { OPENAI_BASE_URL: elsewhere } }))
    expect(requests).toHaveLength(2)
  })

  it.each([
    [{ OPENAI_API_KEY: 'secret-key' }, 'Bearer secret-key'],
    [{ OPENAI_API_KEY: '' }, undefined],
    [{}, undefined],
  ])('sends a key only when the environment has one: %j', async (environment, authorization) => {
    const { url, requests } = await answering({ kind: 'text', text: 'yes' })
    await streamed(localModel({ url, environment }))
    expect(requests[0]?.headers.authorization).toBe(authorization)
  })

  it('says nothing of the key in an error', async () => {
    const { url } = await answering({ kind: 'body', status: 401, body: '{"error":{"message":"no such key"}}' })
    const model = localModel({ url, environment: { OPENAI_API_KEY: 'secret-key' } })
    const error: unknown = await generateText({ model, prompt: 'hello', maxRetries: 0 }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('secret-key')
  })

  it.each([
    ['no address at all', {}, 'no model server is known: set OPENAI_BASE_URL'],
    ['an empty one', { OPENAI_BASE_URL: '' }, 'no model server is known: set OPENAI_BASE_URL'],
    ['no address', { OPENAI_BASE_URL: 'my model' }, 'OPENAI_BASE_URL: expected an address such as'],
    ['another protocol', { OPENAI_BASE_URL: 'file:///etc/passwd' }, 'OPENAI_BASE_URL: expected an address such as'],
    ['a password in it', { OPENAI_BASE_URL: 'http://me:hunter2@localhost/v1' }, 'OPENAI_BASE_URL: expected an address without'],
  ])('refuses %s and says what to set', (_name, environment, expected) => {
    const make = () => localModel({ environment })
    expect(make).toThrow(expected)
    expect(make).not.toThrow(/hunter2/)
  })

  it.each<[string, Answer]>([
    ['a text', { kind: 'endless', text: 'and so on '.repeat(100) }],
    ['a page', { kind: 'body', status: 200, body: 'x'.repeat(300_000), headers: { 'content-type': 'text/event-stream' } }],
    ['an error', { kind: 'body', status: 400, body: `{"error":{"message":"${'x'.repeat(300_000)}"}}` }],
  ])('Q-28 cuts off endless %s before it fills the memory', async (_name, answer) => {
    const { url } = await answering(answer)
    const model = localModel({ url, environment: {}, maxBytes: 200_000 })
    const { stream } = streamText({ model, prompt: 'hello', maxRetries: 0, onError: () => undefined })
    const failure = await firstFailure(stream)
    expect(describeFailure(failure)).toContain('the server sent more than 200000 bytes')
  })

  it('takes an answer of exactly the most bytes', async () => {
    const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] })
    const { url } = await answering({ kind: 'body', status: 200, body })
    const model = (maxBytes: number) => localModel({ url, environment: {}, maxBytes })
    expect((await generateText({ model: model(body.length), prompt: 'hello' })).text).toBe('hello')
    await expect(generateText({ model: model(body.length - 1), prompt: 'hello', maxRetries: 0 })).rejects.toThrow(
      'process successful response',
    )
  })
})
