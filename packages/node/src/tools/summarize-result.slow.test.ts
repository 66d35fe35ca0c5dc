import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { handleOf, type PartialConfig, recall, resultText, toolResults } from '@plimsoll/core'
import { completeConfig, limitToolOutput } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAsk } from '../model/side-calls.ts'
import { type Answer, startOpenAiServer } from '../model/testing/openai-server.ts'
import { createSession } from '../session/create-session.ts'
import { openSession } from '../session/open-session.ts'
import { recallSourceOf } from '../session/recall-source.ts'
import { pathsOf } from '../session/session-folder.ts'
import { temporarySessions } from '../session/testing/sessions.ts'
import type { ToolOutcome } from '../shared/event.ts'
import { summarizeResult } from './summarize-result.ts'
import { blobsIn, temporaryFolder } from './testing/tool-context.ts'
import { failed, told } from './tool.ts'

const long = Array.from({ length: 1500 }, (_, line) => `function part${line}() is in src/part-${line}.ts`).join('\n')
const settings: PartialConfig = {
  tool_output_limits: {
    default: { truncation_strategy: 'summarize' },
    tools: { repo_map: { truncation_strategy: 'summarize' } },
  },
  summarization: { enabled: true },
}
const completion = (content: string): Answer => ({
  kind: 'body',
  status: 200,
  body: JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'cheap',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 900, completion_tokens: 12, total_tokens: 912 },
  }),
})

async function summarized(
  outcome: ToolOutcome,
  answer: Answer,
  given: { tool?: string; config?: PartialConfig; timeLimit?: number } = {},
) {
  const server = await startOpenAiServer(answer)
  onTestFinished(server.close)
  const usages: unknown[] = []
  const troubles: string[] = []
  const environment = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-secret-key' }
  const result = await summarizeResult(outcome, {
    tool: given.tool ?? 'Bash',
    config: completeConfig(given.config ?? settings),
    ask: createAsk({ model: 'cheap', environment, onUsage: async ({ usage }) => void usages.push(usage) }),
    blobs: blobsIn(join(temporaryFolder(), 'blobs')),
    signal: new AbortController().signal,
    onProblem: (sentence) => troubles.push(sentence),
    ...(given.timeLimit === undefined ? {} : { timeLimit: given.timeLimit }),
  })
  return { result, requests: server.requests, usages, troubles }
}

describe('a long result', () => {
  it('R003-5 R003-6 is summarised once by the cheap model, and its usage is reported', async () => {
    const { result, requests, usages, troubles } = await summarized(told(long, { exitCode: 0 }), completion('1,500 functions.'))
    expect(result).toEqual({
      content: { type: 'text', text: `1,500 functions.\n[summary of ${long.length} characters; recall ${handleOf(long)}]` },
      blob: { sha256: expect.any(String), bytes: long.length, handle: handleOf(long), form: 'text' },
      metadata: { exitCode: 0, original_length: long.length, summarized: true },
    })
    expect(requests.map(({ body }) => body.messages)).toEqual([
      [
        {
          role: 'user',
          content: `请将以下内容摘要到8000字符以内，保留关键信息：\n\n${long.slice(0, 50_000)}\n\n要求：\n1. 保留所有重要的定义和结构\n2. 删除重复和冗余信息\n3. 保持代码片段的可读性`,
        },
      ],
    ])
    expect(usages).toEqual([{ input: 900, cacheRead: 0, cacheWrite: 0, output: 12 }])
    expect(troubles).toEqual([])
  })

  it('R003-18 is summarised from 10,000 characters on if it comes from repo_map, with its length in the metadata', async () => {
    const map = long.slice(0, 10_001)
    const { result } = await summarized(told(map), completion('Parts.'), { tool: 'repo_map' })
    expect(result.metadata).toEqual({ original_length: 10_001, summarized: true })
    const short = told(long.slice(0, 10_000))
    const other = await summarized(short, completion('Parts.'), { tool: 'repo_map' })
    expect(other.result).toBe(short)
    expect(other.requests).toEqual([])
  })

  it('R003-21 is left to be cut if summaries are not enabled', async () => {
    const outcome = told(long)
    const { result, requests } = await summarized(outcome, completion('no'), { config: { ...settings, summarization: {} } })
    expect(result).toBe(outcome)
    expect(requests).toEqual([])
  })

  it('is sent and stored without secrets if redaction is on', async () => {
    const key = `sk-ant-api03-${'a1B2c3D4'.repeat(11)}`
    const { result, requests } = await summarized(told(`${long}\nANTHROPIC_API_KEY=${key}\n`), completion('Parts.'), {
      config: { ...settings, sessions: { redact_secrets: true }, summarization: { enabled: true, max_input_chars: 200_000 } },
    })
    expect(requests[0]?.text).not.toContain(key)
    expect(result.blob?.handle).not.toBe(handleOf(`${long}\nANTHROPIC_API_KEY=${key}\n`))
    expect(result.metadata).toMatchObject({ summarized: true })
  })

  it('is stored as JSON if it is JSON', async () => {
    const value = { parts: long.split('\n') }
    const { result } = await summarized({ content: { type: 'json', value } }, completion('Parts.'))
    expect(result.blob).toMatchObject({ form: 'json', handle: handleOf(JSON.stringify(value)) })
  })

  it('is stored even if it ends in half a character', async () => {
    const { result } = await summarized(told(`\ud800${long}`), completion('Parts.'))
    expect(result.blob).toMatchObject({ form: 'quoted', handle: handleOf(`\ud800${long}`) })
  })

  it('is summarised without the reasoning of the model', async () => {
    const { result } = await summarized(told(long), completion('<think>many parts</think>\nParts.'))
    expect(result.content).toMatchObject({ text: expect.stringMatching(/^Parts\.\n\[summary of /) })
  })
})

describe('a result that is never summarised', () => {
  it.each([
    ['a failure, whose error lines are worth more', failed(long)],
    ['an extract, which has what matters already', { ...told(long), blob: { sha256: 'a'.repeat(64), bytes: 9 } }],
    ['an image with words', { content: { type: 'list', items: [{ type: 'text', text: long }] } } satisfies ToolOutcome],
  ] as const)('%s', async (_name, outcome) => {
    const { result, requests } = await summarized(outcome, completion('no'))
    expect(result).toBe(outcome)
    expect(requests).toEqual([])
  })

  it('the bytes of a generated image', async () => {
    const metadata = { blob: { sha256: 'a'.repeat(64), bytes: 9 } }
    const outcome: ToolOutcome = { content: { type: 'json', value: { metadata: { imageBase64: 'A'.repeat(90_000) } } }, metadata }
    const { result, requests } = await summarized(outcome, completion('no'))
    expect(result).toBe(outcome)
    expect(requests).toEqual([])
  })
})

describe('Q-25 a failed summary leaves the result to be cut', () => {
  it.each<readonly [string, Answer, RegExp]>([
    [
      'a server that fails',
      { kind: 'body', status: 400, body: '{"error":{"message":"bad sk-secret-key"}}' },
      /^The result of Bash was cut: HTTP 400: bad \*\*\*\.$/,
    ],
    ['an answer that is not JSON', { kind: 'body', status: 200, body: 'hello' }, /^The result of Bash was cut: .+\.$/],
    ['an empty answer', completion('  '), /^The result of Bash was cut: the model wrote no summary\.$/],
    ['a model that never answers', { kind: 'hang' }, /^The result of Bash was cut: no summary within 0\.2 seconds\.$/],
  ])('%s', async (_name, answer, problem) => {
    const outcome = told(long)
    const { result, troubles } = await summarized(outcome, answer, { timeLimit: 200 })
    expect(result).toBe(outcome)
    expect(troubles).toEqual([expect.stringMatching(problem)])
  })

  it('an unknown model', async () => {
    const outcome = told(long)
    const troubles: string[] = []
    const result = await summarizeResult(outcome, {
      tool: 'Bash',
      config: completeConfig(settings),
      ask: createAsk({ model: 'qwen-turbo', environment: {} }),
      blobs: blobsIn('/nowhere'),
      signal: new AbortController().signal,
      onProblem: (sentence) => troubles.push(sentence),
    })
    expect(result).toBe(outcome)
    expect(troubles).toEqual([expect.stringContaining('no server is known for qwen-turbo')])
  })

  it('an original that cannot be stored', async () => {
    const outcome = told(long)
    const troubles: string[] = []
    const inTheWay = join(temporaryFolder(), 'file')
    writeFileSync(inTheWay, '')
    const result = await summarizeResult(outcome, {
      tool: 'Bash',
      config: completeConfig(settings),
      ask: () => Promise.resolve('Parts.'),
      blobs: blobsIn(join(inTheWay, 'blobs')),
      signal: new AbortController().signal,
      onProblem: (sentence) => troubles.push(sentence),
    })
    expect(result).toBe(outcome)
    expect(troubles).toHaveLength(1)
  })

  it('does not apply when the user cancels, even if the model ignores the signal', async () => {
    const user = new AbortController()
    const waiting = summarizeResult(told(long), {
      tool: 'Bash',
      config: completeConfig(settings),
      ask: () => new Promise(() => {}),
      blobs: blobsIn('/nowhere'),
      signal: user.signal,
    })
    user.abort(new Error('cancelled'))
    await expect(waiting).rejects.toThrow('cancelled')
  })
})

describe('a summary in a session', () => {
  it('R003-5 recalls its original byte for byte, and is not cut again', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const config = completeConfig(settings)
    const { content, blob, metadata } = await summarizeResult(told(long), {
      tool: 'Bash',
      config,
      ask: () => Promise.resolve(`Many parts.\n${'And more of them. '.repeat(2000)}`),
      blobs: blobsIn(pathsOf(session.folder).blobs),
      signal: new AbortController().signal,
    })
    const call = { type: 'tool-call', callId: 'c', tool: 'Bash', input: { command: 'make' } } as const
    const result = { type: 'tool-result', callId: 'c', tool: 'Bash', content } as const
    await session.append([
      { type: 'message', message: { id: 'a', role: 'assistant', parts: [call] } },
      {
        type: 'message',
        message: { id: 'r', role: 'tool', parts: [{ ...result, ...(blob && { blob }), ...(metadata && { metadata }) }] },
      },
    ])
    await session.close()
    const again = await openSession(sessions, session.id)
    onTestFinished(again.close)
    const { messages } = again.state()
    expect(limitToolOutput.plan(messages, { config })).toEqual([])
    const [stored] = toolResults(messages, {})
    expect(resultText(stored?.part as never)).toMatch(/\n\[summary of \d+ characters; recall [0-9a-f]{12}\]$/)
    const answer = recall({ handle: handleOf(long) }, recallSourceOf(again))
    expect(answer).toMatchObject({ kind: 'found', text: long })
  })
})
