import { describe, expect, it } from 'vitest'
import type { LogFigures } from '../../../node/src/shared/spending.ts'
import { foundLogs, logOrders, type ShownLog } from './log-table.tsx'

const row = (id: string, agent: string, changed: number, more: Partial<ShownLog> = {}): ShownLog => ({
  id,
  agent,
  name: `${id}.jsonl`,
  folder: '~/logs',
  bytes: 10,
  changed,
  ...more,
})
const figures = (title: string, dollars: number | null, tokens: number, last: number | null): LogFigures => ({
  agent: '',
  title,
  project: '/home/sam/boats',
  model: 'claude-opus-5',
  requests: 3,
  tokens,
  dollars,
  unpriced: 0,
  first: last,
  last,
})
const old = row('old', 'Codex', 1, { figures: figures('Why is it slow?', 9, 100, 1) })
const middle = row('middle', 'Claude Code', 2, { folder: '~/Shop', figures: figures('A free model', null, 900, 50) })
const latest = row('latest', 'Codex', 3)

describe('foundLogs', () => {
  it('sorts by the time of the last message, by cost or by tokens, and logs without figures by when they changed', () => {
    expect(logOrders.map((order) => foundLogs([old, latest, middle], '', order))).toStrictEqual([
      [middle, latest, old],
      [old, latest, middle],
      [middle, old, latest],
    ])
  })

  it('has a log that an agent is writing first, however old its figures are', () => {
    const running = row('running', 'Codex', Date.now(), { figures: figures('Is it done?', 1, 10, 1) })
    expect(foundLogs([old, middle, running, latest], '', 'date')[0]).toBe(running)
  })

  it.each([
    [' shop ', [middle]],
    ['LATEST.json', [latest]],
    ['codex', [latest, old]],
    ['why is', [old]],
    ['boats', [middle, old]],
    ['opus', [middle, old]],
    ['nothing like it', []],
    ['a word in its messages', [latest], new Map([['latest', 1]])],
  ])('finds %j', (search, found, hits: ReadonlyMap<string, unknown> = new Map()) =>
    expect(foundLogs([old, middle, latest], search, 'date', hits)).toStrictEqual(found),
  )
})
