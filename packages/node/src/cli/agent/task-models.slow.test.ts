import { mkdirSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { streamedAnswer } from '../../agent/testing/streamed-answer.ts'
import { type ScriptedAnswer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import { type PathAnswer, startPathServer } from '../../model/testing/path-server.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome } from '../testing/state-home.ts'

type Args = readonly string[]

/** Runs a task in its own folder with the given user settings and parses the printed events. */
async function runTask(args: Args, { settings = '', environment = {}, files = {} }: Task = {}) {
  const home = createStateHome()
  const folder = join(home.path, 'work')
  mkdirSync(folder)
  writeFileSync(join(folder, 'long.txt'), Array.from({ length: 3000 }, (_, line) => `line ${line} of a long file\n`).join(''))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  mkdirSync(join(home.path, 'plimsoll'))
  writeFileSync(join(home.path, 'plimsoll', 'config.yaml'), settings)
  const captured = await home.run(['-p', 'Say yes.', '--mode', 'auto', ...args], {
    folder,
    environment: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: home.path, ...environment },
  })
  const isJson = args.includes('--json')
  const lines = isJson ? captured.stdout.split('\n').filter((line) => line !== '') : []
  return { ...captured, events: lines.map((line) => JSON.parse(line) as AgentEvent), home, folder }
}

type Environment = Readonly<Record<string, string>>

interface Task {
  readonly settings?: string
  readonly environment?: Environment
  /** In addition to a long file, by name. */
  readonly files?: Readonly<Record<string, string>>
}

function dataOf<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) {
  return events.filter((event) => event.type === type).map(({ data }) => data) as unknown as readonly Extract<
    AgentEvent,
    { type: Type }
  >['data'][]
}

/** Answers "Yes." in the format of OpenAI's chat completions. */
function sayYes(response: ServerResponse): void {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'qwen' }
  const pieces = [
    { ...chunk, choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 4000, completion_tokens: 2 } },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')}data: [DONE]\n\n`)
}

const llamaCpp = (window: number): Readonly<Record<string, PathAnswer>> => ({
  '/v1/models': { data: [{ id: 'qwen', meta: { n_ctx_train: 131_072 } }] },
  '/props': { default_generation_settings: { n_ctx: window } },
  '/v1/chat/completions': sayYes,
})
const ollama = (window: number): Readonly<Record<string, PathAnswer>> => ({
  '/api/tags': { models: [{ name: 'qwen:latest', model: 'qwen:latest' }] },
  '/api/show': { model_info: { 'general.architecture': 'q', 'q.context_length': 131_072 }, parameters: `num_ctx ${window}` },
  '/v1/chat/completions': sayYes,
})

describe('a task for a model on a local server', () => {
  it('uses the window that llama.cpp reports, without a warning if it is large', async () => {
    const { origin } = await startPathServer(llamaCpp(32_768))
    const { code, events } = await runTask(['--base-url', `${origin}/v1`, '--json'])
    expect([code, dataOf(events, 'view_built').map(({ window }) => window)]).toEqual([0, [32_768]])
    expect(dataOf(events, 'notification')).toEqual([])
  })

  it('uses the window that Ollama reports, with a warning if it is small', async () => {
    const { origin } = await startPathServer(ollama(20_000))
    const { code, events } = await runTask(['--model', 'ollama/qwen', '--json'], { environment: { OLLAMA_HOST: origin } })
    expect([code, dataOf(events, 'view_built').map(({ window }) => window)]).toEqual([0, [20_000]])
    expect(events[0]).toMatchObject({
      type: 'notification',
      data: {
        code: 'small_window',
        details: expect.stringMatching(/^20,000 tokens, the model supports 131,072; .*OLLAMA_CONTEXT_LENGTH.*num_ctx/),
      },
    })
  })

  it('prints the warning in the user’s language', async () => {
    const { origin } = await startPathServer(llamaCpp(12_000))
    const english = await runTask(['--base-url', `${origin}/v1`, '--model', 'qwen'])
    expect(english.stderr).toMatch(/small context window.*12,000 tokens, the model supports 131,072;.*--ctx-size/)
    const chinese = await runTask(['--base-url', `${origin}/v1`, '--model', 'qwen'], { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(chinese.stderr).toMatch(/上下文窗口很小.*12,000 词元，模型支持 131,072；.*--ctx-size/)
  })

  it('uses the window of the settings if one is set', async () => {
    const { origin } = await startPathServer(ollama(4096))
    const settings = 'models:\n  ollama/qwen:\n    window: 60000\n'
    const { events } = await runTask(['--model', 'ollama/qwen', '--json'], { settings, environment: { OLLAMA_HOST: origin } })
    expect(dataOf(events, 'view_built').map(({ window }) => window)).toEqual([60_000])
  })
})

async function serve(...answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]]) {
  const server = await startOpenAiServer(...answers)
  onTestFinished(server.close)
  return server
}

const yes = streamedAnswer({ text: 'Yes.', usage: { prompt_tokens: 4000, completion_tokens: 1000 } })

describe('--reasoning', () => {
  it.each([
    [[], undefined],
    [['--reasoning', 'low'], 'low'],
    [['--reasoning', 'none'], 'none'],
  ])('%j is sent to the model', async (args, effort) => {
    const { url, requests } = await serve(yes)
    await runTask(['--base-url', url, '--model', 'qwen', ...args])
    expect(requests.map(({ body }) => (body as { reasoning_effort?: string }).reasoning_effort)).toEqual([effort])
  })

  it('can come from the settings and is recorded in the session', async () => {
    const { url, requests } = await serve(yes)
    const settings = 'models:\n  qwen:\n    reasoning: high\n'
    const { home } = await runTask(['--base-url', url, '--model', 'qwen'], { settings })
    expect(requests[0]?.text).toContain('"reasoning_effort":"high"')
    const { stdout } = await home.run(['export', 'last', '--format', 'log'])
    expect(stdout).toMatch(/"parameters":\{"maxOutputTokens":\d+,"reasoning":"high"\}/)
  })

  it('is refused if it is not one of the levels', async () => {
    const { code, stderr } = await runTask(['--reasoning', 'deep'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--reasoning: expected one of none, low, medium, high, got "deep"'),
    ])
  })
})

describe('--max-cost', () => {
  const settings = 'prices:\n  qwen: { input: 100, output: 100 }\n'

  it('ends a task before a request that would exceed it, with the numbers and an exit code', async () => {
    const { url, requests } = await serve(yes)
    const args = ['--base-url', url, '--model', 'qwen', '--max-cost', '0.01']
    const { code, events } = await runTask([...args, '--json'], { settings })
    expect([code, requests]).toEqual([1, []])
    expect(dataOf(events, 'error')).toEqual([])
    expect(dataOf(events, 'notification').map(({ code: name, details }) => [name, details])).toEqual([
      ['max_cost', expect.stringMatching(/^spent \$0\.000000 \+ next \$0\.\d{4} > limit \$0\.0100$/)],
    ])
    expect((await runTask(args, { settings })).stderr).toContain(stringsFor('en').agent.stopped['max-cost'])
  })

  it('is refused for a model with an unknown price', async () => {
    const { url, requests } = await serve(yes)
    const { code, stderr } = await runTask(['--base-url', url, '--model', 'qwen', '--max-cost', '5'])
    expect([code, requests, stderr]).toEqual([2, [], expect.stringContaining(stringsFor('en').agent.noPrice('qwen'))])
  })

  it('includes the cost of summarising results', async () => {
    const summary = JSON.stringify({
      id: 'c',
      created: 0,
      model: 'cheap',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Three thousand lines.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20_000, completion_tokens: 10 },
    })
    const call = streamedAnswer({
      calls: [{ id: 'a', tool: 'Bash', input: { command: 'cat long.txt' } }],
      usage: { prompt_tokens: 4000, completion_tokens: 10 },
    })
    const { url } = await serve(({ body }) => {
      if (body.stream !== true) return { kind: 'body', status: 200, body: summary }
      return body.messages.some(({ role }) => role === 'tool') ? yes : call
    })
    const { events } = await runTask(['--base-url', url, '--model', 'qwen', '--json'], {
      settings: `${settings}  cheap: { input: 1, output: 0 }\nsummarization: { enabled: true, model: cheap }\ntool_output_limits: { default: { truncation_strategy: summarize } }\n`,
    })
    const usages = dataOf(events, 'usage')
    expect(usages.map(({ what }) => what)).toEqual(['answer', 'result-summary', 'answer'])
    expect(usages[1]).toMatchObject({ usage: { input: 20_000, output: 10 }, cost: { dollars: 0.02 } })
    const total = usages.reduce((sum, { cost }) => sum + (cost?.dollars ?? Number.NaN), 0)
    expect(usages.at(-1)?.total.dollars).toBeCloseTo(total, 9)
    expect(dataOf(events, 'turn_end')[0]?.cost.dollars).toBeCloseTo(total, 9)
  })
})

describe('summarization.enabled alone', () => {
  const settings = 'summarization: { enabled: true }\n'
  const map = Array.from({ length: 200 }, (_, file) =>
    Array.from(
      { length: 10 },
      (_line, line) => `export function part${file}Of${line}(text: string): string {\n  return text\n}\n`,
    ).join(''),
  )

  it('R003-18 R003-21 summarises a repo_map over 10,000 characters, as document 003 does', async () => {
    const call = streamedAnswer({ calls: [{ id: 'a', tool: 'repo_map', input: { max_tokens: 20_000 } }] })
    const completion = {
      id: 'c',
      created: 0,
      model: 'qwen-turbo',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Two hundred files.' }, finish_reason: 'stop' }],
    }
    const { url, requests } = await serve(({ body }) => {
      if (body.stream !== true) return { kind: 'body', status: 200, body: JSON.stringify(completion) }
      return body.messages.some(({ role }) => role === 'tool') ? yes : call
    })
    const files = Object.fromEntries(map.map((text, file) => [`module-${file}.ts`, text]))
    await runTask(['--base-url', url, '--model', 'qwen'], { settings, files })
    expect(requests.map(({ body }) => body.model)).toEqual(['qwen', 'qwen-turbo', 'qwen'])
    const [, asked, next] = requests
    expect(asked?.text.length).toBeGreaterThan(40_000)
    const result = next?.body.messages.find(({ role }) => role === 'tool')?.content
    expect(result).toMatch(/^Two hundred files\.\n\[summary of \d{5} characters; recall [0-9a-f]{12}\]$/)
  })

  it.each([[[]], [['--json']]])('names summarization.model if its model cannot be called, with %j', async (args) => {
    const { code, stderr } = await runTask(['--model', 'offline', ...args], { settings })
    expect(code).toBe(0)
    expect(stderr).toContain('summarization.enabled has no effect, long results will be cut. No server is known for qwen-turbo: ')
    expect(stderr).toContain('. Or set summarization.model to a model you can use.\n')
  })

  it('says nothing about it if summaries are off', async () => {
    expect((await runTask(['--model', 'offline', '--json'])).stderr).toBe('')
  })
})

describe('warnings about the settings', () => {
  it('are the same with --json, and escaped', async () => {
    const settings =
      'tool_output_limits: { tools: { "a\\e[2J": { truncation_strategy: summarize }, read_file: { max_chars: 10 } } }\n'
    const warnings = async (...args: Args) => {
      const { stderr, home } = await runTask(['--model', 'offline', ...args], { settings })
      return stderr
        .split('\n')
        .filter((line) => line.includes('tool_output_limits'))
        .map((line) => line.replaceAll(home.path, ''))
    }
    const plain = await warnings()
    expect(plain).toEqual([expect.stringContaining('tools.a.truncation_strategy: '), expect.stringContaining('10 hides most of')])
    expect(await warnings('--json')).toEqual(plain)
  })
})

describe('cache-aware timing of a task', () => {
  const price = 'prices: { qwen: { input: 2, cache_read: 0.1, cache_write: 2.5, output: 10 } }\n'

  it.each([
    [
      'is on if the price is known',
      price,
      'auto',
      { decision: 'nothing', cold: 'first', waitingTokens: 0, lifetimeSeconds: 300 },
    ],
    ['is off with timing: immediate', `${price}timing: immediate\n`, 'immediate', null],
    [
      'spares the cache of a server on this machine',
      '',
      'auto',
      { decision: 'nothing', cold: 'first', waitingTokens: 0, lifetimeSeconds: null },
    ],
  ])('%s, as events report', async (_name, settings, timing, expected) => {
    const server = await startOpenAiServer({ kind: 'text', text: 'Yes.' })
    onTestFinished(server.close)
    const { code, events } = await runTask(['--base-url', server.url, '--model', 'qwen', '--json'], { settings })
    expect([code, dataOf(events, 'turn_start').map((start) => start.timing)]).toEqual([0, [timing]])
    const [account] = dataOf(events, 'view_built').map(({ report }) => report.timing)
    if (expected === null) expect(account).toBeNull()
    else expect(account).toMatchObject(expected)
  })

  it('sends no keep-alive request after the task, even with keep_alive enabled', async () => {
    const server = await startOpenAiServer({ kind: 'text', text: 'Yes.', prompt: 5000, cached: 4000 })
    onTestFinished(server.close)
    const settings = `${price}keep_alive: { enabled: true }\n`
    const { code } = await runTask(['--base-url', server.url, '--model', 'qwen'], { settings })
    expect([code, server.requests.length]).toEqual([0, 1])
  })
})
