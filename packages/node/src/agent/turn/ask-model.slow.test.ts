import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { overflowStrings } from '@plimsoll/core/text'
import { afterEach, describe, expect, it } from 'vitest'
import { longConversation } from '../../model/testing/long-conversation.ts'
import type { Answer } from '../../model/testing/openai-server.ts'
import { openSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { AskContext } from '../agent.ts'
import { learnedLimits } from '../request/learned-limits.ts'
import { rebuildRequest } from '../request/record-request.ts'
import { costOfSession } from '../request/session-cost.ts'
import { ask, endAll, fine, type Result, refused, start } from '../testing/asking.ts'
import { entriesOf } from '../testing/compacting.ts'
import { TurnError } from './model-error.ts'

afterEach(endAll)

const deepSeek = (newline: string, headers: Readonly<Record<string, string>> = {}) =>
  refused(
    400,
    {
      error: {
        message: `This model's maximum context length is 131072 tokens.${newline}However, you requested 5472941 tokens (5468845 in the messages, 4096 in the completion).`,
        type: 'invalid_request_error',
      },
    },
    headers,
  )
const tooLong = deepSeek(' ')
const busy = (headers: Readonly<Record<string, string>> = {}) => refused(429, { error: { message: 'Slow down' } }, headers)

function errorsOf({ events }: Result) {
  return events.flatMap((event) => (event.type === 'error' ? [event.data] : []))
}

function noticesOf({ events }: Result) {
  return events.flatMap((event) => (event.type === 'notification' ? [event.data] : []))
}

/** The tokens of each interrupted answer in the log. */
function brokenOff(session: OpenSession): readonly unknown[] {
  return entriesOf(session).flatMap((entry) => {
    if (entry?.type !== 'note' || entry.data?.['what'] !== 'broken-off') return []
    expect(entry.data).toMatchObject({ model: 'test', isEstimated: true, usage: { input: expect.any(Number) } })
    return [(entry.data['usage'] as Usage).output]
  })
}

const strange: Answer = { kind: 'raw', pieces: ['data: {"hello":"world"}\n\n'] }
const empty: Answer = { kind: 'text', text: '' }

describe('askModel', () => {
  it('asks, streams the answer, and logs the request and its usage', async () => {
    const { asked, story, session, server } = await ask({})
    expect(asked?.answer.parts).toEqual([{ type: 'text', text: 'Fine.' }])
    expect(asked?.usage).toEqual({ input: expect.any(Number), cacheRead: 0, cacheWrite: 0, output: 100 })
    expect(story).toEqual(['view_built', 'text Fine.', 'usage'])
    expect(session.heads().map(({ type }) => type)).toEqual(['header', 'message', 'note', 'request', 'usage'])
    expect(server.requests.map(({ body }) => body.messages.map(({ role }) => role))).toEqual([['system', 'user']])
    expect(rebuildRequest(session, asked?.request ?? '')?.isProven).toBe(true)
  })

  it('R004-33 R004-35 Q-24b folds older rounds before any call for which that is due, not only when the user speaks', async () => {
    const running: readonly Message[] = longConversation().slice(0, -1)
    const result = await ask({ messages: running, config: { context_window: 12_000 } })
    expect(result.story).toEqual(['compaction_start', 'compaction_end compacted', 'view_built', 'text Fine.', 'usage'])
    expect(result.session.state().messages[0]?.summary).toBe(true)
    expect(rebuildRequest(result.session, result.asked?.request ?? '')?.isProven).toBe(true)
  })

  it('R004-31 reports the progress of a summary', async () => {
    const writer = async (_: unknown, { progress }: { readonly progress?: (written: number) => void }) => {
      for (let written = 0; written < 1000; written += 100) progress?.(written)
      throw new Error('no')
    }
    const { story } = await ask({
      messages: longConversation(),
      config: { context_window: 12_000 },
      context: { writer: () => writer },
    })
    expect(story.slice(0, 6)).toEqual([
      'compaction_start',
      ...Array.from({ length: 4 }, () => 'compaction_progress'),
      'compaction_end compacted',
    ])
  })

  it('lets a summary continue the last request, which the provider has in its cache, with the same tools', async () => {
    const tools = [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }]
    const lives: unknown[] = []
    const writer: NonNullable<AskContext['writer']> = (_config, live) => {
      lives.push(live === null ? null : [live.messages.map(({ id }) => id).slice(0, 2), Object.keys(live.tools ?? {})])
      return null
    }
    const session = await start(longConversation())
    await ask({ session, context: { tools } })
    await ask({ session, config: { context_window: 12_000 }, context: { tools, writer } })
    expect(lives).toEqual([[['layer:system', 'r0-question'], ['Read']]])
  })

  it('keeps only the usage of a cancelled request, and rejects with the reason', async () => {
    const cancel = new AbortController()
    const reason = new Error('enough')
    const { error, session } = await ask({
      answers: [{ kind: 'hang', text: 'Well' }],
      signal: cancel.signal,
      context: { emit: ({ type }: AgentEvent) => type === 'text_delta' && cancel.abort(reason) },
    })
    expect(error).toBe(reason)
    expect(session.heads().map(({ type }) => type)).toEqual(['header', 'message', 'note', 'request', 'note'])
    expect(brokenOff(session)).toEqual([1])
  })

  it('counts the usage of an interrupted answer, and none for a rejected request', async () => {
    const cut: Answer = { kind: 'cut', text: 'Well then' }
    const { session, server, asked } = await ask({ answers: [cut, refused(503, 'busy'), cut, fine] })
    expect([server.requests.length, asked?.usage?.output]).toEqual([4, 100])
    expect(brokenOff(session)).toEqual([2, 2])
    expect(costOfSession(session, () => null).requests).toBe(3)
  })
})

describe('a conversation that is too long for the provider', () => {
  it.each([
    ['in one line', ' '],
    ['over two lines', '\n'],
  ])(
    'R002-1 R002-18 R002-19 Q-19 is reported, compacted, reported as compacted, and sent once more: %s',
    async (_name, newline) => {
      const result = await ask({ messages: longConversation(), answers: [deepSeek(newline), fine] })
      expect(result.asked?.answer.parts).toEqual([{ type: 'text', text: 'Fine.' }])
      expect(result.story).toEqual([
        'view_built',
        'error CONTEXT_LENGTH_EXCEEDED recovering true',
        'compaction_start',
        'compaction_end compacted',
        'history_compressed',
        'view_built',
        'text Fine.',
        'usage',
      ])
      expect(errorsOf(result)).toEqual([
        {
          code: 'CONTEXT_LENGTH_EXCEEDED',
          message: '对话内容过长，已超出模型上下文限制。',
          suggestion: '建议新开一个会话继续对话。',
          details: {
            requested: 5_472_941,
            max: 131_072,
            recovering: true,
            kind: 'overflow',
            provider: 'local',
            model: 'test',
            limit: 131_072,
            actual: 5_468_845,
            output: 4096,
            overBy: 5_341_869,
            biggest: [
              { what: 'result of Bash (make part-2)', tokens: expect.any(Number), message: 'r2-result', tool: 'Bash' },
              { what: 'result of Bash (make part-9)', tokens: expect.any(Number), message: 'r9-result', tool: 'Bash' },
              { what: 'result of Bash (make part-10)', tokens: expect.any(Number), message: 'r10-result', tool: 'Bash' },
            ],
            tried: [],
            retryUseful: true,
            upstream: expect.stringContaining('maximum context length is 131072 tokens'),
            request: expect.any(String),
            requestId: null,
          },
        },
      ])
      expect(noticesOf(result)).toEqual([
        {
          code: 'history_compressed',
          message: '已自动压缩对话历史，请重试',
          details: expect.stringMatching(/^\d{1,3}(?:,\d{3})+ → \d{1,3}(?:,\d{3})+$/),
        },
      ])
      expect(result.server.requests).toHaveLength(2)
      expect(result.server.requests[1]?.text.length).toBeLessThan(result.server.requests[0]?.text.length ?? 0)
      expect(rebuildRequest(result.session, result.asked?.request ?? '')?.isProven).toBe(true)
    },
  )

  it('R002-32 Q-19 fails with the data of the dialog if it cannot be shortened, and is not sent a third time', async () => {
    const result = await ask({ messages: longConversation(), answers: [deepSeek(' ', { 'x-request-id': 'req_7' })] })
    expect(result.server.requests).toHaveLength(2)
    expect(result.story.filter((line) => line.startsWith('error'))).toEqual([
      'error CONTEXT_LENGTH_EXCEEDED recovering true',
      'error CONTEXT_LENGTH_EXCEEDED recovering false',
    ])
    const last = errorsOf(result).at(-1)
    expect(result.error).toEqual(new TurnError(last as never, { isTold: true, cause: expect.anything() }))
    expect(last).toMatchObject({
      message: overflowStrings.message,
      suggestion: overflowStrings.suggestion,
      details: {
        tried: ['compress'],
        retryUseful: false,
        requestId: 'req_7',
        choices: ['compress', 'new-session', 'other-model'],
        biggest: [{}, {}, {}],
      },
    })
  })

  it('Q-19 is left to the user if automatic recovery is off', async () => {
    const result = await ask({
      messages: longConversation(),
      answers: [tooLong],
      config: { overflow: { auto_recover: false } },
    })
    expect(result.story).toEqual(['view_built', 'error CONTEXT_LENGTH_EXCEEDED recovering false'])
    expect(result.server.requests).toHaveLength(1)
    expect(result.session.state().folds).toEqual([])
  })

  it('R002-32 is neither reported as compacted nor sent again if nothing could be compacted or trimmed', async () => {
    const { error, story, server } = await ask({ answers: [tooLong, fine] })
    expect((error as TurnError).error).toMatchObject({
      code: 'CONTEXT_LENGTH_EXCEEDED',
      details: { recovering: false, tried: ['compress'], choices: ['compress', 'new-session', 'other-model'] },
    })
    expect(story).toEqual([
      'view_built',
      'error CONTEXT_LENGTH_EXCEEDED recovering true',
      'error CONTEXT_LENGTH_EXCEEDED recovering false',
    ])
    expect(server.requests).toHaveLength(1)
  })

  it('is sent again with a shorter answer, and reported as that, if only the answer can shrink', async () => {
    const refusal = refused(400, { error: { message: 'Context length exceeded', code: 'context_length_exceeded' } })
    const said: Message = { id: 'said', role: 'user', parts: [{ type: 'text', text: 'a word and another '.repeat(2000) }] }
    const result = await ask({ messages: [said], answers: [refusal, fine] })
    const outputs = result.server.requests.map(({ body }) => (body as { readonly max_tokens?: number }).max_tokens)
    expect(outputs).toEqual([8192, 1513])
    expect(noticesOf(result).map(({ code, details }) => [code, details])).toEqual([['answer_shortened', '8,192 → 1,513']])
    expect(result.asked).not.toBeNull()
  })

  it('teaches the window and the provider’s counting, also to a later process', async () => {
    const refusal = refused(400, { error: { message: 'prompt is too long: 30000 tokens > 20000 maximum' } })
    const { session, server } = await ask({ messages: longConversation(), answers: [refusal, fine] })
    expect(server.requests[1]?.body.max_tokens).toBe(5000)
    expect(learnedLimits(session, 'test')).toEqual({
      window: 20_000,
      isGuessed: false,
      maxBytes: null,
      maxImages: null,
      maxOutput: null,
      // The provider has counted a request since.
      refused: null,
    })
    const sessions = session.folder.slice(0, -session.id.length)
    await session.close()
    const again = await openSession(sessions, session.id)
    expect(learnedLimits(again, 'test').window).toBe(20_000)
    expect(learnedLimits(again, 'another').window).toBeNull()
    const next = await ask({ session: again, answers: [fine] })
    expect(next.events[0]).toMatchObject({ type: 'view_built', data: { window: 20_000, usable: 15_000 } })
    await again.close()
  })

  it('counts as a quarter too long if the error names no limit', async () => {
    const refusal = refused(400, { error: { code: 'context_length_exceeded' } })
    const { session, events } = await ask({ messages: longConversation(), answers: [refusal, fine] })
    const [first, second] = events.flatMap((event) => (event.type === 'view_built' ? [event.data.report.load.tokens] : []))
    expect(second).toBeLessThan((first ?? 0) * 0.75)
    expect(learnedLimits(session, 'test')).toMatchObject({ window: Math.floor((first ?? 0) * 0.75), isGuessed: true })
  })

  it('is sent if it is too long only by an estimate', async () => {
    const words = 'many words and no end of them. '.repeat(3000)
    const messages: readonly Message[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: words }] }]
    const refusal = refused(400, { error: { code: 'context_length_exceeded' } })
    const { asked } = await ask({ messages, answers: [refusal, fine] })
    expect(asked).not.toBeNull()
  })
})

describe('a conversation that nothing makes short enough', () => {
  const words = 'many words and no end of them. '.repeat(9000)
  const messages: readonly Message[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: words }] }]

  it('Q-24 is sent once, and never again unchanged', async () => {
    const refusal = refused(400, { error: { message: 'prompt is too long: 60000 tokens > 20000 maximum' } })
    const first = await ask({ messages, answers: [refusal, fine] })
    expect(first.story).toEqual([
      'view_built',
      'error CONTEXT_LENGTH_EXCEEDED recovering true',
      'error CONTEXT_LENGTH_EXCEEDED recovering false',
    ])
    expect(first.server.requests).toHaveLength(1)
    const second = await ask({ session: first.session, answers: [fine] })
    expect(second.story).toEqual(['view_built', 'error CONTEXT_LENGTH_EXCEEDED recovering false'])
    expect(second.server.requests).toHaveLength(0)
  })

  it('is not even sent, and reported like a rejection', async () => {
    const result = await ask({ messages, config: { context_window: 20_000 } })
    expect(result.server.requests).toHaveLength(0)
    expect(result.story).toEqual(['view_built', 'error CONTEXT_LENGTH_EXCEEDED recovering false'])
    expect(errorsOf(result)[0]?.details).toMatchObject({
      max: 20_000,
      biggest: [{ what: 'user message', message: 'u' }, { what: 'system prompt' }],
      upstream: null,
      choices: ['compress', 'new-session', 'other-model'],
    })
  })
})

describe('a transient failure', () => {
  it('is waited for, longer each time', async () => {
    const broken = refused(503, 'upstream connect error')
    const { asked, waits, story, session } = await ask({ answers: [broken, broken, fine] })
    expect(asked).not.toBeNull()
    expect(waits).toEqual([1000, 2000])
    expect(story).toEqual(['view_built', 'retrying', 'retrying', 'text Fine.', 'usage'])
    const failures = session.heads().flatMap(({ id, type }) => (type === 'failure' ? [session.entry(id)] : []))
    expect(failures).toMatchObject([
      { kind: 'other', request: expect.any(String) },
      { kind: 'other', request: expect.any(String) },
    ])
  })

  it('is reported with its reason and the time', async () => {
    const result = await ask({ answers: [busy({ 'retry-after': '7' }), fine] })
    expect(result.waits).toEqual([7000])
    expect(noticesOf(result)).toEqual([
      {
        code: 'retrying',
        message: stringsFor('en').notices.retrying,
        details: expect.stringMatching(/^in 7 s: .*Slow down/),
      },
    ])
  })

  it('is waited for at most a minute, and then its end is reported', async () => {
    const { error, waits } = await ask({ answers: [busy({ 'retry-after': '200' })] })
    expect(waits).toEqual([])
    expect((error as TurnError).error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'The provider’s rate limit was reached (try again in 3 min 20 s): HTTP 429: Slow down',
      details: { retryAfter: 200_000, retryUseful: true },
    })
  })

  it('reports how often a rate-limited request was tried, and the provider’s message', async () => {
    const { error } = await ask({ answers: [busy()] })
    expect((error as TurnError).error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'The provider’s rate limit was reached (tried 6 times): HTTP 429: Slow down',
      details: { tries: 6, tried: ['5 retries'] },
    })
  })

  it('is given up after five more tries', async () => {
    const { error, waits, server } = await ask({ answers: [refused(500, 'no')] })
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000])
    expect(server.requests).toHaveLength(6)
    expect((error as TurnError).error).toMatchObject({ code: 'MODEL_NOT_REACHED', details: { tried: ['5 retries'] } })
  })

  it.each<[name: string, first: Answer, second: Answer, requests: number]>([
    ['cannot be parsed twice in the same way', strange, strange, 2],
    ['is empty twice', empty, empty, 2],
    ['cannot be parsed, each time in another way', strange, empty, 3],
    ['cannot be parsed, or that does not arrive', strange, refused(500, 'no'), 3],
    ['is cut off twice', { kind: 'unfinished', text: 'I' }, { kind: 'cut', text: 'I' }, 3],
  ])('with an answer that %s is retried only while that may help, as each try costs', async (_name, first, second, requests) => {
    const { server } = await ask({ answers: [first, second, fine] })
    expect(server.requests).toHaveLength(requests)
  })

  it('ends at once when the user cancels the wait', async () => {
    const cancel = new AbortController()
    const reason = new Error('enough')
    const { error, server } = await ask({
      answers: [busy()],
      signal: cancel.signal,
      wait: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('interrupted')))
          cancel.abort(reason)
        }),
    })
    expect(error).toBe(reason)
    expect(server.requests).toHaveLength(1)
  })

  it('drops the pieces of an interrupted answer', async () => {
    const { asked, story } = await ask({ answers: [{ kind: 'cut', text: 'Fi' }, fine] })
    expect(asked?.answer.parts).toEqual([{ type: 'text', text: 'Fine.' }])
    expect(story).toEqual(['view_built', 'text Fi', 'retrying', 'answer_restarted', 'text Fine.', 'usage'])
  })

  it('never runs a tool twice: a call in an interrupted answer does not run', async () => {
    const begun = {
      choices: [
        {
          delta: {
            tool_calls: [{ index: 0, id: 'cut', type: 'function', function: { name: 'Bash', arguments: '{"command":"rm' } }],
          },
        },
      ],
    }
    const cut: Answer = refused(200, `data: ${JSON.stringify(begun)}\n\n`, { 'content-type': 'text/event-stream' })
    const whole: Answer = { kind: 'tool-call', tool: 'Bash', input: { command: 'make' } }
    const session = await start()
    const ran: string[] = []
    // The loop in small: ask, run what is asked for, and again.
    for (const answers of [
      [cut, whole],
      [cut, fine],
    ] as const) {
      const { asked } = await ask({ session, answers: [...answers] })
      const parts = asked?.answer.parts ?? []
      await session.append([{ type: 'message', message: { id: `a${ran.length}`, role: 'assistant', parts } }])
      for (const part of parts) {
        if (part.type !== 'tool-call') continue
        ran.push(part.callId)
        const result = { type: 'tool-result', callId: part.callId, tool: 'Bash', content: { type: 'text', text: 'ok' } } as const
        await session.append([{ type: 'message', message: { id: `t${ran.length}`, role: 'tool', parts: [result] } }])
      }
    }
    expect(ran).toEqual(['call-0'])
  })
})

describe('the usage of a request', () => {
  it('is reported with its cost, and that of the session', async () => {
    const config = { prices: { test: { input: 1000, output: 10_000 } } }
    const session = await start()
    const answers: [Answer] = [{ kind: 'text', text: 'Fine.', prompt: 2000 }]
    const first = await ask({ session, config, answers })
    const second = await ask({ session, config, answers })
    const told = [first, second].flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'usage' ? [[event.data.cost?.dollars, event.data.total]] : [])),
    )
    expect(told).toEqual([
      [3, { dollars: 3, unpriced: 0 }],
      [3, { dollars: 6, unpriced: 0 }],
    ])
  })

  it('Q-27 is not trusted permanently if it is far above what was sent', async () => {
    const session = await start()
    const config = { context_window: 30_000 }
    const first = await ask({ session, config, answers: [{ kind: 'text', text: 'Fine.', prompt: 29_000 }] })
    expect(first.asked?.usage?.input).toBe(29_000)
    const second = await ask({ session, config })
    expect(second.error).toBeNull()
    expect(second.server.requests).toHaveLength(1)
  })

  it('Q-27 does not shrink the window if a relay counts everything once and then only new content', async () => {
    const session = await start(longConversation())
    const answer = (prompt: number): [Answer] => [{ kind: 'text', text: 'Fine.', prompt }]
    await ask({ session, answers: answer(20_000) })
    const second = await ask({ session, answers: answer(3000) })
    expect(second.story).toEqual(['view_built', 'text Fine.', 'usage'])
    expect(learnedLimits(session, 'test').window).toBeNull()
  })

  it('Q-27 is not trusted if it is zero', async () => {
    const { asked, events } = await ask({ answers: [{ kind: 'text', text: 'Fine.', prompt: 0 }] })
    expect(asked?.answer.parts).toHaveLength(1)
    expect(events.map(({ type }) => type)).toEqual(['view_built', 'text_delta', 'usage'])
  })

  it.each([
    ['is more than a window that the user set, and that is told', true, ['view_built', 'text Fine.', 'usage', 'silent_overflow']],
    ['may exceed an unknown window', false, ['view_built', 'text Fine.', 'usage']],
  ])('R002-16 %s', async (_name, isWindowSet, expected) => {
    const answers: [Answer] = [{ kind: 'text', text: 'Fine.', prompt: 31_000 }]
    const { story } = await ask({ config: { context_window: 30_000 }, context: { isWindowSet }, answers })
    expect(story).toEqual(expected)
  })

  it('R002-16 shows that the model did not read everything: this is reported, learned, and makes compaction due', async () => {
    const clipped: Answer = { kind: 'text', text: 'Fine.', prompt: 3000 }
    const { story, session } = await ask({ messages: longConversation(), answers: [clipped] })
    expect(story).toEqual(['view_built', 'text Fine.', 'usage', 'silent_overflow'])
    expect(learnedLimits(session, 'test')).toMatchObject({ window: 3000, isGuessed: true })
    await session.append([
      { type: 'message', message: { id: 'next', role: 'assistant', parts: [{ type: 'text', text: 'Fine.' }] } },
    ])
    const next = await ask({ session })
    expect(next.story).toEqual(['compaction_start', 'compaction_end compacted', 'view_built', 'text Fine.', 'usage'])
    expect(next.asked?.usage?.input).toBeLessThan(3000)
  })
})

describe('the message of a server', () => {
  it('never shows the key', async () => {
    const result = await ask({ answers: [refused(401, { error: { message: 'Incorrect API key provided: not-a-real-key' } })] })
    expect(JSON.stringify([result.events, (result.error as TurnError).error])).not.toContain('not-a-real-key')
    expect(JSON.stringify(result.session.heads().map(({ id }) => result.session.entry(id)))).not.toContain('not-a-real-key')
  })
})
