import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message, Report, ToolResultPart } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { unprintable } from '@plimsoll/core/text'
import { afterAll, describe, expect, it } from 'vitest'
import { overflowStringsFor } from '../../../../core/src/strings/strings-for.ts'
import { compactSession } from '../../agent/compaction/compact-session.ts'
import { nextRequest } from '../../agent/request/next-request.ts'
import { recordRequest, recordUsage } from '../../agent/request/record-request.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { rewindTo } from '../../session/branch.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { createFolder, runCaptured, type Surroundings } from '../testing/run-captured.ts'
import { type StoredForTest, storeSession } from '../testing/stored-session.ts'

const { requestCommands, view } = stringsFor('en')

const folder = createFolder()
afterAll(folder.remove)

const now = Date.parse('2026-01-31T10:00:00Z')
const minute = 60_000
const config = completeConfig({})
const record = '{"stdout":"Building project...\\nDone in 3.2s","stderr":"","exitCode":0}'
const original = /Done in 3\.2s|1→line/

interface Answer {
  readonly request: { readonly model?: string; readonly messages: readonly Record<string, unknown>[] } & Record<string, unknown>
  readonly report: Report
}

function said(id: string, text: string, at = now): Message {
  return { id, role: 'user', at, parts: [{ type: 'text', text }] }
}

function exchange(id: string, tool: string, input: unknown, text: string, minutesAgo: number): readonly Message[] {
  const at = now - minutesAgo * minute
  const part: ToolResultPart = { type: 'tool-result', callId: `call-${id}`, tool, content: { type: 'text', text } }
  return [
    { id: `${id}-call`, role: 'assistant', at, parts: [{ type: 'tool-call', callId: `call-${id}`, tool, input }] },
    { id, role: 'tool', at, parts: [part] },
  ]
}

/** Seven reads of one file and an old build, in one round. */
function sevenReads(): readonly Message[] {
  return [
    said('question', 'Look at it.', now - 60 * minute),
    ...exchange('build', 'terminal-execute', { command: 'npm run build' }, record, 50),
    ...[1, 2, 3, 4, 5, 6, 7].flatMap((at) =>
      exchange(`read-${at}`, 'filesystem-read', { filePath: 'a.ts' }, `1→line ${at}\n`.repeat(20), 30 - at),
    ),
  ]
}

async function showNext(stored: StoredForTest, args: readonly string[] = [], surroundings: Surroundings = {}) {
  const environment = { ...stored.environment, ...surroundings.environment }
  return runCaptured(['show', stored.id, '--next', ...args], { ...surroundings, environment })
}

async function answerTo(stored: StoredForTest, args: readonly string[] = [], surroundings: Surroundings = {}): Promise<Answer> {
  const { code, stdout, stderr } = await showNext(stored, ['--json', ...args], surroundings)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Answer
}

/** The contents of tool messages, `whole` or `placeholder`. */
function resultsIn({ request }: Answer): readonly string[] {
  return request.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (original.test(String(content)) ? 'whole' : 'placeholder'))
}

function configured(yaml: string): string {
  return folder.write('plimsoll.yaml', yaml)
}

describe('plimsoll show --next', () => {
  it('R000-20 R001-22 R001-28 prints a trimmed request and leaves the stored session untrimmed', async () => {
    const stored = await storeSession(sevenReads())
    const before = stored.files()
    const answer = await answerTo(stored)
    const [build, ...reads] = resultsIn(answer)
    expect({ build, reads }).toEqual({
      build: 'placeholder',
      reads: ['placeholder', 'placeholder', 'whole', 'whole', 'whole', 'whole', 'whole'],
    })
    expect((await stored.state()).messages).toEqual(sevenReads())
    expect(stored.files()).toEqual(before)
  })

  it('R000-29 keeps the stored output and trims the next request again', async () => {
    const stored = await storeSession(sevenReads())
    const first = await answerTo(stored)
    const second = await answerTo(stored)
    expect(second).toEqual(first)
    expect(JSON.stringify(first.request)).not.toContain('Done in 3.2s')
    const kept = (await stored.state()).messages.find(({ id }) => id === 'build')?.parts[0]
    expect(kept).toMatchObject({ content: { type: 'text', text: record } })
  })

  it('R001-24 trims a compacted session like any other', async () => {
    const stored = await storeSession([...longConversation(14), ...sevenReads()])
    await stored.change((session) =>
      compactSession(session, { config, writer: null, emit: () => undefined, keepRounds: 1, force: true }),
    )
    const answer = await answerTo(stored)
    expect(String(answer.request.messages[0]?.['content'])).toContain('Archived Session Summary')
    expect(resultsIn(answer)).toEqual(['placeholder', 'placeholder', 'placeholder', ...Array<string>(5).fill('whole')])
    const { stdout } = await showNext(stored)
    expect(stdout).toContain(requestCommands.summaries(1))
    expect(stdout).toContain('56 messages of 14 rounds compacted into a summary; the latest round stays')
  })

  it('R001-25 counts reads from scratch after a rewind', async () => {
    const stored = await storeSession(sevenReads())
    await stored.change((session) => rewindTo(session, 'read-6'))
    const [, ...reads] = resultsIn(await answerTo(stored))
    expect(reads).toEqual(['placeholder', 'whole', 'whole', 'whole', 'whole', 'whole'])
  })

  it('continues from the edits and token counts of the last request', async () => {
    const stored = await storeSession(sevenReads())
    await stored.change(async (session) => {
      const request = nextRequest({ state: session.state(), config, policies: [], facts: { now } })
      const id = await recordRequest(session, request, { model: 'some-model' })
      await recordUsage(session, id, { input_tokens: 12_000, output_tokens: 10 })
    })
    const answer = await answerTo(stored, ['--policies', 'pair-tool-calls'])
    expect(answer.request.model).toBe('some-model')
    expect(answer.report.load.tokens).toBeGreaterThanOrEqual(12_000)
    expect((await showNext(stored)).stdout).toContain('some-model')
  })

  it.each([
    ['openai-chat', { model: 'm' }],
    ['anthropic', { model: 'm', max_tokens: 8192, system: 'Project rules (CODE_LAW.md):\n\nNo tabs.' }],
    ['ai-sdk', { model: 'm', instructions: 'Project rules (CODE_LAW.md):\n\nNo tabs.' }],
  ])('writes the request as %s', async (dialect, expected) => {
    const root = createProject({ 'CODE_LAW.md': 'No tabs.\n' })
    const stored = await storeSession([said('hello', 'Hello.')], { root })
    const { request } = await answerTo(stored, ['--dialect', dialect, '--model', 'm'])
    const { messages, ...rest } = request
    expect(rest).toEqual(expected)
    expect(messages.at(-1)).toMatchObject({ role: 'user' })
  })

  it('omits an unknown model from the request and reports it', async () => {
    const { code, stdout, stderr } = await showNext(await storeSession([said('hello', 'Hello.')]), ['--json'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${requestCommands.noModel}\n`,
    })
    expect((JSON.parse(stdout) as Answer).request).toEqual({ messages: [{ role: 'user', content: 'Hello.' }] })
  })

  it('reads the rules of the session’s project, as they are now', async () => {
    const root = createProject({ 'CODE_LAW.md': 'No tabs.\n' })
    const stored = await storeSession([said('hello', 'Hello.')], { root })
    const rulesOf = async () => (await answerTo(stored)).request.messages[0]?.['content']
    expect(await rulesOf()).toBe('Project rules (CODE_LAW.md):\n\nNo tabs.')
    expect((await showNext(stored)).stdout).toMatch(/^ Rules: CODE_LAW\.md \(\d+ tokens\)$/m)
    writeFileSync(join(root, 'CODE_LAW.md'), 'No blanks.\n')
    expect(await rulesOf()).toBe('Project rules (CODE_LAW.md):\n\nNo blanks.')
    expect((await answerTo(stored, ['--root', folder.path])).request.messages).toHaveLength(1)
  })

  it('reads no rules from other machines or relative folders named in a log', async () => {
    const here = createProject({ 'package.json': '{}' })
    const file = configured('rules_files: [package.json]')
    for (const root of [`/${here}`, '.', '\\\\elsewhere\\share', 'F:\\project']) {
      const stored = await storeSession([said('hello', 'Hello.')], { root })
      const { stdout } = await showNext(stored, ['--config', file], { folder: here })
      expect({ root, found: /^ Rules: .*$/m.exec(stdout)?.[0] }).toEqual({
        root,
        found: ' Rules: none (looked for package.json)',
      })
    }
  })

  it('says which rules files it did not use, and why', async () => {
    const root = createProject({ 'c.md': Buffer.from([0xff, 0xfe, 0x00]) })
    mkdirSync(join(root, 'a.md'))
    symlinkSync('/etc/hostname', join(root, 'b.md'))
    const file = configured('rules_files: [a.md, b.md, c.md, ../d.md, missing.md]')
    const stored = await storeSession([said('hello', 'Hello.')], { root })
    const english = await showNext(stored, ['--config', file])
    expect({ code: english.code, stderr: english.stderr.trimEnd().split('\n') }).toEqual({
      code: 0,
      stderr: [
        requestCommands.rulesNotUsed('a.md', requestCommands.rulesReasons['is-folder']),
        requestCommands.rulesNotUsed('b.md', requestCommands.rulesReasons['outside-root']),
        requestCommands.rulesNotUsed('c.md', requestCommands.rulesReasons['not-utf8']),
        requestCommands.rulesNotUsed('../d.md', requestCommands.rulesReasons['not-a-name']),
      ],
    })
    const chinese = await showNext(stored, ['--config', file], { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(chinese.stderr.split('\n')[0]).toBe('未使用 a.md：是目录。')
  })

  it('says that the todo list is repeated at the end', async () => {
    const todos = [{ content: 'Write it down', status: 'pending', activeForm: 'Writing' }]
    const stored = await storeSession([said('go', 'Go.'), ...exchange('todo', 'TodoWrite', { todos }, 'Done.', 1)])
    expect((await showNext(stored)).stdout).toContain(` ${requestCommands.recap}\n`)
    expect(String((await answerTo(stored)).request.messages.at(-1)?.['content'])).toContain('Write it down')
  })
})

describe('plimsoll show --next on a full session', () => {
  it('says that compaction is due, with the commands to copy', async () => {
    const file = configured('context_window: 12000\ncompaction: { threshold: 0.1 }')
    const stored = await storeSession(longConversation(30))
    const { stdout } = await showNext(stored, ['--config', file])
    expect(stdout).toContain(
      [
        ` ${requestCommands.compactionDue}`,
        `   plimsoll compact ${stored.id} --preview`,
        `   plimsoll compact ${stored.id}`,
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['keeping fewer rounds', 6, 'To keep fewer:\n   plimsoll compact ID --keep 3\n'],
    ['nothing', 1, 'there is only one round'],
  ])('says that %s would help', async (_name, rounds, sentence) => {
    const file = configured('context_window: 12000\ncompaction: { threshold: 0.1 }')
    const stored = await storeSession(longConversation(rounds))
    expect((await showNext(stored, ['--config', file])).stdout.replaceAll(stored.id, 'ID')).toContain(sentence)
  })

  it('fails on a request that cannot fit and names the parts that could not be shrunk', async () => {
    const file = configured('context_window: 4000')
    const overflow = overflowStringsFor('en')
    const stored = await storeSession([said('long', 'word '.repeat(20_000)), said('short', 'Go on.')])
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await showNext(stored, ['--config', file, ...args])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      const [first = '', second = ''] = stderr.split('\n')
      expect(first.replace(/[\d,]+/, 'N')).toContain(`error: ${overflow.tokens('N', '3,000')} `)
      expect(second.replace(/[\d,]+/, 'N')).toBe(`  ! ${overflow.part('N', 'long', overflow.why.user)}`)
    }
  })
})

describe('plimsoll show --next on screen', () => {
  it('shows how full the next request is, what is trimmed, and notes', async () => {
    const stored = await storeSession(sevenReads(), { root: '/project' })
    const args = ['--policies', 'trim-repeated-reads', '--model', 'some-model']
    const { stdout } = await showNext(stored, args)
    expect(stdout.split('\n')).toEqual([
      requestCommands.nextRequest(stored.id),
      ' 17 messages · some-model · as of 2026-01-31T10:00:00Z',
      ` ${view.estimated}`,
      ' window: 200,000 tokens, 8,192 reserved for the answer; the window of',
      ' some-model is unknown, so this is the default; set context_window to change it',
      '',
      expect.stringMatching(/^ in context: about [\d,]+ tokens \([\d,]+ to [\d,]+\), \d\.\d % of the usable window$/),
      '',
      '  policy                    edits  tokens saved  settings',
      expect.stringMatching(/^ {2}trim-repeated-reads {11}2 {11}\d{3} {2}repeated_reads: keep_latest 5$/),
      '',
      ' Rules: none (looked for CODE_LAW.md)',
      '',
      ` ${requestCommands.compactionNotDue('160,000')}`,
      ` ${requestCommands.notSent}`,
      `   plimsoll resume ${stored.id}`,
      expect.stringMatching(/^[\d,]+ → [\d,]+ tokens \(-\d+\.\d %\)$/),
      '',
    ])
  })

  it.each(['C', 'zh_CN.UTF-8'])('fits into 80 columns: %s', async (LANG) => {
    const file = configured('context_window: 12000\ncompaction: { threshold: 0.1 }')
    const stored = await storeSession(longConversation(30))
    await stored.change((session) => compactSession(session, { config, writer: null, emit: () => undefined, keepRounds: 20 }))
    const { stdout } = await showNext(stored, ['--config', file], { terminal: 80, environment: { LANG, NO_COLOR: '1' } })
    expect(stdout.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([])
    expect(stdout).toContain(`plimsoll compact ${stored.id} --preview\n`)
  })

  it('escapes control characters of a log', async () => {
    const evil = '\u001b[2J\u009b31m\u202e'
    const root = createProject({})
    const file = configured('rules_files: ["\\e[2J.md", "a/\\u202e"]')
    const stored = await storeSession([said(`id-${evil}`, evil), ...exchange(`x${evil}`, `tool${evil}`, { evil }, evil, 90)], {
      root,
    })
    for (const args of [[], ['--json'], ['--model', evil]]) {
      const { code, stdout, stderr } = await showNext(stored, ['--config', file, ...args])
      expect(code).toBe(0)
      for (const text of [stdout, stderr]) expect(text.replaceAll('\n', '').search(unprintable)).toBe(-1)
    }
  })

  it('reports damaged lines of the log and continues', async () => {
    const stored = await storeSession([said('hello', 'Hello.')])
    await appendFile(join(stored.sessions, stored.id, 'log.jsonl'), 'not an entry\n')
    const { code, stdout, stderr } = await showNext(stored)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${requestCommands.troubles(1, `plimsoll show ${stored.id}`)}\n`,
    })
    expect(stdout).toContain(' 1 message ')
  })

  it('has nothing to send for an empty session', async () => {
    const stored = await storeSession([])
    expect((await showNext(stored)).stdout).toContain(` ${requestCommands.nothingSaid}\n`)
    expect((await answerTo(stored, ['--model', 'm'])).request).toEqual({ model: 'm', messages: [] })
  })

  it.each([
    [['--now', 'yesterday'], 2, '--now: expected a time'],
    [['--dialect', 'morse'], 2, '--dialect: expected one of openai-chat, anthropic, ai-sdk, openai-responses, gemini'],
    [['--policies', ''], 2, '--policies: expected spec'],
  ])('refuses %j', async (args, code, sentence) => {
    const answer = await showNext(await storeSession([said('hello', 'Hello.')]), args)
    expect({ code: answer.code, stdout: answer.stdout }).toEqual({ code, stdout: '' })
    expect(answer.stderr).toContain(sentence)
  })

  it.each<readonly [readonly string[], string]>([
    [['--next', '--branches'], requestCommands.notTogether('--next', '--branches')],
    [['--next', '--all'], requestCommands.notTogether('--next', '--all')],
    [['1', '--next'], requestCommands.notTogether('--next', 'MESSAGE')],
    [['--now', '2026-01-31'], requestCommands.needsNext('--now')],
    [['--root', '.'], requestCommands.needsNext('--root')],
    [['--policies', 'spec'], requestCommands.needsNext('--policies')],
    [['--model', 'm'], requestCommands.needsNext('--model')],
    [['--dialect', 'anthropic'], requestCommands.needsNext('--dialect')],
    [['--exact'], requestCommands.needsNext('--exact')],
    [['--config', folder.write('empty.yaml', '')], requestCommands.needsNext('--config')],
  ])('refuses options that contradict each other: %j', async (args, sentence) => {
    const { environment, id } = await storeSession([said('hello', 'Hello.')])
    expect(await runCaptured(['show', id, ...args], { environment })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${sentence}\n`,
    })
  })

  it.each(['20200101-000000-aaaaaa', '../../etc', ''])('says that there is no session %j', async (id) => {
    const stored = await storeSession([])
    const { code, stdout, stderr } = await runCaptured(['show', id, '--next'], { environment: stored.environment })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: There is no session /)
  })
})

let projects = 0
function createProject(files: Readonly<Record<string, string | Uint8Array>>): string {
  projects += 1
  const path = join(folder.path, `project-${projects}`)
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}
