import { readFileSync } from 'node:fs'
import { specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { startAgent, type TestAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import type { ReceivedRequest } from '../packages/node/src/model/testing/openai-server.ts'
import { rewindTo } from '../packages/node/src/session/branch.ts'
import { pathsOf } from '../packages/node/src/session/session-folder.ts'

const compressed = '[该文件的历史读取内容已压缩,请参看最新读取结果]'
const button = 'src/components/Button.tsx'
const files = { [button]: 'export const Button = 0\n', 'src/app.ts': 'run()\n', 'src/cart.ts': 'total()\n' }

/** An agent whose model reads these paths one by one when it is told to, and explains the button to every other question. */
async function startReader(paths: readonly (string | object)[]): Promise<TestAgent> {
  const answer = ({ body }: ReceivedRequest) => {
    const read = body.messages.filter(({ role }) => role === 'tool').length
    const path = paths[read]
    const isTold = body.messages.some(({ role, content }) => role === 'user' && content === 'Read them')
    if (!isTold || path === undefined)
      return streamedAnswer({ text: 'It renders a button and passes its properties on. '.repeat(200) })
    return streamedAnswer({
      calls: [{ id: `read-${read}`, tool: 'Read', input: typeof path === 'string' ? { file_path: path } : path }],
    })
  }
  return startAgent({ policies: specPolicies, files, answers: [answer] })
}

async function agentThatReads(paths: readonly string[]): Promise<TestAgent> {
  const test = await startReader(paths)
  await test.turn('Read them')
  return test
}

/** The results in a request, in order: the placeholder, or `whole`, or the error. */
function shownIn(request: ReceivedRequest | undefined): readonly string[] {
  const messages = request?.body.messages ?? []
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
  return results.map((text) => (text === compressed ? 'compressed' : text.startsWith('Error:') ? 'error' : 'whole'))
}

const last = ({ server }: TestAgent) => shownIn(server?.requests.at(-1))
const times = (count: number, path: string) => Array.from({ length: count }, () => path)
const whole = (count: number) => times(count, 'whole')

describe('001, repeated reads of a file, in the running agent', () => {
  it('R001-21 R001-28 R001-29 builds each request anew: from the sixth read on, the older ones become one line', async () => {
    const test = await agentThatReads(times(7, button))
    const requests = test.server?.requests.map((request) => shownIn(request)) ?? []
    expect(requests.slice(0, 8)).toEqual([
      ...[0, 1, 2, 3, 4, 5].map(whole),
      ['compressed', ...whole(5)],
      ['compressed', 'compressed', ...whole(5)],
    ])
    const log = readFileSync(pathsOf(test.session.folder).log, 'utf8')
    expect(log.split('export const Button = 0').length - 1).toBe(7)
  })

  it('R001-30 R001-32 counts each file by itself', async () => {
    const test = await agentThatReads([...times(3, 'src/app.ts'), ...times(7, button), ...times(2, 'src/cart.ts')])
    expect(last(test)).toEqual([...whole(3), 'compressed', 'compressed', ...whole(7)])
  })

  it('R001-8 R001-12 R001-31 keeps a read that failed and does not count it', async () => {
    const test = await agentThatReads([...times(4, button), 'src/missing.ts', ...times(2, button)])
    expect(last(test)).toEqual(['compressed', ...whole(3), 'error', ...whole(2)])
  })

  it('R001-34 knows a file by every spelling of its path', async () => {
    const test = await agentThatReads([button, `./${button}`, `src/../${button}`, ...times(4, button)])
    expect(last(test)).toEqual(['compressed', 'compressed', ...whole(5)])
  })

  it('R001-22 R001-23 trims a session that was closed and chosen again', async () => {
    const resumed = await (await agentThatReads(times(6, button))).restart()
    await resumed.turn('And now?')
    expect(last(resumed)).toEqual(['compressed', ...whole(5)])
  })

  it('R001-25 counts again after a rewind: what was trimmed is whole where fewer reads are left', async () => {
    const test = await agentThatReads(times(7, button))
    expect(last(test)).toEqual(['compressed', 'compressed', ...whole(5)])
    // Back to before the last two calls.
    const calls = test.session.heads().filter(({ type }) => type === 'message')
    await rewindTo(test.session, calls.at(-6)?.id ?? '')
    await test.agent.resume(new AbortController().signal)
    expect(shownIn(test.server?.requests.at(8))).toEqual(whole(5))
  })

  it('R001-33 Q-2 counts a batch of files for each of them', async () => {
    const batch = { paths: [button, 'src/app.ts'] }
    const test = await startReader([batch, ...times(5, button), ...times(4, 'src/app.ts')])
    await test.turn('Read them')
    // The batch is the sixth read of the button and the fifth of the app: it stays while either needs it.
    expect(last(test)).toEqual(whole(10))
    const more = await startReader([batch, ...times(5, button), ...times(5, 'src/app.ts')])
    await more.turn('Read them')
    expect(last(more)).toEqual(['compressed', ...whole(10)])
  })

  it('R001-26 trims a session that goes on after its older rounds became a summary', async () => {
    const questions = ['What is this?', 'Who uses it?', 'Anything odd?', 'What is next?']
    const test = await startReader(times(6, button))
    for (const question of questions) await test.turn(question)
    const { signal } = new AbortController()
    expect(await test.agent.compact({ keepRounds: 1 }, signal)).toMatchObject({ kind: 'compacted' })
    await test.turn('Read them')
    expect(last(test)).toEqual(['compressed', ...whole(5)])
    expect(test.server?.requests.at(-1)?.text).toContain('Archived Session Summary')
  })
})
