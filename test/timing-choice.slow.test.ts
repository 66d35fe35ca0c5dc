import { defaultConfig, type TimingName } from '@plimsoll/core/policies'
import { modelStringsIn } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import { createFolder, runCaptured } from '../packages/node/src/cli/testing/run-captured.ts'
import { accepted, openPlanningBench, planned, relayed } from '../packages/node/src/gateway/testing/planning.ts'
import { type ReceivedRequest, startOpenAiServer } from '../packages/node/src/model/testing/openai-server.ts'

const trimmed = modelStringsIn('english').repeatedRead
const notes = Array.from({ length: 100 }, (_, index) => `line ${index} of the notes about the project`).join('\n')

describe('when a rule changes what was sent, in the running agent', () => {
  it.each<[string, readonly string[], cached: boolean, trims: number]>([
    ['waits by default on a server on this machine, which may not report cached tokens', [], false, 0],
    ['waits by default if it reports them', [], true, 0],
    ['waits with --timing economic', ['--timing', 'economic'], true, 0],
    ['trims at once with --timing immediate', ['--timing', 'immediate'], true, 3],
  ])('Q-32 %s', async (_name, options, isCached, trims) => {
    const { code, requests } = await readEightTimes(options, isCached)
    expect(code).toBe(0)
    const sent = resultsIn(requests.at(-1))
    expect(sent).toHaveLength(8)
    expect(sent.map((text) => String(text).startsWith(trimmed))).toEqual(sent.map((_, index) => index < trims))
  })

  it.each(['-p task', 'chat', 'serve', 'run', 'gateway', 'view'])('refuses an unknown timing in %s', async (command) => {
    const rest = command === 'run' ? ['--', 'true'] : []
    const { code, stderr } = await runCaptured([...command.split(' '), '--timing', 'never', ...rest])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: --timing: expected "immediate", "economic" or "auto", or null, got "never"\n',
    })
  })
})

async function readEightTimes(options: readonly string[], isCached: boolean) {
  const folder = createFolder()
  onTestFinished(folder.remove)
  folder.write('notes.txt', notes)
  const answers = Array.from({ length: 8 }, (_, index) => (request: ReceivedRequest) => {
    const call = { id: `call-${index}`, tool: 'Read', input: { path: 'notes.txt' } }
    const tokens = Math.round(request.text.length / 4)
    const details = { prompt_tokens_details: { cached_tokens: index === 0 ? 0 : Math.round(tokens * 0.9) } }
    const usage = { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10, ...(isCached ? details : {}) }
    return streamedAnswer({ calls: [call], usage })
  })
  const [first = streamedAnswer({ text: 'Done.' }), ...others] = answers
  const server = await startOpenAiServer(first, ...others, streamedAnswer({ text: 'Done.' }))
  onTestFinished(server.close)
  const args = ['-p', 'read the notes', '--model', 'any', '--base-url', server.url, ...options]
  const environment = { HOME: folder.path, XDG_STATE_HOME: folder.path }
  const { code } = await runCaptured(args, { folder: folder.path, environment })
  return { code, requests: server.requests }
}

function resultsIn(request: ReceivedRequest | undefined): readonly unknown[] {
  return (request?.body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content)
}

describe('when a rule changes what was sent, in the gateway', () => {
  it('Q-32 waits for the cache by default, and decides at once with immediate', async () => {
    expect(await lastOfEight(null)).toBe(0)
    expect(await lastOfEight('auto')).toBe(0)
    expect(await lastOfEight('economic')).toBe(0)
    expect(await lastOfEight('immediate')).toBe(3)
  })

  it('keeps the first writer’s decision when another gateway waits for the cache, and after a rewind', async () => {
    const gateways = await openGateways()
    for (let reads = 1; reads <= 8; reads += 1) await gateways.send('immediate', reads)
    expect(await gateways.send(null, 9)).toBe(3)
    // Only six reads are left, so that the rule alone would trim one of them.
    expect(await gateways.send('immediate', 6)).toBe(3)
  })
})

async function lastOfEight(timing: TimingName | null): Promise<number> {
  const gateways = await openGateways()
  for (let reads = 1; reads < 8; reads += 1) await gateways.send(timing, reads)
  return gateways.send(timing, 8)
}

async function openGateways() {
  const bench = await openPlanningBench()
  onTestFinished(bench.close)
  const planners = new Map<TimingName | null, ReturnType<typeof bench.planner>>()
  return {
    /** Sends a request after this many reads, and returns how many of them are trimmed. */
    async send(timing: TimingName | null, reads: number): Promise<number> {
      const planner = planners.get(timing) ?? bench.planner({ config: { ...defaultConfig, timing, strings: 'english' } })
      planners.set(timing, planner)
      const request = relayed('openai-chat', { model: 'gpt-5.5', messages: readings(reads) }, 'spec')
      const text = String(await planned(planner, request))
      planner.answered(accepted(request, 100, 5000))
      await planner.rest()
      return text.split(trimmed).length - 1
    },
  }
}

function readings(reads: number): readonly object[] {
  const calls = Array.from({ length: reads }, (_, index) => {
    const id = `call_${index}_of_the_notes`
    const read = { name: 'read_file', arguments: JSON.stringify({ path: 'notes.txt' }) }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: read }] },
      { role: 'tool', tool_call_id: id, content: `${index}\n${notes}` },
    ]
  })
  return [{ role: 'user', content: 'read the notes' }, ...calls.flat()]
}
