import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversations } from '../testing/damaged-conversations.ts'
import { deepFreeze, user } from '../testing/messages.ts'
import { type Entry, headLength, readHead } from './entry.ts'
import { readLine, writeLine } from './jsonl.ts'

const entries: readonly Entry[] = [
  {
    type: 'header',
    id: 'h',
    parentId: null,
    at: 1,
    version: 1,
    session: 's',
    root: '/r',
    title: 't',
    from: { session: 'x', entry: 'y', reason: 'fork' },
  },
  { type: 'message', id: 'm', parentId: 'h', at: 2, message: user('m', 'hi 四 🛟 \ud800') },
  {
    type: 'edits',
    id: 'e1',
    parentId: 'm',
    at: 2,
    apply: [
      { id: 'a', policy: 'p', why: 'w', kind: 'replace', message: 'm', part: 0, with: { type: 'text', text: 'x' } },
      { id: 'b', policy: 'p', why: 'w', kind: 'fold', first: 'm', last: 'm', into: null },
      { id: 'c', policy: 'p', why: 'w', kind: 'insert', after: null, message: user('n', 'new') },
    ],
    withdraw: ['z'],
    pin: ['m'],
    unpin: ['k'],
    hide: ['h'],
    unhide: ['u'],
    report: [
      {
        id: 'a',
        policy: 'p',
        kind: 'replace',
        message: 'm',
        part: 0,
        tool: null,
        tokensBefore: 2,
        tokensAfter: 1,
        why: 'w',
        cache: 'free',
      },
    ],
  },
  { type: 'edits', id: 'e2', parentId: 'e1', at: 2 },
  {
    type: 'request',
    id: 'q',
    parentId: 'e2',
    at: 3,
    model: 'x',
    parameters: { a: [1] },
    tools: 'aa',
    layers: { l1: 'bb' },
    last: 'm',
    view: 'cc',
    estimate: 12,
    ledger: { debts: { a: 1 }, bank: 0, cacheLifetimeSeconds: null },
  },
  {
    type: 'request',
    id: 'q2',
    parentId: 'q',
    at: 3,
    model: 'x',
    last: null,
    view: 'cc',
    estimate: 12,
    ledger: {
      debts: { 'm.0': 1.5 },
      bank: -3.25,
      cacheLifetimeSeconds: 600,
      untrimmed: 9,
      at: 1,
      prefix: 'p',
      summaries: ['s'],
      signedBy: 'claude-opus-5-5',
      learned: { atLeastSeconds: 400, atMostSeconds: null, zeroReads: 0 },
      expected: { gapSeconds: 0.5, tokens: 5000 },
    },
  },
  { type: 'usage', id: 'u', parentId: 'q', at: 4, request: 'q', usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 } },
  { type: 'failure', id: 'f', parentId: 'u', at: 5, kind: 'k', message: 'm', request: 'q' },
  { type: 'note', id: 'n', parentId: 'f', at: 6, code: 'c', text: 't', data: { d: null } },
  { type: 'rewind', id: 'r', parentId: 'm', at: 7, left: 'n' },
]

describe('a line', () => {
  it.each(entries.map((entry) => [entry.type, entry] as const))('reads a %s entry back unchanged', (_, entry) => {
    const line = writeLine(deepFreeze(entry))
    expect(line).not.toContain('\n')
    expect(readLine(line)).toEqual({ kind: 'entry', entry, moved: [] })
  })

  it('starts with the head, in a fixed order', () => {
    expect(writeLine({ left: 'x', at: 5, parentId: 'p', id: 'i', type: 'rewind' })).toBe(
      '{"type":"rewind","id":"i","parentId":"p","at":5,"bytes":12,"left":"x"}',
    )
  })

  it('R004-47 R004-48 of any conversation comes back, message by message', () => {
    let messages = 0
    fc.assert(
      fc.property(conversations, (conversation) => {
        for (const message of conversation) {
          const entry: Entry = { type: 'message', id: message.id, parentId: 'h', at: 1, message }
          expect(readLine(writeLine(entry))).toEqual({ kind: 'entry', entry, moved: [] })
          messages += 1
        }
      }),
      { numRuns: 30 },
    )
    expect(messages).toBeGreaterThan(100)
  })

  it('cut off anywhere is torn, by its text and by its head', () => {
    for (const entry of entries) {
      const line = writeLine(entry)
      for (let length = 1; length < line.length; length += 1) {
        const cut = line.slice(0, length)
        expect(readLine(cut).kind).toBe('torn')
        expect(readHead(cut.slice(0, headLength), Buffer.byteLength(cut))).toBeNull()
      }
    }
  })

  it.each<[string, string, string]>([
    ['torn', '', 'not a whole JSON value'],
    ['torn', '{"type":"note"', 'not a whole JSON value'],
    ['torn', '\0\0\0', 'not a whole JSON value'],
    ['foreign', 'null', 'not an object'],
    ['foreign', '"text"', 'not an object'],
    ['foreign', '[]', 'not an object'],
    ['foreign', '{}', 'without type and id'],
    ['foreign', '{"type":"note","id":7}', 'without type and id'],
    ['newer', '{"type":"vision","id":"v","parentId":"p","at":1}', 'an entry of type "vision"'],
    ['newer', '{"type":"constructor","id":"v","parentId":"p","at":1}', 'an entry of type "constructor"'],
    ['newer', '{"type":"__proto__","id":"v"}', 'an entry of type "__proto__"'],
    ['newer', message('{"id":"m","role":"critic","parts":[]}'), 'role "critic"'],
    ['newer', message('{"id":"m","role":"user","parts":[{"type":"video"}]}'), 'a part of type "video"'],
    ['foreign', message('{"id":"other","role":"user","parts":[]}'), 'message.id: expected the id of its entry, got "other"'],
    ['foreign', message('{"id":"m","role":"user","parts":null}'), 'parts: expected a list of objects, got null'],
    ['foreign', message('{"id":"m","role":"user","parts":[null]}'), 'parts: expected a list of objects, got a list'],
    ['foreign', message('{"id":"m","role":"user","parts":[{"type":"text","text":{}}]}'), 'text: expected a text, got an object'],
    ['foreign', message('{"id":"m","role":"user","parts":[],"at":1e999}'), 'at: expected a number'],
    [
      'foreign',
      message('{"id":"m","role":"tool","parts":[{"type":"tool-result","callId":1,"tool":null,"content":{}}]}'),
      'callId',
    ],
    [
      'foreign',
      message('{"id":"m","role":"tool","parts":[{"type":"tool-result","callId":null,"tool":null,"content":[]}]}'),
      'content',
    ],
    ['foreign', '{"type":"note","id":"n","parentId":null,"at":1,"code":"x"}', 'parentId: expected null for the header alone'],
    ['foreign', '{"type":"note","id":"n","parentId":"n","at":1,"code":"x"}', 'continues itself'],
    ['foreign', '{"type":"note","id":"n","parentId":"p","at":-1,"code":"x"}', 'at: expected milliseconds'],
    ['foreign', '{"type":"note","id":"n","parentId":"p","at":"1","code":"x"}', 'at: expected milliseconds'],
    ['foreign', '{"type":"header","id":"h","parentId":null,"at":1,"version":"1","session":"s"}', 'version'],
    [
      'foreign',
      '{"type":"usage","id":"u","parentId":"p","at":1,"request":"q","usage":{"input":"1"}}',
      'input: expected a number',
    ],
    [
      'foreign',
      '{"type":"request","id":"q","parentId":"p","at":1,"model":"m","last":null,"view":"v","estimate":1,"ledger":{"debts":{"a":"b"}}}',
      'a: expected a number',
    ],
    ['foreign', '{"type":"edits","id":"e","parentId":"p","at":1,"withdraw":[1]}', 'withdraw: expected a list of texts'],
    [
      'foreign',
      '{"type":"edits","id":"e","parentId":"p","at":1,"apply":[{"id":"a","policy":"p","why":"w","kind":"fold","first":"x","last":"y"}]}',
      'into: expected an object, got nothing',
    ],
    [
      'newer',
      '{"type":"edits","id":"e","parentId":"p","at":1,"apply":[{"id":"a","policy":"p","why":"w","kind":"shuffle"}]}',
      'an edit of kind "shuffle"',
    ],
  ])('that is %s says why: %s', (kind, line, reason) => {
    expect(readLine(line)).toMatchObject({ kind, reason: expect.stringContaining(reason) })
  })

  it.each<[ledger: string, reason: string]>([
    ['{"debts":{},"bank":1e300,"cacheLifetimeSeconds":null}', 'bank: expected a number up to'],
    ['{"debts":{"a":-1e300},"bank":0,"cacheLifetimeSeconds":null}', 'a: expected a number up to'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"untrimmed":null}', 'untrimmed: expected a number'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"at":"now"}', 'at: expected a number'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"prefix":{}}', 'prefix: expected a text'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"summaries":"all"}', 'summaries: expected a list of texts'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"learned":null}', 'learned: expected an object'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"learned":{"atLeastSeconds":1}}', 'atMostSeconds: expected a number'],
    ['{"debts":{},"bank":0,"cacheLifetimeSeconds":null,"expected":{"gapSeconds":1,"tokens":[]}}', 'tokens: expected a number'],
  ])('with a ledger of %s is refused', (ledger, reason) => {
    const line = `{"type":"request","id":"q","parentId":"p","at":1,"model":"m","last":null,"view":"v","estimate":1,"ledger":${ledger}}`
    expect(readLine(line)).toMatchObject({ kind: 'foreign', reason: expect.stringContaining(reason) })
  })

  it('with any of its values replaced by any other is an entry or says why, and never throws', () => {
    const hostile = fc.oneof(
      fc.constantFrom<unknown>(null, 1, -1, 1.5, true, '', 'message', [], {}, [null], [{}], { type: 'text' }, { length: 3 }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const reached = new Map<string, number>()
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
        hostile,
        (entry, way, value) => {
          const { kind } = readLine(JSON.stringify(replacedAt(entry, way, value)))
          reached.set(kind, (reached.get(kind) ?? 0) + 1)
        },
      ),
      { numRuns: 3000 },
    )
    expect(
      [...reached]
        .filter(([, count]) => count > 20)
        .map(([kind]) => kind)
        .toSorted(),
    ).toEqual(['entry', 'foreign', 'newer'])
  })

  it('is not an entry if nested endlessly', () => {
    expect(readLine('['.repeat(100_000)).kind).toBe('torn')
    expect(readLine(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).kind).toBe('foreign')
  })
})

describe('a head', () => {
  it('is read from the start of a line we wrote', () => {
    for (const entry of entries) {
      const line = writeLine(entry)
      const { type, id, parentId, at } = entry
      expect(readHead(line.slice(0, headLength), Buffer.byteLength(line))).toEqual({ type, id, parentId, at })
    }
  })

  it.each([
    ['{"id":"m","type":"note","parentId":"p","at":1,"bytes":1}', 'another order'],
    ['{"type":"note","id":"a\\"b","parentId":"p","at":1,"bytes":1}', 'an escaped character'],
    ['{"type":"note","id":"四","parentId":"p","at":1,"bytes":1}', 'a character of several bytes'],
    ['{"type":"note","id":"m","parentId":null,"at":1,"bytes":1}', 'no parent'],
    ['{"type":"note","id":"m","parentId":"p","at":1}', 'no length'],
    ['{"type":"note","id":"m","parentId":"p","at":1,"bytes":2}', 'another length'],
  ])('is left to the parser in %s: %s', (line) => expect(readHead(line, line.length)).toBeNull())
})

function message(text: string): string {
  return `{"type":"message","id":"m","parentId":"p","at":1,"message":${text}}`
}

/** The same value with one value somewhere inside it replaced; each number chooses a child. */
function replacedAt(value: unknown, [step, ...rest]: readonly number[], by: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return by
  const child = replacedAt((value as Record<string, unknown>)[key], rest, by)
  return Array.isArray(value) ? value.map((item, index) => (String(index) === key ? child : item)) : { ...value, [key]: child }
}
