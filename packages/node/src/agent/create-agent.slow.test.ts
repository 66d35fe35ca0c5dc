import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { checkView, resultText, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { messageText } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createModelClient } from '../model/create-client.ts'
import { longConversation } from '../model/testing/long-conversation.ts'
import type { Answer, ScriptedAnswer } from '../model/testing/openai-server.ts'
import { openSession, readSession } from '../session/open-session.ts'
import type { OpenSession } from '../session/session.ts'
import { pathsOf } from '../session/session-folder.ts'
import { temporarySessions } from '../session/testing/sessions.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { type AgentSetting, startAgent, type TestAgent } from './testing/start-agent.ts'
import { type ModelCall, streamedAnswer } from './testing/streamed-answer.ts'

const never = new AbortController().signal
const mark: ModelCall = { id: 'mark', tool: 'Bash', input: { command: 'echo ran >> mark.txt' } }
const done = streamedAnswer({ text: 'Done.' })

const partsOf = (session: OpenSession) => session.state().messages.flatMap(({ parts }) => parts)
const callsIn = (session: OpenSession): readonly ToolCallPart[] => partsOf(session).filter((part) => part.type === 'tool-call')
const resultsIn = (session: OpenSession): readonly ToolResultPart[] =>
  partsOf(session).filter((part) => part.type === 'tool-result')
const notices = ({ events }: TestAgent) => events.flatMap(({ type, data }) => (type === 'notification' ? [data.code] : []))

/** Nothing is wrong with what would be sent next, and the log can be read again from the start. */
async function expectSound({ agent, session, sessions }: TestAgent): Promise<void> {
  expect(checkView((await agent.look()).messages)).toEqual([])
  const read = await readSession(sessions, session.id)
  expect(read.state()).toEqual(session.state())
  expect(read.troubles()).toEqual([])
  await read.close()
}

async function agentWith(
  answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]],
  setting: AgentSetting = {},
): Promise<TestAgent> {
  return startAgent({ ...setting, answers })
}

describe('a model that misbehaves', () => {
  it('is asked again if its stream breaks in the middle of a call, and the call runs once', async () => {
    const test = await agentWith([
      streamedAnswer({ text: 'I mark it.', calls: [mark], breaksAfter: 5 }),
      streamedAnswer({ text: 'I mark it.', calls: [mark] }),
      done,
    ])
    expect(await test.turn('Mark it')).toEqual({ kind: 'finished', text: 'Done.' })
    expect(readFileSync(join(test.root, 'mark.txt'), 'utf8')).toBe('ran\n')
    expect(notices(test)).toEqual(['retrying', 'answer_restarted'])
    // Nothing of the interrupted answer is stored.
    expect(test.session.state().messages.map((message) => `${message.role} ${messageText(message)}`)).toEqual([
      'user Mark it',
      'assistant I mark it.',
      'tool ',
      'assistant Done.',
    ])
    await expectSound(test)
  })

  it('is asked again after an empty answer', async () => {
    const test = await agentWith([streamedAnswer({}), done])
    expect(await test.turn('Hello')).toEqual({ kind: 'finished', text: 'Done.' })
    expect(notices(test)).toEqual(['retrying'])
    await expectSound(test)
  })

  it.each<[name: string, call: ModelCall, expected: RegExp]>([
    [
      'arguments that are not JSON',
      { ...mark, input: '{"command": "echo ran >> mark.txt' },
      /^Error: the arguments of Bash are not a JSON object/,
    ],
    ['arguments of another shape', { ...mark, input: { command: 7 } }, /^Error: wrong arguments for Bash: command: /],
    ['an unknown tool', { ...mark, tool: 'Teleport' }, /^Error: there is no tool named Teleport\. The tools are Read, /],
    [
      'a tool named as a property of every object',
      { ...mark, tool: 'constructor' },
      /^Error: there is no tool named constructor\./,
    ],
  ])('gets an error result for %s, and continues', async (_name, call, expected) => {
    const test = await agentWith([streamedAnswer({ calls: [call] }), streamedAnswer({ calls: [{ ...mark, id: 'again' }] }), done])
    expect(await test.turn('Mark it')).toEqual({ kind: 'finished', text: 'Done.' })
    expect(resultsIn(test.session).map(resultText)).toEqual([expect.stringMatching(expected), '[exit code 0; no output]'])
    expect(readFileSync(join(test.root, 'mark.txt'), 'utf8')).toBe('ran\n')
    await expectSound(test)
  })

  it('may use one id for two calls of an answer: both run, each with its own result', async () => {
    const test = await agentWith(
      [
        streamedAnswer({
          calls: [
            { id: 'same', tool: 'Read', input: { file_path: 'a.txt' } },
            { id: 'same', tool: 'Read', input: { file_path: 'b.txt' } },
          ],
        }),
        done,
      ],
      { files: { 'a.txt': 'alpha', 'b.txt': 'beta' } },
    )
    expect(await test.turn('Read both')).toEqual({ kind: 'finished', text: 'Done.' })
    const ids = callsIn(test.session).map(({ callId }) => callId)
    expect(new Set(ids).size).toBe(2)
    expect(resultsIn(test.session).map((part) => [part.callId, resultText(part).split('\t')[1]])).toEqual([
      [ids[0], 'alpha'],
      [ids[1], 'beta'],
    ])
    await expectSound(test)
  })

  it('may use one id for the calls of all its answers: each runs, and it sees each result', async () => {
    const call = (number: number) =>
      streamedAnswer({ calls: [{ id: 'same', tool: 'Bash', input: { command: `echo ${number}` } }] })
    const test = await agentWith([call(1), call(2), call(3), done])
    expect(await test.turn('Count')).toEqual({ kind: 'finished', text: 'Done.' })
    expect(resultsIn(test.session).map(resultText)).toEqual([1, 2, 3].map((number) => `${number}\n[exit code 0]`))
    const sent = test.server?.requests.at(-1)?.body.messages ?? []
    expect(sent.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      '1\n[exit code 0]',
      '2\n[exit code 0]',
      '3\n[exit code 0]',
    ])
    await expectSound(test)
  })

  it.each<[name: string, usage: unknown]>([
    ['missing', undefined],
    ['null', null],
    ['negative', { prompt_tokens: -5, completion_tokens: -1, total_tokens: -6 }],
    ['zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['beyond all numbers', { prompt_tokens: 1e300, completion_tokens: 1e300, total_tokens: 1e300 }],
    ['fractions', { prompt_tokens: 0.5, completion_tokens: 1.5, total_tokens: 2 }],
    ['without its numbers', { prompt_tokens: null, completion_tokens: null }],
    ['a few tokens, as of a relay that counts new input alone', { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }],
  ])('gets the same requests if its usage is %s', async (_name, usage) => {
    const long = streamedAnswer({ calls: [{ id: 'read', tool: 'Read', input: { file_path: 'long.txt' } }], usage })
    const test = await agentWith([long, streamedAnswer({ text: 'Read.', usage })], {
      files: { 'long.txt': 'a line of many words that is part of a file\n'.repeat(900) },
    })
    expect(await test.turn('Read it')).toEqual({ kind: 'finished', text: 'Read.' })
    expect(await test.turn('And again')).toEqual({ kind: 'finished', text: 'Read.' })
    const [read] = resultsIn(test.session)
    expect(test.server?.requests).toHaveLength(3)
    for (const { body } of test.server?.requests.slice(1) ?? [])
      expect(body.messages.find(({ role }) => role === 'tool')?.content).toBe(resultText(read as ToolResultPart))
    expect(notices(test)).toEqual([])
    expect(test.agent.cost().usage.input).toBeGreaterThanOrEqual(0)
    await expectSound(test)
  })

  it('is not asked for a summary if the built-in writer is set', async () => {
    const messages = longConversation()
    const test = await agentWith([done], { messages })
    test.agent.useModel(createModelClient({ name: 'offline', environment: {}, config: test.config }))
    expect(await test.agent.compact({ keepRounds: 2 }, never)).toMatchObject({
      kind: 'compacted',
      kept: 'outline',
      failure: null,
    })
    expect(test.server?.requests).toEqual([])
  })

  it('fails the turn if it cannot be reached, and the next turn has the user message', async () => {
    const refusing: Answer = { kind: 'body', status: 400, body: '{"error":{"message":"no such model"}}' }
    const test = await agentWith([refusing, done])
    expect(await test.turn('Hello')).toMatchObject({ kind: 'failed', error: { code: 'MODEL_REFUSED' } })
    expect(test.events.at(-1)).toMatchObject({ type: 'turn_end', data: { outcome: 'failed', steps: 0 } })
    expect(await test.agent.resume(never)).toEqual({ kind: 'finished', text: 'Done.' })
    await expectSound(test)
  })
})

describe('a machine that misbehaves', () => {
  const shell = (command: string, path: string) => spawnSync('bash', ['-c', command, path]).status === 0

  /** Mounts a small file system until the test is over; false if the user lacks permission. */
  function mountSmall(folder: string): boolean {
    mkdirSync(folder, { recursive: true })
    const isMounted = shell('mount -t tmpfs -o size=512k,mode=700 none "$0"', folder)
    if (isMounted) onTestFinished(() => void shell('umount -l "$0"', folder))
    return isMounted
  }

  it('reports that it cannot store the part of an answer before the user stopped the turn', async () => {
    const stop = new AbortController()
    const test: TestAgent = await agentWith([{ kind: 'hang', text: 'Half an answer' }, done], {
      onEvent({ type }) {
        if (type !== 'text_delta') return
        truncateSync(pathsOf(test.session.folder).log, 10)
        stop.abort()
      },
    })
    const outcome = await test.turn('Go', stop.signal)
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'SESSION_FAILED', details: { kind: 'changed-behind' } } })
    expect(test.events.filter(({ type }) => type === 'error')).toMatchObject([{ data: { code: 'SESSION_FAILED' } }])
    expect(test.events.at(-1)).toMatchObject({ type: 'turn_end', data: { outcome: 'failed' } })
  })

  it('fails the turn with a message if the disk is full, keeps stored data, and continues once there is room', async ({
    skip,
  }) => {
    const sessions = join(temporarySessions(), 'small')
    if (!mountSmall(sessions)) skip()
    const filler = join(sessions, 'filler')
    const fill = () => shell('head -c 2000000 /dev/zero > "$0"', filler)
    const test = await agentWith(
      [
        () => {
          fill()
          return streamedAnswer({ text: 'words '.repeat(2000), calls: [mark] })
        },
        done,
      ],
      { sessions },
    )
    const outcome = await test.turn('Mark it')
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: {
        code: 'SESSION_FAILED',
        message: expect.stringContaining(stringsFor('en').session.reason('ENOSPC')),
        details: { kind: 'cannot-write' },
      },
    })
    expect(test.events.at(-1)).toMatchObject({ type: 'turn_end', data: { outcome: 'failed' } })
    // An answer that could not be kept asks for nothing.
    expect(() => readFileSync(join(test.root, 'mark.txt'))).toThrow('ENOENT')
    expect(await test.turn('More '.repeat(40_000))).toMatchObject({ kind: 'failed', error: { code: 'SESSION_FAILED' } })
    rmSync(filler)
    await expectSound(test)
    expect(await test.turn('Again')).toEqual({ kind: 'finished', text: 'Done.' })
    expect(test.session.state().messages.map(messageText)).toEqual(['Mark it', 'Again', 'Done.'])
    await expectSound(test)
  })

  it('reports a missing working folder to the model and the user, and the session stays', async () => {
    const test = await agentWith([
      streamedAnswer({
        calls: [
          { id: 'read', tool: 'Read', input: { file_path: 'a.txt' } },
          { id: 'list', tool: 'LS', input: {} },
          { id: 'glob', tool: 'Glob', input: { pattern: '*' } },
          { id: 'grep', tool: 'Grep', input: { pattern: 'a' } },
          { id: 'write', tool: 'Write', input: { file_path: 'b.txt', content: 'b' } },
          { id: 'run', tool: 'Bash', input: { command: 'pwd' } },
        ],
      }),
      done,
    ])
    rmSync(test.root, { recursive: true })
    expect(await test.turn('Look around')).toEqual({ kind: 'finished', text: 'Done.' })
    const results = resultsIn(test.session)
    expect(results.map(({ callId, isError }) => [callId, isError])).toEqual(
      ['read', 'list', 'glob', 'grep', 'write', 'run'].map((id) => [id, true]),
    )
    expect(results.map(resultText).filter((text) => /TypeError|undefined|\n\s+at /.test(text))).toEqual([])
    await expectSound(test)
  })

  it('sends rules that change between two requests in their current form, and logs them', async () => {
    const test = await agentWith(
      [
        streamedAnswer({ calls: [{ id: 'c', tool: 'Bash', input: { command: 'echo "Use spaces." > CODE_LAW.md' } }] }),
        streamedAnswer({ calls: [{ id: 'd', tool: 'Bash', input: { command: 'rm CODE_LAW.md' } }] }),
        done,
      ],
      { files: { 'CODE_LAW.md': 'Use tabs.\n' } },
    )
    await test.turn('Change the rules')
    const sent = test.server?.requests.map(({ text }) => /Use (?:tabs|spaces)\./.exec(text)?.[0] ?? null)
    // The command itself names the new rule, so only text outside of it counts.
    const rules = test.server?.requests.map(({ body }) => {
      const around = body.messages.filter(({ role, tool_calls }) => role !== 'tool' && tool_calls === undefined)
      return /Use (?:tabs|spaces)\./.exec(JSON.stringify(around))?.[0] ?? null
    })
    expect(rules).toEqual(['Use tabs.', 'Use spaces.', null])
    expect(sent).toEqual(['Use tabs.', 'Use spaces.', 'Use spaces.'])
    expect(partsOf(test.session).some((part) => part.type === 'text' && part.text.includes('Use tabs.'))).toBe(false)
    await expectSound(test)
  })
})

describe('one session', () => {
  it('has one agent: a second one learns which process has it', async () => {
    const test = await startAgent()
    await expect(openSession(test.sessions, test.session.id)).rejects.toMatchObject({
      problem: { kind: 'in-use', pid: process.pid },
    })
  })

  it('has one turn at a time', async () => {
    const test = await agentWith([{ kind: 'hang', text: 'Wait' }])
    const stop = new AbortController()
    const first = test.turn('First', stop.signal)
    await expect(test.turn('Second')).rejects.toThrow('the agent is busy: expected one turn or compaction at a time')
    await expect(test.agent.compact({}, never)).rejects.toThrow('the agent is busy')
    stop.abort()
    expect(await first).toEqual({ kind: 'cancelled' })
  })

  it('pairs results with calls by id in any order, as in a session split off another', async () => {
    const calls = ['a', 'b', 'c'].map((name) => ({ id: name, tool: 'Read', input: { file_path: `${name}.txt` } }))
    const test = await agentWith([streamedAnswer({ calls }), done], { files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' } })
    await test.session.append(
      ['m9', 'm10', 'm12'].map((id) => ({ type: 'message', message: { id, role: 'user', parts: [{ type: 'text', text: id }] } })),
    )
    expect(await test.turn('Read them')).toEqual({ kind: 'finished', text: 'Done.' })
    expect(test.session.state().messages.map(({ id, role }) => `${id} ${role}`)).toEqual([
      'm9 user',
      'm10 user',
      'm12 user',
      'm4 user',
      'm8 assistant',
      'm11 tool',
      'm13 tool',
      'm14 tool',
      'm15 assistant',
    ])
    await expectSound(test)
  })
})

describe('an agent', () => {
  it('keeps the result of a call that ran when the turn is stopped while it is shortened', async () => {
    const stop = new AbortController()
    const test = await agentWith(
      [streamedAnswer({ calls: [{ id: 'c', tool: 'Bash', input: { command: 'seq 9000; echo ran >> mark.txt' } }] }), done],
      {
        config: {
          summarization: { enabled: true },
          tool_output_limits: { default: { truncation_strategy: 'summarize' } },
        },
        options: {
          summarize: (_prompt, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error))
              stop.abort()
            }),
        },
      },
    )
    expect(await test.turn('Count', stop.signal)).toEqual({ kind: 'cancelled' })
    const [result] = resultsIn(test.session)
    expect(resultText(result as ToolResultPart)).toMatch(/^1\n2\n3\n[\s\S]*\n9000\n\[exit code 0\]$/)
    expect(readFileSync(join(test.root, 'mark.txt'), 'utf8')).toBe('ran\n')
    await expectSound(test)
  })

  it('asks another model from the next request on', async () => {
    const test = await agentWith([done])
    expect(await test.turn('Hello')).toEqual({ kind: 'finished', text: 'Done.' })
    test.agent.useModel(createModelClient({ name: 'offline', environment: {}, config: test.config }))
    appendFileSync(join(test.root, 'a.txt'), 'alpha')
    expect(await test.turn('read a.txt')).toMatchObject({ kind: 'finished', text: expect.stringContaining('- read a.txt: ') })
    expect(test.server?.requests).toHaveLength(1)
    const models = test.session.heads().flatMap(({ id, type }) => {
      const entry = type === 'request' ? test.session.entry(id) : null
      return entry?.type === 'request' ? [entry.model] : []
    })
    expect(models).toEqual(['test', 'offline', 'offline'])
    await expectSound(test)
  })
})
