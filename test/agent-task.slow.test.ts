import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startOpenAiServer } from '../packages/node/src/model/testing/openai-server.ts'
import { createWorkplace, filesUnder, isBuilt, type JsonEvent, project, type Workplace } from './workplace.ts'

const typesOf = (events: readonly JsonEvent[]) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
const lastOf = (events: readonly JsonEvent[]) => String(events.at(-1)?.data['text'])
const callsIn = (events: readonly JsonEvent[]) =>
  events.flatMap(({ type, data }) => (type === 'tool_call_start' ? [`${String(data['tool'])} ${String(data['about'])}`] : []))

interface Account {
  readonly messages: readonly { readonly number: number; readonly id: string; readonly role: string; readonly first: string }[]
}

describe.runIf(isBuilt)('an unattended task', () => {
  it('reads, searches, edits, runs tests, compacts, resumes and rewinds over several rounds', async () => {
    const place = createWorkplace(project)
    const resume = ['--resume', 'last', '--mode', 'auto']

    const first = await place.task('read src/price.mjs; search discount in src', '--mode', 'auto')
    expect(typesOf(first)).toEqual([
      'turn_start',
      'view_built',
      'reasoning_delta',
      'usage',
      'tool_call_start',
      'tool_call_end',
      'view_built',
      'text_delta',
      'usage',
      'turn_end',
    ])
    expect(callsIn(first)).toEqual(['Read src/price.mjs', 'Grep discount in src'])
    expect(lastOf(first)).toContain('src/price.mjs:2:  // The discount comes later.')

    const second = await place.task('run node test.mjs', ...resume)
    expect(second[0]?.data['session']).toBe(first[0]?.data['session'])
    expect(lastOf(second)).toMatch(/exit code 1\n[\s\S]*expected 12, got 7/)

    const third = await place.task('edit src/price.mjs "price + count" -> "price * count"; run node test.mjs', ...resume)
    expect(callsIn(third)).toEqual(['Read src/price.mjs', 'Edit src/price.mjs', 'Bash node test.mjs'])
    expect(lastOf(third)).toMatch(/exit code 0\n\s+1 test passed/)
    expect(place.read('src/price.mjs')).toContain('return price * count')

    // After compaction the first rounds are one summary, and their content can be recalled.
    const compacted = await place.run('compact', 'last', '--keep', '1', '--json')
    expect(compacted).toMatchObject({ code: 0, stderr: '' })
    expect(await sentNext(place)).toMatch(/Archived Session Summary/)
    const fourth = await place.task('recall The discount comes later', ...resume)
    expect(lastOf(fourth)).toContain('The discount comes later.')

    // Rewinding to before the edit undoes the compaction but not the file change, and the task can be finished again.
    const edited = await messageOf(place, /^edit src/)
    const rewound = await place.run('sessions', 'rewind', 'last', String(edited.number - 1))
    expect(rewound).toMatchObject({ code: 0 })
    const after = await sentNext(place)
    expect(after).not.toMatch(/price \* count|Archived Session Summary/)
    const fifth = await place.task('edit src/price.mjs "price * count" -> "count * price"; run node test.mjs', ...resume)
    expect(lastOf(fifth)).toMatch(/exit code 0\n\s+1 test passed/)
    expect(place.read('src/price.mjs')).toContain('return count * price')
    const list = JSON.parse((await place.run('sessions', '--json')).stdout) as { sessions: unknown[]; unreadable: unknown[] }
    expect([list.sessions.length, list.unreadable]).toEqual([1, []])
  })
})

/** The next request, as text. */
async function sentNext(place: Workplace): Promise<string> {
  return (await place.run('show', 'last', '--next', '--json')).stdout
}

async function messageOf(place: Workplace, pattern: RegExp) {
  const { stdout } = await place.run('show', 'last', '--json')
  const { messages } = JSON.parse(stdout) as Account
  const found = messages.find(({ first }) => pattern.test(first))
  if (found === undefined) throw new Error(`no message matches ${String(pattern)}: ${stdout}`)
  return found
}

/** Waits until a file exists and is not empty, and returns its content. */
async function fileWith(path: string): Promise<string> {
  for (let tries = 0; tries < 20_000; tries += 1) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (text.endsWith('\n')) return text
    await sleep(10)
  }
  throw new Error(`${path} was never written`)
}

describe.runIf(isBuilt)('a crash', () => {
  it('during a command leaves a session that continues, and the model learns that the call was interrupted', async () => {
    const place = createWorkplace(project)
    const id = String((await place.task('read test.mjs'))[0]?.data['session'])
    // Enough output to be spooled into a blob, and then nothing.
    const child = place.start('-p', 'run seq 400000; echo $$ > begun; sleep 60', '--resume', 'last', '--mode', 'auto')
    const shell = Number(await fileWith(join(place.folder, 'begun')))
    child.kill()
    expect(await child.ended).toMatchObject({ code: null })
    // The command ends with its agent.
    await vi.waitFor(() => expect(() => process.kill(-shell, 0)).toThrow('ESRCH'), 60_000)
    expect(filesUnder(place.sessions).length).toBeGreaterThan(4)

    expect(await sentNext(place)).toContain('Error: tool call was interrupted, no result')
    const events = await place.task('run echo back', '--resume', 'last', '--mode', 'auto')
    expect(lastOf(events)).toMatch(/exit code 0\n\s+back/)
    expect(await sentNext(place)).toContain('Error: tool call was interrupted, no result')
    const { stdout } = await place.run('show', 'last', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ troubles: [] })
    // The spooled output and the lock of the dead process are removed.
    expect(filesUnder(place.sessions)).toEqual([id, `${id}/blobs`, `${id}/log.end`, `${id}/log.jsonl`])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'does not happen on %s: the command ends with all its children, its call reports that, and the session stays locked until then',
    async (signal) => {
      const place = createWorkplace(project)
      const child = place.start('-p', 'run echo $$ > begun; sleep 60', '--mode', 'auto')
      const shell = Number(await fileWith(join(place.folder, 'begun')))
      expect(await place.run('-p', 'run echo me too', '--resume', 'last')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(String(child.pid)),
      })
      process.kill(child.pid, signal)
      expect(await child.ended).toMatchObject({ code: 1, stdout: '' })
      expect(() => process.kill(-shell, 0)).toThrow('ESRCH')
      expect(await sentNext(place)).toContain('Error: the user stopped this call before it ended.')
      expect(lastOf(await place.task('run echo back', '--resume', 'last', '--mode', 'auto'))).toMatch(/exit code 0\n\s+back/)
    },
  )

  it('during an answer keeps the user message, drops the partial answer, and the session continues', async () => {
    const place = createWorkplace(project)
    const server = await startOpenAiServer({ kind: 'hang', text: 'I begin' }, { kind: 'text', text: 'Here I am again.' })
    onTestFinished(server.close)
    const model = ['--model', 'test', '--base-url', server.url]
    const child = place.start('-p', 'Do it', '--json', ...model)
    await child.printed(/"text_delta"/)
    child.kill()
    await child.ended
    const events = await place.task('Are you there?', '--resume', 'last', ...model)
    expect(lastOf(events)).toBe('Here I am again.')
    expect(
      server.requests
        .at(-1)
        ?.body.messages.slice(1)
        .map(({ role, content }) => ({ role, content })),
    ).toEqual([
      { role: 'user', content: 'Do it' },
      { role: 'user', content: 'Are you there?' },
    ])
  })
})
