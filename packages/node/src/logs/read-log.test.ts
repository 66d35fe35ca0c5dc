import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { readLog } from './read-log.ts'
import { claudeLines, linesOf, recordings } from './testing/recordings.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const messages = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'Hello.' },
]

describe('readLog', () => {
  it.each(recordings)('reads a file of $name', async ({ name, format, text }) => {
    const { value } = await readLog(write(name, text))
    expect(value?.format).toBe(format)
  })

  it.each<[string, string, string, number]>([
    ['a list', JSON.stringify(messages), 'openai-chat', 1],
    ['a request on many lines', JSON.stringify({ model: 'm', messages }, null, 1), 'openai-chat', 1],
    ['lines of messages', linesOf(messages), 'openai-chat', 1],
    ['records', JSON.stringify([{ traj: messages }, { traj: messages }]), 'openai-chat', 2],
    ['a trajectory', JSON.stringify({ history: messages, info: {} }), 'openai-chat', 1],
    ['Anthropic', JSON.stringify({ system: 'x', messages }), 'anthropic', 1],
    [
      'the AI SDK',
      JSON.stringify([{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'b', input: {} }] }]),
      'ai-sdk',
      1,
    ],
  ])('reads what a codec reads: %s', async (name, text, format, sessions) => {
    const { value } = await readLog(write(name, text))
    expect({ format: value?.format, sessions: value?.sessions.length }).toEqual({ format, sessions })
  })

  it('tells the title and the model of a request', async () => {
    const { value } = await readLog(write('request', JSON.stringify({ model: 'm', messages })))
    expect(value?.sessions[0]).toMatchObject({ id: null, title: 'hi', model: 'm', messages: [{ id: '0' }, { id: '1' }] })
  })

  it('finds the format behind lines of another kind and a damaged beginning', async () => {
    const { value } = await readLog(write('late', `{"brok\n7\n{"note":1}\n${linesOf(claudeLines)}`))
    expect(value?.skipped).toEqual([
      { line: 1, reason: 'not-json' },
      { line: 2, reason: 'not-an-object' },
    ])
    expect(value?.unread).toMatchObject({ 'entry without a type': 1 })
  })

  it('names at most a few hundred types', async () => {
    const odd = Array.from({ length: 1000 }, (_, index) => ({ type: `type ${index}`, uuid: `x${index}`, parentUuid: null }))
    const { value } = await readLog(write('types', linesOf(odd)))
    expect(Object.keys(value?.unread ?? {})).toHaveLength(201)
    expect(value?.unread['others']).toBe(800)
  })

  it.each<[string, string | Uint8Array, object]>([
    ['empty', '', { kind: 'empty' }],
    ['no JSON', 'Dear diary,\n', { kind: 'not-json' }],
    ['UTF-16', Buffer.from('\ufeff{"a":1}\n', 'utf16le'), { kind: 'utf16' }],
    ['other bytes', Buffer.from([0xff, 0x0a, 0xfe]), { kind: 'not-utf8' }],
    ['what no codec and no reader reads', '{"model":"m","input":7}', { kind: 'other-format', format: 'OpenAI Responses items' }],
    ['a list of something else', '[{"file":"a","bytes":7}]', { kind: 'no-messages', came: '{"file":"a","bytes":7}' }],
    ['no conversation', '{"a":1}', { kind: 'no-messages' }],
    ['an impossible role', '[{"role":"wizard"}]', { kind: 'not-readable', dialect: 'openai-chat' }],
    ['nesting without end', '['.repeat(5000), { kind: 'too-deep' }],
  ])('says what is wrong with a file: %s', async (name, content, problem) =>
    expect(await readLog(write(name, content))).toMatchObject({ problem }),
  )

  it('reads a request of the Responses API that was saved', async () => {
    const input = [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'a', name: 'shell', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'done' },
    ]
    const { value } = await readLog(write('responses', JSON.stringify({ model: 'm', instructions: 'Be brief.', input })))
    expect(value?.format).toBe('openai-responses')
    expect(value?.sessions.map(({ model, messages }) => [model, messages.map(({ role }) => role)])).toEqual([
      ['m', ['system', 'user', 'assistant', 'tool']],
    ])
  })

  it('says when there is no file, or a folder', async () => {
    expect(await readLog(join(folder, 'nowhere'))).toEqual({ problem: { kind: 'not-found' } })
    expect(await readLog(folder)).toEqual({ problem: { kind: 'is-folder' } })
  })

  it.each([
    ['gzip', gzipSync],
    ['Zstandard', zstdCompressSync],
  ] as const)('reads what is packed with %s as what it was, lines and documents', async (name, pack) => {
    for (const text of [linesOf(claudeLines), JSON.stringify({ model: 'm', messages }, null, 1), JSON.stringify(messages)])
      expect(await readLog(write(`${name}.jsonl`, pack(text)))).toEqual(await readLog(write('plain.jsonl', text)))
  })

  it('keeps the lines before the place where a packed file is cut off, and reports the place', async () => {
    const words = Array.from({ length: 3000 }, (_, index) => ({ role: 'user', content: `${index * 7919} words` }))
    const lines = linesOf(words.map((message, index) => ({ type: 'user', uuid: `u${index}`, parentUuid: null, message })))
    for (const pack of [gzipSync, zstdCompressSync]) {
      const packed = pack(lines)
      const { value } = await readLog(write('cut', packed.subarray(0, packed.length - 300)))
      const read = value?.sessions.reduce((sum, session) => sum + session.messages.length, 0) ?? 0
      expect(read).toBeGreaterThan(1000)
      expect(value?.skipped).toEqual([{ line: read + 1, reason: 'cut-off' }])
    }
    const document = gzipSync(JSON.stringify(words))
    expect(await readLog(write('cut', document.subarray(0, -300)))).toEqual({
      problem: { kind: 'unreadable', code: 'Z_BUF_ERROR' },
    })
  })

  it('names so many damaged lines and counts the others', async () => {
    const { value } = await readLog(write('damaged', `${linesOf(claudeLines)}${'7\n'.repeat(150_000)}`))
    expect({ named: value?.skipped.length, counted: value?.unread['unreadable/not-an-object'] }).toEqual({
      named: 100_000,
      counted: 50_000,
    })
  })

  it('reads the complete items of a document that was cut off, and reports where, unless it must be complete', async () => {
    const list = Array.from({ length: 50 }, (_, index) => ({ role: 'user', content: `question ${index}` }))
    for (const value of [list, { model: 'm', messages: list }, [{ task_id: 1, traj: list }]]) {
      const text = JSON.stringify(value, null, 1)
      const path = write('cut.json', text.slice(0, -40))
      const { value: log } = await readLog(path)
      expect(log?.sessions.map(({ messages: read }) => read.length)).toEqual([49])
      expect(log?.skipped).toEqual([{ line: text.slice(0, -40).split('\n').length, reason: 'cut-off' }])
      expect(await readLog(path, { isWhole: true })).toMatchObject({ problem: { kind: 'not-json' } })
    }
  })
})
