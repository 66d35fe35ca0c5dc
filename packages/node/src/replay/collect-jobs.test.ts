import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { ReadSession } from '../logs/log-reader.ts'
import type { LogOutcome } from '../logs/read-logs.ts'
import { collectJobs } from './collect-jobs.ts'

const nameOf = (path: string) => path.slice(1)

describe('collectJobs', () => {
  it('makes jobs of sessions and returns what could not be read', async () => {
    const logs: readonly LogOutcome[] = [
      { path: '/one', log: logOf([session('a', 2)]) },
      { path: '/two', log: { ...logOf([session('b', 1), session('c', 0)]), skipped: [skip(3), skip(9)] } },
      { path: '/broken', problem: { kind: 'empty' } },
      { path: '/SOURCE.json', problem: { kind: 'not-a-log' } },
    ]
    const read: number[] = []
    const collected = await collectJobs(each(logs), { nameOf, read: (files) => read.push(files) })
    expect(collected).toEqual({
      jobs: [
        { path: '/one', sessions: [{ number: 0, name: 'one', requests: 2, at: 0 }] },
        { path: '/two', sessions: [{ number: 0, name: 'two#1', requests: 1, at: 0 }] },
      ],
      troubles: [{ path: '/broken', problem: { kind: 'empty' } }],
      skipped: [{ path: '/two', reason: 'not-json', entries: 2 }],
      idle: ['two#2'],
      common: [],
    })
    expect(read).toEqual([1, 2, 3, 4])
  })

  it('stops reading at the maximum number of sessions', async () => {
    const logs = ['/1', '/2', '/3'].map((path): LogOutcome => ({ path, log: logOf([session(path, 1), session(`${path}b`, 1)]) }))
    const read: number[] = []
    const { jobs } = await collectJobs(each(logs), { maxSessions: 3, nameOf, read: (files) => read.push(files) })
    expect(jobs.flatMap(({ sessions }) => sessions.map(({ name }) => name))).toEqual(['1#1', '1#2', '2#1'])
    expect(read).toEqual([1, 2])
  })

  it('drops duplicate sessions, keeps different sessions with the same id', async () => {
    const logs: readonly LogOutcome[] = [
      { path: '/a', log: logOf([session('same', 2)]) },
      { path: '/copy', log: logOf([session('same', 2)]) },
      { path: '/longer', log: logOf([session('same', 3)]) },
    ]
    const { jobs } = await collectJobs(each(logs), { nameOf })
    expect(jobs.map(({ path }) => path)).toEqual(['/a', '/longer'])
  })

  it('splits the sessions of a long file into several jobs', async () => {
    const many = Array.from({ length: 100 }, (_, index) => session(`s${index}`, 20))
    const { jobs } = await collectJobs(each([{ path: '/many', log: logOf(many) }]), { nameOf })
    expect(jobs.map(({ sessions }) => sessions.length)).toEqual([15, 15, 15, 15, 15, 15, 10])
  })

  it('collects strings that all sessions use', async () => {
    const logs = ['/1', '/2', '/3', '/4'].map((path): LogOutcome => ({ path, log: logOf([session(path, 2)]) }))
    expect((await collectJobs(each(logs), { nameOf })).common).toContain('commonSymbol')
  })
})

async function* each(logs: readonly LogOutcome[]): AsyncGenerator<LogOutcome, void> {
  yield* logs
}

function logOf(sessions: readonly ReadSession[]): NonNullable<LogOutcome['log']> {
  return { format: 'made', sessions, skipped: [], unread: {} }
}

function skip(line: number) {
  return { line, reason: 'not-json' } as const
}

function session(id: string, requests: number): ReadSession {
  const messages = Array.from({ length: requests }, (_, index): readonly Message[] => [
    { id: `u${index}`, role: 'user', parts: [{ type: 'text', text: 'go on' }] },
    {
      id: `a${index}`,
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: `c${index}`, tool: 'Grep', input: { pattern: 'commonSymbol' } }],
    },
    {
      id: `r${index}`,
      role: 'tool',
      parts: [{ type: 'tool-result', callId: `c${index}`, tool: 'Grep', content: { type: 'text', text: 'commonSymbol' } }],
    },
  ])
  return { id, title: null, messages: messages.flat(), usages: [], compactions: 0, sidechains: 0, abandoned: 0 }
}
