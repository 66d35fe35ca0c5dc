import { describe, expect, it } from 'vitest'
import { answerLimitIn, shorterAnswer } from './model-error.ts'

const refusal = (limit: number | null, input: number | null, requested: number | null = null) =>
  ({ kind: 'output_reservation', limit, input, requested, output: null, provider: null }) as const

describe('shorterAnswer', () => {
  it.each<[name: string, limit: number | null, input: number | null, asked: number, expected: number | null]>([
    ['what the numbers leave', 32_768, 20_000, 26_000, 12_640],
    ['what the estimate leaves, where the input is not told', 32_768, null, 30_000, 22_640],
    ['half, where no limit is told', null, null, 8192, 4096],
    ['half, where the numbers contradict the refusal', 200_000, 1000, 8192, 4096],
    ['nothing that is hardly of use', 131_072, 130_000, 4096, null],
    ['nothing, where half is hardly of use', null, null, 2000, null],
    ['nothing, where the input alone is too long', 1000, 5000, 8192, null],
  ])('leaves %s', (_name, limit, input, asked, expected) =>
    expect(shorterAnswer(refusal(limit, input), asked, 10_000)).toBe(expected),
  )

  it('takes the input from the total if that is reported', () =>
    expect(shorterAnswer(refusal(32_768, null, 34_000), 8192, 10_000)).toBe(32_768 - (34_000 - 8192) - 128))
})

describe('answerLimitIn', () => {
  it.each<[words: string, expected: number | null]>([
    ['max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.', 16_384],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8,192]', 8192],
    ['max_tokens: 32000 > 4096, which is the maximum allowed number of output tokens for claude-x', 4096],
    ['HTTP 400: max_tokens must be at most 8192', 8192],
    ['HTTP 400: Unsupported parameter: max_tokens is not supported with this model. Use max_completion_tokens instead.', null],
    ['max_tokens: 32000 > 4096, which is the maximum for gpt-4-5106-preview', 4096],
    ['max_tokens must be positive', null],
    ['no such model: gpt-4096', null],
    [`max_tokens ${'1'.repeat(100_000)}`, null],
  ])('reads %s', (words, expected) => expect(answerLimitIn(words, 32_000)).toBe(expected))
})
