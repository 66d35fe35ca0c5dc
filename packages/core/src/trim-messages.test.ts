import { describe, expect, it } from 'vitest'
import type { LogRecord } from './engine/log-records.ts'
import { deepFreeze } from './testing/messages.ts'
import { trimMessages } from './trim-messages.ts'

const now = Date.parse('2026-01-31T01:20:00Z')
const minutesAgo = (minutes: number) => now - minutes * 60_000
const build = '{"stdout":"Building project...\\nDone in 3.2s","stderr":"","exitCode":0}'
const outdated = '此命令返回内容已过时'
const compressed = '[该文件的历史读取内容已压缩,请参看最新读取结果]'

/** A call and its answer in the shape of the source documents. */
function pair(id: string, name: string, input: unknown, content: string, timestamp: number, extra = {}) {
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      timestamp,
    },
    { role: 'tool', tool_call_id: id, content, timestamp, ...extra },
  ]
}

const reads = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    pair(`r${index}`, 'filesystem-read', { filePath: 'src/a.ts' }, `📄 src/a.ts\n${index}→export`, minutesAgo(10 - index)),
  ).flat()

const session = () =>
  deepFreeze([
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'user', content: 'Fix the build.', timestamp: minutesAgo(30) },
    ...pair('old', 'terminal-execute', { command: 'npm run build' }, build, minutesAgo(20)),
    ...pair(
      'bad',
      'terminal-execute',
      { command: 'npm test' },
      '{"stdout":"","stderr":"Connection refused","exitCode":1}',
      minutesAgo(19),
    ),
    ...reads(7),
  ])

describe('trimMessages', () => {
  it('R000-19 R001-27 handles orphans, then commands, then reads in one call', () => {
    const { messages, report } = trimMessages(session(), { now })
    expect(messages[3]).toEqual({ role: 'tool', tool_call_id: 'old', content: outdated, timestamp: minutesAgo(20) })
    expect(messages.map((message) => message['content']).filter((content) => content === compressed).length).toBe(2)
    expect(report.edits.map(({ policy, message, tool, cache }) => [policy, message, tool, cache])).toEqual([
      ['trim-outdated-commands', '3', 'terminal-execute', 'free'],
      ['trim-repeated-reads', '7', 'filesystem-read', 'free'],
      ['trim-repeated-reads', '9', 'filesystem-read', 'free'],
    ])
  })

  it('R000-2 R000-3 R000-4 R000-5 R000-17 R001-2 R001-14 Q-3 Q-54 never changes its input; trimmed messages are copies', () => {
    const given = session()
    const copy = structuredClone(given)
    const { messages } = trimMessages(given, { now })
    expect(given).toEqual(copy)
    expect(messages).not.toBe(given)
    expect(messages[3]).not.toBe(given[3])
    expect(messages[5]).toBe(given[5])
  })

  it('returns the same list if there is nothing to trim', () => {
    const given = [{ role: 'user', content: 'hello' }]
    expect(trimMessages(given, { now }).messages).toBe(given)
  })

  it('R000-12 trims the source document’s bare tool message with only content, timestamp and role', () => {
    const bare = [
      { role: 'tool', content: build, timestamp: 1_738_287_600_000 },
      ...Array.from({ length: 5 }, () => ({ role: 'tool', content: 'x', timestamp: 1_738_287_600_000 + 1 })),
    ]
    expect(trimMessages(bare, { now: 1_738_287_600_000 + 20 * 60_000 }).messages[0]).toEqual({
      role: 'tool',
      content: outdated,
      timestamp: 1_738_287_600_000,
    })
  })

  it('R000-33 keeps a result with messageStatus "error" untrimmed', () => {
    const list = [...pair('m', 'terminal-execute', {}, '...', minutesAgo(20), { messageStatus: 'error' }), ...reads(5)]
    expect(trimMessages(list, { now }).messages).toBe(list)
  })

  it('Q-49 repairs pairs: answers a call without a result, removes an orphan', () => {
    const list = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
      },
      { role: 'user', content: 'hello?' },
      { role: 'tool', tool_call_id: 'gone', content: 'text' },
    ]
    expect(trimMessages(list, { now }).messages).toEqual([
      list[0],
      list[1],
      { role: 'tool', tool_call_id: 'a', content: 'Error: tool call was interrupted, no result' },
      list[2],
    ])
  })

  it('Q-11 trims a list in reverse order by its times and loses nothing', () => {
    const list = reads(7).toReversed()
    const { messages, report } = trimMessages(deepFreeze(list), { now })
    expect(report.problems).toEqual([])
    const results = messages.filter((message) => message['role'] === 'tool')
    expect(results.map((message) => message['content'])).toEqual([
      ...reads(7)
        .filter((_, index) => index % 2 === 1 && index > 3)
        .map((message) => message['content'])
        .toReversed(),
      compressed,
      compressed,
    ])
    expect(results.slice(0, 5).every((message) => list.includes(message))).toBe(true)
  })

  it('R002-31 filters a result that was moved to its call, including its structured copy', () => {
    const twin = [{ toolCallId: 'c', imageBase64: 'A'.repeat(13_000) }]
    const list = deepFreeze([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'image_generate', arguments: '{}' } }],
      },
      { role: 'user', content: 'hm' },
      { role: 'tool', tool_call_id: 'c', content: 'saved', toolResults: twin },
    ])
    const { messages, report } = trimMessages(list, { now })
    expect(JSON.stringify(messages)).not.toContain('AAAA')
    expect(messages.map((message) => message['role'])).toEqual(['assistant', 'tool', 'user'])
    expect(report.rules['filter-binary']?.tokensSaved).toBeGreaterThan(3000)
  })

  it('R000-12 keeps the other fields of a result that is moved and trimmed', () => {
    const late = {
      role: 'tool',
      tool_call_id: 'c',
      name: 'terminal-execute',
      timestamp: minutesAgo(30),
      mine: true,
      content: build,
    }
    const list = deepFreeze([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'terminal-execute', arguments: '{}' } }],
      },
      { role: 'user', content: 'well?' },
      late,
      ...reads(5),
    ])
    expect(trimMessages(list, { now }).messages[1]).toEqual({ ...late, content: outdated })
  })

  it('keeps a result without a call when it adds one for an interrupted call', () => {
    const list = [
      { role: 'tool', tool_call_id: 'c', timestamp: 1, content: 'early' },
      { role: 'user', content: 'well?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
      },
    ]
    expect(trimMessages(list, { now }).messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'c',
      content: 'Error: tool call was interrupted, no result',
    })
  })

  it('names every edit by its index in the given list', () => {
    const calls = ['a', 'b', 'c'].map((id) => ({ id, type: 'function', function: { name: 'Bash', arguments: '{}' } }))
    const list = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'user', content: 'well?' },
    ]
    expect(trimMessages(list, { now }).report.edits.map((edit) => edit.message)).toEqual(['1', '1', '1'])
    const many = Array.from({ length: 50_000 }, (_, index) => ({
      id: `${index}`,
      type: 'function',
      function: { name: 'Bash', arguments: '{}' },
    }))
    expect(trimMessages([{ role: 'assistant', content: null, tool_calls: many }], { now }).report.edits.at(-1)?.message).toBe('0')
  })

  it('Q-49 treats an empty call id as missing: the message stays', () => {
    const list = [...pair('a', 'Bash', {}, 'ok', now), { role: 'tool', tool_call_id: '', content: 'text', timestamp: now }]
    expect(trimMessages(list, { now }).messages).toBe(list)
  })

  it('R002-10 R002-12 filters base64 from the content and from its structured copy', () => {
    const results = [
      { toolCallId: 'i', success: true, output: 'done', metadata: { imagePath: '/tmp/a.png', imageBase64: 'A'.repeat(2048) } },
    ]
    const filtered = [
      {
        toolCallId: 'i',
        success: true,
        output: 'done',
        metadata: { imagePath: '/tmp/a.png', imageBase64: '[BINARY_DATA_FILTERED: 2.0KB]' },
      },
    ]
    const list = deepFreeze([{ role: 'tool', content: JSON.stringify(results), timestamp: now, toolResults: results }])
    expect(trimMessages(list, { now }).messages).toEqual([
      { role: 'tool', content: JSON.stringify(filtered), timestamp: now, toolResults: filtered },
    ])
  })

  it('Q-43 does not cut long output: that belongs to the tool', () => {
    const list = pair('m', 'Bash', {}, 'x\n'.repeat(50_000), now)
    expect(trimMessages(list, { now }).messages).toBe(list)
  })

  it('R000-39 R001-46 applies settings', () => {
    const config = { outdated_commands: { after_minutes: 60 }, repeated_reads: { keep_latest: 1 } }
    expect(trimMessages(session(), { now, config }).report.rules).toEqual({
      'trim-repeated-reads': { edits: 6, tokensSaved: expect.any(Number) },
    })
  })

  it('R000-40 R001-47 R000-41 R001-48 counts the tokens saved per rule', () => {
    const long = '{"stdout":"' + 'Compiling module after module. '.repeat(100) + '","stderr":"","exitCode":0}'
    const { report } = trimMessages([...pair('m', 'terminal-execute', {}, long, minutesAgo(20)), ...reads(5)], { now })
    expect(report.rules['trim-outdated-commands']?.edits).toBe(1)
    expect(report.rules['trim-outdated-commands']?.tokensSaved).toBeGreaterThan(300)
    expect(report.tokensBefore - report.tokensAfter).toBe(report.rules['trim-outdated-commands']?.tokensSaved)
  })

  it('R000-37 R001-43 R001-44 logs the exact sentences, file names at debug only', () => {
    const records: LogRecord[] = []
    trimMessages([...session(), ...pair('x', 'filesystem-read', {}, 'text', now)], { now, log: (record) => records.push(record) })
    expect(records.map(({ level, message }) => [level, message])).toEqual([
      ['info', '精简了 1 个过时命令返回内容'],
      ['info', '精简了 2 个历史文件读取内容'],
      ['debug', '无法提取文件路径: 消息 21'],
      ['debug', '精简了 src/a.ts 的 2 次历史读取'],
    ])
  })

  it('R001-44 logs nothing if nothing is trimmed', () => {
    const records: LogRecord[] = []
    trimMessages(reads(3), { now, log: (record) => records.push(record) })
    expect(records).toEqual([])
  })

  it('names what it expected if the clock or the list is missing', () => {
    expect(() => trimMessages([], {} as never)).toThrow('trimMessages: expected `now` in milliseconds, got nothing')
    expect(() => trimMessages([], undefined as never)).toThrow('trimMessages: expected facts with `now`, got nothing')
    expect(trimMessages([], { now, root: null, config: { outdated_commands: null } } as never).messages).toEqual([])
    expect(() => trimMessages(null as never, { now })).toThrow('trimMessages: expected a list of messages, got null')
    expect(() => trimMessages([{ role: 'critic', content: '' }], { now })).toThrow(/\[0\]\.role: expected .*, got "critic"/)
  })
})
