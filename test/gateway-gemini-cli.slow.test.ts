import { type TrimMode, trimModes } from '@plimsoll/core/policies'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { changes } from './gateway/changes.ts'
import { type Exchange, type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { type GeminiRun, startGeminiCli } from './gateway/gemini-cli.ts'
import type { Reply } from './gateway/reply.ts'
import { type StartedGateway, startGateway } from './gateway/start-gateway.ts'
import { startTap } from './gateway/tap.ts'

const prompt = 'Why does the build fail?'
const answer = 'The build fails because a file is missing.'
const giantLog = Array.from({ length: 900 }, (_, line) => `[${line}] compiling module number ${line * 7}`).join('\n')
const files = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'build.log': `${giantLog}\n`, 'build.sh': 'cat build.log\n' }

function reply(key: string, number: number): Reply {
  if (number === 0) {
    return {
      text: 'I look at the files and at the build.',
      calls: [
        { id: 'call_a', name: 'read_file', input: { file_path: 'a.txt' } },
        { id: 'call_b', name: 'read_file', input: { file_path: 'b.txt' } },
        { id: 'call_log', name: 'run_shell_command', input: { command: 'sh build.sh' } },
      ],
    }
  }
  if (key.includes('interrupted')) return { text: 'This answer never ends.', hangs: true }
  return number === 1
    ? { calls: [{ id: 'call_echo', name: 'run_shell_command', input: { command: 'echo done' } }] }
    : { text: answer }
}

let upstream: FakeUpstream
const gateways = new Map<TrimMode, StartedGateway>()
const runs: GeminiRun[] = []

beforeAll(async () => {
  upstream = await startFakeUpstream(({ key }, number) => reply(key, number))
  for (const mode of trimModes) gateways.set(mode, await startGateway({ mode, upstream: upstream.url }))
})

afterAll(async () => {
  for (const run of runs) run.process.kill('SIGKILL')
  await Promise.all(runs.map((run) => run.remove()))
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()))
  await Promise.all([...gateways.values()].map((gateway) => gateway.remove()))
  await upstream.close()
})

async function start(url: string, key: string): Promise<GeminiRun> {
  const run = await startGeminiCli({ url, key, prompt, files })
  runs.push(run)
  return run
}

const places: readonly ('direct' | TrimMode)[] = ['direct', ...trimModes]

function urlOf(place: 'direct' | TrimMode): string {
  return place === 'direct' ? upstream.url : (gateways.get(place)?.url ?? '')
}

test('Gemini CLI works through the gateway in every mode as without it', { timeout: 240_000 }, async () => {
  // The agent's own prompt may differ between two starts, so what it sent is compared with what arrived.
  const taps = await Promise.all(places.map((place) => startTap(urlOf(place))))
  onTestFinished(async () => void (await Promise.all(taps.map((tap) => tap.close()))))
  const ended = await Promise.all(places.map(async (place, index) => (await start(taps[index]?.url ?? '', `key-${place}`)).ended))
  const expected = { code: 0, signal: null, output: expect.stringContaining(answer) }
  expect(ended).toEqual(places.map(() => expected))
  expect(new Set(ended.map(({ output }) => output)).size).toBe(1)

  for (const [index, place] of places.entries()) {
    const sent = (taps[index]?.bodies ?? []).map(String)
    const arrived = upstream.of(`key-${place}`).map(({ body }) => String(body))
    expect(arrived.length).toBe(sent.length)
    if (place === 'direct' || place === 'observe') {
      expect(arrived).toEqual(sent)
      continue
    }
    const questions = upstream.of(`key-${place}`).flatMap((exchange, at) => (isQuestion(exchange) ? [at] : []))
    const changed = questions.map((at) => changes(JSON.parse(sent[at] ?? ''), JSON.parse(arrived[at] ?? '')))
    expect(changed.map((list) => list.map(({ was }) => was.includes('compiling module number 6293')))).toEqual([
      [],
      [true],
      [true],
    ])
    expect(changed[2]).toEqual(changed[1])
  }
})

test('requests of Gemini CLI are counted as unchanged in observe mode', () => {
  const { events } = gateways.get('observe') as StartedGateway
  const asked = upstream.of('key-observe')
  expect(asked.length).toBe(events.length)
  expect(events.map((event) => event.type === 'answered' && [event.isChanged, event.requestBytes])).toEqual(
    asked.map(({ body }) => [false, body.length]),
  )
})

test('Gemini CLI, interrupted during an answer, ends as without the gateway, and the provider sees it', {
  timeout: 240_000,
}, async () => {
  const interrupted = await Promise.all(
    (['direct', 'economy'] as const).map(async (place) => {
      const key = `interrupted-${place}`
      const run = await start(urlOf(place), key)
      const questions = () => upstream.of(key).filter(isQuestion)
      await expect.poll(() => questions().length, { timeout: 120_000 }).toBe(2)
      run.process.kill('SIGINT')
      const [{ code, signal }, isAborted] = await Promise.all([run.ended, questions()[1]?.isAborted])
      return { code, signal, isAborted }
    }),
  )
  expect(interrupted[0]?.isAborted).toBe(true)
  expect(interrupted[1]).toEqual(interrupted[0])
})

function isQuestion({ dialect }: Exchange): boolean {
  return dialect === 'gemini'
}
