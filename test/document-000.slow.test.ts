import { readFileSync } from 'node:fs'
import { specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { startAgent, type TestAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import type { ChatMessage } from '../packages/node/src/model/testing/openai-server.ts'
import { pathsOf } from '../packages/node/src/session/session-folder.ts'

const minute = 60_000
const outdated = '此命令返回内容已过时'

/** An agent whose model runs each of the commands in a turn of its own, and a clock that only the test moves. */
async function agentThatRuns(commands: readonly string[], config: Parameters<typeof startAgent>[0] = {}) {
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const answers = commands.flatMap((command, index) => [
    streamedAnswer({ calls: [{ id: `call-${index}`, tool: 'Bash', input: { command } }] }),
    streamedAnswer({ text: 'Done.' }),
  ])
  const [first = streamedAnswer({ text: 'Done.' }), ...others] = answers
  const setting = { policies: specPolicies, ...config, answers: [first, ...others, streamedAnswer({ text: 'Yes.' })] as const }
  const test = await startAgent({ ...setting, options: { now: () => clock.now, ...config?.options } })
  for (const command of commands) await test.turn(`Run ${command}`)
  return { test, clock }
}

/** What the provider was sent for each command, in the last request. */
function resultsSent({ server }: TestAgent): readonly unknown[] {
  const messages: readonly ChatMessage[] = server?.requests.at(-1)?.body.messages ?? []
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
}

const five = ['echo 1', 'echo 2', 'echo 3', 'echo 4', 'echo 5']

describe('000, time-based trimming of terminal output, in the running agent', () => {
  it('R000-2 R000-8 R000-11 R000-13 sends one line for an old success, and whole results for the five latest', async () => {
    const { test, clock } = await agentThatRuns(['echo building; echo built', ...five])
    clock.now += 15 * minute + 1
    await test.turn('What now?')
    expect(resultsSent(test)).toEqual([outdated, ...[1, 2, 3, 4, 5].map((number) => `${number}\n[exit code 0]`)])
    expect(readFileSync(pathsOf(test.session.folder).log, 'utf8')).toContain('building\\nbuilt\\n[exit code 0]')
  })

  it('R000-4 R000-15 R000-20 trims again before each request, also after a resume', async () => {
    const { test, clock } = await agentThatRuns(['echo built', ...five])
    clock.now += 15 * minute
    await test.turn('Is it still there?')
    expect(resultsSent(test)[0]).toBe('built\n[exit code 0]')
    clock.now += 1
    const resumed = await test.restart()
    await resumed.turn('And now?')
    expect(resultsSent(resumed)[0]).toBe(outdated)
    await resumed.turn('And then?')
    expect(resultsSent(resumed)[0]).toBe(outdated)
  })

  it('R000-10 R000-14 R000-32 keeps what failed or wrote to stderr, however old it is', async () => {
    const { test, clock } = await agentThatRuns(['echo no; exit 3', 'echo two; echo warn >&2', 'echo fine', ...five])
    clock.now += 60 * minute
    await test.turn('What now?')
    const [failed, warned, fine] = resultsSent(test)
    expect(failed).toBe('no\n[exit code 3]')
    expect(String(warned).split('\n').toSorted()).toEqual(['[exit code 0]', 'two', 'warn'])
    expect(fine).toBe(outdated)
    const resumed = await test.restart()
    await resumed.turn('And now?')
    expect(resultsSent(resumed)[1]).toBe(warned)
  })

  it('R000-32 trims what wrote to stderr and succeeded if stderr_is_error is off', async () => {
    const config = { outdated_commands: { stderr_is_error: false } }
    const { test, clock } = await agentThatRuns(['echo two; echo warn >&2', ...five], { config })
    clock.now += 60 * minute
    await test.turn('What now?')
    expect(resultsSent(test)[0]).toBe(outdated)
  })
})
