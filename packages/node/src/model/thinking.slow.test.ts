import type { Message } from '@plimsoll/core'
import { completeConfig, type ReasoningLevel } from '@plimsoll/core/policies'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createModelClient, type ModelClientOptions } from './create-client.ts'
import { thinking } from './model-prompt.ts'
import { type ClosedNetwork, closeNetwork } from './testing/closed-network.ts'
import { providerEnvironment } from './testing/provider-environment.ts'
import { type ProviderServer, startProviderServer } from './testing/provider-server.ts'

let server: ProviderServer
let network: ClosedNetwork
beforeEach(async () => {
  network = closeNetwork()
  server = await startProviderServer({ kind: 'text', text: 'Done.' })
  network.lead('https://api.openai.com', server.origin)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server.close()
  expect(network.refused).toEqual([])
})

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Think.' }] }

/** The body of a request for an answer of at most 9,000 tokens. */
async function sent(name: string, options: Partial<ModelClientOptions> = {}): Promise<Readonly<Record<string, unknown>>> {
  const { origin } = server
  const key = 'key'
  const client = createModelClient({
    name,
    environment: providerEnvironment(origin, key),
    config: completeConfig({}),
    ...options,
  })
  const signal = new AbortController().signal
  await client.call({ messages: [user], tools: [], maxOutputTokens: 9000, breakpoints: [], signal }, () => undefined)
  return server.requests.at(-1)?.body ?? {}
}

const fields = [
  'reasoning',
  'reasoning_effort',
  'thinking',
  'output_config',
  'generationConfig',
  'max_tokens',
  'max_output_tokens',
] as const

function told(body: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])))
}

type Row = readonly [name: string, level: ReasoningLevel | undefined, expected: object]
const adaptive = { type: 'adaptive', display: 'summarized' }

describe('how much a model is to think', () => {
  it.each<Row>([
    ['openai/gpt-5.5', undefined, { max_output_tokens: 9000 }],
    ['openai/gpt-5.5', 'none', { max_output_tokens: 9000, reasoning: { effort: 'none' } }],
    ['openai/gpt-5.5', 'low', { max_output_tokens: 9000, reasoning: { effort: 'low', summary: 'detailed' } }],
    ['openai/gpt-5.5', 'high', { max_output_tokens: 9000, reasoning: { effort: 'high', summary: 'detailed' } }],
    ['anthropic/claude-opus-5', undefined, { max_tokens: 9000 }],
    ['anthropic/claude-opus-5', 'none', { max_tokens: 9000, thinking: { type: 'disabled' } }],
    ['anthropic/claude-opus-5', 'medium', { max_tokens: 9000, thinking: adaptive, output_config: { effort: 'medium' } }],
    ['anthropic/claude-haiku-4-5', 'low', { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 2048 } }],
    ['anthropic/claude-sonnet-4-5-20250929', 'high', { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 4500 } }],
    ['google/gemini-3.1-pro-preview', undefined, { generationConfig: { maxOutputTokens: 9000 } }],
    [
      'google/gemini-3.1-pro-preview',
      'high',
      { generationConfig: { maxOutputTokens: 9000, thinkingConfig: { thinkingLevel: 'high' } } },
    ],
    ['google/gemini-2.5-flash', 'low', { generationConfig: { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 2048 } } }],
    ['google/gemini-2.5-flash', 'none', { generationConfig: { maxOutputTokens: 9000, thinkingConfig: { thinkingBudget: 0 } } }],
    ['deepseek/deepseek-v4-pro', undefined, { max_tokens: 9000 }],
    ['deepseek/deepseek-v4-pro', 'none', { max_tokens: 9000, thinking: { type: 'disabled' } }],
    ['deepseek/deepseek-v4-pro', 'high', { max_tokens: 9000, thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['openrouter/x-ai/grok-5', undefined, { max_tokens: 9000 }],
    ['openrouter/x-ai/grok-5', 'medium', { max_tokens: 9000, reasoning_effort: 'medium' }],
    ['openrouter/x-ai/grok-5', 'none', { max_tokens: 9000, reasoning_effort: 'none' }],
    ['ollama/qwen4', 'low', { max_tokens: 9000, reasoning_effort: 'low' }],
  ])('reaches %s as %s', async (name, reasoning, expected) => expect(told(await sent(name, { reasoning }))).toEqual(expected))

  it('comes from the configuration, by the whole name or the provider’s, and a wish of the moment counts more', async () => {
    const config = completeConfig({ models: { 'grok-5': { reasoning: 'low' }, 'openrouter/x-ai/grok-5': { reasoning: 'high' } } })
    const name = 'openrouter/x-ai/grok-5'
    expect(told(await sent(name, { config }))).toEqual({ max_tokens: 9000, reasoning_effort: 'high' })
    expect(told(await sent(name, { config, reasoning: 'none' }))).toEqual({ max_tokens: 9000, reasoning_effort: 'none' })
    const byProvider = completeConfig({ models: { qwen4: { reasoning: 'low' } } })
    expect(told(await sent('ollama/qwen4', { config: byProvider }))).toEqual({ max_tokens: 9000, reasoning_effort: 'low' })
  })

  it('is said as well to a model that is asked in text', async () => {
    const config = completeConfig({ models: { qwen4: { reasoning: 'low', text_tools: true } } })
    expect(told(await sent('ollama/qwen4', { config }))).toEqual({ max_tokens: 9000, reasoning_effort: 'low' })
  })
})

describe('a budget of thoughts', () => {
  const haiku = { provider: 'anthropic.messages', modelId: 'claude-haiku-4-5' }
  const budget = (max: number) => thinking('high', haiku, max).providerOptions?.['anthropic']?.['thinking']

  it('is the same at every request that has room for it, so that what is cached stays cached', () =>
    expect([32_000, 40_000, 64_000].map(budget)).toEqual(
      Array.from({ length: 3 }, () => ({ type: 'enabled', budgetTokens: 16_000 })),
    ))

  it('leaves half to the answer, and is off if that is too little', () => {
    expect(budget(8192)).toEqual({ type: 'enabled', budgetTokens: 4096 })
    expect(thinking('high', haiku, 2000)).toEqual({ maxOutputTokens: 2000 })
  })
})
