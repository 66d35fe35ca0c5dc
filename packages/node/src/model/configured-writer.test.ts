import { completeConfig, type PartialConfig, planCompaction, type Segment } from '@plimsoll/core'
import { afterEach, describe, expect, it } from 'vitest'
import { configuredWriter } from './configured-writer.ts'
import { longConversation } from './testing/long-conversation.ts'
import { type OpenAiServer, startOpenAiServer } from './testing/openai-server.ts'

const conversation = longConversation()
const segment = planCompaction(conversation, { keepRounds: 10 }) as Segment

let server: OpenAiServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

describe('configuredWriter', () => {
  it.each<[name: string, config: PartialConfig, current: string | null, model: string, length: number]>([
    ['the current model, at the end of its own request', {}, 'large', 'large', conversation.length + 1],
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

  it.each([
    ['no model', { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, null],
    ['no server', {}, 'large'],
    ['an empty address', { OPENAI_BASE_URL: '' }, 'large'],
  ])('leaves it to code where there is %s', (_name, environment, current) => {
    expect(configuredWriter({ config: completeConfig({}), current, environment })).toBeNull()
  })

  it('says nothing of the key, even where the server repeats it', async () => {
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
