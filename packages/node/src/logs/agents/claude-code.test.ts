import { describe, expect, it } from 'vitest'
import { forgePair } from '../../../../core/src/testing/forge-pair.ts'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { claudeAnswer, claudeLine, claudeLines, claudeUser, linesOf, timeOf } from '../testing/recordings.ts'

type Lines = Parameters<typeof linesOf>[0]
const read = async (lines: Lines): Promise<ReadLog> => (await readLogText(linesOf(lines))).value as ReadLog
const idsOf = ({ sessions }: ReadLog) => sessions.map(({ messages }) => messages.map(({ id }) => id).join(' '))
const usage = { input: 10, cacheRead: 100, cacheWrite: 5 }
const at = (step: number) => Date.parse(timeOf(step))
const text = (words: string) => ({ type: 'text' as const, text: words })
const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} })
const result = (id: string, content: unknown = 'ok') => ({ type: 'tool_result', tool_use_id: id, content })

describe('a session of Claude Code', () => {
  it('is its main branch, with the lines of one response as one message and every result after its call', async () => {
    const [session] = (await read(claudeLines)).sessions
    expect(session).toEqual({
      id: 'shop-1',
      title: 'The basket shows the wrong total.',
      root: '/home/sam/shop',
      model: 'claude-x',
      messages: [
        { id: 'u1', role: 'user', at: at(1), parts: [text('The basket shows the wrong total.')] },
        {
          id: 'a1',
          role: 'assistant',
          at: at(2),
          parts: [
            { type: 'reasoning', text: 'Look at the sums first.' },
            { type: 'tool-call', callId: 'c1', tool: 'Bash', input: { command: 'ls' } },
            { type: 'tool-call', callId: 'c2', tool: 'Bash', input: { command: 'npm test' } },
          ],
        },
        {
          id: 'r1',
          role: 'tool',
          at: at(5),
          parts: [{ type: 'tool-result', callId: 'c1', tool: null, content: text('basket.ts\nprice.ts') }],
        },
        {
          id: 'r2',
          role: 'tool',
          at: at(6),
          parts: [{ type: 'tool-result', callId: 'c2', tool: null, content: { type: 'list', items: [text('1 failed')] } }],
        },
        { id: 'a4', role: 'assistant', at: at(7), parts: [text('The discount is applied twice.')] },
        { id: 'u3', role: 'user', at: at(10), parts: [text('Apply it once.'), text('Skill: keep changes small.')] },
        { id: 'a6', role: 'assistant', at: at(11), parts: [text('Done.')] },
        { id: 'k1', role: 'system', at: at(13), summary: true, parts: [text('Summary: the discount is applied once now.')] },
        {
          id: 'u5',
          role: 'user',
          at: at(14),
          parts: [
            text('Check it.'),
            {
              type: 'media',
              mediaType: 'image/png',
              data: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            },
          ],
        },
        {
          id: 'a7',
          role: 'assistant',
          at: at(15),
          parts: [{ type: 'tool-call', callId: 'c3', tool: 'Bash', input: { command: 'npm test' } }],
        },
      ],
      usages: [
        { after: 'a1', answer: 'm1', model: 'claude-x', usage: { ...usage, output: 40 } },
        { after: 'a4', answer: 'm2', model: 'claude-x', usage: { ...usage, output: 1 } },
        { after: 'a6', answer: 'm4', model: 'claude-x', usage: { ...usage, output: 1 } },
        { after: 'a7', answer: 'm5', model: 'claude-x', usage: { ...usage, output: 1 } },
      ],
      otherUsages: [
        { at: at(6), answer: 'm9', model: 'claude-x', usage: { ...usage, output: 1 } },
        { at: at(9), answer: 'm3', model: 'claude-x', usage: { ...usage, output: 1 } },
      ],
      compactions: 1,
      sidechains: 2,
      abandoned: 2,
    })
  })

  it('has the answers of a sub-agent that are written as progress, each once, with the last usage', async () => {
    const progress = (uuid: string, step: number, output: number) =>
      claudeLine(uuid, 'u', step, {
        type: 'progress',
        data: { type: 'agent_progress', message: { ...claudeAnswer('m7', text('Twelve.'), output), timestamp: timeOf(step) } },
      })
    const log = await read([
      claudeLine('u', null, 1, claudeUser('Count the tests.')),
      progress('p', 2, 1),
      progress('q', 3, 30),
      progress('r', 4, 5),
      claudeLine('a', 'u', 5, claudeAnswer('m8', text('Twelve.'))),
      claudeLine('b', 'a', 6, {
        type: 'progress',
        data: { message: { message: { id: 'm9', model: '<synthetic>', usage: {} } } },
      }),
    ])
    expect(log.sessions[0]?.usages.map(({ answer }) => answer)).toEqual(['m8'])
    expect(log.sessions[0]?.otherUsages).toEqual([
      { at: at(2), answer: 'm7', model: 'claude-x', usage: { ...usage, output: 30 } },
    ])
  })

  it('has the usage of the line with the most output, wherever that is', async () => {
    const log = await read([
      claudeLine('a', null, 1, claudeAnswer('m', text('First.'), 5)),
      claudeLine('b', 'a', 2, claudeAnswer('m', text('Second.'), 30)),
      claudeLine('c', 'b', 3, claudeAnswer('m', text('Third.'), 1)),
    ])
    expect(log.sessions[0]?.usages).toMatchObject([{ usage: { output: 30 }, model: 'claude-x' }])
  })

  it('names the model as in fast mode for answers in it', async () => {
    const message = { id: 'm', model: 'claude-x', content: [text('Quick.')], usage: { input_tokens: 1, speed: 'fast' } }
    const log = await read([
      claudeLine('a', null, 1, { type: 'assistant', message }),
      claudeLine('b', 'a', 2, claudeAnswer('n', text('Slow.'))),
    ])
    expect(log.sessions[0]?.usages.map(({ model }) => model)).toEqual(['claude-x-fast', 'claude-x'])
    expect(log.sessions[0]?.model).toBe('claude-x')
  })

  it('counts lines outside the conversation by type', async () =>
    expect((await read(claudeLines)).unread).toEqual({
      'file-history-snapshot': 1,
      progress: 1,
      'system/compact_boundary': 1,
    }))

  it('takes a repeated block of a streamed message once, and the longer of two texts', async () => {
    const log = await read([
      claudeLine('u', null, 1, claudeUser('hi')),
      claudeLine('a', 'u', 2, claudeAnswer('m', text('Loo'))),
      claudeLine('b', 'a', 3, claudeAnswer('m', text('Looking.'))),
      claudeLine('c', 'b', 4, claudeAnswer('m', text('Looking.'))),
      claudeLine('d', 'c', 5, claudeAnswer('m', call('x'))),
      claudeLine('e', 'd', 6, claudeAnswer('m', call('x'))),
      claudeLine('f', 'e', 7, claudeAnswer('m', text('Looking.'))),
    ])
    expect(log.sessions[0]?.messages[1]?.parts).toEqual([
      text('Looking.'),
      { type: 'tool-call', callId: 'x', tool: 'Bash', input: {} },
    ])
    expect(log.sessions[0]?.usages).toHaveLength(1)
  })

  it('keeps both of two texts in a response that were made to have the same short hash', async () => {
    const [mine, theirs] = forgePair()
    const log = await read([
      claudeLine('u', null, 1, claudeUser('hi')),
      claudeLine('a', 'u', 2, claudeAnswer('m', text(mine))),
      claudeLine('b', 'a', 3, claudeAnswer('m', text(theirs))),
    ])
    expect(log.sessions[0]?.messages[1]?.parts).toEqual([text(mine), text(theirs)])
  })

  it('continues a response after a user message in between, and counts its usage once', async () => {
    const log = await read([
      claudeLine('a', null, 1, claudeAnswer('m', text('First.'))),
      claudeLine('u', 'a', 2, claudeUser('wait')),
      claudeLine('b', 'u', 3, claudeAnswer('m', call('x'))),
      claudeLine('r', 'b', 4, claudeUser([result('x')])),
    ])
    expect(idsOf(log)).toEqual(['a u b r'])
    expect(log.sessions[0]?.usages.map(({ after }) => after)).toEqual(['b'])
  })

  it('loses no call where results of two responses come late and in another order', async () => {
    const log = await read([
      claudeLine('a', null, 1, claudeAnswer('m', call('x'))),
      claudeLine('b', 'a', 2, claudeAnswer('n', call('y'))),
      claudeLine('r', 'b', 3, claudeUser([result('y')])),
      claudeLine('s', 'r', 4, claudeUser([result('x')])),
      claudeLine('c', 's', 5, claudeAnswer('o', text('Both.'))),
    ])
    expect(idsOf(log)).toEqual(['a s b r c'])
    expect(log.sessions[0]?.abandoned).toBe(0)
  })

  it('keeps text next to a result, and the later of two results', async () => {
    const log = await read([
      claudeLine('a', null, 1, claudeAnswer('m', call('x'))),
      claudeLine('r', 'a', 2, claudeUser([result('x', 'refused')])),
      claudeLine('s', 'a', 3, claudeUser([result('x', 'done'), text('and hurry')])),
    ])
    expect(log.sessions[0]?.messages.slice(1)).toEqual([
      { id: 's.0', role: 'tool', at: at(3), parts: [{ type: 'tool-result', callId: 'x', tool: null, content: text('done') }] },
      { id: 's.1', role: 'user', at: at(3), parts: [text('and hurry')] },
    ])
    expect(log.unread).toEqual({ 'earlier result of a call': 1 })
  })

  it.each<[string, Lines]>([
    ['that is missing', [claudeLine('b', 'lost', 2, claudeUser('two'))]],
    ['that comes only later', [claudeLine('b', 'c', 2, claudeUser('two')), claudeLine('c', 'b', 3, claudeUser('three'))]],
    ['that is itself', [claudeLine('b', 'b', 2, claudeUser('two'))]],
  ])('continues if a line names a parent %s', async (_, more) => {
    const log = await read([claudeLine('a', null, 1, claudeUser('one')), ...more])
    expect(idsOf(log)).toEqual([['a', ...more.map(({ uuid }) => uuid)].join(' ')])
  })

  it('is not left behind when a damaged line breaks the chain', async () => {
    const lines = linesOf(claudeLines).split('\n')
    const whole = idsOf(await read(claudeLines))[0]?.split(' ') ?? []
    const { value } = await readLogText(lines.map((line, index) => (index === 10 ? line.slice(0, 40) : line)).join('\n'))
    expect(value?.skipped).toEqual([{ line: 11, reason: 'not-json' }])
    expect(value?.sessions[0]?.messages.map(({ id }) => id)).toEqual(expect.arrayContaining(whole.filter((id) => id !== 'a4')))
  })

  it('is two sessions if the context was restarted, and one if the session was only resumed under another id', async () => {
    const log = await read([
      claudeLine('a', null, 1, claudeUser('plan')),
      claudeLine('b', 'a', 2, { ...claudeUser('more'), sessionId: 'shop-2' }),
      claudeLine('c', null, 3, claudeUser('build')),
    ])
    expect(idsOf(log)).toEqual(['a b', 'c'])
    expect(log.sessions.map(({ id }) => id)).toEqual(['shop-1', 'shop-1~2'])
  })

  it('is the sub-agent’s if the file has nothing else', async () => {
    const log = await read([
      claudeLine('a', null, 1, { ...claudeUser('count'), isSidechain: true }),
      claudeLine('b', 'a', 2, { ...claudeAnswer('m', text('12')), isSidechain: true }),
    ])
    expect(idsOf(log)).toEqual(['a b'])
    expect(log.sessions[0]?.sidechains).toBe(0)
  })

  it.each<[string, Lines, string | null]>([
    ['its own title', [{ type: 'custom-title', customTitle: 'Basket', sessionId: 'shop-1' }], 'Basket'],
    ['a summary of one of its lines', [{ type: 'summary', summary: 'Sums', leafUuid: 'a' }], 'Sums'],
    ['not a summary of another file', [{ type: 'summary', summary: 'Other', leafUuid: 'elsewhere' }], 'one two'],
  ])('is called by %s', async (_, more, title) =>
    expect((await read([claudeLine('a', null, 1, claudeUser(' one\n two ')), ...more])).sessions[0]?.title).toBe(title),
  )

  it('says which line repeats an id', async () => {
    const log = await read([claudeLine('a', null, 1, claudeUser('one')), claudeLine('a', null, 1, claudeUser('one'))])
    expect(log.skipped).toEqual([{ line: 2, reason: 'repeated' }])
  })

  it('has what a person typed while the agent was at work', async () => {
    const queued = (prompt: string, commandMode: string) => ({
      type: 'attachment',
      attachment: { type: 'queued_command', prompt, commandMode },
    })
    const log = await read([
      claudeLine('a', null, 1, claudeUser('one')),
      claudeLine('b', 'a', 2, claudeAnswer('m', text('Yes.'))),
      claudeLine('c', 'b', 3, queued('and two', 'prompt')),
      claudeLine('d', 'c', 4, claudeAnswer('n', text('Well.'))),
      claudeLine('e', 'd', 5, queued('task 1 ended', 'task-notification')),
      claudeLine('f', 'e', 5, { type: 'attachment', attachment: { type: 'date_change' } }),
    ])
    expect(log.sessions[0]?.messages.map(({ id, role }) => `${id} ${role}`)).toEqual([
      'a user',
      'b assistant',
      'c user',
      'd assistant',
      'e system',
    ])
    expect(log.unread).toEqual({ 'attachment/date_change': 1 })
  })

  it('has the files that the client sent along, with the message before them', async () => {
    const attached = (file: unknown) => ({
      type: 'attachment',
      attachment: { type: 'file', filename: 'b.ts', content: { file } },
    })
    const log = await read([
      claudeLine('a', null, 1, claudeUser('Look at both files.')),
      claudeLine('b', 'a', 2, attached({ filePath: 'src/a.ts', content: 'export {}' })),
      claudeLine('c', 'b', 3, attached({ content: 'export default 1' })),
      claudeLine('d', 'c', 4, attached({ filePath: 'src/c.ts' })),
      claudeLine('e', 'd', 5, claudeAnswer('m', text('Yes.'))),
    ])
    expect(idsOf(log)).toEqual(['a e'])
    expect(log.sessions[0]?.messages[0]?.parts).toEqual([
      text('Look at both files.'),
      text('src/a.ts\nexport {}'),
      text('b.ts\nexport default 1'),
    ])
    expect([log.sessions[0]?.title, log.unread]).toEqual(['Look at both files.', { 'attachment/file': 1 }])
  })

  it('is read quickly even if many lines share a response, a parent or nothing', async () => {
    const many = 20_000
    const shared = Array.from({ length: many }, (_, index) =>
      claudeLine(`a${index}`, index === 0 ? null : `a${index - 1}`, 1, claudeAnswer('m', text(`word ${index} `))),
    )
    const roots = Array.from({ length: many }, (_, index) =>
      claudeLine(`r${index}`, null, 1, claudeUser('x', { isSidechain: index % 2 === 1 })),
    )
    const metas = Array.from({ length: many }, (_, index) => claudeLine(`m${index}`, 'r0', 1, claudeUser('x', { isMeta: true })))
    const log = await read([...shared, ...roots, ...metas])
    expect(log.sessions).toHaveLength(many / 2 + 1)
    expect(log.sessions[0]?.messages[0]?.parts).toHaveLength(many)
  })
})
