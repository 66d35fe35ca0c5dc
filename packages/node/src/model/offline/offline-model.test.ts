import { classifyFailure, type Message, type Part } from '@plimsoll/core'
import { planCompaction, type Segment } from '@plimsoll/core/compaction'
import { completeConfig } from '@plimsoll/core/policies'
import { APICallError, jsonSchema, streamText, type ToolSet, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { withMentionReminder } from '../../shared/mentions.ts'
import { modelMessages } from '../model-prompt.ts'
import { createModelWriter } from '../summary-writer.ts'
import { longConversation } from '../testing/long-conversation.ts'
import { createOfflineModel } from './offline-model.ts'

type Input = Readonly<Record<string, unknown>>
/** The answer of a tool in the test. */
type Answer = (input: Input) => string

const files = new Map([
  ['src/a.ts', 'export const a = 1'],
  ['src/b.ts', 'export const b = 2'],
])

/** Tools that answer as the agent's own do, about two files. */
const answers: Readonly<Record<string, Answer>> = {
  Read: ({ file_path: path }) =>
    files.has(String(path))
      ? `${String(path)} lines 1-1 of 1\n     1\t${files.get(String(path))}`
      : `Error: ${String(path)} does not exist.`,
  LS: () => 'src/\nREADME.md',
  Grep: ({ pattern }) => `1 match in 1 file\nsrc/a.ts:1:${String(pattern)}`,
  Edit: ({ file_path: path }) => `Edited ${String(path)}: 1 replacement at line 1.`,
  Write: ({ file_path: path }) => `Created ${String(path)}: 1 line.`,
  Bash: ({ command }) => (command === 'false' ? '[exit code 1]' : `all is well\n[exit code 0]`),
}

const user = (text: string, id = 'u'): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text: withMentionReminder(text) }],
})

function offers(names: readonly string[]): ToolSet {
  return Object.fromEntries(names.map((name) => [name, tool({ inputSchema: jsonSchema<object>({ type: 'object' }) })]))
}

interface Step {
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
  readonly deltas: number
  readonly input: number | undefined
  readonly finish: string
}

async function ask(messages: readonly Message[], names: readonly string[] = Object.keys(answers), options = {}): Promise<Step> {
  const { stream } = streamText({
    model: createOfflineModel(options),
    ...modelMessages(messages),
    tools: offers(names),
    maxRetries: 0,
    maxOutputTokens: 8192,
    onError: () => undefined,
  })
  let step: Step = { reasoning: '', text: '', calls: [], deltas: 0, input: undefined, finish: '' }
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'reasoning-delta') step = { ...step, reasoning: step.reasoning + part.text }
    if (part.type === 'text-delta') step = { ...step, text: step.text + part.text, deltas: step.deltas + 1 }
    if (part.type === 'tool-call')
      step = { ...step, calls: [...step.calls, { id: part.toolCallId, tool: part.toolName, input: part.input }] }
    if (part.type === 'finish') step = { ...step, finish: part.finishReason, input: part.totalUsage.inputTokens }
  }
  return step
}

/** A step and what its tools answered, as a log has it. */
function logged(step: Step, number: number, table = answers): readonly Message[] {
  const said: Part[] = step.text === '' ? [] : [{ type: 'text', text: step.text }]
  const calls = step.calls.map(({ id, tool, input }): Part => ({ type: 'tool-call', callId: id, tool, input }))
  return [
    { id: `a${number}`, role: 'assistant', parts: [...said, ...calls] },
    ...step.calls.map(({ id, tool, input }, index): Message => {
      const text = table[tool]?.(input as Input) ?? `Error: unknown tool ${tool}`
      return {
        id: `t${number}.${index}`,
        role: 'tool',
        parts: [{ type: 'tool-result', callId: id, tool, content: { type: 'text', text } }],
      }
    }),
  ]
}

/** Lets the model work until it calls nothing more. */
async function work(start: readonly Message[], table: Readonly<Record<string, Answer>> = answers) {
  let messages = start
  const steps: Step[] = []
  for (let number = 0; number < 30; number += 1) {
    const step = await ask(messages, Object.keys(table))
    steps.push(step)
    messages = [...messages, ...logged(step, number, table)]
    if (step.calls.length === 0) break
  }
  return {
    steps,
    messages,
    text: steps.at(-1)?.text ?? '',
    calls: steps.map(({ calls }) => calls.map(({ tool, input }) => [tool, input])),
  }
}

describe('createOfflineModel', () => {
  it('runs commands one by one, read-only ones together, and reports the results', async () => {
    const { steps, calls, text } = await work([
      user('read src/a.ts; search export in src\nedit src/b.ts: "2" -> "3"\nrun npm test, then read src/b.ts 1-1'),
    ])
    expect(calls).toEqual([
      [
        ['Read', { file_path: 'src/a.ts' }],
        ['Grep', { pattern: 'export', path: 'src' }],
      ],
      [['Read', { file_path: 'src/b.ts' }]],
      [['Edit', { file_path: 'src/b.ts', old_string: '2', new_string: '3' }]],
      [['Bash', { command: 'npm test' }]],
      [['Read', { file_path: 'src/b.ts', offset: 1, limit: 1 }]],
      [],
    ])
    expect(steps.map(({ finish }) => finish)).toEqual([...Array.from({ length: 5 }, () => 'tool-calls'), 'stop'])
    expect(text).toBe(
      [
        'What the offline model did:',
        '- read src/a.ts: src/a.ts lines 1-1 of 1',
        '- search export in src: 1 match in 1 file',
        '  src/a.ts:1:export',
        '- edit src/b.ts: Edited src/b.ts: 1 replacement at line 1.',
        '- run npm test: exit code 0',
        '  all is well',
        '- read src/b.ts 1-1: src/b.ts lines 1-1 of 1',
      ].join('\n'),
    )
  })

  it('thinks aloud before its first call and streams in pieces', async () => {
    const { steps } = await work([user('read src/a.ts; run npm test')])
    expect(steps.map(({ reasoning }) => reasoning)).toEqual(['Plan: read src/a.ts, then run npm test.', '', ''])
    expect(steps.at(-1)?.deltas).toBeGreaterThan(2)
  })

  it('R004-41 reads the files that are mentioned first, one by one and in order, each once', async () => {
    const { calls } = await work([user('list, then read src/a.ts; compare @src/b.ts with @src/a.ts')])
    expect(calls).toEqual([[['Read', { file_path: 'src/b.ts' }]], [['Read', { file_path: 'src/a.ts' }]], [['LS', {}]], []])
  })

  it('R004-41 reads also those mentioned files that the reminder has no room for', async () => {
    const paths = Array.from({ length: 7 }, (_, index) => `f${index}.ts`)
    const { calls } = await work([user(paths.map((path) => `@${path}`).join(' '))])
    expect(calls).toEqual([...paths.map((path) => [['Read', { file_path: path }]]), []])
  })

  it('reports a failure and continues with the next command', async () => {
    const { steps, text } = await work([user('read none.ts\nedit none.ts: "a" -> "b"\nlist')])
    expect(steps.map(({ text: said }) => said).slice(0, -1)).toEqual([
      '',
      '"read none.ts" failed: none.ts does not exist. Continuing with the next command.\n',
      '"edit none.ts" failed: none.ts does not exist. Continuing with the next command.\n',
    ])
    expect(text).toContain('- edit none.ts: failed: none.ts does not exist.')
  })

  it('stops at a command that fails, with its exit code and what is left', async () => {
    const { calls, text } = await work([user('run false; list; read src/a.ts')])
    expect(calls).toEqual([[['Bash', { command: 'false' }]], []])
    expect(text).toBe('What the offline model did:\n- run false: exit code 1\n\nStopped there. Not done: list; read src/a.ts.')
  })

  it('reads a file first that may not be written unseen, then writes it', async () => {
    let isSeen = false
    const table = {
      ...answers,
      Read: (input: Input) => {
        isSeen = true
        return answers['Read']?.(input) ?? ''
      },
      Write: () => (isSeen ? 'Wrote src/a.ts.' : 'Error: src/a.ts was not read in this session. Read it first.'),
    }
    const { calls, text } = await work([user('write src/a.ts: "x"')], table)
    const write = ['Write', { file_path: 'src/a.ts', content: 'x' }]
    expect(calls).toEqual([[write], [['Read', { file_path: 'src/a.ts' }]], [write], []])
    expect(text).toBe('What the offline model did:\n- write src/a.ts: Wrote src/a.ts.')
  })

  it('says which tool is not offered', async () => {
    const { calls, text } = await work([user('draw a cat; list')])
    expect(calls).toEqual([[['LS', {}]], []])
    expect(text).toContain('- draw a cat: not done: the tool image_generate is not available here')
  })

  it.each(['hello', 'remember that I like tabs', 'help', '<system-reminder>\nnothing else\n</system-reminder>'])(
    'explains what it is when asked %j',
    async (words) => {
      const step = await ask([user(words)])
      expect(step).toMatchObject({ calls: [], finish: 'stop' })
      expect(step.text).toMatch(/^I am Plimsoll’s built-in offline model: not a language model/)
    },
  )

  it('answers in Chinese what is asked in Chinese', async () => {
    const { steps, text } = await work([user('读取 src/a.ts；运行 npm test；你好')])
    expect(steps[0]?.reasoning).toBe('计划：read src/a.ts，然后 run npm test。')
    expect(text).toContain('- run npm test: 退出码 0')
    expect(text).toContain('无法识别：你好。离线模型只执行命令')
  })

  it('continues a conversation that is cut anywhere, with reminders after it', async () => {
    const { messages, calls } = await work([user('read src/a.ts'), user('list\nrun npm test\nread src/b.ts', 'v')])
    const recap: Message = { id: 'layer:recap', role: 'system', parts: [{ type: 'text', text: 'Todo: 1 open' }] }
    const ends = messages.flatMap(({ role }, index) => (role === 'tool' || index === 1 ? [index] : []))
    const resumed = await Promise.all(ends.map(async (end) => (await ask([...messages.slice(0, end + 1), recap])).calls))
    expect(resumed.map((step) => step.map(({ tool, input }) => [tool, input]))).toEqual(calls)
  })

  it('repeats nothing when earlier steps are folded away', async () => {
    const { messages } = await work([user('run npm test\nrun ls\nread src/b.ts')])
    const fold: Message = {
      id: 's',
      role: 'system',
      summary: true,
      parts: [{ type: 'text', text: 'Four messages were folded.' }],
    }
    const [first, , , , , ...rest] = messages
    const { calls, text } = await ask([first as Message, fold, ...rest.slice(0, -1)])
    expect(calls).toEqual([])
    expect(text).toContain('- run npm test: done earlier; its result is no longer visible')
  })

  it('gives each call a unique id, and the same one for the same conversation', async () => {
    const one = await work([user('list\nrun ls\nlist')])
    const other = await work([...one.messages, user('list\nrun ls\nlist', 'v')])
    const ids = (steps: readonly Step[]) => steps.flatMap(({ calls }) => calls.map(({ id }) => id))
    expect(new Set([...ids(one.steps), ...ids(other.steps)]).size).toBe(6)
    expect(ids((await work([user('list\nrun ls\nlist')])).steps)).toEqual(ids(one.steps))
  })

  it('counts the whole prompt', async () => {
    const short = await ask([user('hello')])
    const long = await ask([
      user('hello'),
      { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'word '.repeat(1000) }] },
      user('hi', 'v'),
    ])
    expect((long.input ?? 0) - (short.input ?? 0)).toBeGreaterThan(950)
    expect((long.input ?? 0) - (short.input ?? 0)).toBeLessThan(1050)
  })

  it.each<[what: string, window: number, kind: string]>([
    ['longer than its window', 2000, 'overflow'],
    ['that leaves no room for the answer', 10_000, 'output_reservation'],
  ])('R002-16 refuses a prompt %s as a provider does', async (_what, window, kind) => {
    const error = await ask([user('word '.repeat(5000))], ['Read'], { window }).catch((reason: unknown) => reason)
    if (!APICallError.isInstance(error)) return expect.fail(String(error))
    const failure = classifyFailure({ status: error.statusCode, body: error.responseBody })
    expect([failure.kind, failure.limit, error.isRetryable]).toEqual([kind, window, false])
    expect(failure.requested).toBe((failure.input ?? 0) + 8192)
  })

  it('leaves summaries to the built-in writer', async () => {
    const conversation = longConversation()
    const segment = planCompaction(conversation, { keepRounds: completeConfig({}).compaction.keep_rounds }) as Segment
    const live = { messages: conversation }
    const options = { model: createOfflineModel(), maxInputTokens: 100_000 }
    expect(await createModelWriter({ ...options, live })(segment, {})).toBe('The offline model cannot write summaries.')
    expect(await createModelWriter(options)(segment, {})).toBe('The offline model cannot write summaries.')
  })

  it('stops when it is cancelled', async () => {
    const model = createOfflineModel()
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'help' }] }]
    await expect(model.doStream({ prompt, abortSignal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    const controller = new AbortController()
    const { stream } = await model.doStream({ prompt, abortSignal: controller.signal })
    const reader = stream.getReader()
    await reader.read()
    controller.abort(new Error('enough'))
    const rest = async () => {
      for (;;) if ((await reader.read()).done) return
    }
    await expect(rest()).rejects.toThrow('enough')
  })

  it('answers in one piece what it streams', async () => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'read src/a.ts' }] }]
    const tools = [{ type: 'function' as const, name: 'Read', inputSchema: { type: 'object' as const } }]
    const { content, finishReason } = await createOfflineModel().doGenerate({ prompt, tools })
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Plan: read src/a.ts.' },
      { type: 'tool-call', toolName: 'Read', input: '{"file_path":"src/a.ts"}' },
    ])
    expect(finishReason.unified).toBe('tool-calls')
  })
})
