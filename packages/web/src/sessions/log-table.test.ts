import { describe, expect, it } from 'vitest'
import type { LogListRow } from '../../../node/src/shared/server-api.ts'
import { logLines } from './log-table.tsx'

const row = (id: string, agent: string, changed: number, folder = '~/logs'): LogListRow => ({
  id,
  agent,
  name: `${id}.jsonl`,
  folder,
  bytes: 10,
  changed,
})
const old = row('old', 'Codex', 1)
const middle = row('middle', 'Claude Code', 2, '~/Shop')
const latest = row('latest', 'Codex', 3)

describe('logLines', () => {
  it('puts the most recently active agent first, and its latest log first', () => {
    expect(logLines([old, middle, latest], '')).toStrictEqual([
      { kind: 'agent', agent: 'Codex', count: 2, bytes: 20 },
      { kind: 'log', row: latest },
      { kind: 'log', row: old },
      { kind: 'agent', agent: 'Claude Code', count: 1, bytes: 10 },
      { kind: 'log', row: middle },
    ])
  })

  it.each([
    [' shop ', [middle]],
    ['LATEST.json', [latest]],
    ['codex', [latest, old]],
    ['nothing like it', []],
  ])('finds %j', (search, found) => {
    expect(logLines([old, middle, latest], search).flatMap((line) => (line.kind === 'log' ? [line.row] : []))).toStrictEqual(
      found,
    )
  })
})
