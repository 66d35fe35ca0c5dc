import { estimateTokens, type Message } from '@plimsoll/core'
import { afterEach, describe, expect, it } from 'vitest'
import { contextFor, endAll, start } from '../testing/asking.ts'
import { buildRequest } from './build-request.ts'
import { learnLimits } from './learned-limits.ts'

afterEach(endAll)

const offers = [{ name: 'Read', description: 'Reads a file. '.repeat(50), inputSchema: { type: 'object' } }]
const limits = (window: number, output_limit: number) => ({ models: { test: { window, output_limit } }, context_window: window })

describe('buildRequest', () => {
  it('counts the tools that are offered', async () => {
    const session = await start()
    const bare = await buildRequest(contextFor({ session }))
    const { request, toolTokens } = await buildRequest(contextFor({ session, context: { tools: offers } }))
    expect(toolTokens).toBe(estimateTokens(JSON.stringify(offers)))
    expect(request.report.load.estimate - bare.request.report.load.estimate).toBe(toolTokens)
  })

  it('changes nothing, so that one may look as often as one likes', async () => {
    const session = await start()
    const context = contextFor({ session })
    const before = session.heads().length
    expect((await buildRequest(context)).request.messages).toEqual((await buildRequest(context)).request.messages)
    expect(session.heads()).toHaveLength(before)
  })

  it.each<[name: string, config: object, learned: object, expected: number]>([
    ['the reserve if the output limit is unknown', {}, {}, 8192],
    ['what the model can write', limits(200_000, 16_000), {}, 16_000],
    ['no book', limits(200_000, 64_000), {}, 32_000],
    ['no more than there is room for', limits(20_000, 16_000), {}, 16_000],
    ['what the user sets', { ...limits(200_000, 16_000), output_reserve: 2000 }, {}, 2000],
    ['what a refusal has taught', limits(200_000, 16_000), { maxOutput: 1500 }, 1500],
    ['the reserve of a window that a refusal has taught', limits(200_000, 16_000), { window: 20_000 }, 5000],
  ])('asks for an answer of %s', async (_name, config, learned, expected) => {
    const session = await start()
    await learnLimits(session, 'test', learned)
    expect((await buildRequest(contextFor({ session, config }))).maxOutputTokens).toBe(expected)
  })

  it('leaves less for the answer as the window fills', async () => {
    const words = 'many words and no end of them. '.repeat(1200)
    const messages: readonly Message[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: words }] }]
    const { maxOutputTokens, request } = await buildRequest(
      contextFor({ session: await start(messages), config: limits(20_000, 16_000) }),
    )
    expect(maxOutputTokens).toBe(20_000 - request.report.load.high)
  })
})
