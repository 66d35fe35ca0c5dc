import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBlobSink } from '../../session/blob-sink.ts'
import { createSession, forkSession } from '../../session/create-session.ts'
import type { StoredSession } from '../../session/session.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { toolContext } from '../testing/tool-context.ts'
import type { Tool } from '../tool.ts'
import { editTool, writeTool } from './editing-tools.ts'
import { changedFiles, undoFiles } from './undo-files.ts'

const here = { signal: new AbortController().signal, config: completeConfig({}) }

/** A session in a workspace, whose turns change files. */
async function workedSession(files: Readonly<Record<string, string>>, settings = {}) {
  const root = await temporaryWorkspace(files)
  const sessions = join(root, '../sessions')
  const session = await createSession(sessions, { root })
  onTestFinished(() => session.close())
  const { context } = toolContext({ root, settings, blobs: createBlobSink(session) })
  let count = 0
  const say = async (role: Message['role'], parts: Message['parts']) => {
    count += 1
    await session.append([{ type: 'message', message: { id: `m${count}`, role, parts, at: count } }])
    return `m${count}`
  }
  return {
    root,
    sessions,
    session,
    say: (text: string) => say('user', [{ type: 'text', text }]),
    run: async (tool: Tool, input: { readonly file_path: string } & Readonly<Record<string, unknown>>) => {
      const file = await readFile(join(root, input.file_path)).catch(() => null)
      const { mtimeMs = 0 } = (await stat(join(root, input.file_path)).catch(() => null)) ?? {}
      if (file !== null) context.seen.note(join(root, input.file_path), { mtimeMs, size: file.length, sha256: null })
      await say('tool', [{ type: 'tool-result', callId: `c${count}`, tool: tool.name, ...(await tool.run(input, context)) }])
    },
    text: (path: string) => readFile(join(root, path), 'utf8'),
  }
}

const states = async (session: StoredSession, root: string, turn: string | null = null) =>
  (await changedFiles(session, root, turn))?.files.map(({ path, state, canChange }) => `${path} ${state} ${canChange}`)

const undoAll = async (session: StoredSession, root: string, turn: string) => {
  const { files } = (await changedFiles(session, root, turn)) ?? { files: [] }
  return undoFiles(session, root, turn, files, here)
}

describe('undoFiles', () => {
  it('sets the files of one turn back, byte for byte with their mode, and changes them again', async () => {
    const { root, session, say, run, text } = await workedSession({ 'a.txt': '\ufeffone\r\ntwo\r\n', 'b.txt': 'b\n' })
    await chmod(join(root, 'a.txt'), 0o751)
    await say('before')
    await run(writeTool, { file_path: 'b.txt', content: 'of an earlier turn\n' })
    const turn = await say('now')
    await run(editTool, { file_path: 'a.txt', old_string: 'one', new_string: 'eins' })
    await run(editTool, { file_path: 'a.txt', old_string: 'two', new_string: 'zwei' })
    await run(writeTool, { file_path: 'new/c.txt', content: 'c\n' })
    const { files = [], turn: latest } = (await changedFiles(session, root, null)) ?? {}
    expect(latest).toBe(turn)
    expect(files).toMatchObject([
      { path: 'a.txt', state: 'written', isNew: false, canChange: true },
      { path: 'new/c.txt', state: 'written', isNew: true, diff: expect.stringContaining('-c\n') as string },
    ])
    expect(files[0]?.diff).toContain('-eins\n-zwei\n+one\n+two\n')

    expect(await undoAll(session, root, turn)).toEqual({ done: ['a.txt', 'new/c.txt'], left: [] })
    expect(await text('a.txt')).toBe('\ufeffone\r\ntwo\r\n')
    expect((await stat(join(root, 'a.txt'))).mode & 0o777).toBe(0o751)
    expect(await readdir(join(root, 'new'))).toEqual([])
    expect(await text('b.txt')).toBe('of an earlier turn\n')
    expect(await states(session, root, turn)).toEqual(['a.txt undone true', 'new/c.txt undone true'])

    await undoAll(session, root, turn)
    expect([await text('a.txt'), await text('new/c.txt')]).toEqual(['\ufeffeins\r\nzwei\r\n', 'c\n'])
  })

  it('leaves a file alone that is not as it was shown', async () => {
    const { root, session, say, run, text } = await workedSession({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
    const turn = await say('now')
    await run(writeTool, { file_path: 'a.txt', content: 'two\n' })
    await run(writeTool, { file_path: 'b.txt', content: 'B\n' })
    const shown = (await changedFiles(session, root, turn))?.files ?? []
    await writeFile(join(root, 'a.txt'), 'mine\n')
    await rm(join(root, 'b.txt'))
    expect(await undoFiles(session, root, turn, [...shown, { path: 'c.txt', current: null }], here)).toEqual({
      done: [],
      left: ['a.txt', 'b.txt', 'c.txt'],
    })
    expect(await text('a.txt')).toBe('mine\n')
    // Shown as changed, it can be chosen all the same.
    expect(await states(session, root)).toEqual(['a.txt changed true', 'b.txt changed true'])
    expect(await undoAll(session, root, turn)).toMatchObject({ left: [] })
    expect([await text('a.txt'), await text('b.txt')]).toEqual(['one\n', 'b\n'])
  })

  it.each<[story: string, meddle: (root: string) => Promise<unknown>]>([
    ['a link', (root) => rm(join(root, 'sub/a.txt')).then(() => symlink(join(root, '../outside.txt'), join(root, 'sub/a.txt')))],
    ['below a link', (root) => rm(join(root, 'sub'), { recursive: true }).then(() => symlink('../', join(root, 'sub')))],
    ['a folder', (root) => rm(join(root, 'sub/a.txt')).then(() => mkdir(join(root, 'sub/a.txt')))],
  ])('touches nothing where the path is now %s', async (_story, meddle) => {
    const { root, session, say, run } = await workedSession({ 'sub/a.txt': 'one\n' })
    await writeFile(join(root, '../outside.txt'), 'two\n')
    const turn = await say('now')
    await run(writeTool, { file_path: 'sub/a.txt', content: 'two\n' })
    await meddle(root)
    expect(await states(session, root)).toEqual(['sub/a.txt lost false'])
    expect(await undoAll(session, root, turn)).toEqual({ done: [], left: ['sub/a.txt'] })
    expect(await readFile(join(root, '../outside.txt'), 'utf8')).toBe('two\n')
  })

  it.each([
    ['in git’s own folder', '.git/hooks/pre-commit'],
    ['outside of the workspace', '../outside.txt'],
  ])('refuses a path of a forged log %s', async (_story, path) => {
    const { root, session, say } = await workedSession({ '.git/hooks/pre-commit': 'now\n' })
    await writeFile(join(root, '../outside.txt'), 'now\n')
    const turn = await say('now')
    const metadata = { path, diff: '', created: true, written: { sha256: 'a'.repeat(64), bytes: 4 } }
    const content = { type: 'text', text: '' } as const
    const parts = [{ type: 'tool-result', callId: 'c', tool: 'Write', content, metadata }] as const
    await session.append([{ type: 'message', message: { id: 'forged', role: 'tool', parts } }])
    expect(await undoAll(session, root, turn)).toEqual({ done: [], left: [path] })
    expect(await readFile(join(root, path), 'utf8')).toBe('now\n')
  })

  it('works in a fork, not in another folder, and not for what must not be stored', async () => {
    const settings = { sessions: { redact_secrets: true } }
    const key = `KEY=sk-ant-api03-${'Aa1_'.repeat(24)}\n`
    const { root, sessions, session, say, run } = await workedSession({ 'a.txt': 'one\n', '.env': key }, settings)
    const turn = await say('now')
    await run(writeTool, { file_path: 'a.txt', content: 'two\n' })
    await run(writeTool, { file_path: '.env', content: 'KEY=\n' })
    const fork = await forkSession(sessions, session)
    onTestFinished(() => fork.close())
    expect(await states(fork, root, turn)).toEqual(['a.txt written true', '.env lost false'])
    expect(await states(session, await temporaryWorkspace({ 'a.txt': 'two\n' }))).toEqual(['a.txt lost false', '.env lost false'])
    expect(await changedFiles(session, root, 'nobody')).toBeNull()

    const secret = await say('and a key')
    await run(writeTool, { file_path: 'a.txt', content: key })
    const [shown] = (await changedFiles(session, root, secret))?.files ?? []
    const wanted = shown === undefined ? [] : [shown]
    await undoFiles(session, root, secret, wanted, { ...here, config: completeConfig(settings) })
    expect(await states(session, root, secret)).toEqual(['a.txt undone false'])
  })
})
