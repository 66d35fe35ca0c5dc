import { describe, expect, it } from 'vitest'
import { cacheLosses } from './cache-losses.ts'
import { type AnswerUsage, createPrices } from './measure-session.ts'

const minute = 60_000
const price = () => createPrices({})('claude-opus-4-5', null)

/** Prompts in thousands of tokens; claude-opus-4-5 costs $0.50 to read, $6.25 and $10 to write for five minutes and for an hour. */
const answer = (at: number, read: number, written: number, { input = 0, model = 0, hour = false } = {}): AnswerUsage => [
  at,
  model,
  input * 1000,
  read * 1000,
  written * 1000,
  10,
  hour ? written * 1000 : 0,
  0,
  0,
  0,
  0,
]
const losses = (...answers: readonly AnswerUsage[]) =>
  cacheLosses(answers, answers.length, price).map(({ at, pauseSeconds, cause, tokens, dollars }) => {
    return { at, pauseSeconds, cause, tokens, dollars }
  })

describe('lost caches', () => {
  it('are input that the previous request had cached, with what writing it again cost more than reading it', () => {
    const [loss, ...others] = losses(answer(0, 0, 90), answer(7 * minute, 10, 90), answer(8 * minute, 100, 1))
    expect(others).toEqual([])
    expect(loss).toEqual({ at: 7 * minute, pauseSeconds: 420, cause: 'pause', tokens: 80_000, dollars: expect.closeTo(0.46, 9) })
  })

  it('cost the price of an hour if they are written for an hour', () =>
    expect(losses(answer(0, 0, 100, { hour: true }), answer(61 * minute, 0, 100, { hour: true }))).toMatchObject([
      { cause: 'pause', dollars: expect.closeTo(0.95, 9) },
    ]))

  it('cost the price of input if nothing is written', () =>
    expect(losses(answer(0, 100, 0), answer(minute, 50, 0, { input: 60 }))).toMatchObject([
      { cause: 'change', tokens: 50_000, dollars: expect.closeTo(0.225, 9) },
    ]))

  it('are due to another model if the model changed, whatever the pause', () =>
    expect(losses(answer(0, 0, 100), answer(60 * minute, 0, 100, { model: 1 }))).toMatchObject([{ cause: 'model' }]))

  it('are not due to a pause within the hour that the cache lasts, or without times', () => {
    expect(losses(answer(0, 0, 100, { hour: true }), answer(30 * minute, 0, 100))).toMatchObject([{ cause: 'change' }])
    const [at, ...rest] = answer(0, 0, 100)
    expect(losses([null, ...rest], answer(at ?? 0, 0, 100))).toMatchObject([{ cause: 'change', pauseSeconds: null }])
  })

  it.each([
    ['the prompt became shorter: it was compacted or rewound', answer(9 * minute, 0, 50)],
    ['everything was read', answer(9 * minute, 100, 5)],
    ['only the edge of a cached block was written again', answer(9 * minute, 97, 8)],
  ])('are none if %s', (_why, next) => expect(losses(answer(0, 0, 100), next)).toEqual([]))

  it('have no cost without a price, and are not looked for among answers of sub-agents', () =>
    expect(cacheLosses([answer(0, 0, 100), answer(0, 0, 100), answer(0, 0, 100)], 2, () => null)).toMatchObject([
      { dollars: null },
    ]))
})
