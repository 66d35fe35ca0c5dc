import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatVersion, type NewEntry } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { rewindTo, undoRewind } from './branch.ts'
import { createSession, forkSession } from './create-session.ts'
import { listSessions, removeSession } from './list-sessions.ts'
import { openSession, readSession } from './open-session.ts'
import { pathsOf } from './session-folder.ts'
import { answered, said, temporarySessions } from './testing/sessions.ts'

const start = Date.UTC(2026, 5, 1, 12)
const image: NewEntry = {
  type: 'message',
  message: {
    id: 'p',
    role: 'user',
    parts: [{ type: 'media', mediaType: 'image/png', data: Buffer.alloc(9000, 'x').toString('base64') }],
  },
}

describe('listing', () => {
  it('R001-23 shows each session with the user’s first words, the latest first', async () => {
    const sessions = temporarySessions()
    const first = await createSession(sessions, { now: () => start, root: '/project' })
    await first.append([
      { type: 'message', message: { id: 's', role: 'system', parts: [{ type: 'text', text: 'You are …' }] } },
      said('m1', `  Mend\n\tthe \u001b[31mlog\u0007 ${'and more '.repeat(30)}`),
      said('m2', 'later'),
    ])
    const second = await createSession(sessions, { now: () => start + 5000, title: 'Given' })
    await first.close()
    await second.close()
    mkdirSync(join(sessions, '.new-x'))
    mkdirSync(join(sessions, '20200101-000000-aaaaaa'))
    writeFileSync(join(sessions, 'a file'), '')
    const { rows, unreadable } = await listSessions(sessions)
    expect(unreadable).toEqual([])
    expect(rows).toEqual([
      {
        id: second.id,
        title: 'Given',
        messages: 0,
        bytes: sizeOf(second.folder),
        first: start + 5000,
        last: start + 5000,
        root: null,
        from: null,
      },
      {
        id: first.id,
        title: expect.stringMatching(/^Mend the \[31mlog and more .*…$/u),
        messages: 3,
        bytes: sizeOf(first.folder),
        first: start,
        last: start,
        root: '/project',
        from: null,
      },
    ])
    expect([...(rows[1]?.title ?? '')]).toHaveLength(160)
  })

  it('counts only the messages of the active branch', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append([said('m1', 'one'), said('m2', 'two'), said('m3', 'three')])
    await rewindTo(session, 'm1')
    await session.append([said('m4', 'another way')])
    const { rows } = await listSessions(sessions)
    expect(rows.map(({ messages }) => messages)).toEqual([2])
    expect(session.state().messages).toHaveLength(2)
    await session.close()
  })

  it('is empty if the folder does not exist', async () => {
    expect(await listSessions(join(temporarySessions(), 'none'))).toEqual({ rows: [], unreadable: [] })
  })

  it('continues after a session that is damaged or in use', async () => {
    const sessions = temporarySessions()
    const open = await createSession(sessions)
    await open.append([said('m1', 'in use')])
    mkdirSync(pathsOf(join(sessions, '20200101-000000-aaaaaa')).log, { recursive: true })
    mkdirSync(join(sessions, '20200101-000000-bbbbbb'))
    writeFileSync(pathsOf(join(sessions, '20200101-000000-bbbbbb')).log, '\0\0\0{"type":\n\n[]\n')
    const { rows, unreadable } = await listSessions(sessions)
    expect(rows.map(({ id, title, messages }) => [id, title, messages])).toEqual([
      [open.id, 'in use', 1],
      ['20200101-000000-bbbbbb', null, 0],
    ])
    expect(unreadable).toEqual(['20200101-000000-aaaaaa'])
    await open.close()
  })
})

describe('removing', () => {
  it('removes the session with its blobs', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append([image])
    await session.close()
    mkdirSync(join(sessions, '.removed-by-a-crash', 'blobs'), { recursive: true })
    await removeSession(sessions, session.id)
    expect(readdirSync(sessions)).toEqual([])
    await expect(removeSession(sessions, session.id)).rejects.toMatchObject({ problem: { kind: 'not-found' } })
  })

  it('refuses a session that is in use', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await expect(removeSession(sessions, session.id)).rejects.toMatchObject({ problem: { kind: 'in-use' } })
    await session.append([said('m1', 'still here')])
    await session.close()
  })

  it.each(['..', '../x', '.', ''])('never leaves the folder of sessions: %s', async (id) => {
    const sessions = temporarySessions()
    await expect(removeSession(sessions, id)).rejects.toMatchObject({ problem: { kind: 'not-found' } })
    expect(existsSync(sessions)).toBe(true)
  })
})

describe('forking', () => {
  it('copies the branch up to an entry and leaves the original untouched', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions, { root: '/project' })
    const large = answered('big', 'c', 'a line of it\n'.repeat(100_000))
    await session.append([said('m1', 'one'), image, large, said('m2', 'two')])
    await rewindTo(session, 'big')
    await session.append([said('m3', 'three'), said('m4', 'four')])
    const before = readFileSync(pathsOf(session.folder).log)
    const fork = await forkSession(sessions, session, { entry: 'm3' })
    expect(readFileSync(pathsOf(session.folder).log)).toEqual(before)
    expect(fork.state().messages).toEqual(session.state('m3').messages)
    expect(fork.state().messages.map(({ id }) => id)).toEqual(['m1', 'p', 'big', 'm3'])
    expect(fork.state().header).toMatchObject({
      session: fork.id,
      root: '/project',
      from: { session: session.id, entry: 'm3', reason: 'fork' },
    })
    expect(fork.troubles()).toEqual([])
    await fork.append([said('m5', 'five')])
    await session.close()
    await removeSession(sessions, session.id)
    const [part] = fork.state().messages[2]?.parts ?? []
    expect(part?.type === 'tool-result' && fork.whole(part)).toMatchObject({
      part: { content: { text: 'a line of it\n'.repeat(100_000) } },
    })
    const modes = readdirSync(fork.folder, { recursive: true, withFileTypes: true }).map(
      (file) => statSync(join(file.parentPath, file.name)).mode & 0o77,
    )
    expect(new Set(modes)).toEqual(new Set([0]))
    await fork.close()
    expect((await listSessions(sessions)).rows).toMatchObject([{ id: fork.id, from: { session: session.id } }])
  })

  it('copies the nearest lines of a damaged branch, and reports lost blobs', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append([said('m1', 'one'), said('m2', 'two'), image, said('m3', 'three')])
    await session.close()
    const { log, blobs } = pathsOf(session.folder)
    writeFileSync(log, readFileSync(log, 'utf8').replace('"id":"m2"', '"id":'))
    for (const name of readdirSync(blobs)) rmSync(join(blobs, name))
    const original = await readSession(sessions, session.id)
    const fork = await forkSession(sessions, original)
    expect(fork.state().messages.map(({ id }) => id)).toEqual(['m1', 'p', 'm3'])
    expect(fork.troubles().map(({ kind }) => kind)).toEqual(['blob', 'missing'])
    await fork.close()
    await original.close()
  })

  it('names the damage of the original, also after it was continued and forked again', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.append(['m1', 'm2', 'm3', 'm4'].map((id) => said(id, `text of ${id}`)))
    await session.close()
    const { log } = pathsOf(session.folder)
    const lines = readFileSync(log, 'utf8').split('\n')
    lines[2] = (lines[2] as string).replace('text of m2', 'text of m7')
    lines.splice(3, 1)
    writeFileSync(log, lines.join('\n'))
    const kinds = async (id: string) => {
      const original = await readSession(sessions, id)
      const fork = await forkSession(sessions, original)
      await fork.append([{ type: 'note', code: 'later' }])
      await fork.close()
      await original.close()
      const again = await readSession(sessions, fork.id)
      const found = again.troubles().map(({ kind, line, count }) => [kind, line, count])
      await again.close()
      return { id: fork.id, found }
    }
    const first = await kinds(session.id)
    expect(first.found).toEqual([
      ['changed', 3, undefined],
      ['missing', 4, 1],
    ])
    expect((await kinds(first.id)).found).toEqual(first.found)
    // What is damaged after the copied entries is not in the copy.
    const original = await readSession(sessions, session.id)
    const before = await forkSession(sessions, original, { entry: 'm1' })
    expect(before.troubles()).toEqual([])
    await before.close()
    await original.close()
  })

  it('refuses a log that was emptied', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await session.close()
    const original = await readSession(sessions, session.id)
    writeFileSync(pathsOf(session.folder).log, '')
    await expect(forkSession(sessions, original)).rejects.toMatchObject({ problem: { kind: 'emptied' } })
    await original.close()
  })

  it('refuses a missing entry, and a session of a newer format', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await expect(forkSession(sessions, session, { entry: 'nowhere' })).rejects.toMatchObject({ problem: { kind: 'no-entry' } })
    await session.close()
    const { log } = pathsOf(session.folder)
    writeFileSync(log, readFileSync(log, 'utf8').replace(`"version":${formatVersion}`, '"version":9'))
    const newer = await readSession(sessions, session.id)
    await expect(forkSession(sessions, newer)).rejects.toMatchObject({ problem: { kind: 'newer', version: 9 } })
    await newer.close()
    expect(readdirSync(sessions)).toEqual([session.id])
  })
})

describe('rewinding', () => {
  it('appends, hides later entries, and can be undone any number of times', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const ids = () => session.state().messages.map(({ id }) => id)
    await session.append([said('m1', 'one'), said('m2', 'two'), said('m3', 'three')])
    const before = readFileSync(pathsOf(session.folder).log, 'utf8')
    await rewindTo(session, 'm1')
    expect(ids()).toEqual(['m1'])
    await session.append([said('m4', 'other')])
    expect(ids()).toEqual(['m1', 'm4'])
    await undoRewind(session)
    expect(ids()).toEqual(['m1', 'm2', 'm3'])
    await undoRewind(session)
    expect(ids()).toEqual(['m1', 'm4'])
    await rewindTo(session, session.id)
    expect(ids()).toEqual([])
    expect(readFileSync(pathsOf(session.folder).log, 'utf8').startsWith(before)).toBe(true)
    expect([...session.messages()].map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'm4'])
    await session.close()
  })

  it('reports a missing target, or an undo without anything to undo', async () => {
    const session = await createSession(temporarySessions())
    await expect(rewindTo(session, 'nowhere')).rejects.toMatchObject({ problem: { kind: 'no-entry', id: 'nowhere' } })
    await expect(undoRewind(session)).rejects.toMatchObject({ problem: { kind: 'nothing-to-undo' } })
    expect(() => session.state('nowhere')).toThrow('no entry nowhere')
    await session.close()
  })
})

it('an open session can be listed and read while it is written to', async () => {
  const sessions = temporarySessions()
  const session = await createSession(sessions)
  await session.append([said('m1', 'one')])
  const reading = await readSession(sessions, session.id)
  await session.append([said('m2', 'two')])
  expect(reading.state().messages.map(({ id }) => id)).toEqual(['m1'])
  await reading.close()
  await session.close()
  await (await openSession(sessions, session.id)).close()
})

function sizeOf(folder: string): number {
  return statSync(pathsOf(folder).log).size
}
