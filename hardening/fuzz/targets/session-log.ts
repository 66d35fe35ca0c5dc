import { isDeepStrictEqual } from 'node:util'
import { branchOf, type Entry, type HeaderEntry, headLength, readHead } from '../../../packages/core/src/session/entry.ts'
import { readLine, writeLine } from '../../../packages/core/src/session/jsonl.ts'
import { replay, startReplay } from '../../../packages/core/src/session/replay.ts'
import { utf8Length } from '../../../packages/core/src/text/lines.ts'
import { plimsollLines } from '../../../packages/node/src/logs/testing/agent-recordings.ts'
import { holds, type Target } from '../target.ts'

/** Plimsoll session logs: reading a line, reading only its head, and replaying the lines. */
export const sessionLogTarget: Target = {
  name: 'session-log',
  form: 'lines',
  choices: 1,
  longest: 8000,
  covers: ['packages/core/src/session/', 'packages/core/src/timing/', 'packages/core/src/tokens/usage.ts'],
  seeds: () => [
    plimsollLines.map((entry) => writeLine(entry as unknown as Entry)).join('\n'),
    plimsollLines.map((entry) => JSON.stringify(entry)).join('\n'),
    madeLines.map((entry) => writeLine(entry as unknown as Entry)).join('\n'),
  ],
  maxSteps: 2000,
  check({ text, choices: [cut = 0] }) {
    const entries: Entry[] = []
    const places = new Map<string, number>()
    for (const line of text.split('\n')) {
      const read = readLine(line)
      if (read.kind !== 'entry') continue
      const { entry, moved } = read
      const again = readLine(writeLine(entry, moved))
      holds(
        again.kind === 'entry' && isDeepStrictEqual(throughJson(again), throughJson({ kind: 'entry', entry, moved })),
        'an entry survives writing and reading',
      )
      const head = readHead(line.slice(0, headLength), utf8Length(line))
      if (head !== null && JSON.parse(line).bytes === bytesSaid(line))
        holds(
          head.type === entry.type && head.id === entry.id && head.parentId === entry.parentId && head.at === entry.at,
          'the head alone matches the full line',
        )
      if (places.has(entry.id)) continue
      places.set(entry.id, entries.length)
      entries.push(entry)
    }
    const header = entries.find((entry): entry is HeaderEntry => entry.type === 'header')
    if (header === undefined) return
    const path = branchOf({ heads: entries, indexOf: (id) => places.get(id) ?? -1 }, entries.length - 1)
    holds(path.length <= entries.length && new Set(path).size === path.length, 'a branch has no duplicate entries')
    const load = (entry: Entry) => entry
    const state = replay({ header, path, load })
    const at = cut % (path.length + 1)
    const grown = startReplay({ header, path: path.slice(0, at), load }).goOn(path.slice(at), load)
    if (grown !== null && at > 0) holds(isDeepStrictEqual(grown.state, state), 'incremental reading equals reading at once')
  },
}

/** As JSON stores it, where -0 is 0. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

/** The bytes of the first field of that name; JSON parsers use the last one. */
function bytesSaid(line: string): number {
  return Number(/"bytes":(\d+)/.exec(line)?.[1])
}

const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 }
const text = (said: string) => [{ type: 'text', text: said }]

const madeLines: readonly object[] = [
  { type: 'header', id: 'h', parentId: null, at: 1, version: 1, session: 's', root: '/home/sam' },
  { type: 'message', id: 'm1', parentId: 'h', at: 2, message: { id: 'm1', role: 'user', parts: text('hi') } },
  {
    type: 'message',
    id: 'm2',
    parentId: 'm1',
    at: 3,
    message: { id: 'm2', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Read', input: {} }] },
  },
  {
    type: 'message',
    id: 'm3',
    parentId: 'm2',
    at: 4,
    message: {
      id: 'm3',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c', tool: 'Read', content: { type: 'text', text: 'x' } }],
    },
  },
  { type: 'request', id: 'q1', parentId: 'm3', at: 5, model: 'm', last: 'm3', view: '0123456789ab', estimate: 20 },
  { type: 'usage', id: 'u1', parentId: 'q1', at: 6, request: 'q1', usage },
  {
    type: 'edits',
    id: 'e1',
    parentId: 'u1',
    at: 7,
    apply: [
      {
        id: 'x',
        policy: 'p',
        kind: 'replace',
        message: 'm3',
        part: 0,
        with: { type: 'tool-result', callId: 'c', tool: 'Read', content: { type: 'text', text: 'y' } },
        why: 'w',
      },
    ],
    pin: ['m1'],
  },
  {
    type: 'edits',
    id: 'e2',
    parentId: 'e1',
    at: 8,
    apply: [
      {
        id: 'f',
        policy: 'compaction',
        kind: 'fold',
        first: 'm1',
        last: 'm3',
        into: { id: 'sum', role: 'user', parts: text('summary'), summary: true },
        why: 'w',
      },
    ],
    unpin: ['m1'],
  },
  { type: 'note', id: 'n1', parentId: 'e2', at: 9, code: 'c', data: {} },
  { type: 'failure', id: 'f1', parentId: 'n1', at: 9, kind: 'k', message: 'no' },
  { type: 'message', id: 'm4', parentId: 'f1', at: 10, message: { id: 'm4', role: 'user', parts: text('go on') } },
  { type: 'rewind', id: 'r1', parentId: 'm1', at: 11, left: 'm4' },
  { type: 'message', id: 'm5', parentId: 'r1', at: 12, message: { id: 'm5', role: 'assistant', parts: text('ok') } },
]
