import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('names at most a few hundred types, however many there are', async () => {
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
    [
      'what no codec and no reader reads',
      '{"model":"m","input":"hi"}',
      { kind: 'other-format', format: 'OpenAI Responses items' },
    ],
    ['a list of something else', '[{"file":"a","bytes":7}]', { kind: 'no-messages', came: '{"file":"a","bytes":7}' }],
    ['no conversation', '{"a":1}', { kind: 'no-messages' }],
    ['an impossible role', '[{"role":"wizard"}]', { kind: 'not-readable', dialect: 'openai-chat' }],
    ['nesting without end', '['.repeat(5000), { kind: 'too-deep' }],
  ])('says what is wrong with a file: %s', async (name, content, trouble) =>
    expect(await readLog(write(name, content))).toMatchObject({ trouble }),
  )

  it('says when there is no file, or a folder', async () => {
    expect(await readLog(join(folder, 'nowhere'))).toEqual({ trouble: { kind: 'not-found' } })
    expect(await readLog(folder)).toEqual({ trouble: { kind: 'is-folder' } })
  })
})
