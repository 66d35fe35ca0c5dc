import { describe, expect, it } from 'vitest'
import type { CacheTerms, Usage } from '../facts.ts'
import { emptyLedger, type Ledger, settleLedger } from '../timing/ledger.ts'
import { normaliseUsage } from '../tokens/usage.ts'
import { ownServerTerms, usualTerms } from './cache-terms-of.ts'
import { learnedTerms } from './learned-lifetime.ts'

/** A server that takes 0.5 ms to prefill a token, and 20 ms to decode one, plus some for each thousand tokens of context. */
function served(context: number, perThousand: number, output = 200): object {
  const prefilled = 1500
  const usage = {
    prompt_tokens: context,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: context - prefilled },
  }
  const predicted_ms = output * (20 + (perThousand * (context + output / 2)) / 1000)
  return { usage, timings: { prompt_n: prefilled, prompt_ms: prefilled / 2, predicted_n: output, predicted_ms } }
}

const after = (answers: readonly object[]) =>
  answers.reduce<Ledger>((ledger, answer) => settleLedger(ledger, normaliseUsage(answer)), emptyLedger)
const contexts = Array.from({ length: 12 }, (_, index) => 5000 + index * 4000)
const guess: CacheTerms = { ...usualTerms, isAssumed: true }
const termsAfter = (answers: readonly object[], terms: CacheTerms = ownServerTerms) =>
  learnedTerms(terms, after(answers).learned ?? null)

describe('what a cached token costs on a server that reports its times', () => {
  it.each([
    [0.1, 0.04],
    [0.25, 0.1],
    [1, 0.4],
    [5, 0.5],
    [0, 0.02],
  ])('is what it slows decoding down by, here %d ms for a thousand', (perThousand, read) =>
    expect(termsAfter(contexts.map((context) => served(context, perThousand))).read).toBeCloseTo(read, 6),
  )

  it('is a tenth until enough requests of different lengths were measured', () => {
    expect(termsAfter(contexts.slice(0, 7).map((context) => served(context, 1)))).toEqual(ownServerTerms)
    expect(termsAfter(contexts.map(() => served(9000, 1)))).toEqual(ownServerTerms)
    expect(termsAfter(contexts.map((context) => served(context, 1, 4)))).toEqual(ownServerTerms)
  })

  it('counts for a model without a price too, since only a server of one’s own reports them, but not against a price', () => {
    const answers = contexts.map((context) => served(context, 0.25))
    expect(termsAfter(answers, guess)).toMatchObject({ read: expect.closeTo(0.1, 6), write: 1 })
    expect(termsAfter(answers, usualTerms)).toMatchObject({ read: 0.1, write: 1.25 })
  })

  it('survives JSON, and stored sums that cannot be any', () => {
    const { learned = null } = after(contexts.map((context) => served(context, 1)))
    expect(learnedTerms(guess, JSON.parse(JSON.stringify(learned)))).toEqual(learnedTerms(guess, learned))
    const broken = { atLeastSeconds: null, atMostSeconds: null, zeroReads: 0, times: { requests: -1 } } as never
    expect(learnedTerms(ownServerTerms, broken)).toEqual(ownServerTerms)
  })
})

it.each<[name: string, answer: object, times: Usage['times']]>([
  ['llama.cpp', { usage: { prompt_tokens: 400, completion_tokens: 9 }, timings: { cache_n: 300, prompt_n: 100, prompt_ms: 50, predicted_ms: 90 } }, { prefilled: 100, prefillMs: 50, decodeMs: 90 }],
  ['vLLM', { usage: { prompt_tokens: 400, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 300 } }, metrics: { time_to_first_token_ms: 50, generation_time_ms: 90 } }, { prefilled: 100, prefillMs: 50, decodeMs: 90 }],
  ['vLLM that does not report what it read', { usage: { prompt_tokens: 400, completion_tokens: 9 }, metrics: { time_to_first_token_ms: 50, generation_time_ms: 90 } }, undefined],
  ['the AI SDK', { inputTokens: { total: 400, cacheRead: 300 }, outputTokens: { total: 9 }, raw: { timings: { prompt_n: 100, prompt_ms: 50, predicted_ms: 90 } } }, { prefilled: 100, prefillMs: 50, decodeMs: 90 }],
  ['Plimsoll', { input: 100, cacheRead: 300, cacheWrite: 0, output: 9, times: { prefilled: 100, prefillMs: 50, decodeMs: 90 } }, { prefilled: 100, prefillMs: 50, decodeMs: 90 }],
  ['times that cannot be', { usage: { prompt_tokens: 400 }, timings: { prompt_n: -1, prompt_ms: 'x', predicted_ms: Number.NaN } }, undefined],
  ['none', { usage: { prompt_tokens: 400 } }, undefined],
])('normaliseUsage reads the times of %s', (_name, answer, times) => expect(normaliseUsage(answer)?.times).toEqual(times)) // biome-ignore format: a table
