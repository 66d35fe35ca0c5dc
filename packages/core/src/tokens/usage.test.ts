import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../facts.ts'
import { deepFreeze } from '../testing/messages.ts'
import { normaliseUsage, usageTotal } from './usage.ts'

const usage = (input: number, cacheRead: number, cacheWrite: number, output: number): Usage => ({
  input,
  cacheRead,
  cacheWrite,
  output,
})

describe('Q-27 normaliseUsage reads', () => {
  it.each<[name: string, raw: unknown, expected: Usage]>([
    [
      'OpenAI chat, which includes cached tokens in the prompt',
      { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050, prompt_tokens_details: { cached_tokens: 768 } },
      usage(232, 768, 0, 50),
    ],
    ['OpenAI chat without details', { prompt_tokens: 1000, completion_tokens: 50 }, usage(1000, 0, 0, 50)],
    [
      'OpenAI responses',
      { input_tokens: 900, input_tokens_details: { cached_tokens: 400 }, output_tokens: 60, output_tokens_details: {} },
      usage(500, 400, 0, 60),
    ],
    [
      'an agent log over OpenAI responses',
      { input_tokens: 900, cached_input_tokens: 400, output_tokens: 60, reasoning_output_tokens: 20, total_tokens: 960 },
      usage(500, 400, 0, 60),
    ],
    [
      'an agent log with writes to the cache',
      { input_tokens: 900, cached_input_tokens: 400, cache_write_input_tokens: 300, output_tokens: 60 },
      usage(200, 400, 300, 60),
    ],
    [
      'Anthropic, which reports cached tokens separately',
      { input_tokens: 4, cache_read_input_tokens: 9000, cache_creation_input_tokens: 300, output_tokens: 70 },
      usage(4, 9000, 300, 70),
    ],
    [
      'Anthropic with writes by lifetime only',
      { input_tokens: 4, cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 }, output_tokens: 1 },
      { ...usage(4, 0, 30, 1), cacheWriteHour: 20 },
    ],
    [
      'Anthropic with more for an hour than was written at all',
      { input_tokens: 4, cache_creation_input_tokens: 9, cache_creation: { ephemeral_1h_input_tokens: 20 }, output_tokens: 1 },
      { ...usage(4, 0, 9, 1), cacheWriteHour: 9 },
    ],
    [
      'the AI SDK with what Anthropic wrote for an hour',
      {
        inputTokens: { total: 34, noCache: 4, cacheRead: 0, cacheWrite: 30 },
        outputTokens: { total: 1 },
        raw: { input_tokens: 4, cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 } },
      },
      { ...usage(4, 0, 30, 1), cacheWriteHour: 20 },
    ],
    ['its own output', { ...usage(4, 0, 30, 1), cacheWriteHour: 20 }, { ...usage(4, 0, 30, 1), cacheWriteHour: 20 }],
    [
      'Gemini, which reports reasoning separately',
      {
        usageMetadata: { promptTokenCount: 800, cachedContentTokenCount: 500, candidatesTokenCount: 20, thoughtsTokenCount: 30 },
      },
      usage(300, 500, 0, 50),
    ],
    [
      'Gemini with tokens read by its tools',
      { promptTokenCount: 800, toolUsePromptTokenCount: 100, candidatesTokenCount: 5 },
      usage(900, 0, 0, 5),
    ],
    ["Gemini's agent log", { input: 800, output: 20, cached: 500, thoughts: 30, tool: 0, total: 850 }, usage(300, 500, 0, 50)],
    [
      'DeepSeek',
      { prompt_tokens: 100, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36, completion_tokens: 9 },
      usage(36, 64, 0, 9),
    ],
    ['DeepSeek hits and misses alone', { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }, usage(36, 64, 0, 0)],
    [
      'OpenRouter',
      {
        prompt_tokens: 194,
        completion_tokens: 2,
        cost: 0.1,
        prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 100, audio_tokens: 0 },
      },
      usage(4, 90, 100, 2),
    ],
    [
      'the AI SDK',
      {
        inputTokens: 500,
        inputTokenDetails: { noCacheTokens: 100, cacheReadTokens: 300, cacheWriteTokens: 100 },
        outputTokens: 40,
        outputTokenDetails: { textTokens: 30, reasoningTokens: 10 },
        totalTokens: 540,
      },
      usage(100, 300, 100, 40),
    ],
    [
      'the AI SDK without uncached tokens',
      { inputTokens: 500, inputTokenDetails: { cacheReadTokens: 300 }, outputTokens: 40 },
      usage(200, 300, 0, 40),
    ],
    [
      'a model under the AI SDK',
      { inputTokens: { total: 500, noCache: 100, cacheRead: 400 }, outputTokens: { total: 40, text: 30, reasoning: 10 } },
      usage(100, 400, 0, 40),
    ],
    [
      'LangChain, which includes cached tokens in the input',
      {
        usage_metadata: {
          input_tokens: 900,
          output_tokens: 60,
          total_tokens: 960,
          input_token_details: { cache_read: 400, cache_creation: 100 },
        },
      },
      usage(400, 400, 100, 60),
    ],
    ['AI SDK 5', { inputTokens: 500, outputTokens: 40, cachedInputTokens: 300, reasoningTokens: 3 }, usage(200, 300, 0, 40)],
    ['AI SDK 4', { promptTokens: 500, completionTokens: 40 }, usage(500, 0, 0, 40)],
    [
      'Bedrock',
      { inputTokens: 10, outputTokens: 20, totalTokens: 530, cacheReadInputTokens: 500, cacheWriteInputTokens: 0 },
      usage(10, 500, 0, 20),
    ],
    ['Ollama', { prompt_eval_count: 26, eval_count: 298 }, usage(26, 0, 0, 298)],
    ['our own format', usage(1, 2, 3, 4), usage(1, 2, 3, 4)],
    [
      "an agent's format with the same fields",
      { ...usage(1, 2, 3, 4), totalTokens: 10, cost: { total: 0.1 } },
      usage(1, 2, 3, 4),
    ],
    ['a complete response', { id: 'x', usage: { prompt_tokens: 7, completion_tokens: 1 } }, usage(7, 0, 0, 1)],
    ['a line of a log', { type: 'assistant', message: { usage: { input_tokens: 7, output_tokens: 1 } } }, usage(7, 0, 0, 1)],
    ['numbers as text', { prompt_tokens: '1000', completion_tokens: '50' }, usage(1000, 0, 0, 50)],
    [
      'a relay that subtracted the cached tokens',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 900 } },
      usage(10, 900, 0, 1),
    ],
    ['usage without output', { prompt_tokens: 10, completion_tokens: null }, usage(10, 0, 0, 0)],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }, usage(0, 0, 0, 0)],
  ])('%s', (_name, raw, expected) => expect(normaliseUsage(deepFreeze(raw))).toEqual(expected))
})

it.each<[unknown]>([
  [undefined],
  [null],
  ['prompt_tokens'],
  [[]],
  [{}],
  [{ prompt_tokens: Number.NaN }],
  [{ prompt_tokens: -5, completion_tokens: 3 }],
  [{ prompt_tokens: Number.POSITIVE_INFINITY }],
  [{ prompt_tokens: 1e15 }],
  [{ prompt_tokens: '1e9' }],
  [{ prompt_tokens: 'many' }],
  [{ inputTokens: undefined, inputTokenDetails: {}, outputTokens: undefined }],
  [{ usage: { usage: { usage: { prompt_tokens: 4 } } } }],
])('Q-27 normaliseUsage returns null for %j', (raw) => expect(normaliseUsage(raw)).toBe(null))

it('Q-27 whatever comes is a usage of whole numbers or nothing, and one that was read stays as it is', () => {
  const names = [
    'input',
    'output',
    'cacheRead',
    'prompt_tokens',
    'input_tokens',
    'inputTokens',
    'promptTokenCount',
    'usage',
    'cached',
  ]
  const value = fc.oneof(
    fc.double(),
    fc.integer({ max: 5000 }),
    fc.string(),
    fc.constant(null),
    fc.dictionary(fc.constantFrom(...names), fc.nat()),
  )
  let read = 0
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (raw) => {
      const found = normaliseUsage(raw)
      if (found === null) return
      read += 1
      expect(Object.values(found).every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true)
      expect(normaliseUsage(found)).toEqual(found)
      expect(usageTotal(found)).toBe(found.input + found.cacheRead + found.cacheWrite + found.output)
    }),
    { numRuns: 500 },
  )
  expect(read).toBeGreaterThan(50)
})
