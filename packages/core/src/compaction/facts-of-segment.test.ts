import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import { factsOfSegment, type SegmentFacts, sentencesOf } from './facts-of-segment.ts'
import type { Segment } from './rounds.ts'

const said = (id: string, text: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text }] })
const segmentOf = (messages: readonly Message[], kept: readonly Message[] = []): Segment =>
  deepFreeze({ messages, kept, summaries: [], rounds: { folded: 1, kept: 1 } })
const read = (messages: readonly Message[], kept: readonly Message[] = [], facts = {}): SegmentFacts =>
  factsOfSegment(segmentOf(messages, kept), facts)
const edit = (id: string, path: string, text = 'ok') =>
  exchange(id, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' }, text)

describe('files changed', () => {
  it('lists each file once, with each change and its count', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...edit('1', 'src/a.ts'),
      ...edit('2', './src/a.ts'),
      ...exchange('3', 'Write', { file_path: '/repo/src/a.ts', content: 'x' }, 'ok'),
      ...exchange('4', 'Write', { file_path: 'b.ts', content: 'x' }, 'ok'),
      ...exchange('5', 'str_replace_editor', { command: 'view', path: 'c.ts' }, 'x'),
      ...exchange('6', 'str_replace_editor', { command: 'create', path: 'c.ts' }, 'x'),
      ...exchange('7', 'Bash', { command: 'rm b.ts' }, 'done'),
    ]
    expect(read(messages, [], { root: '/repo' }).files).toEqual([
      { path: 'src/a.ts', change: 'edited 2 times, written' },
      { path: 'b.ts', change: 'written, deleted' },
      { path: 'c.ts', change: 'written' },
    ])
  })

  it('puts the last change last', () => {
    const write = (id: string) => exchange(id, 'Write', { file_path: 'a.ts', content: 'x' }, 'ok')
    const remove = (id: string) => exchange(id, 'Bash', { command: 'rm a.ts' }, '')
    expect(read([user('u', 'fix the cart tests'), ...write('1'), ...remove('2'), ...write('3')]).files).toEqual([
      { path: 'a.ts', change: 'deleted, written 2 times' },
    ])
  })

  it('omits a failed edit, and marks the changes of a failed command', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...edit('1', 'a.ts', 'Error: old_string not found'),
      ...exchange('2', 'Bash', { command: 'echo x > b.ts && npm test' }, '{"stdout":"","stderr":"boom","exitCode":1}'),
    ]
    expect(read(messages).files).toEqual([{ path: 'b.ts', change: 'written by a command that failed' }])
  })

  it.each<[string, unknown]>([
    ['as an argument', { input: '*** Begin Patch\n*** Update File: a.ts\n*** End Patch' }],
    ['as the complete input', '*** Begin Patch\n*** Update File: a.ts\n*** End Patch'],
  ])('reads a patch given %s', (_, input) =>
    expect(read([user('u', 'fix the cart tests'), ...exchange('1', 'apply_patch', input, 'ok')]).files).toEqual([
      { path: 'a.ts', change: 'edited' },
    ]),
  )
})

describe('files changed by an agent without tool calls', () => {
  const text =
    'I will fix it.\n```bash\nsed -i s/a/b/ x.py\n```\n```python\nopen("y.py", "w")\n```\n```mswea_bash_command\nrm z.py\n```\n```sh\nnever closed > w'
  it('come from the commands in its text', () =>
    expect(read([user('u', 'fix the cart tests'), said('a', text), user('v', '<returncode>0</returncode>')]).files).toEqual([
      { path: 'x.py', change: 'edited' },
      { path: 'z.py', change: 'deleted' },
    ]))
  it('ignores files named in text if there are tool calls', () =>
    expect(read([user('u', 'fix the cart tests'), said('a', text), ...edit('1', 'a.ts')]).files).toEqual([
      { path: 'a.ts', change: 'edited' },
    ]))
})

describe('errors not yet resolved', () => {
  const failed = (id: string, command: string, text = 'Error: boom\nexit code 1') => exchange(id, 'Bash', { command }, text)
  it.each<[string, readonly Message[], readonly Message[], readonly string[]]>([
    ['a failure', failed('1', 'npm test'), [], ['npm test']],
    ['put right by the same command', [...failed('1', 'npm test'), ...failed('2', 'npm test', 'ok')], [], []],
    [
      'put right with other flags and from another folder',
      [...failed('1', 'cd x && npm test'), ...failed('2', 'npm test --verbose', 'ok')],
      [],
      [],
    ],
    ['put right in the kept rounds', failed('1', 'npm test'), [user('k', 'on'), ...failed('2', 'npm test', 'ok')], []],
    [
      'failing again in the kept rounds, which show it',
      failed('1', 'npm test'),
      [user('k', 'on'), ...failed('2', 'npm test')],
      [],
    ],
    ['another command succeeding', [...failed('1', 'npm test'), ...failed('2', 'npm run lint', 'ok')], [], ['npm test']],
    ['an edit after a failed edit of the same file', [...edit('1', 'a.ts', 'Error: no'), ...edit('2', './a.ts')], [], []],
    [
      'a write after a failed edit',
      [...edit('1', 'a.ts', 'Error: no'), ...exchange('2', 'Write', { path: 'a.ts' }, 'ok')],
      [],
      [],
    ],
    ['a command that succeeded with warnings', failed('1', 'npm ci', '{"stdout":"","stderr":"npm warn","exitCode":0}'), [], []],
    ['failing twice', [...failed('1', 'npm test'), ...failed('2', 'npm test')], [], ['npm test']],
  ])('%s', (_, messages, kept, about) =>
    expect(read([user('u', 'fix the cart tests'), ...messages], kept).errors.map((error) => error.about)).toEqual(about),
  )

  it.each([
    ['grep -n "a\\|b" x.ts', 'Command exited with code 1', []],
    ['cd x && git diff --quiet', 'exit code 1', []],
    ['rg foo', '{"stdout":"","stderr":"","exitCode":1}', []],
    ['grep -n a x.ts', 'grep: x.ts: No such file or directory\nexit code 2', ['grep -n a x.ts']],
    ['grep -q a x.ts && npm test', 'Command exited with code 1', ['grep -q a x.ts && npm test']],
  ])('does not treat an empty search as a failure: %s', (command, text, about) => {
    const [call, answer] = failed('1', command, text)
    const parts = answer?.parts.map((part) => ({ ...part, isError: true })) ?? []
    const messages = [user('u', 'fix the cart tests'), call as Message, { ...(answer as Message), parts } as Message]
    expect(read(messages).errors.map((error) => error.about)).toEqual(about)
  })

  it('quotes the failing line from any position', () => {
    const log = `${'building\n'.repeat(3000)}\u001b[31mTypeError: x is not a function\u001b[0m\n${'at frame\n'.repeat(20)}exit code 1`
    expect(read([user('u', 'fix the cart tests'), ...failed('1', 'npm test', log)]).errors).toEqual([
      { about: 'npm test', line: 'TypeError: x is not a function' },
    ])
  })
})

describe('statements', () => {
  it('finds decisions, learnings and preferences, and omits questions and code', () => {
    const facts = read([
      user('u', 'Never touch the generated files. Should we use joi instead of zod?'),
      said(
        'a',
        'We decided to use zod instead of joi. It turns out the root cause was a stale cache.\n```\nwe decided nothing here\n```\nFine.',
      ),
      user('v', '以后请用中文回答。'),
      said('b', '决定采用方案二，放弃方案一。'),
    ])
    expect({ ...facts }).toMatchObject({
      decisions: ['We decided to use zod instead of joi.', '决定采用方案二，放弃方案一。'],
      learnings: ['It turns out the root cause was a stale cache.'],
      preferences: ['Never touch the generated files.', '以后请用中文回答。'],
    })
  })

  it.each([
    ['a number at its beginning', '8 workers were chosen instead of 4.', '8 workers were chosen instead of 4.'],
    ['the sign of a list', '  2. **Cache** - we decided to use Redis.', '**Cache** - we decided to use Redis.'],
    ['half of a bold marker', 'We **did. It turns out** the cache was stale.', 'It turns out the cache was stale.'],
  ])('keeps %s intact', (_, text, sentence) => {
    const { decisions, learnings } = read([user('u', 'fix the cart tests'), said('a', text)])
    expect([...decisions, ...learnings]).toEqual([sentence])
  })

  it.each([
    'Let me replace the parser with a faster one.',
    'Now let me check what the test expects.',
    'I will use the new parser instead of the old one:',
    'The problem is clear.',
    '**Step 3: decide what is to be done**',
  ])('treats an announcement as neither a decision nor a learning: %s', (text) =>
    expect(read([user('u', 'fix the cart tests'), said('a', text)])).toMatchObject({ decisions: [], learnings: [] }),
  )

  it('R004-56 takes no preference from messages sent by programs, or from a complaint', () => {
    const sent = '<task-notification>\nIDs are always 12 characters. We decided to use zod for all forms.\n</task-notification>'
    expect(read([user('u', `${sent}\nNever use tabs. I don't see the file.`), said('a', 'ok')])).toMatchObject({
      preferences: ['Never use tabs.'],
      decisions: [],
    })
  })

  it('uses the first request that was acted on as the goal', () => {
    const messages = [
      user('u', '/mode'),
      user('v', '<local-command-stdout>ok</local-command-stdout>'),
      user('w', '<system-reminder>be brief</system-reminder>\nport the selector'),
      said('a', 'Done.'),
    ]
    expect(read(messages).goal).toBe('port the selector\nbe brief')
    expect(read(messages.slice(0, 2)).goal).toBe('/mode')
  })

  it('reads a megabyte without a line end and without a sentence', () =>
    expect(sentencesOf('a. '.repeat(400_000)).length + sentencesOf('x'.repeat(1_000_000)).length).toBe(0))

  it('lists the request and the last answer of each round', () =>
    expect(
      read([user('u', 'fix it'), said('a', 'Looking.'), ...edit('1', 'a.ts'), said('b', 'Fixed.'), user('v', 'and that')])
        .milestones,
    ).toEqual([
      { asked: 'fix it', answered: 'Fixed.', calls: 1 },
      { asked: 'and that', answered: '', calls: 0 },
    ]))

  it('includes the rest of a round that starts elsewhere', () =>
    expect(read([...edit('1', 'a.ts'), said('b', 'Fixed.')]).milestones).toEqual([
      { asked: 'an earlier request', answered: 'Fixed.', calls: 1 },
    ]))

  it('keeps every user message, with its attachments', () => {
    const image: Message = {
      id: 'v',
      role: 'user',
      parts: [
        { type: 'text', text: 'like this' },
        { type: 'media', mediaType: 'image/png', data: '' },
      ],
    }
    expect(read([user('u', 'one'), said('a', 'ok'), image]).instructions).toEqual([
      { texts: ['one'], attached: [], isGoal: true },
      { texts: ['like this'], attached: ['image/png'] },
    ])
  })
})

describe('names', () => {
  it('finds paths and identifiers that the kept messages still mention, most mentioned first', () => {
    const folded = [
      user('u', 'parseTree lives in src/tree.ts, see PROJ-123 and the config'),
      said('a', 'other_name is unrelated'),
    ]
    const kept = [user('k', 'Now parseTree again, and src/tree.ts.'), said('b', 'parseTree and config and newName')]
    expect(read(folded, kept).names).toEqual(['parseTree', 'src/tree.ts'])
  })

  it.each([
    ['a home folder', 'see ~/.config/app.json', '~/.config/app.json'],
    ['non-ASCII letters', 'see docs/größe.md', 'docs/größe.md'],
    ['Chinese around it', '请看src/auth.ts文件', 'src/auth.ts'],
  ])('keeps a path intact with %s', (_, text, name) => expect(read([user('u', text)], [user('k', text)]).names).toEqual([name]))

  it('does not treat the rest of a URL as a path', () =>
    expect(read([user('u', 'https://example.org/x1/y')], [user('k', 'https://example.org/x1/y')]).names).toEqual([]))

  it('does not treat a time as a name', () =>
    expect(read([user('u', 'a.ts, 2026-11-15T10:01:58.818Z')], [user('k', 'a.ts, 2026-11-15T10:01:58.818Z')]).names).toEqual([
      'a.ts',
    ]))

  it('reads argument values, but neither argument names nor kept results', () => {
    const folded = [user('u', 'file_path someName otherName thirdName')]
    const kept = [user('k', 'on'), calls('c', ['1', 'Read', { file_path: 'someName' }]), result('r', '1', 'otherName')]
    expect(read(folded, kept).names).toEqual(['someName'])
  })
})

describe('stack and environment', () => {
  it('come from calls and results', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...edit('1', 'a.ts'),
      ...exchange('2', 'Bash', { command: 'export API_KEY=geheim && npm test' }, 'ok'),
      ...exchange('3', 'Bash', { command: 'node --version' }, 'v24.1.0\n'),
    ]
    expect(read(messages, [], { platform: 'linux', root: '/repo' })).toMatchObject({
      stack: ['TypeScript', 'programs: npm, node', 'node v24.1.0'],
      environment: ['platform linux', 'folder /repo', 'commands run by Bash', 'variables set: API_KEY'],
    })
  })
})

it('caches the facts while the inputs are unchanged', () => {
  const segment = segmentOf([user('u', 'fix the cart tests'), ...edit('1', 'a.ts')])
  expect(factsOfSegment(segment, {})).toBe(factsOfSegment(segment, {}))
  expect(factsOfSegment(segment, { root: '/x' })).not.toBe(factsOfSegment(segment, {}))
})
