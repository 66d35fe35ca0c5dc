import { describe, expect, it } from 'vitest'
import type { Message, ToolResultPart } from '../message.ts'
import { transcriptOf } from '../results/transcript.ts'
import { forgePair } from '../testing/forge-pair.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { type RecallAnswer, type RecallFold, type RecallRequest, type RecallSource, recall } from './recall.ts'

const log = Array.from({ length: 300 }, (_, index) => `line ${index + 1}${index === 149 ? ' FAIL tax' : ''}`).join('\n')
const image = `iVBORw0KGgoAAAANSUhEUgAA09${'aB3dE5fG7hJ9'.repeat(800)}`
const withImage = JSON.stringify({ success: true, metadata: { imageBase64: image } })
const messages: readonly Message[] = deepFreeze([
  { id: 's', role: 'system', parts: [{ type: 'text', text: 'You are careful.' }] },
  user('u1', 'Never touch src/tax.ts.'),
  ...exchange('r1', 'Bash', { command: 'npm test' }, log),
  ...exchange('r2', 'read_file', { path: 'src/tax.ts' }, 'export const tax = 0.2\n'),
  ...exchange('r3', 'Bash', { command: 'npm test -- --watch' }, 'all passed'),
  ...exchange('r4', 'terminal-execute', { command: 'echo "a\nb"' }, 'a\nb'),
  ...exchange('r5', 'image_generate', { prompt: 'a ship' }, withImage),
  result('r6', 'lost-call', '', {
    content: {
      type: 'list',
      items: [
        { type: 'text', text: 'first item' },
        { type: 'media', mediaType: 'image/png', data: {} },
        { type: 'text', text: 'second item' },
      ],
    },
  }),
  { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
])
const source = sourceOf(messages)

function ask(request: RecallRequest, from: RecallSource = source): RecallAnswer {
  return recall(request, from)
}

function textOf(request: RecallRequest, from: RecallSource = source): string {
  return ask(request, from).text
}

describe('by handle', () => {
  it.each([
    ['tool output', log],
    ['a user message', 'Never touch src/tax.ts.'],
    ['text of the model', 'Done.'],
    ['one text of a list', 'second item'],
    ['all texts of a list', 'first item\nsecond item'],
    ['a result with its image', withImage],
    ['a result without its image', JSON.stringify({ success: true, metadata: { imageBase64: '[BINARY_DATA_FILTERED: 9.4KB]' } })],
    ['the arguments of a call', '{"command":"npm test -- --watch"}'],
    ['a field of the arguments', 'npm test -- --watch'],
    ['a complete message', transcriptOf([messages[2] as Message])],
  ])('returns %s bit for bit', (_, text) => expect(textOf({ handle: handleOf(text) })).toBe(text))

  it('reports its origin', () => {
    expect(ask({ handle: handleOf('all passed') })).toEqual({
      kind: 'found',
      text: 'all passed',
      original: {
        handle: handleOf('all passed'),
        message: 'r3',
        role: 'tool',
        tool: 'Bash',
        about: 'npm test -- --watch',
        media: [],
        text: 'all passed',
      },
      lines: 1,
      shown: [[1, 1]],
      others: [],
      otherCount: 0,
    })
  })

  it('accepts the first six digits, in any case, with surrounding text', () => {
    const handle = handleOf(log)
    for (const given of [handle.slice(0, 6), handle.toUpperCase(), ` recall ${handle} `, `[recall ${handle.slice(0, 8)}]`]) {
      expect(textOf({ handle: given })).toBe(log)
    }
  })

  it('lists the handles that share an ambiguous prefix', () => {
    const [a, b] = twoWithOnePrefix()
    const many = sourceOf([user('a', a), user('b', b)])
    expect(ask({ handle: handleOf(a).slice(0, 6) }, many)).toEqual({
      kind: 'missing',
      reason: 'ambiguous-handle',
      text: `${handleOf(a).slice(0, 6)} is the beginning of several handles: ${handleOf(a)}, ${handleOf(b)}. Give all 12 digits.`,
    })
    expect(textOf({ handle: handleOf(b) }, many)).toBe(b)
  })

  it.each([
    ['a digit that slipped', (handle: string) => `${handle.slice(0, 4)}${handle[4] === '0' ? '1' : '0'}${handle.slice(5)}`],
    ['a digit lost', (handle: string) => `${handle.slice(0, 3)}${handle.slice(4)}0`],
  ])('suggests the nearest handle for an unknown one: %s', (_, change) => {
    const given = change(handleOf(log))
    expect(ask({ handle: given })).toEqual({
      kind: 'missing',
      reason: 'unknown-handle',
      text: `No text of this session has the handle ${given}. The nearest known one is ${handleOf(log)}; or ask by tool and about, or search with query.`,
    })
  })

  it.each(['', 'xyz', 'abc', '12345', 'zz'.repeat(5000), '0123456789abcd'])('rejects %o as a handle', (handle) => {
    const answer = ask({ handle })
    expect(answer).toMatchObject({ kind: 'missing', reason: 'bad-handle' })
    expect(answer.text.length).toBeLessThan(300)
  })
})

describe('a handle that two texts were made to have', () => {
  const [mine, theirs] = forgePair()
  const handle = handleOf(mine)
  const own = exchange('own', 'Read', { path: 'own.ts' }, mine)
  const summary = {
    id: 'sum',
    role: 'user',
    parts: [{ type: 'text', text: `Summary\n[2 messages folded; recall ${handle}]` }],
  } as const
  const stored = (id: string, sha256: string): readonly Message[] => [
    calls(`c-${id}`, [id, 'Bash', { command: id }]),
    { id, role: 'tool', parts: [{ type: 'tool-result', callId: id, tool: 'Bash', content: { type: 'text', text: 'extract' }, blob: { sha256, bytes: 9e9, handle } }] }, // biome-ignore format: one part
  ]
  const text = { length: 9e9, lines: 1, startOf: () => 0, slice: () => 'x' }
  const large = {
    large: (part: ToolResultPart) => (part.blob === undefined ? null : { text }),
    whole: () => ({ trouble: 'too large' }),
  }

  it.each<readonly [string, RecallSource]>([
    ['two results', sourceOf([...own, ...exchange('other', 'Bash', { command: 'evil' }, theirs)])],
    ['a result and what a user wrote', sourceOf([user('u', theirs), ...own])],
    [
      'a result and an argument that the model wrote',
      sourceOf([...own, calls('w', ['w', 'Write', { path: 'x', content: theirs }])]),
    ],
    ['a result and the messages that a summary stands for', { ...sourceOf(own), folds: () => [{ messages, into: summary }] }],
    ['a short result and one too large for memory', sourceOf([...own, ...stored('big', '00')], [], large)],
    ['two results too large for memory', sourceOf([...stored('one', '00'), ...stored('two', '11')], [], large)],
  ])('gives back none of %s, by all digits or some, and asks for tool and path', (_, from) => {
    for (const digits of [12, 6])
      expect(ask({ handle: handle.slice(0, digits) }, from)).toMatchObject({
        kind: 'missing',
        reason: 'ambiguous-handle',
        text: expect.stringMatching(/^Different texts have the handle .* Ask by id .*, or by tool and about\.$/),
      })
  })

  it('is made', () => expect([mine === theirs, handleOf(theirs)]).toEqual([false, handle]))

  it('still gives the same text twice, and each of the two by its path', () => {
    const from = sourceOf([
      ...own,
      ...exchange('other', 'Bash', { command: 'evil' }, theirs),
      ...exchange('more', 'Read', { path: 'b.ts' }, mine),
    ])
    expect(textOf({ tool: 'Read', about: 'own.ts' }, from)).toBe(mine)
    expect(textOf({ tool: 'Bash', about: 'evil' }, from)).toBe(theirs)
    const same = sourceOf([
      ...own,
      calls('w', ['w', 'Write', { path: 'x', content: mine }]),
      ...exchange('more', 'Bash', { command: 'cat' }, mine),
    ])
    expect(textOf({ handle }, same)).toBe(mine)
    const twice = sourceOf([...stored('one', '00'), ...stored('two', '00')], [], large)
    expect(ask({ handle, lines: [1, 1] }, twice)).not.toMatchObject({ reason: 'ambiguous-handle' })
  })
})

describe('content stored outside the log', () => {
  const whole = `${'x\n'.repeat(600_000)}end`
  const extract = 'x\nx\n... end'
  const part: ToolResultPart = {
    type: 'tool-result',
    callId: 'big',
    tool: 'Bash',
    content: { type: 'text', text: extract },
    blob: { sha256: '00', bytes: whole.length, handle: handleOf(whole) },
  }
  const stored: readonly Message[] = [calls('c', ['big', 'Bash', { command: 'make' }]), { id: 'r', role: 'tool', parts: [part] }]
  const complete = { part: { ...part, content: { type: 'text' as const, text: whole } } }
  const good = sourceOf(stored, [], { whole: () => complete })
  const lost = sourceOf(stored, [], { whole: () => ({ trouble: 'The file blobs/00 is gone.' }) })

  it.each([{ handle: handleOf(whole) }, { id: 'r' }, { id: 'big' }, { tool: 'Bash', about: 'make' }])(
    'returns it in full for %o',
    (request) => expect(textOf(request, good)).toBe(whole),
  )

  it('finds the extract by its own handle', () => expect(textOf({ handle: handleOf(extract) }, good)).toBe(extract))

  it('finds a text of it that has no handle in the log', () => {
    const { handle: _, ...blob } = part.blob ?? { sha256: '', bytes: 0 }
    const unnamed = [stored[0] as Message, { id: 'r', role: 'tool', parts: [{ ...part, blob }] } as Message]
    expect(textOf({ handle: handleOf(whole) }, sourceOf(unnamed, [], { whole: () => complete }))).toBe(whole)
  })

  it('explains what is lost and what is left', () => {
    expect(ask({ handle: handleOf(whole) }, lost)).toEqual({
      kind: 'missing',
      reason: 'lost-blob',
      text: 'The file blobs/00 is gone. An extract is left: recall message r by its id, or run the tool again.',
    })
    expect(ask({ id: 'r' }, lost)).toMatchObject({ kind: 'found', text: extract, trouble: 'The file blobs/00 is gone.' })
  })
})

describe('by tool and subject', () => {
  it.each([
    [{ tool: 'Bash' }, 'a\nb', 2],
    [{ tool: 'Bash', about: 'NPM TEST' }, 'all passed', 1],
    [{ tool: 'terminal', about: 'npm test --' }, 'all passed', 0],
    [{ tool: 'bash', about: 'a\nb' }, 'a\nb', 0],
    [{ tool: 'Read', about: 'tax.ts' }, 'export const tax = 0.2\n', 0],
    [{ tool: 'file-read' }, 'export const tax = 0.2\n', 0],
    [{ about: 'src/tax' }, 'export const tax = 0.2\n', 0],
  ])('%o', (request, text, otherCount) => expect(ask(request)).toMatchObject({ kind: 'found', text, otherCount }))

  it('lists older ones, newest first, each text once', () => {
    const again = [
      ...messages,
      ...exchange('r7', 'Bash', { command: 'npm test' }, log),
      ...exchange('r8', 'Bash', { command: 'npm test' }, 'new'),
    ]
    expect(ask({ tool: 'Bash', about: 'npm test' }, sourceOf(again))).toMatchObject({
      text: 'new',
      otherCount: 2,
      others: [
        { handle: handleOf(log), message: 'r7' },
        { handle: handleOf('all passed'), message: 'r3' },
      ],
    })
  })

  it('lists the available tools if there is no such call', () => {
    expect(ask({ tool: 'Grep', about: 'x' })).toEqual({
      kind: 'missing',
      reason: 'no-call',
      text: 'No call of "Grep" about "x" has a result in this session. Tools with results are "Bash", "read_file", "terminal-execute", "image_generate"; or search with query.',
    })
  })
})

describe('by id', () => {
  it.each([
    ['u1', 'Never touch src/tax.ts.'],
    ['r2', 'export const tax = 0.2\n'],
    ['call-r3', 'all passed'],
    ['r3c', transcriptOf([messages[6] as Message])],
    ['r6', 'first item\nsecond item'],
  ])('%s', (id, text) => expect(textOf({ id })).toBe(text))

  it('finds a message of several parts by its handle', () => {
    const text = textOf({ id: 'r3c' })
    expect(textOf({ handle: handleOf(text) })).toBe(text)
  })

  it('reports a call without a result, and an unknown id', () => {
    const open = sourceOf([calls('c', ['waiting', 'Bash', {}])])
    expect(textOf({ id: 'waiting' }, open)).toBe('The call "waiting" has no result in this session.')
    expect(ask({ id: 'nobody' })).toMatchObject({ kind: 'missing', reason: 'unknown-id' })
  })
})

describe('lines, characters and patterns', () => {
  const handle = handleOf(log)

  it.each<[RecallRequest, string, readonly (readonly number[])[]]>([
    [{ lines: [1, 2] }, 'line 1\nline 2', [[1, 2]]],
    [{ lines: [300, 400] }, 'line 300', [[300, 300]]],
    [{ lines: [2, 1] }, 'line 1\nline 2', [[1, 2]]],
    [{ lines: [-5, 1] }, 'line 1', [[1, 1]]],
    [{ lines: [1, 1], characters: [6, 6] }, '1', [[1, 1]]],
    [{ characters: [1, 6] }, 'line 1', [[1, 1]]],
    [
      { pattern: 'FAIL|^line 2$' },
      '2: line 2\n150: line 150 FAIL tax',
      [
        [2, 2],
        [150, 150],
      ],
    ],
    [{ pattern: 'line 1[01]$', lines: [5, 12] }, '10: line 10\n11: line 11', [[10, 11]]],
  ])('%o', (narrow, text, shown) => expect(ask({ handle, ...narrow })).toMatchObject({ kind: 'found', text, shown, lines: 300 }))

  it.each<[RecallRequest, string, string]>([
    [{ lines: [400, 500] }, 'outside', 'There is no line 400-500: this text has 300 lines, counted from 1.'],
    [{ lines: [1, 1], characters: [9, 9] }, 'outside', 'There is no character 9-9: this text has 6 characters, counted from 1.'],
    [
      { pattern: 'nowhere' },
      'no-match',
      `None of the 300 lines of ${handle} matches "nowhere". Try a wider pattern, or (?i) before it to ignore case.`,
    ],
  ])('%o: %s', (narrow, reason, text) => expect(ask({ handle, ...narrow })).toEqual({ kind: 'missing', reason, text }))

  it('explains why a pattern was rejected', () => {
    const refusing = sourceOf(messages, [], { findLines: () => ({ trouble: 'No such pattern.' }) })
    expect(ask({ handle, pattern: '(' }, refusing)).toEqual({ kind: 'missing', reason: 'bad-pattern', text: 'No such pattern.' })
  })

  it('never splits characters', () => {
    const ships = sourceOf([user('u', '🚢🚢🚢')])
    expect(textOf({ id: 'u', characters: [2, 3] }, ships)).toBe('🚢🚢')
  })

  it('finds no lines in an empty text', () => {
    const empty = sourceOf([...exchange('e', 'Bash', { command: 'true' }, '')])
    expect(ask({ id: 'e' }, empty)).toMatchObject({ kind: 'found', text: '', lines: 0, shown: [] })
    expect(ask({ id: 'e', lines: [1, 2] }, empty)).toMatchObject({ kind: 'missing', reason: 'outside' })
  })
})

it.each([{}, { handle: 'abcdef', query: 'x' }, { id: 'a', tool: 'b' }])(
  'rejects %o, which does not select an original',
  (request) => expect(ask(request)).toMatchObject({ kind: 'missing', reason: 'bad-request' }),
)

describe('folds', () => {
  const folded = messages.slice(1, 5)
  const into: Message = {
    id: 'sum',
    role: 'system',
    summary: true,
    parts: [{ type: 'text', text: 'Summary\n[4 messages folded; recall 00000000dead]' }],
  }
  const edit = { id: 'f', policy: 'compaction', why: '', kind: 'fold', first: 'u1', last: 'r2', into } as const

  it('Q-9 returns folded messages as a transcript, and each result in it by its own handle', () => {
    const transcript = transcriptOf(messages.slice(1, 6))
    const from = sourceOf(messages, [edit])
    expect(textOf({ handle: handleOf(transcript) }, sourceOf(messages, [{ ...edit, into: null }]))).toBe(transcript)
    expect(transcript).toContain(`recall ${handleOf(log)} ---\n${log}\n`)
    expect(textOf({ handle: handleOf(log) }, from)).toBe(log)
  })

  it('does not read a fold with a handle for an unrelated request', () => {
    const unread: RecallFold = {
      into,
      get messages(): readonly Message[] {
        throw new Error('read')
      },
    }
    expect(ask({ handle: '000000000bad' }, { ...sourceOf(messages), folds: () => [unread] })).toMatchObject({
      kind: 'missing',
      text: expect.stringContaining('The nearest known one is 00000000dead'),
    })
  })

  it('returns the originals for a fold of a view, whose transcript cannot be rebuilt', () => {
    expect(folded.length).toBe(4)
    expect(textOf({ handle: '00000000dead' }, sourceOf(messages, [edit]))).toBe(transcriptOf(messages.slice(1, 6)))
  })
})

/** Two texts whose handles begin alike. */
function twoWithOnePrefix(): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let index = 0; ; index += 1) {
    const text = `text ${index}`
    const prefix = handleOf(text).slice(0, 6)
    const known = seen.get(prefix)
    if (known !== undefined) return [known, text]
    seen.set(prefix, text)
  }
}
