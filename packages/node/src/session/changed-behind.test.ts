import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewEntry } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { createSession, forkSession } from './create-session.ts'
import { removeSession } from './list-sessions.ts'
import { openSession } from './open-session.ts'
import type { OpenSession } from './session.ts'
import { said, temporarySessions } from './testing/sessions.ts'

const imageEntry = (id: string): NewEntry => ({
  type: 'message',
  message: { id, role: 'user', parts: [{ type: 'media', mediaType: 'image/png', data: 'QUJD'.repeat(2000) }] },
})

const logOf = ({ folder }: OpenSession) => join(folder, 'log.jsonl')

describe('a session that is open', () => {
  it.each<[name: string, change: (session: OpenSession) => void]>([
    ['whose folder was removed', ({ folder }) => rmSync(folder, { recursive: true })],
    ['whose folder was moved', ({ folder }) => renameSync(folder, `${folder}-moved`)],
    [
      'whose log was replaced, as an editor does',
      (session) => {
        writeFileSync(`${logOf(session)}~`, readFileSync(logOf(session)))
        renameSync(`${logOf(session)}~`, logOf(session))
      },
    ],
  ])('%s does not report lost entries as written', async (_name, change) => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append([said('a', 'before')])
    change(session)
    const before = readdirSync(sessions)
    const refused = { problem: { kind: 'changed-behind', file: logOf(session) } }
    await expect(session.append([said('b', 'after')])).rejects.toMatchObject(refused)
    await expect(session.append([imageEntry('c')])).rejects.toMatchObject(refused)
    await session.close()
    expect(readdirSync(sessions)).toEqual(before)
  })

  it('writes a blob again if it was removed meanwhile', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append([imageEntry('a')])
    rmSync(join(session.folder, 'blobs'), { recursive: true })
    await session.append([imageEntry('b')])
    await session.close()
    const again = await openSession(sessions, session.id)
    expect(again.state().messages).toMatchObject(
      [imageEntry('a'), imageEntry('b')].map((entry) => 'message' in entry && entry.message),
    )
    expect(again.troubles()).toEqual([])
    await again.close()
  })
})

describe('a session that is closed', () => {
  it('reports that to a later reader, and does not read a file that reuses its descriptor', async () => {
    const session = await createSession(temporarySessions())
    await session.append([said('a', 'x')])
    const entries = session.messages()
    await session.close()
    const others = Array.from({ length: 10 }, () => openSync('/dev/null', 'r'))
    const closed = expect.objectContaining({ problem: { kind: 'closed' } })
    expect(() => session.entry('a')).toThrow(closed)
    expect(() => session.state()).toThrow(closed)
    expect(() => [...entries]).toThrow(closed)
    expect(session.troubles()).toEqual([])
    for (const other of others) closeSync(other)
  })

  it('cannot be forked once it was removed', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.close()
    await removeSession(sessions, session.id)
    const missing = { problem: { kind: 'not-found', id: session.id, folder: sessions } }
    await expect(forkSession(sessions, session)).rejects.toMatchObject(missing)
  })
})

describe('a log', () => {
  it.each([
    ['nothing', ''],
    ['newlines', '\n\n\n'],
    ['zeros', '\0'.repeat(5000)],
    ['the mark of an editor', '\ufeff'],
  ])('is not written on if only %s is left', async (_name, content) => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append([said('a', 'before')])
    await session.close()
    for (const entries of [2, 0]) {
      writeFileSync(logOf(session), content)
      const emptied = { problem: { kind: 'emptied', file: logOf(session), entries } }
      await expect(openSession(sessions, session.id)).rejects.toMatchObject(emptied)
      expect(readFileSync(logOf(session), 'utf8')).toBe(content)
      // Without the end of the log, nothing says how many there were.
      rmSync(join(session.folder, 'log.end'), { force: true })
    }
  })

  it('keeps its header after the byte order mark of an editor', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions, { title: 'Mine' })
    await session.close()
    writeFileSync(logOf(session), `\ufeff${readFileSync(logOf(session), 'utf8')}`)
    const again = await openSession(sessions, session.id)
    expect([again.state().header.title, again.troubles()]).toEqual(['Mine', []])
    await again.close()
  })
})

describe('links to outside the folder', () => {
  it('keep a linked session when the link is removed, so that it can be opened where it is', async () => {
    const [sessions, elsewhere] = [temporarySessions(), temporarySessions()]
    const session = await createSession(elsewhere)
    await session.append([imageEntry('a')])
    await session.close()
    symlinkSync(session.folder, join(sessions, session.id))
    await removeSession(sessions, session.id)
    expect(readdirSync(sessions)).toEqual([])
    const again = await openSession(elsewhere, session.id)
    expect(again.state().messages).toHaveLength(1)
    await again.close()
  })

  it('protect the files of a linked blob folder from cleanup and removal', async () => {
    const [sessions, elsewhere] = [temporarySessions(), temporarySessions()]
    writeFileSync(join(elsewhere, 'precious.new'), '1')
    const session = await createSession(sessions)
    await session.close()
    rmSync(join(session.folder, 'blobs'), { recursive: true })
    symlinkSync(elsewhere, join(session.folder, 'blobs'))
    await (await openSession(sessions, session.id)).close()
    await removeSession(sessions, session.id)
    expect(readdirSync(elsewhere)).toEqual(['precious.new'])
  })
})
