import { describe, expect, it } from 'vitest'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { linesOf, piLines, timeOf } from '../testing/recordings.ts'

const read = async (lines: Parameters<typeof linesOf>[0]): Promise<ReadLog> =>
  (await readLogText(linesOf(lines))).value as ReadLog
const at = (step: number) => Date.parse(timeOf(step))
const text = (words: string) => ({ type: 'text' as const, text: words })
const said = (content: unknown, fields: object = {}) => ({ type: 'message', message: { role: 'user', content }, ...fields })

describe('a session of pi', () => {
  it('is the branch of its last entry', async () => {
    const log = await read(piLines)
    expect(log.sessions).toEqual([
      {
        id: 'pi-1',
        title: 'Why is the page slow?',
        root: '/home/sam/shop',
        model: 'model-b',
        messages: [
          { id: 'e1', role: 'user', at: at(1), parts: [text('Why is the page slow?')] },
          {
            id: 'e2',
            role: 'assistant',
            at: at(2),
            parts: [
              { type: 'reasoning', text: 'Measure.' },
              { type: 'tool-call', callId: 't1', tool: 'bash', input: { command: 'time curl /' } },
            ],
          },
          {
            id: 'e3',
            role: 'tool',
            at: at(3),
            parts: [{ type: 'tool-result', callId: 't1', tool: 'bash', content: text('real 4.1s'), isError: false }],
          },
          { id: 'e5', role: 'user', at: at(5), parts: [text('$ uptime\nload 9\n(exit code 1)')] },
          { id: 'e6', role: 'system', at: at(6), summary: true, parts: [text('The page takes 4 s.')] },
          {
            id: 'e9',
            role: 'user',
            at: at(9),
            parts: [
              text('Cache is off.'),
              text('Look at this.'),
              { type: 'media', mediaType: 'image/png', data: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } },
            ],
          },
          {
            id: 'e10',
            role: 'assistant',
            at: at(10),
            parts: [{ type: 'tool-call', callId: 't2', tool: 'read', input: { path: 'a.ts' } }],
          },
        ],
        usages: [{ after: 'e2', model: 'model-a', usage: { input: 10, cacheRead: 90, cacheWrite: 3, output: 5 } }],
        compactions: 1,
        sidechains: 0,
        abandoned: 0,
        keptFrom: new Map([['e6', 'e5']]),
      },
    ])
    expect({ skipped: log.skipped, unread: log.unread }).toEqual({
      skipped: [],
      unread: { label: 1, 'message without content': 1 },
    })
  })

  it('tells what stayed beside a summary, also where an older version names it by its number', async () => {
    const older = [
      { type: 'session', id: 's' },
      said('one', {}),
      { type: 'model_change', modelId: 'm' },
      said('two', {}),
      { type: 'compaction', summary: 'One was said.', firstKeptEntryIndex: 2 },
      { type: 'compaction', summary: 'Both were said.', firstKeptEntryIndex: 99 },
      { type: 'compaction', summary: 'Nothing is left.', firstKeptEntryIndex: 'all' },
    ]
    expect((await read(older)).sessions[0]?.keptFrom).toEqual(new Map([['line-5', 'line-4']]))
  })

  it('leaves out the branch that was left, and counts it', async () => {
    const log = await read([
      { type: 'session', id: 's' },
      said('one', { id: 'a', parentId: null }),
      said('two', { id: 'b', parentId: 'a' }),
      said('three', { id: 'c', parentId: 'a' }),
    ])
    expect(log.sessions[0]?.messages.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(log.sessions[0]?.abandoned).toBe(1)
  })

  it('starts again at an entry without a parent, and continues if the named parent is missing', async () => {
    const log = await read([
      { type: 'session', id: 's' },
      said('one', { id: 'a', parentId: null }),
      said('two', { id: 'b', parentId: null }),
      said('three', { id: 'c', parentId: 'lost' }),
    ])
    expect(log.sessions[0]?.messages.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(log.sessions[0]?.abandoned).toBe(1)
  })

  it('is read in order where entries have no ids, as the first version wrote them', async () => {
    const log = await read([
      { type: 'session', id: 's', modelId: 'model-a' },
      said('one'),
      { type: 'thinking_level_change' },
      said('two'),
    ])
    expect(log.sessions[0]?.messages.map(({ id }) => id)).toEqual(['line-2', 'line-4'])
    expect(log.sessions[0]?.model).toBe('model-a')
  })

  it('is called by its name, and leaves out what the person kept from the model', async () => {
    const log = await read([
      { type: 'session', id: 's' },
      said('one'),
      { type: 'message', message: { role: 'bashExecution', command: 'env', output: 'SECRET', excludeFromContext: true } },
      { type: 'session_info', name: 'Speed' },
    ])
    expect(log.sessions[0]).toMatchObject({ title: 'Speed', messages: [{ id: 'line-2' }] })
  })

  it('says which entries hold no message, or repeat an id', async () => {
    const log = await read([
      said('one', { id: 'a' }),
      said(null, { id: 'b' }),
      said('two', { id: 'a' }),
      { type: 'message', message: 7 },
    ])
    expect(log.skipped).toEqual([
      { line: 2, reason: 'no-message' },
      { line: 3, reason: 'repeated' },
      { line: 4, reason: 'no-message' },
    ])
  })
})
