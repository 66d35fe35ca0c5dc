import { describe, expect, it } from 'vitest'
import { classifyFailure, type Failure } from '../failure/classify-failure.ts'
import type { ModelFacts } from './catalogue.ts'
import { modelFacts, withReportedLimit } from './model-facts.ts'

const refused = (message: string, status = 400): Failure => classifyFailure({ status, body: { error: { message } } })
const nothing: Failure = { kind: 'overflow', limit: null, requested: null, input: null, output: null, provider: null }

const deepSeek = refused(
  "This model's maximum context length is 131072 tokens. However, you requested 168754 tokens (168754 in the messages, 0 in the completion).",
)
const reserved = refused(
  "This model's maximum context length is 32768 tokens. However, you requested 35969 tokens (9969 in the messages, 26000 in the completion).",
)

describe('withReportedLimit', () => {
  it.each<[string, string, Failure, Partial<ModelFacts>]>([
    ['of an unknown model', 'unheard-of', deepSeek, { window: 131_072 }],
    ['that is smaller than was believed', 'gpt-4.1', reserved, { window: 32_768, outputLimit: null }],
    ['that is larger than was believed', 'deepseek-chat', { ...nothing, limit: 1_000_000 }, { window: 1_000_000 }],
    ['below the input limit', 'gpt-5', deepSeek, { window: 131_072, inputLimit: null, outputLimit: 128_000 }],
    ['above the input limit', 'gpt-5', { ...nothing, limit: 390_000 }, { window: 390_000, inputLimit: 272_000 }],
  ])('Q-50 learns a window %s', (_name, model, failure, expected) => {
    const facts = Object.freeze(modelFacts(model))
    expect(withReportedLimit(facts, failure)).toEqual({ ...facts, ...expected, source: 'reported' })
  })

  it.each<[string, string, Failure]>([
    ['no limit', 'gpt-5', nothing],
    ['the window that is known', 'deepseek-chat', deepSeek],
    ['the input limit that is known', 'gpt-5', { ...nothing, limit: 272_000, requested: 289_650 }],
    ['a limit per minute', 'gpt-5', { ...nothing, kind: 'tpm_single_request', limit: 6000, requested: 12_328 }],
    ['a limit of bytes', 'gpt-5', { ...nothing, kind: 'payload_bytes', limit: 32_000_000 }],
    [
      'a limit of the answer',
      'gpt-5',
      refused('max_tokens: 50000 > 32000, which is the maximum allowed number of output tokens'),
    ],
    ['a limit that was kept', 'gpt-5', { ...nothing, limit: 9000, requested: 8000 }],
    ['no number', 'gpt-5', { ...nothing, limit: Number.NaN }],
    ['a fraction', 'gpt-5', { ...nothing, limit: 0.5 }],
    ['no window at all', 'gpt-5', { ...nothing, limit: 0 }],
    ['an endless one', 'gpt-5', { ...nothing, limit: Number.POSITIVE_INFINITY }],
  ])('returns the same facts if the error names %s', (_name, model, failure) => {
    const facts = modelFacts(model)
    expect(withReportedLimit(facts, failure)).toBe(facts)
  })

  it('can be used as an override for the model', () => {
    const learnt = withReportedLimit(modelFacts('unheard-of'), deepSeek)
    expect(modelFacts('relay/unheard-of', [learnt])).toBe(learnt)
  })
})
