import { tmpdir } from 'node:os'
import { specPolicies } from '@plimsoll/core'
import type { LogRecord } from '@plimsoll/core/hosts'
import { type Config, defaultConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AgentSetting, startAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import { longRequest } from '../packages/node/src/cli/setup/prove-bytes.ts'
import { startProvider } from '../packages/node/src/cli/testing/fake-provider.ts'
import { createFolder, runCaptured } from '../packages/node/src/cli/testing/run-captured.ts'
import { startCommand } from '../packages/node/src/cli/testing/running-command.ts'
import { createTrimLog, type TrimTotals } from '../packages/node/src/files/trim-log.ts'
import { accepted, openPlanningBench, relayed } from '../packages/node/src/gateway/testing/planning.ts'
import { startOpenAiServer } from '../packages/node/src/model/testing/openai-server.ts'
import type { Tool } from '../packages/node/src/tools/tool.ts'

const minute = 60_000
const secret = 'the user wrote this'
const cutSentence = expect.stringMatching(/^工具结果被截断: \d+ -> \d+ 字符$/) as string
const totalsSentence = expect.stringMatching(/^edits: 1; tokens saved: [\d,]+; tool results cut: 1\/1 \(100\.0 %\)$/) as string

describe('the log of the running agent', () => {
  it('R000-37 R000-40 says once that an outdated command was trimmed, and counts it at the end', async () => {
    const { test, log, clock } = await loggedAgent(['old', '1', '2', '3', '4', '5'].map((word) => run(`echo ${word}`)))
    expect(log.sentences('info')).toEqual([])
    clock.now += 15 * minute + 1
    await test.turn(secret)
    expect(log.sentences('info')).toEqual(['精简了 1 个过时命令返回内容'])
    await test.turn(secret)
    const resumed = await test.restart()
    await resumed.turn(secret)
    expect(log.sentences('info')).toEqual(['精简了 1 个过时命令返回内容'])
    log.close()
    expect(log.totals).toMatchObject([{ edits: 1, results: 6, cut: 0, rate: 0 }])
    expect(log.totals[0]?.tokensSaved).toBeGreaterThan(0)
    expect(log.records.at(-1)).toMatchObject({ level: 'info', event: 'trim_totals', data: { edits: 1, truncation_rate: 0 } })
  })

  it('R001-43 R001-44 names the files of trimmed reads at debug only, and every read once', async () => {
    const reads = Array.from({ length: 8 }, () => call('Read', { path: 'notes.txt' }))
    const { test, log } = await loggedAgent(reads, { files: { 'notes.txt': 'one\ntwo\n' } })
    await test.turn(secret)
    expect(log.sentences('info')).toEqual(Array.from({ length: 3 }, () => '精简了 1 个历史文件读取内容'))
    expect(log.sentences('debug')).toEqual(Array.from({ length: 3 }, () => '精简了 notes.txt 的 1 次历史读取'))
  })

  it('R003-16 R003-22 R003-25 reports each cut once with its sizes, and the share of cut results at the end', async () => {
    const { log, test } = await loggedAgent([run('seq 1 5000'), run('echo short'), call('Noise', {})], {
      config: { tool_output_limits: { tools: { Bash: { max_chars: 1000 } } } },
      tools: [noise],
    })
    await test.turn(secret)
    expect(log.sentences('info')).toEqual([expect.stringMatching(/^工具 Bash 输出被截断: 2\d+ -> \d+ 字符 \(\d+\.\d% 减少\)$/)])
    expect(log.sentences('warn')).toEqual([expect.stringMatching(/^工具结果被截断: 9\d+ -> \d+ 字符$/)])
    log.close()
    expect(log.totals).toMatchObject([{ edits: 2, results: 3, cut: 2, rate: 2 / 3 }])
  })

  it('warns about a request that is too large to be sent, and logs no edit of it', async () => {
    const { log } = await loggedAgent([], { config: { context_window: 2000 } })
    expect(log.records.map(({ level, event }) => [level, event])).toEqual([['warn', 'request_overflow']])
  })
})

describe('the log of a task', () => {
  it.each([
    ['info', [cutSentence, totalsSentence]],
    ['warn', [cutSentence]],
    ['silent', []],
    ['', []],
  ])('R003-16 Q-51 has the sentences from level "%s" on, on standard error alone', async (level, expected) => {
    const { code, stdout, stderr } = await runTask({ PLIMSOLL_LOG: level })
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(expected)
    for (const word of [secret, 'sk-not-a-real-key', 'seq 1', tmpdir()]) expect(lines.join('\n')).not.toContain(word)
  })
})

async function runTask(environment: Readonly<Record<string, string>>) {
  const { server, folder, home } = await place()
  return runCaptured(['-p', secret, '--model', 'any', '--base-url', server.url, '--mode', 'auto'], {
    folder: folder.path,
    environment: { ...home, ...environment },
  })
}

async function place() {
  const server = await startOpenAiServer(run('seq 1 9000'), streamedAnswer({ text: 'Done.' }))
  onTestFinished(server.close)
  const folder = createFolder()
  onTestFinished(folder.remove)
  const home = {
    HOME: folder.path,
    XDG_STATE_HOME: folder.path,
    OPENAI_API_KEY: 'sk-not-a-real-key',
    PATH: process.env['PATH'] ?? '',
  }
  return { server, folder, home }
}

describe('the log of the web app', () => {
  it('R003-16 has the sentences and the session, and the sums when the server stops', async () => {
    const { server, folder, home } = await place()
    const words = ['serve', '--port', '0', '--json', '--model', 'any', '--base-url', server.url, '--mode', 'auto']
    const served = startCommand([...words, '--root', folder.path], { ...home, PLIMSOLL_LOG: 'info' })
    const { port, token } = JSON.parse(await served.firstLine()) as { port: number; token: string }
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { id: string }
    }
    const { id } = await post('/sessions', {})
    await post(`/sessions/${id}/turn`, { text: secret })
    await vi.waitUntil(() => served.stderr().includes('result_cut'), { timeout: 60_000 })
    const shown = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/sessions/${id}`, { headers: { authorization: `Bearer ${token}` } })
      return answer.text()
    }
    await vi.waitUntil(async () => (await shown()).includes('Done.'), { timeout: 60_000, interval: 100 })
    await served.stop()
    const records = recordsIn(served.stderr())
    expect(records.map(({ message, session }) => [message, session])).toEqual([
      [cutSentence, id],
      [totalsSentence, id],
    ])
  })
})

describe('the log and metrics of the gateway', () => {
  it('R003-16 R003-25 Q-51 have a cut once, however often the request is sent', async () => {
    const provider = await startProvider()
    const folder = createFolder()
    onTestFinished(folder.remove)
    const environment = {
      HOME: folder.path,
      XDG_STATE_HOME: folder.path,
      PLIMSOLL_LOG: 'info',
      PLIMSOLL_GATEWAY__LIMITS__PLAN_MILLISECONDS: '120000',
    }
    const gateway = startCommand(['gateway', '--port', '0', '--json', '--trim', 'safe', '--upstream', provider.url], environment)
    const { address } = JSON.parse(await gateway.firstLine()) as { address: string }
    const { path, headers, body } = longRequest('openai-chat', 'a')
    for (let time = 0; time < 3; time += 1) {
      const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
      await answer.text()
    }
    const metrics = async () => (await fetch(`${address}/metrics`)).text()
    await vi.waitUntil(async () => (await metrics()).includes('plimsoll_tool_results_total 1'), { timeout: 60_000 })
    expect(await metrics()).toMatch(
      /plimsoll_edits_total\{rule="limit-tool-output"\} 1\n[^]*truncated_total 1\n[^]*plimsoll_truncation_ratio 1\n/,
    )
    await gateway.stop()
    expect(recordsIn(gateway.stderr()).map(({ level, event, message }) => [level, event, message])).toEqual([
      ['warn', 'result_cut', cutSentence],
      ['info', 'trim_totals', totalsSentence],
    ])
  })
})

describe('the log of the gateway', () => {
  it('R001-43 R001-44 says once that a read was trimmed, and names the file at debug only', async () => {
    const bench = await openPlanningBench()
    onTestFinished(bench.close)
    const config: Config = { ...defaultConfig, timing: 'immediate' }
    const planner = bench.planner({ config, isLogged: true })
    const records: LogRecord[] = []
    planner.onMeasured(({ trims }) => records.push(...trims.records))
    for (let reads = 1; reads <= 7; reads += 1) {
      const request = relayed('openai-chat', { model: 'gpt-5.5', messages: readings(reads) }, 'spec')
      await planner.plan(request)
      planner.answered(accepted(request))
      await planner.rest()
    }
    const once = [
      ['info', '精简了 1 个历史文件读取内容'],
      ['debug', '精简了 notes.txt 的 1 次历史读取'],
    ]
    expect(records.map(({ level, message }) => [level, message])).toEqual([...once, ...once])
  })
})

function readings(reads: number): readonly object[] {
  const calls = Array.from({ length: reads }, (_, index) => {
    const read = { name: 'read_file', arguments: JSON.stringify({ path: 'notes.txt' }) }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id: `call_${index}_of_notes`, type: 'function', function: read }] },
      { role: 'tool', tool_call_id: `call_${index}_of_notes`, content: `${secret} ${index}` },
    ]
  })
  return [{ role: 'user', content: secret }, ...calls.flat()]
}

function recordsIn(stderr: string) {
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
}

const noise: Tool = {
  name: 'Noise',
  description: 'Makes noise.',
  inputSchema: { type: 'object' },
  access: 'read',
  about: () => '',
  run: async () => ({ content: { type: 'text', text: 'noise\n'.repeat(1500) } }),
}

function run(command: string) {
  return call('Bash', { command })
}

let calls = 0

function call(tool: string, input: object) {
  calls += 1
  return streamedAnswer({ calls: [{ id: `call-${calls}`, tool, input }] })
}

/** An agent that has made these calls in one turn, its log, and a clock that only the test moves. */
async function loggedAgent(answers: readonly ReturnType<typeof call>[], setting: AgentSetting = {}) {
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const log = openTestLog()
  const [first = streamedAnswer({ text: 'Done.' }), ...others] = answers
  const test = await startAgent({
    policies: specPolicies,
    ...setting,
    answers: [first, ...others, streamedAnswer({ text: 'Done.' })],
    options: { now: () => clock.now, trimLog: log.trimLog },
  })
  await test.turn(secret)
  return { test, log, clock }
}

function openTestLog() {
  const records: LogRecord[] = []
  const totals: TrimTotals[] = []
  const totalsText = (sums: TrimTotals) => {
    totals.push(sums)
    return 'totals'
  }
  const trimLog = createTrimLog({ log: (record) => records.push(record), now: () => 0, totalsText })
  onTestFinished(() => expect(JSON.stringify(records)).not.toContain(secret))
  return {
    trimLog,
    records,
    totals,
    close: () => trimLog.close(),
    sentences: (level: LogRecord['level']) => records.filter((one) => one.level === level).map(({ message }) => message),
  }
}
