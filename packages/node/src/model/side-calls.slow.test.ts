import { estimateTokens } from '@plimsoll/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAsk, type UsedTokens } from './side-calls.ts'
import { type Answer, startOpenAiServer } from './testing/openai-server.ts'

const answer = (content: string): Answer => ({
  kind: 'body',
  status: 200,
  body: JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'cheap',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
  }),
})

async function asking(...answers: readonly [Answer, ...Answer[]]) {
  const server = await startOpenAiServer(...answers)
  onTestFinished(server.close)
  const usages: UsedTokens[] = []
  const environment = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-secret' }
  const ask = createAsk({ model: 'cheap', environment, maxOutputTokens: 77, onUsage: async (used) => void usages.push(used) })
  return { ask, usages, requests: server.requests }
}

const told = (usage: UsedTokens['usage'], isEstimated: boolean) => ({ usage, isEstimated, durationMs: expect.any(Number) })
const never = new AbortController().signal

describe('one question to a model', () => {
  it('is a separate message, with a bounded answer whose usage is reported', async () => {
    const { ask, requests, usages } = await asking(answer('<think>hm</think>Four.'))
    expect(await ask('What is two and two?', never)).toBe('Four.')
    expect(requests[0]?.body).toMatchObject({
      model: 'cheap',
      max_tokens: 77,
      messages: [{ role: 'user', content: 'What is two and two?' }],
    })
    expect(usages).toEqual([told({ input: 9, cacheRead: 0, cacheWrite: 0, output: 2 }, false)])
  })

  it('rejects with a message without the key if it is refused', async () => {
    const { ask, usages } = await asking({ kind: 'body', status: 401, body: '{"error":{"message":"wrong key sk-secret"}}' })
    await expect(ask('?', never)).rejects.toThrow(/^HTTP 401: wrong key \*\*\*$/)
    expect(usages).toEqual([])
  })

  it('reports what is missing if no model can answer it', async () => {
    await expect(createAsk({ model: 'qwen-turbo', environment: {} })('?', never)).rejects.toThrow(
      'no server is known for qwen-turbo',
    )
  })

  it('ends when its signal fires, before it is asked and while it waits', async () => {
    const { ask, requests, usages } = await asking({ kind: 'hang' })
    await expect(ask('?', AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    expect([requests, usages]).toEqual([[], []])
    const user = new AbortController()
    // Caught from the start: it may end before anybody looks.
    const ended = ask('?', user.signal).catch((error: unknown) => error)
    await expect.poll(() => requests.length).toBe(1)
    user.abort(new Error('stop'))
    expect(await ended).toEqual(new Error('stop'))
    // The model has read the question, which costs.
    expect(usages).toEqual([told({ input: expect.any(Number), cacheRead: 0, cacheWrite: 0, output: 0 }, true)])
    expect(usages[0]?.usage.input).toBeGreaterThan(0)
  })

  it('is charged if the answer is invalid, and not if the server is not reached', async () => {
    const { ask, usages } = await asking({ kind: 'body', status: 200, body: 'no JSON' })
    await expect(ask('?', never)).rejects.toThrow('Invalid JSON response')
    expect(usages.map(({ isEstimated }) => isEstimated)).toEqual([true])
    const alone: unknown[] = []
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    const unreachable = createAsk({ model: 'cheap', environment, onUsage: async (used) => void alone.push(used) })
    await expect(unreachable('?', never)).rejects.toThrow('Cannot connect')
    expect(alone).toEqual([])
  })

  it('is not sent if it could exceed the cost limit', async () => {
    const { url, requests, close } = await startOpenAiServer(answer('Four.'))
    onTestFinished(close)
    const bounds: unknown[] = []
    const mayAsk = (max: unknown) => bounds.push(max) > 1
    const ask = createAsk({ model: 'cheap', url, environment: {}, maxOutputTokens: 77, mayAsk })
    await expect(ask('What is two and two?', never)).rejects.toThrow('could cost more than the session allows')
    expect(requests).toEqual([])
    expect(await ask('What is two and two?', never)).toBe('Four.')
    expect(bounds[0]).toEqual({ input: estimateTokens('What is two and two?'), output: 77 })
  })

  it('is not answered by more than it can take', async () => {
    const { ask } = await asking({ kind: 'body', status: 200, body: 'x'.repeat(5 * 2 ** 20) })
    await expect(ask('?', never)).rejects.toThrow('the server sent more than 4194304 bytes')
  })
})
