import type { PartialConfig } from '@plimsoll/core'
import { planCompaction, type Segment } from '@plimsoll/core/compaction'
import { completeConfig } from '@plimsoll/core/policies'
import { afterEach, describe, expect, it } from 'vitest'
import { configuredWriter } from './side-calls.ts'
import { longConversation } from './testing/long-conversation.ts'
import { type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'
import { startProviderServer } from './testing/provider-server.ts'

const conversation = longConversation()
const segment = planCompaction(conversation, { keepRounds: 10 }) as Segment

let server: OpenAiServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

describe('configuredWriter', () => {
  it.each<[name: string, config: PartialConfig, current: string | null, model: string, length: number]>([
    ['the current model, at the end of its request', {}, 'large', 'large', conversation.length + 1],
    ['the configured model, which is sent a record', { compaction: { model: 'small' } }, 'large', 'small', 2],
    ['the configured model where no other is known', { compaction: { model: 'small' } }, null, 'small', 2],
    ['the same model by its name', { compaction: { model: 'large' } }, 'large', 'large', conversation.length + 1],
  ])('R004-30 asks %s', async (_name, config, current, model, length) => {
    server = await startOpenAiServer({ kind: 'text', text: 'A summary.' })
    const environment = { OPENAI_BASE_URL: server.url }
    const live = { messages: conversation }
    await configuredWriter({ config: completeConfig(config), current, live, environment })?.(segment, {})
    expect(server.requests.map(({ body }) => [body.model, body.messages.length, body.max_tokens])).toEqual([
      [model, length, 8192],
    ])
  })

  it.each([null, ''])('leaves it to code where no model is named: %j', (current) => {
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'secret-key' }
    expect(configuredWriter({ config: completeConfig({}), current, environment })).toBeNull()
  })

  it.each<[name: string, environment: Readonly<Record<string, string>>, current: string, problem: object]>([
    ['no server', {}, 'large', { kind: 'no-server' }],
    ['an empty address', { OPENAI_BASE_URL: '' }, 'large', { kind: 'no-server' }],
    ['no key', {}, 'anthropic/large', { kind: 'no-key', variables: ['ANTHROPIC_API_KEY'] }],
  ])('reports what is missing with %s', (_name, environment, current, problem) => {
    const make = () => configuredWriter({ config: completeConfig({}), current, environment })
    expect(make).toThrow(expect.objectContaining({ name: 'ModelChoiceError', problem }) as Error)
  })

  it('R004-30 sends the output limit, as a provider would allow an unknown model very little', async () => {
    const started = await startProviderServer({ kind: 'text', text: 'A summary.' })
    const environment = { ANTHROPIC_API_KEY: 'secret-key', ANTHROPIC_BASE_URL: started.origin }
    const config = completeConfig({ output_reserve: 12_000, compaction: { model: 'anthropic/nobody-knows-it' } })
    expect(await configuredWriter({ config, current: null, environment })?.(segment, {})).toBe('A summary.')
    expect(started.requests.map(({ body }) => [body['model'], body['max_tokens']])).toEqual([['nobody-knows-it', 12_000]])
    await started.close()
  })

  it('never shows the key, even if the server repeats it', async () => {
    server = await startOpenAiServer({ kind: 'body', status: 401, body: '{"error":{"message":"no such key: secret-key"}}' })
    const environment = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'secret-key' }
    const writer = configuredWriter({ config: completeConfig({}), current: 'large', environment })
    await expect(writer?.(segment, {})).rejects.toMatchObject({ message: 'HTTP 401: no such key: ***' })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-key')
  })

  it('says what is wrong with an address instead of going on without a model', () => {
    const environment = { OPENAI_BASE_URL: 'nonsense' }
    expect(() => configuredWriter({ config: completeConfig({}), current: 'large', environment })).toThrow('OPENAI_BASE_URL')
  })
})
