import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ReadLog } from '../log-reader.ts'
import { readLog, readLogText } from '../read-log.ts'
import { opencodeExport } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-opencode-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Kept {
  readonly info: { readonly id: string }
  readonly parts: readonly { readonly id: string }[]
}
const info = opencodeExport['info'] as { readonly id: string }
const messages = opencodeExport['messages'] as readonly Kept[]

const expected = [
  'msg_1 user 1 "Fix the cart." "Read: cart.ts" image/png',
  'msg_2 assistant 2 (Read it first.) call_1=read{"path":"cart.ts"}',
  'prt_7 tool 3 call_1→let sum',
  'msg_2.1 assistant 4 "Now the tests." call_2=read{}',
  'prt_b tool 5 call_2→no such file!',
  'msg_4 summary 7 "The sum is wrong."',
  'msg_5 user 8 "Go on."',
  'msg_6 assistant 9 call_3=read{"path":"b.ts"}',
]

function write(path: string, value: unknown): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return join(folder, path)
}

describe('a session of opencode', () => {
  it('has an answer for each step, and what each of them used', async () => {
    const { sessions } = (await readLogText(JSON.stringify(opencodeExport))).value as ReadLog
    expect(outlineOf(sessions[0] as never)).toEqual(expected)
    const { messages: _, ...rest } = sessions[0] as NonNullable<(typeof sessions)[0]>
    const usage = { cacheRead: 90, cacheWrite: 3, output: 7 }
    expect(rest).toEqual({
      id: 'ses_1',
      title: 'Fix the cart',
      root: '/home/sam/shop',
      model: 'model-b',
      usages: [
        { after: 'msg_2', model: 'model-a', usage: { ...usage, input: 10 }, reasoning: 2 },
        { after: 'msg_2.1', model: 'model-a', usage: { ...usage, input: 20 }, reasoning: 2 },
        { after: 'msg_6', model: 'model-b', usage: { ...usage, input: 30 }, reasoning: 2 },
      ],
      compactions: 1,
      sidechains: 0,
      abandoned: 1,
      keptFrom: new Map([['msg_4', 'msg_2']]),
    })
  })

  it.each([
    ['of its storage', 'new/session/project/ses_1.json', 'new/message/ses_1', (message: string) => `new/part/${message}`],
    [
      'of its older storage',
      'old/session/info/ses_1.json',
      'old/session/message/ses_1',
      (message: string) => `old/session/part/ses_1/${message}`,
    ],
  ])('is the same from the files %s', async (_, session, kept, partsOf) => {
    const path = write(session, info)
    for (const message of messages) {
      write(join(kept, `${message.info.id}.json`), message.info)
      for (const part of message.parts) write(join(partsOf(message.info.id), `${part.id}.json`), part)
    }
    const log = (await readLog(path)).value as ReadLog
    expect({ format: log.format, skipped: log.skipped }).toEqual({ format: 'opencode', skipped: [] })
    expect(outlineOf(log.sessions[0] as never)).toEqual(expected)

    write(join(partsOf('msg_5'), 'prt_g.json'), '{"type":"te')
    const damaged = (await readLog(path)).value as ReadLog
    expect(damaged.skipped).toEqual([{ line: 5, reason: 'not-json' }])
    expect(outlineOf(damaged.sessions[0] as never)).toEqual(expected.filter((line) => !line.startsWith('msg_5')))
  })

  it('is the same from its database, which is read and not changed', async () => {
    const path = write('opencode.db', '')
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(path)
    database.exec(`
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, revert TEXT);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
    `)
    const keep = database.prepare('INSERT INTO session VALUES (?, ?, ?, ?)')
    keep.run('ses_1', '/home/sam/shop', 'Fix the cart', '{"messageID":"msg_7"}')
    keep.run('ses_2', '/', 'Empty', null)
    for (const {
      info: { id, ...own },
      parts,
    } of messages) {
      database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, 'ses_1', 0, JSON.stringify(own))
      for (const { id: name, ...part } of parts)
        database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)').run(name, id, 'ses_1', JSON.stringify(part))
    }
    database.close()
    const { format, sessions } = (await readLog(path)).value as ReadLog
    expect({ format, sessions: sessions.length }).toEqual({ format: 'opencode', sessions: 1 })
    expect(outlineOf(sessions[0] as never)).toEqual(expected)
  })

  it('is not found in a foreign database or in one that is cut off', async () => {
    const problem = { kind: 'other-format', format: 'a SQLite database' }
    expect(await readLog(write('cut.db', `SQLite format 3\0${'x'.repeat(100)}`))).toEqual({ problem })
    const { DatabaseSync } = await import('node:sqlite')
    const path = join(folder, 'other.db')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE notes (id TEXT)')
    database.close()
    expect(await readLog(path)).toEqual({ problem })
  })

  it('is nothing where its messages are gone', async () => {
    expect(await readLog(write('gone/session/p/ses_9.json', { ...info, id: 'ses_9' }))).toMatchObject({
      problem: { kind: 'no-messages' },
    })
  })
})
