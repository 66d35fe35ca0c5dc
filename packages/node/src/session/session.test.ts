import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildView, specPolicies } from '@plimsoll/core'
import type { NewEntry, SessionState } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { redactSecrets } from '../shared/redact/redact.ts'
import { rewindTo, undoRewind } from './branch.ts'
import { createSession } from './create-session.ts'
import { openSession, readSession } from './open-session.ts'
import { SessionError } from './session-error.ts'
import { isSessionId, newSessionId, sessionsFolder } from './session-folder.ts'
import { answered, said, temporarySessions, userMessage } from './testing/sessions.ts'

const minute = 60_000
const start = Date.UTC(2026, 0, 31, 1)

describe('a session', () => {
  it('returns what was written, in this process and the next', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions, { root: '/project', title: 'A title', now: () => start })
    const entries = await session.append([said('m1', 'hello'), { type: 'edits', pin: ['m1'] }, said('m2', 'there')])
    expect(entries.map(({ id, parentId, at }) => [id, parentId, at])).toEqual([
      ['m1', session.id, start],
      ['e2', 'm1', start],
      ['m2', 'e2', start],
    ])
    const expected: Partial<SessionState> = {
      leaf: 'm2',
      messages: [userMessage('m1', 'hello'), userMessage('m2', 'there')],
      pins: ['m1'],
      folds: [],
      edits: [],
      sent: null,
      model: null,
    }
    expect(session.state()).toMatchObject(expected)
    await session.close()
    const again = await readSession(sessions, session.id)
    expect(again.state()).toEqual(session.state())
    expect(again.state().header).toMatchObject({ version: 1, session: session.id, root: '/project', title: 'A title' })
    expect(again.troubles()).toEqual([])
    expect(again.entry('e2')).toMatchObject({ type: 'edits', pin: ['m1'] })
    expect([...again.messages()].map(({ id }) => id)).toEqual(['m1', 'm2'])
    await again.close()
  })

  it('returns the same message objects again, so that facts about them stay cached', async () => {
    const session = await createSession(temporarySessions())
    await session.append([said('m1', 'one')])
    const [first] = session.state().messages
    await session.append([said('m2', 'two')])
    expect(session.state().messages[0]).toBe(first)
    expect(session.state()).toBe(session.state())
    await session.close()
  })

  it('can be read by its owner only', async () => {
    const sessions = join(temporarySessions(), 'state', 'plimsoll', 'sessions')
    const session = await createSession(sessions)
    const image = Buffer.alloc(9000, 'picture').toString('base64')
    const media: NewEntry = {
      type: 'message',
      message: { id: 'm1', role: 'user', parts: [{ type: 'media', mediaType: 'image/png', data: image }] },
    }
    await session.append([media])
    const modes = (readdirSync(sessions, { recursive: true }) as string[]).map((name) => {
      const stat = statSync(join(sessions, name))
      return `${stat.isDirectory() ? 'folder' : 'file'} ${(stat.mode & 0o777).toString(8)}`
    })
    expect(modes.toSorted()).toEqual(['file 600', 'file 600', 'file 600', 'file 600', 'folder 700', 'folder 700'])
    expect(statSync(sessions).mode & 0o777).toBe(0o700)
    await session.close()
  })

  it('has a readable id that sorts by time', () => {
    const id = newSessionId(Date.UTC(2026, 10, 15, 5, 44, 40))
    expect(id).toMatch(/^20261115-054440-[0-9a-z]{6}$/)
    expect(isSessionId(id)).toBe(true)
    expect(['../../etc', '', '.', id.toUpperCase(), `${id}/..`, `${id}\n`].map(isSessionId)).not.toContain(true)
  })

  it.each([
    [{ XDG_STATE_HOME: '/state', HOME: '/home/ann' }, '/state/plimsoll/sessions'],
    [{ XDG_STATE_HOME: 'relative', HOME: '/home/ann' }, '/home/ann/.local/state/plimsoll/sessions'],
    [{ HOME: '/home/ann' }, '/home/ann/.local/state/plimsoll/sessions'],
  ])('is stored in the state folder: %j', (environment, folder) => expect(sessionsFolder(environment)).toBe(folder))

  it('reports an error if there is no home folder', () => {
    expect(() => sessionsFolder({ XDG_STATE_HOME: 'relative' }, null)).toThrow('Set HOME or XDG_STATE_HOME')
    expect(sessionsFolder({ XDG_STATE_HOME: '/state' }, null)).toBe('/state/plimsoll/sessions')
  })

  it('is not reported as unreadable if it cannot be opened for writing', async () => {
    const sessions = temporarySessions()
    const log = join(sessions, '20260101-000000-aaaaaa', 'log.jsonl')
    mkdirSync(log, { recursive: true })
    const problem = { kind: 'cannot-write', file: log, code: 'EISDIR' }
    await expect(openSession(sessions, '20260101-000000-aaaaaa')).rejects.toMatchObject({ problem })
  })

  it.each(['20260101-000000-aaaaaa', '../outside', '', 'x'])('is named in the error if it does not exist: %s', async (id) => {
    const sessions = temporarySessions()
    const problem = { problem: { kind: 'not-found', id, folder: sessions } }
    await expect(openSession(sessions, id)).rejects.toMatchObject(problem)
    await expect(readSession(sessions, id)).rejects.toMatchObject(problem)
  })

  it('refuses entries that it could not restore, and stores the others of the same moment', async () => {
    const session = await createSession(temporarySessions())
    await session.append([said('m1', 'one')])
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    const bad: readonly unknown[] = [
      said('m1', 'twice'),
      { type: 'message', message: null },
      { type: 'message', message: { id: 'x', role: 'nobody', parts: [] } },
      { type: 'message', message: { id: 'x', role: 'user', parts: [{ type: 'text', text: 3 }] } },
      { type: 'note', code: 'cycle', data: cycle },
      { type: 'note', code: 'number', data: { big: 10n } },
      { type: 'header' },
      { type: 'something' },
      { type: 'constructor' },
      { type: 'note', code: 'x', parentId: 'nowhere' },
      null,
    ]
    const outcomes = await Promise.allSettled([
      ...bad.map((entry) => session.append([entry as NewEntry])),
      session.append([said('m2', 'two')]),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([...bad.map(() => 'rejected'), 'fulfilled'])
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SessionError)
    expect(session.state().messages.map(({ id }) => id)).toEqual(['m1', 'm2'])
    await session.close()
    await expect(session.append([said('m3', 'late')])).rejects.toMatchObject({ problem: { kind: 'closed' } })
  })

  it('stores all of an append or nothing of it', async () => {
    const session = await createSession(temporarySessions())
    await expect(session.append([said('m1', 'one'), said('m1', 'twice')])).rejects.toThrow('in the session already')
    expect(session.heads().map(({ type }) => type)).toEqual(['header'])
    await session.close()
  })

  it('returns texts bit for bit, with any content', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const texts = [
      'line\nline\r\n\u2028\u2029',
      'half \ud83d a pair',
      '\0\u001b[31m',
      '{"type":"message"}\n',
      '"__proto__"',
      '中文',
    ]
    const odd: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":"x","":null,"n":-0.1e-7}')
    await session.append(texts.map((text, index) => said(`m${index}`, text)))
    const call: NewEntry = {
      type: 'message',
      message: { id: 'call', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'x', input: odd }] },
    }
    await session.append([call])
    await session.close()
    const again = await readSession(sessions, session.id)
    const { messages } = again.state()
    expect(messages.slice(0, -1).map(({ parts: [part] }) => (part?.type === 'text' ? part.text : null))).toEqual(texts)
    expect(JSON.stringify(messages.at(-1)?.parts)).toBe(JSON.stringify(call.type === 'message' ? call.message.parts : null))
    await again.close()
  })

  it('redacts every text before it is stored, if configured, and never a name', async () => {
    const sessions = temporarySessions()
    const redact = (text: string) => text.replaceAll('secret', '[gone]')
    const session = await createSession(sessions, { redact, title: 'my secret' })
    const large = `secret ${'line of output\n'.repeat(90_000)}`
    await session.append([said('secret-id', 'the secret'), answered('m2', 'secret-call', large)])
    await session.append([
      { type: 'note', code: 'x', text: 'a secret', data: { deep: ['secret'] } },
      { type: 'failure', kind: 'y', message: 'secret' },
      { type: 'edits', pin: ['secret-id'] },
    ])
    await session.close()
    const files = readdirSync(session.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
    expect(stored).toContain('"pin":["secret-id"]')
    expect(stored.replaceAll('secret-id', '')).not.toContain('secret')
    expect(stored).toContain('the [gone]')
  })

  it('redacts secrets known only by their name, in the fields of a call and in text', async () => {
    const session = await createSession(temporarySessions(), { redact: redactSecrets })
    const input = { host: 'db', auth: { password: 'hunter2', note: 'a password' }, max_tokens: '4000', list: ['hunter2'] }
    const parts = [{ type: 'tool-call', callId: 'c', tool: 'connect', input }] as const
    await session.append([{ type: 'message', message: { id: 'm', role: 'assistant', parts } }])
    const hidden = { ...input, auth: { password: '[REDACTED:password]', note: 'a password' } }
    expect(session.state().messages[0]?.parts).toEqual([{ ...parts[0], input: hidden }])
    await session.close()
  })
})

describe('a resumed session', () => {
  const build = JSON.stringify({ stdout: 'Building project...\nDone in 3.2s', stderr: '', exitCode: 0 })

  async function resumed(entries: readonly NewEntry[]) {
    const sessions = temporarySessions()
    const session = await createSession(sessions, { now: () => start })
    await session.append(entries)
    await session.close()
    return openSession(sessions, session.id)
  }

  function call(id: string, tool: string, input: unknown, text: string, at: number): readonly NewEntry[] {
    const parts = [{ type: 'tool-call', callId: `call-${id}`, tool, input }] as const
    return [{ type: 'message', message: { id: `${id}c`, role: 'assistant', parts, at } }, answered(id, `call-${id}`, text, at)]
  }

  function shown(state: SessionState, now: number): Record<string, string> {
    const { view } = buildView({ messages: state.messages, policies: specPolicies, facts: { now, root: '/project' } })
    return Object.fromEntries(
      view.flatMap(({ id, parts: [part] }) =>
        part?.type === 'tool-result' && part.content.type === 'text' ? [[id, part.content.text]] : [],
      ),
    )
  }

  it('R000-20 R000-29 is trimmed at the next send, while the record on disk stays unchanged', async () => {
    const session = await resumed([
      said('u', 'build it'),
      ...call('old', 'terminal-execute', { command: 'build' }, build, start),
      ...[1, 2, 3, 4, 5].flatMap((n) => call(`new${n}`, 'LS', { path: `${n}` }, 'a', start + minute)),
    ])
    const now = start + 20 * minute
    expect(shown(session.state(), now)['old']).toBe('此命令返回内容已过时')
    expect(shown(session.state(), now)['old']).toBe('此命令返回内容已过时')
    const [, , old] = session.state().messages
    expect(old?.parts).toMatchObject([{ content: { text: build } }])
    expect(readFileSync(join(session.folder, 'log.jsonl'), 'utf8')).toContain(JSON.stringify(build))
    await session.close()
  })

  const reads = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      call(`r${n}`, 'filesystem-read', { filePath: 'a.ts' }, `📄 a.ts (lines 1-2/2)\n1→${n}`, start + n * minute),
    ).flat()
  const placeholder = '[该文件的历史读取内容已压缩,请参看最新读取结果]'
  const trimmed = (state: SessionState) =>
    Object.entries(shown(state, start + 60 * minute)).flatMap(([id, text]) => (text === placeholder ? [id] : []))

  it('R001-22 R001-23 R001-28 shows the latest 5 of 7 reads, and all 7 are still stored', async () => {
    const session = await resumed([said('u', 'read'), ...reads(7)])
    expect(trimmed(session.state())).toEqual(['r0', 'r1'])
    expect(session.state().messages.filter(({ role }) => role === 'tool')).toHaveLength(7)
    expect(JSON.stringify(session.state())).not.toContain(placeholder)
    await session.close()
  })

  it('R001-21 is trimmed again after every tool call', async () => {
    const session = await resumed([said('u', 'read')])
    const counts: number[] = []
    for (const entry of reads(7)) {
      await session.append([entry])
      counts.push(trimmed(session.state()).length)
    }
    expect(counts).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2])
    await session.close()
  })

  it('R001-25 counts again from the shorter list after a rollback, and undoing that restores everything', async () => {
    const session = await resumed([said('u', 'read'), ...reads(7)])
    await rewindTo(session, 'r5')
    expect(session.state().messages.at(-1)?.id).toBe('r5')
    expect(trimmed(session.state())).toEqual(['r0'])
    await undoRewind(session)
    expect(trimmed(session.state())).toEqual(['r0', 'r1'])
    await session.close()
  })

  it('R001-24 starts from its summary if it was compacted, and is still trimmed', async () => {
    const into = { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: 'summary' }] } as const
    const session = await resumed([
      said('u0', 'before'),
      said('u1', 'before too'),
      { type: 'edits', apply: [{ id: 'f', policy: 'compaction', why: 'full', kind: 'fold', first: 'u0', last: 'u1', into }] },
      said('u', 'read'),
      ...reads(6),
    ])
    expect(session.state().messages.slice(0, 2)).toEqual([into, userMessage('u', 'read')])
    expect(trimmed(session.state())).toEqual(['r0'])
    expect([...session.messages()].slice(0, 2).map(({ id }) => id)).toEqual(['u0', 'u1'])
    await session.close()
  })
})
