import { specPolicies } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import type { StringsName } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startAgent, type TestAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import { accepted, openPlanningBench, planned, relayed } from '../packages/node/src/gateway/testing/planning.ts'

const chinese = /[\u4e00-\u9fff]/
const lines = Array.from({ length: 3000 }, (_, index) => `step ${index} of the build`)

describe('the language of the text that the model reads', () => {
  it('is that of the session in every tool, cut and placeholder of the agent, and stays after a restart', async () => {
    const clock = { now: Date.UTC(2026, 0, 5, 9) }
    const run = (id: string, tool: string, input: object) => streamedAnswer({ calls: [{ id, tool, input }] })
    const answers = [
      run('old', 'Bash', { command: 'echo old' }),
      ...['seq 200000', 'cat log.txt'].map((command) => run(command, 'Bash', { command })),
      run('find', 'Grep', { pattern: 'step', output_mode: 'content', head_limit: 5 }),
      ...[1, 2, 3, 4].map((number) => run(`list-${number}`, 'LS', { path: '.' })),
      streamedAnswer({ text: 'Done.' }),
    ] as const
    const test = await startAgent({
      strings: 'english',
      policies: specPolicies,
      files: { 'log.txt': lines.join('\n') },
      options: { now: () => clock.now },
      answers,
    })
    await test.turn('Look at @log.txt')
    clock.now += 60 * 60_000
    const resumed = await test.restart()
    await resumed.turn('And now?')
    const sent = resultsSent(resumed)
    expect(sent[0]).toMatch(/^\[output of an outdated command removed\] \[Bash: echo old; recall [0-9a-f]{12}\]$/)
    expect(sent.filter((text) => /\[(?:cut|the first) \d/.test(text)).length).toBeGreaterThan(0)
    expect(resumed.server?.requests.map(({ text }) => text).filter((text) => chinese.test(text))).toEqual([])
  })

  it('is that of the first request through the gateway, also when another gateway with another setting goes on', async () => {
    const bench = await openPlanningBench()
    onTestFinished(bench.close)
    const withStrings = (strings: StringsName) => bench.planner({ config: { ...defaultConfig, strings } })
    const first = await send(withStrings('english'), 1)
    const second = await send(withStrings('specification'), 2)
    expect([first, second].map((text) => chinese.test(text))).toEqual([false, false])
    expect(second.split('... [cut ').length - 1).toBe(2)
    expect(await planned(withStrings('specification'), request(1, 'another conversation')).then(String)).toMatch(chinese)
  })
})

function resultsSent({ server }: TestAgent): readonly string[] {
  const messages = server?.requests.at(-1)?.body.messages ?? []
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
}

/** A request after so many builds with long output. */
function request(builds: number, task = 'build it') {
  const messages = Array.from({ length: builds }, (_, index) => [
    { role: 'assistant', content: null, tool_calls: [callOf(`build-${index}`)] },
    { role: 'tool', tool_call_id: `build-${index}`, content: `${task} ${index}\n${lines.join('\n')}` },
  ]).flat()
  const body = { model: 'gpt-5.5', messages: [{ role: 'user', content: task }, ...messages] }
  return relayed('openai-chat', body, 'spec')
}

function callOf(id: string) {
  return { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command: `make ${id}` }) } }
}

async function send(planner: ReturnType<Awaited<ReturnType<typeof openPlanningBench>>['planner']>, builds: number) {
  const made = request(builds)
  const text = String(await planned(planner, made))
  planner.answered(accepted(made))
  await planner.rest()
  return text
}
