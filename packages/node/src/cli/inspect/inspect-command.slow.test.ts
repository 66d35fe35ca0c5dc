import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { whatIf } from '../../inspect/what-if.ts'
import type { ReplaySummary } from '../../replay/replay-summary.ts'
import { recordedFile } from '../../replay/testing/recorded-file.ts'
import type { Inspection } from '../../shared/inspection/inspection.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const isBuilt = existsSync(new URL('../../../dist/web-inspect/inspect.js', import.meta.url))

describe('plimsoll inspect', () => {
  it('shows a log on a terminal', async () => {
    const folder = folderOf({ 'log.json': recordedFile(12) })
    const { code, stdout } = await runCaptured(['inspect', 'log.json'], { folder: folder.path, terminal: 80 })
    expect(code).toBe(0)
    for (const expected of ['Load line', '13 requests', stringsFor('en').inspect.screen.biggest, 'read_file src/price-'])
      expect(stdout).toContain(expected)
  })

  it('prints the inspection as JSON', async () => {
    const folder = folderOf({ 'log.json': recordedFile(3) })
    const { stdout, stderr } = await runCaptured(['inspect', 'log.json', '--json'], { folder: folder.path })
    const inspection = JSON.parse(stdout) as Inspection
    expect([inspection.session.isOwn, inspection.requests.length, inspection.messages.ids.length, stderr]).toEqual([
      false,
      4,
      8,
      '',
    ])
  })

  it('shows a log as if a policy set had been active', async () => {
    const folder = folderOf({ 'log.json': recordedFile(40) })
    const json = await runCaptured(['inspect', 'log.json', '--under', 'economy', '--json'], { folder: folder.path })
    const { session, edits, requests } = JSON.parse(json.stdout) as Inspection
    expect(session.under).toEqual({ policies: 'economy', price: 'session' })
    expect([edits.length > 0, requests.reduce((sum, request) => sum + request.edits, 0)]).toEqual([true, edits.length])
    const screen = await runCaptured(['inspect', 'log.json', '--under', 'economy'], { folder: folder.path, terminal: 200 })
    expect(screen.stdout).toContain(stringsFor('en').inspect.screen.simulated('economy'))
    expect(screen.stdout).toMatch(/\d+ edits by rule/)
  })

  it('shows a Plimsoll session as if a policy set had been active', async () => {
    const { environment } = await stored('hello from a session')
    const { stdout } = await runCaptured(['inspect', 'last', '--under', 'spec', '--json'], { environment })
    const { session } = JSON.parse(stdout) as Inspection
    expect([session.isOwn, session.under]).toEqual([true, { policies: 'spec', price: 'session' }])
  })

  it('shows a session by its id and as last', async () => {
    const { environment } = await stored('hello from a session')
    const byName = await runCaptured(['inspect', 'last', '--json'], { environment })
    const { session } = JSON.parse(byName.stdout) as Inspection
    expect(session.isOwn).toBe(true)
    const byId = await runCaptured(['inspect', session.id.slice(-6), '--json'], { environment })
    expect(byId.stdout).toBe(byName.stdout)
  })

  it('shows the latest session or log by default', async () => {
    const { environment, home } = await stored('hello from a session')
    const own = await runCaptured(['inspect', '--json'], { environment })
    expect((JSON.parse(own.stdout) as Inspection).session.isOwn).toBe(true)
    const log = join(home, '.claude', 'projects', 'app')
    mkdirSync(log, { recursive: true })
    writeFileSync(join(log, 'x.jsonl'), claudeLog())
    utimesSync(join(log, 'x.jsonl'), 4e9, 4e9)
    const found = await runCaptured(['inspect', '--last', '--json'], { environment })
    expect((JSON.parse(found.stdout) as Inspection).session.format).toBe('claude-code')
  })

  it('shows the example if there are no logs or sessions', async () => {
    const folder = folderOf({})
    const { code, stderr } = await runCaptured(['inspect', '--json'], { environment: { HOME: folder.path } })
    expect([code, stderr]).toEqual([0, `${stringsFor('en').inspect.example}\n`])
  })

  it('selects one of several conversations', async () => {
    const folder = folderOf({ 'two.jsonl': `${recordedFile(3)}\n${recordedFile(6)}\n` })
    const first = await runCaptured(['inspect', 'two.jsonl', '--json'], { folder: folder.path })
    expect(first.stderr).toBe(`${stringsFor('en').view.conversations(2, 1)}\n`)
    const second = await runCaptured(['inspect', 'two.jsonl', '--conversation', '2', '--json'], { folder: folder.path })
    expect([(JSON.parse(second.stdout) as Inspection).requests.length, second.stderr]).toEqual([7, ''])
    const third = await runCaptured(['inspect', 'two.jsonl', '--conversation', '3'], { folder: folder.path })
    expect([third.code, third.stderr]).toEqual([1, expect.stringContaining('two.jsonl')])
  })

  it.each([
    ['an invalid number', ['log.json', '--conversation', 'x'], 2, /--conversation/],
    [
      'an unknown policy set',
      ['log.json', '--html', 'x.html', '--policies', 'economi'],
      2,
      /Unknown policy set "economi".*Did you mean economy\?/,
    ],
    ['the policy set raw, which trims nothing', ['log.json', '--under', 'raw'], 2, /Unknown policy set "raw"/],
    ['an option that only applies to pages', ['log.json', '--no-redact'], 2, /--no-redact needs a page/],
    ['two things to inspect', ['log.json', '--last'], 2, /not both/],
    ['a missing file', ['nowhere.json'], 1, /nowhere\.json is neither a file nor a session/],
    ['a missing session', ['20260131-100000-abcdef'], 1, /20260131-100000-abcdef/],
    ['a folder', ['.'], 1, /is a folder/],
    ['a file that is not a log', ['text.txt'], 1, /text\.txt/],
  ])('refuses %s', async (_name, args, expected, text) => {
    const folder = folderOf({ 'log.json': recordedFile(3), 'text.txt': 'hello\n' })
    const { code, stdout, stderr } = await runCaptured(['inspect', ...args], {
      folder: folder.path,
      environment: { HOME: folder.path },
    })
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toMatch(text)
  })

  it.runIf(isBuilt)('reports an existing page before it replays anything', async () => {
    const folder = folderOf({ 'log.json': recordedFile(3), 'out.html': 'mine' })
    const { code, stderr } = await runCaptured(['inspect', 'log.json', '--html', 'out.html'], { folder: folder.path })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: .*out\.html already exists, so nothing was written/)
  })

  it.runIf(isBuilt)('reports a missing folder before it replays anything', async () => {
    const folder = folderOf({ 'log.json': recordedFile(3) })
    const { code, stderr } = await runCaptured(['inspect', 'log.json', '--html', 'none/out.html'], { folder: folder.path })
    const out = join(folder.path, 'none', 'out.html')
    expect([code, stderr]).toEqual([1, `error: ${out} could not be written: its folder does not exist.\n`])
  })

  it.runIf(isBuilt)('writes a page, with what-if unless that is turned off', async () => {
    const folder = folderOf({ 'log.json': recordedFile(3) })
    const args = ['inspect', 'log.json', '--html', 'out.html', '--force']
    const { code, stderr } = await runCaptured(args, { folder: folder.path })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Wrote out\.html \(/m)
    const policies = (page: string) => new Set([...page.matchAll(/"policies":"([a-z-]+)"/g)].map((found) => found[1]))
    expect(policies(readFileSync(join(folder.path, 'out.html'), 'utf8'))).toEqual(
      new Set(['raw', 'spec', 'economy', 'gateway-economy']),
    )
    await runCaptured([...args, '--policies', 'none'], { folder: folder.path })
    expect(policies(readFileSync(join(folder.path, 'out.html'), 'utf8'))).toEqual(new Set())
    await runCaptured([...args, '--policies', 'oracle'], { folder: folder.path })
    expect(policies(readFileSync(join(folder.path, 'out.html'), 'utf8'))).toEqual(new Set(['raw', 'oracle']))
  })
})

describe('what-if', () => {
  it('matches the numbers of plimsoll replay', async () => {
    const folder = folderOf({ 'log.json': recordedFile(30) })
    const prices = ['r.10', 'r.05', 'gpt-5.5']
    const policies = ['spec', 'economy', 'oracle']
    const args = ['replay', 'log.json', '--json', '--policies', policies.join(','), '--prices', prices.join(',')]
    const summary = JSON.parse((await runCaptured(args, { folder: folder.path })).stdout) as ReplaySummary
    const answer = await whatIf({ path: join(folder.path, 'log.json'), number: 0 }, { policies, prices })
    const expected = summary.policySets.flatMap(({ name, prices: rows }) =>
      rows.map(({ model, bill, effective, split, retention }) => ({
        policies: name,
        price: model,
        bill,
        effective,
        recalls: split.recalls,
        inView: retention.inView,
      })),
    )
    expect(
      answer.rows.map(({ policies: set, price, bill, effective, parts, inView }) => ({
        policies: set,
        price,
        bill,
        effective,
        recalls: parts.recalls,
        inView,
      })),
    ).toEqual(expected)
    expect(expected.length).toBe(12)
  })
})

function folderOf(files: Readonly<Record<string, string>>): ReturnType<typeof createFolder> {
  const folder = createFolder()
  onTestFinished(folder.remove)
  for (const [name, content] of Object.entries(files)) folder.write(name, content)
  return folder
}

/** A machine with one session. */
async function stored(text: string): Promise<{ readonly home: string; readonly environment: Readonly<Record<string, string>> }> {
  const folder = folderOf({
    'said.json': JSON.stringify({
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: 'hi' },
      ],
    }),
  })
  const environment = { HOME: folder.path, XDG_STATE_HOME: join(folder.path, 'state') }
  await runCaptured(['import', join(folder.path, 'said.json')], { environment })
  return { home: folder.path, environment }
}

function claudeLog(): string {
  const line = (uuid: string, parentUuid: string | null, role: string) =>
    JSON.stringify({
      type: role,
      uuid,
      parentUuid,
      sessionId: 's',
      timestamp: '2026-01-31T09:00:00Z',
      message: { id: uuid, role, content: 'hello' },
    })
  return `${line('a', null, 'user')}\n${line('b', 'a', 'assistant')}\n`
}
