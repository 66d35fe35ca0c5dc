import type { Message, Part } from '@plimsoll/core'
import { countMessages, estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadSession } from '../log-reader.ts'
import { measureSession } from './measure-session.ts'
import { slimMessage } from './measured-part.ts'

function sessionOf(messages: readonly Message[], fields: Partial<ReadSession> = {}): ReadSession {
  return { id: 's', title: null, messages, usages: [], compactions: 0, sidechains: 0, abandoned: 0, ...fields }
}

let number = 0
function message(role: Message['role'], ...parts: readonly Part[]): Message {
  number += 1
  return { id: `m${number}`, role, parts }
}

/** A call and its result. */
function used(tool: string, input: unknown, text: string, isError = false): readonly Message[] {
  const callId = `c${number}`
  return [
    message('assistant', { type: 'tool-call', callId, tool, input }),
    message('tool', {
      type: 'tool-result',
      callId,
      tool: null,
      content: { type: 'text', text },
      ...(isError ? { isError } : {}),
    }),
  ]
}

const read = (path: string, text: string) => used('Read', { file_path: path }, text)

describe('measuring a conversation', () => {
  it('sorts tokens by what they are', () => {
    const words = 'one two three four five six seven eight nine ten'
    const count = estimator.count(words)
    const { tokens } = measureSession(
      sessionOf([
        message('system', { type: 'text', text: words }),
        { ...message('system', { type: 'text', text: words }), summary: true },
        message('user', { type: 'text', text: words }, { type: 'media', mediaType: 'image/png', data: '' }),
        message('assistant', { type: 'reasoning', text: words }, { type: 'text', text: words }),
        message('tool', {
          type: 'tool-result',
          callId: null,
          tool: 'Bash',
          content: {
            type: 'list',
            items: [
              { type: 'text', text: words },
              { type: 'media', mediaType: 'image/png', data: '' },
            ],
          },
        }),
      ]),
      'linux',
    )
    expect(tokens).toEqual({
      system: 4 + count,
      summaries: 4 + count,
      user: 4 + count,
      images: 3000,
      assistant: 4 + count,
      reasoning: count,
      calls: 0,
      results: 4 + 4 + count,
    })
  })

  it('results are sorted by what their tool is for, which the call says where the tool does several jobs', () => {
    const { results } = measureSession(
      sessionOf([
        ...used('Bash', { command: 'npm test' }, 'ok'),
        ...used('str_replace_editor', { command: 'view', path: 'a.ts' }, 'text'),
        ...used('mcp__somewhere__thing', {}, 'text'),
        message('tool', { type: 'tool-result', callId: null, tool: 'Grep', content: { type: 'text', text: 'a:1' } }),
      ]),
      'linux',
    )
    expect(results.map(({ kind }) => kind)).toEqual(['terminal', 'file-read', 'other', 'search'])
  })

  const long = 'const answer = 42\n'.repeat(20)
  it.each<[string, readonly Message[], number, number, number]>([
    ['the same file twice, the same text', [...read('a.ts', long), ...read('a.ts', long)], 2, 1, 1],
    ['the same file under another spelling', [...read('/home/sam/a.ts', long), ...read('./a.ts', long)], 2, 1, 1],
    ['another part of it', [...read('a.ts', long), ...read('a.ts', 'else')], 2, 1, 0],
    ['another file', [...read('a.ts', long), ...read('b.ts', long)], 2, 0, 0],
    ['after an edit', [...read('a.ts', long), ...used('Edit', { file_path: 'a.ts' }, 'done'), ...read('a.ts', long)], 2, 0, 0],
    [
      'after an edit that failed',
      [...read('a.ts', long), ...used('Edit', { file_path: 'a.ts' }, 'no', true), ...read('a.ts', long)],
      2,
      1,
      1,
    ],
    [
      'after a patch',
      [...read('a.ts', long), ...used('apply_patch', '*** Begin Patch\n*** Update File: a.ts\n', 'done'), ...read('a.ts', long)],
      2,
      0,
      0,
    ],
    [
      'after a command that wrote it',
      [...read('a.ts', long), ...used('Bash', { command: 'echo x > a.ts' }, ''), ...read('a.ts', long)],
      2,
      0,
      0,
    ],
    [
      'after the earlier read was summed up',
      [...read('a.ts', long), { ...message('system', { type: 'text', text: 'Summary' }), summary: true }, ...read('a.ts', long)],
      2,
      0,
      0,
    ],
    ['by a command', [...read('a.ts', long), ...used('Bash', { command: 'cat a.ts' }, long)], 2, 1, 1],
    ['in vain', [...read('a.ts', long), ...used('Read', { file_path: 'a.ts' }, 'gone', true)], 1, 0, 0],
  ])('a file read again: %s', (_name, messages, reads, again, same) => {
    const counts = measureSession(sessionOf(messages, { root: '/home/sam' }), 'linux').reads
    expect([counts.reads, counts.again.count, counts.same.count]).toEqual([reads, again, same])
  })

  it('counts a file as read again if a compaction kept the earlier read, and not if it was summarised', () => {
    const [kept, gone] = [read('a.ts', long), read('b.ts', long)]
    const summary: Message = { ...message('system', { type: 'text', text: 'Summary' }), summary: true }
    const messages = [...gone, ...kept, summary, ...read('a.ts', long), ...read('b.ts', long)]
    const ids = kept.map(({ id }) => id)
    const compactions: readonly Partial<ReadSession>[] = [
      { keptMessages: new Map([[summary.id, { ids: new Set(ids), place: 'after-summary' }]]) },
      { keptFrom: new Map([[summary.id, ids[0] as string]]) },
    ]
    for (const fields of compactions) {
      const { reads, again, same } = measureSession(sessionOf(messages, fields), 'linux').reads
      expect([reads, again.count, same.count]).toEqual([4, 1, 1])
    }
  })

  it('names the largest results, what they are about and who brought them', () => {
    const { biggest } = measureSession(sessionOf([...read('a.ts', long), ...used('Bash', { command: 'ls' }, 'a.ts')]), 'linux')
    expect(biggest.map(({ tool, kind, about }) => [tool, kind, about])).toEqual([
      ['Read', 'file-read', 'a.ts'],
      ['Bash', 'terminal', 'ls'],
    ])
  })

  it('tells a result once that was asked for again, by its largest answer', () => {
    const again = [...read('a.ts', 'short'), ...read('a.ts', long), ...read('a.ts', 'short'), ...read('b.ts', 'x')]
    const { biggest } = measureSession(sessionOf(again), 'linux')
    expect(biggest.map(({ about }) => about)).toEqual(['a.ts', 'b.ts'])
    expect(biggest[0]?.tokens).toBeGreaterThan(biggest[1]?.tokens ?? 0)
  })

  it('takes no time for a beginning or an end that no agent can have run at', () => {
    const at = (time: number) => ({ ...message('user', { type: 'text', text: 'x' }), id: `at ${time}`, at: time })
    const { first, last } = measureSession(sessionOf([at(-8.64e15), at(1_700_000_000_000), at(8.64e15)]), 'linux')
    expect([first, last]).toEqual([1_700_000_000_000, 1_700_000_000_000])
  })

  it('an answer is a request, and so is a usage that no answer is left of', () => {
    const usage = { after: 'x', usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }, model: null }
    const messages = [message('assistant', { type: 'text', text: 'Yes.' })]
    expect(measureSession(sessionOf(messages), 'linux').requests).toBe(1)
    expect(measureSession(sessionOf(messages, { usages: [usage, usage] }), 'linux').requests).toBe(2)
  })
})

const text = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ minLength: 100, maxLength: 5000 }), fc.constant('x'.repeat(9000)))
const callIds = fc.constantFrom('c1', 'c2', 'c3')
const tools = fc.constantFrom('Read', 'Bash', 'Edit', 'apply_patch', 'unknown', '')
const inputs = fc.oneof(
  text,
  fc.record({ file_path: fc.constantFrom('a.ts', 'b.ts'), command: text }),
  fc.record({ command: fc.constantFrom('cat a.ts', 'echo x > a.ts', 'npm test') }),
)
const media = fc.record({ type: fc.constant('media' as const), mediaType: fc.constant('image/png'), data: text })
const content = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('json' as const), value: fc.jsonValue() }),
  fc.record({
    type: fc.constant('list' as const),
    items: fc.array(fc.oneof(media, fc.record({ type: fc.constant('text' as const), text }))),
  }),
)
const parts: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text }),
  media,
  fc.record({ type: fc.constant('tool-call' as const), callId: callIds, tool: tools, input: inputs }),
  fc.record({
    type: fc.constant('tool-result' as const),
    callId: fc.option(callIds),
    tool: fc.option(tools),
    content,
    isError: fc.boolean(),
  }),
)
const anything: fc.Arbitrary<readonly Message[]> = fc
  .record({
    id: fc.uuid(),
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
    parts: fc.array(parts, { maxLength: 4 }),
    at: fc.integer(),
  })
  .map((one) => [one])
const reading = fc
  .tuple(fc.constantFrom('a.ts', 'b.ts'), fc.constantFrom('short', 'line\n'.repeat(200)))
  .map(([path, said]) => read(path, said))
const conversations = fc.array(fc.oneof(anything, reading), { maxLength: 25 }).map((groups) => groups.flat())

describe('a slim conversation', () => {
  it('measures what the whole one does, holds next to nothing, and the categories add up to all of it', () => {
    const reached = { again: 0, same: 0, shrunk: 0 }
    fc.assert(
      fc.property(conversations, (messages) => {
        const whole = measureSession(sessionOf(messages), 'linux')
        const slim = messages.map(slimMessage)
        expect(measureSession(sessionOf(slim), 'linux')).toEqual(whole)
        expect(Object.values(whole.tokens).reduce((sum, tokens) => sum + tokens, 0)).toBe(countMessages(messages, estimator))
        for (const [index, { parts: kept }] of slim.entries()) {
          expect(kept.length).toBe(messages[index]?.parts.length)
          for (const part of kept)
            expect(JSON.stringify(part).length).toBeLessThan(messages[index]?.role === 'user' ? 12_500 : 800)
        }
        reached.again += whole.reads.again.count
        reached.same += whole.reads.same.count
        if (JSON.stringify(slim).length < JSON.stringify(messages).length / 2) reached.shrunk += 1
      }),
      { numRuns: 300 },
    )
    expect(reached.again).toBeGreaterThan(0)
    expect(reached.same).toBeGreaterThan(0)
    expect(reached.shrunk).toBeGreaterThan(0)
  })
})
