import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { NewEntry } from '@plimsoll/core/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSession } from './create-session.ts'
import { processStart } from './lock.ts'
import { openSession, readSession } from './open-session.ts'
import { pathsOf } from './session-folder.ts'
import { runScript, said, temporarySessions } from './testing/sessions.ts'

// The scripts import the built core.
const isBuilt = existsSync(new URL('../../../core/dist/index.js', import.meta.url))

const scripts = {
  hold: new URL('./testing/hold-session.ts', import.meta.url),
  loop: new URL('./testing/append-loop.ts', import.meta.url),
  fill: new URL('./testing/fill-session.ts', import.meta.url),
  denied: new URL('./testing/denied-session.ts', import.meta.url),
}

async function closedSession(sessions: string): Promise<string> {
  const session = await createSession(sessions)
  await session.close()
  return session.id
}

describe.runIf(isBuilt)('two processes', () => {
  it('cannot both write, and the second learns which process has the session', async () => {
    const sessions = temporarySessions()
    const id = await closedSession(sessions)
    const other = runScript(scripts.hold, [sessions, id])
    expect(await other.line()).toBe('open')
    const { lock } = pathsOf(join(sessions, id))
    await expect(openSession(sessions, id)).rejects.toMatchObject({
      message: expect.stringContaining(`process ${other.pid}`),
      problem: { kind: 'in-use', pid: other.pid, host: hostname(), lock },
    })
    const reading = await readSession(sessions, id)
    expect(reading.state().messages).toEqual([])
    await reading.close()
    other.send('close')
    expect(await other.line()).toBe('closed')
    const mine = await openSession(sessions, id)
    await mine.append([said('m1', 'mine now')])
    await mine.close()
    expect(readdirSync(join(sessions, id)).toSorted()).toEqual(['blobs', 'log.end', 'log.jsonl'])
  })

  it('do not both get the lock of a dead process', async () => {
    const sessions = temporarySessions()
    const id = await closedSession(sessions)
    for (let round = 0; round < 3; round += 1) {
      const dead = runScript(scripts.hold, [sessions, id])
      expect(await dead.line()).toBe('open')
      dead.kill()
      await dead.ended
      expect(existsSync(pathsOf(join(sessions, id)).lock)).toBe(true)
      const takers = Array.from({ length: 5 }, () => runScript(scripts.hold, [sessions, id]))
      const answers = await Promise.all(takers.map((taker) => taker.line()))
      expect(answers.map(String).toSorted()).toEqual(['in-use', 'in-use', 'in-use', 'in-use', 'open'])
      for (const taker of takers) taker.send('close')
      await Promise.all(takers.map((taker) => taker.ended))
    }
    expect(readdirSync(join(sessions, id)).toSorted()).toEqual(['blobs', 'log.end', 'log.jsonl'])
  })

  it('keep every acknowledged entry when the writer is killed', async () => {
    const sessions = temporarySessions()
    const id = await closedSession(sessions)
    const reported: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const writer = runScript(scripts.loop, [sessions, id, `r${round}-`])
      // At a different point each time.
      for (let count = 0; count < 20 + round * 37; count += 1) reported.push((await writer.line()) ?? '')
      writer.kill()
      await writer.ended
      for (let line = await writer.line(); line !== null; line = await writer.line()) reported.push(line)
    }
    const session = await openSession(sessions, id)
    const ids = new Set(session.state().messages.map((message) => message.id))
    expect(reported.length).toBeGreaterThan(300)
    expect(reported.filter((one) => !ids.has(one))).toEqual([])
    expect(session.troubles().filter(({ kind }) => kind !== 'torn')).toEqual([])
    await session.append([said('after', 'goes on')])
    await session.close()
  })
})

describe('a lock', () => {
  async function withLock(text: string) {
    const sessions = temporarySessions()
    const id = await closedSession(sessions)
    writeFileSync(pathsOf(join(sessions, id)).lock, text)
    return openSession(sessions, id).then(
      async (session) => {
        await session.close()
        return 'opened'
      },
      (error: unknown) => (error as { problem: { kind: string } }).problem.kind,
    )
  }
  const owner = { pid: process.pid, start: processStart(process.pid), host: hostname(), token: 'abc' }

  it.each<[string, unknown, string]>([
    ['of a process that runs', owner, 'in-use'],
    ['of a process that ended', { ...owner, pid: 2 ** 22 + 1 }, 'opened'],
    [
      'of a process whose number another one has now',
      { ...owner, start: 'earlier:1' },
      process.platform === 'linux' ? 'opened' : 'in-use',
    ],
    ['of another machine', { ...owner, host: 'elsewhere' }, 'in-use-elsewhere'],
    ['with a token that is a path', { ...owner, token: '../../x' }, 'opened'],
    ['that is something else', 7, 'opened'],
    ['that is nothing', null, 'opened'],
  ])('%s', async (_, content, outcome) => expect(await withLock(JSON.stringify(content))).toBe(outcome))

  it('has no owner if it is empty or not JSON', async () => {
    expect(await withLock('')).toBe('opened')
    expect(await withLock('{"pid":')).toBe('opened')
  })

  it('is held once within one process too, and released', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    await expect(openSession(sessions, session.id)).rejects.toMatchObject({ problem: { kind: 'in-use', pid: process.pid } })
    await Promise.all([session.close(), session.close()])
    await (await openSession(sessions, session.id)).close()
  })
})

describe('a disk that accepts no more', () => {
  it.runIf(isBuilt)(
    'fails the append with the reason, leaves the log unchanged, and accepts it again once there is room',
    async () => {
      const sessions = temporarySessions()
      const id = await closedSession(sessions)
      // The system's own limit on the size of a file: a part is written, then it refuses.
      const child = runScript(scripts.fill, [sessions, id], 'ulimit -S -f 16;')
      expect(await child.line()).toBe('open')
      child.send('100')
      const first = JSON.parse((await child.line()) ?? '') as { said: string; bytes: number }
      expect(first.said).toBe('written')
      for (let attempt = 0; attempt < 3; attempt += 1) {
        child.send('9000')
        expect(JSON.parse((await child.line()) ?? '')).toEqual({ said: expect.stringContaining('EFBIG'), bytes: first.bytes })
      }
      child.send('100')
      const second = JSON.parse((await child.line()) ?? '') as { said: string; bytes: number }
      expect(second.said).toBe('written')
      expect(second.bytes).toBeGreaterThan(first.bytes)
      child.kill()
      await child.ended
      const session = await readSession(sessions, id)
      expect(session.state().messages.map((message) => message.id)).toEqual(['m1', 'm5'])
      expect(session.troubles()).toEqual([])
      await session.close()
    },
  )

  it('is full: the same, blobs included', async ({ skip }) => {
    const sessions = join(temporarySessions(), 'small')
    mkdirSync(sessions)
    // Only root can mount a file system of a given size; otherwise the limit above has to do.
    if (!mounted(sessions, '-t tmpfs -o size=256k,mode=700 none')) skip()
    const session = await createSession(sessions)
    await session.append([said('m1', 'one')])
    const { log, blobs } = pathsOf(session.folder)
    const filler = join(sessions, 'filler')
    // Fills the disk, and fails.
    shell('head -c 1000000 /dev/zero > "$0"', filler)
    const before = readFileSync(log)
    const full = {
      problem: { kind: 'cannot-write', code: 'ENOSPC' },
      message: expect.stringContaining('free some space and try again'),
    }
    const long = said('m2', 'words '.repeat(20_000))
    const image = { type: 'media', mediaType: 'image/png', data: Buffer.alloc(90_000, 'abc').toString('base64') } as const
    await expect(session.append([long])).rejects.toMatchObject(full)
    await expect(
      session.append([{ type: 'message', message: { id: 'm3', role: 'user', parts: [image] } }]),
    ).rejects.toMatchObject(full)
    expect(readFileSync(log)).toEqual(before)
    expect(readdirSync(blobs)).toEqual([])
    await expect(createSession(sessions)).rejects.toMatchObject({ problem: { kind: 'cannot-write' } })
    expect(readdirSync(sessions).toSorted()).toEqual([session.id, 'filler'].toSorted())
    rmSync(filler)
    await session.append([said('m2', 'two'), { type: 'message', message: { id: 'm3', role: 'user', parts: [image] } }])
    expect(session.state().messages.map((message) => message.id)).toEqual(['m1', 'm2', 'm3'])
    await session.close()
  })

  it('is read-only: the session can be read, and a writer learns why it cannot write', async ({ skip }) => {
    const sessions = join(temporarySessions(), 'small')
    mkdirSync(sessions)
    if (!mounted(sessions, '-t tmpfs -o size=1m,mode=700 none')) skip()
    const session = await createSession(sessions)
    await session.append([said('m1', 'one')])
    await session.close()
    expect(shell('mount -o remount,ro "$0"', sessions)).toBe(true)
    await expect(openSession(sessions, session.id)).rejects.toMatchObject({ message: expect.stringContaining('read-only') })
    await expect(createSession(sessions)).rejects.toMatchObject({ problem: { kind: 'cannot-write', code: 'EROFS' } })
    const reading = await readSession(sessions, session.id)
    expect(reading.state().messages).toHaveLength(1)
    await reading.close()
  })

  it('is read-only, and the folder has to be made: names that, and not a missing folder', async ({ skip }) => {
    const disk = join(temporarySessions(), 'small')
    mkdirSync(disk)
    if (!mounted(disk, '-t tmpfs -o size=1m,mode=700,ro none')) skip()
    await expect(createSession(join(disk, 'state', 'plimsoll', 'sessions'))).rejects.toMatchObject({
      problem: { kind: 'cannot-write', code: 'EROFS' },
    })
  })

  it('has no inode left: the reason is the disk, the log stays, and it goes on once there is one', async ({ skip }) => {
    const sessions = join(temporarySessions(), 'small')
    mkdirSync(sessions)
    if (!mounted(sessions, '-t tmpfs -o size=1m,nr_inodes=14,mode=700 none')) skip()
    const session = await createSession(sessions)
    await session.append([said('m1', 'one')])
    for (let number = 0; shell(': > "$0"', join(sessions, `filler-${number}`)); number += 1);
    const image = { type: 'media', mediaType: 'image/png', data: Buffer.alloc(9000, 'abc').toString('base64') } as const
    const entry: NewEntry = { type: 'message', message: { id: 'm2', role: 'user', parts: [image] } }
    await expect(session.append([entry])).rejects.toMatchObject({ problem: { kind: 'cannot-write', code: 'ENOSPC' } })
    await expect(createSession(sessions)).rejects.toMatchObject({ problem: { kind: 'cannot-write', code: 'ENOSPC' } })
    // A line needs no inode.
    await session.append([said('m3', 'three')])
    rmSync(join(sessions, 'filler-0'))
    await session.append([entry])
    expect(session.state().messages.map((message) => message.id)).toEqual(['m1', 'm3', 'm2'])
    await session.close()
  })

  it.runIf(isBuilt && process.getuid?.() === 0)('may not be written by this user: each error names the permission', async () => {
    const sessions = join(temporarySessions(), 'sessions')
    mkdirSync(sessions)
    chmodSync(dirname(sessions), 0o755)
    chownSync(sessions, nobody, nobody)
    const child = runScript(scripts.denied, [sessions, String(nobody)])
    const lines: Record<string, unknown> = {}
    for (let line = await child.line(); line !== null; line = await child.line()) Object.assign(lines, JSON.parse(line))
    expect(lines).toEqual({
      'append in a read-only folder': 'done',
      'close in a read-only folder': 'done',
      'open in a read-only folder': 'cannot-write EACCES',
      'read in a read-only folder': 'm1 m2',
      'open in a closed folder': 'cannot-write EACCES',
      'read in a closed folder': 'cannot-read EACCES',
      'open a read-only log': 'cannot-write EACCES',
      'create in a read-only folder': 'cannot-write EACCES',
      'open again': 'm1 m2',
    })
  })

  it('has a file instead of the folder', async () => {
    const file = join(temporarySessions(), 'file')
    writeFileSync(file, '')
    await expect(createSession(join(file, 'sessions'))).rejects.toMatchObject({
      problem: { kind: 'cannot-write', code: 'ENOTDIR' },
    })
  })
})

/** A user without any rights. */
const nobody = 65_534

/** A small separate file system for one test. */
function mounted(folder: string, options: string): boolean {
  const isMounted = shell(`mount ${options} "$0"`, folder)
  if (isMounted) onTestFinished(() => void shell('umount -l "$0"', folder))
  return isMounted
}

function shell(command: string, path: string): boolean {
  return spawnSync('bash', ['-c', command, path]).status === 0
}
