import { buildView, checkView, type Message, resultText, specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { ReadLog } from './log-reader.ts'
import { readLogText } from './read-log.ts'
import { agentRecordings } from './testing/agent-recordings.ts'
import { recordings as firstRecordings } from './testing/recordings.ts'

const recordings = [...firstRecordings, ...agentRecordings]

const read = async (text: string): Promise<ReadLog> => {
  const { value, problem } = await readLogText(text)
  expect(problem).toBeUndefined()
  return value as ReadLog
}
const messagesOf = (log: ReadLog | undefined): readonly Message[] => log?.sessions.flatMap(({ messages }) => messages) ?? []

describe.each(recordings)('a log of $name', ({ format, text, parts: kinds, isWhole }) => {
  it('is recognised by its content and read without loss', async () => {
    const log = await read(text)
    expect({ format: log.format, skipped: log.skipped, sessions: log.sessions.length }).toEqual({
      format,
      skipped: [],
      sessions: 1,
    })
    expect(messagesOf(log).length).toBeGreaterThan(5)
  })

  it('gives every message a unique id and some content', async () => {
    const messages = messagesOf(await read(text))
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
    expect(messages.filter(({ parts }) => parts.length === 0)).toEqual([])
  })

  it('keeps each result in a separate message after its call, and reports the one call without a result', async () => {
    const messages = messagesOf(await read(text))
    const rules = checkView(messages).map(({ rule, message }) => [rule, message])
    expect(rules).toEqual(isWhole ? [] : [['call-has-result', messages.at(-1)?.id]])
    expect(messages.filter(({ role }) => role === 'tool').every(({ parts }) => parts.length === 1)).toBe(true)
    expect(messages.some(({ role }) => role === 'tool')).toBe(true)
  })

  it('has reasoning, calls, images and words, as far as the format has them', async () => {
    const types = new Set(messagesOf(await read(text)).flatMap(({ parts }) => parts.map(({ type }) => type)))
    expect([...types].sort()).toEqual(kinds ?? ['media', 'reasoning', 'text', 'tool-call', 'tool-result'])
  })

  it('reports usage for messages it has, once for each', async () => {
    const log = await read(text)
    for (const { messages, usages } of log.sessions) {
      const spoken = messages.filter(({ role }) => role === 'assistant').map(({ id }) => id)
      expect(spoken).toEqual(expect.arrayContaining(usages.map(({ after }) => after)))
      expect(new Set(usages.map(({ after }) => after)).size).toBe(usages.length)
    }
  })

  it('is read the same way twice, with other line ends, with a byte order mark, and without a last newline', async () => {
    const log = await read(text)
    expect(await read(text)).toEqual(log)
    expect(await read(`\ufeff${text}`)).toEqual(log)
    expect(await read(text.replaceAll('\n', '\r\n'))).toEqual(log)
    expect(await read(text.trimEnd())).toEqual(log)
  })

  it('becomes a legal view', async () => {
    const messages = messagesOf(await read(text))
    const { view } = buildView({ messages, policies: specPolicies, facts: { now: Date.UTC(2026, 5, 1) }, timing: 'immediate' })
    expect(checkView(view)).toEqual([])
  })

  it('never throws, cut anywhere, and never loses a whole line before the cut', async () => {
    const bytes = Buffer.from(text)
    let read = 0
    const wrong: number[] = []
    // Of long ones every third byte: fields and lines are longer than that.
    const step = bytes.length > 2000 ? 3 : 1
    for (let end = 0; end < bytes.length; end += step) {
      const { value, problem } = await readLogText(bytes.subarray(0, end).toString('latin1'))
      if (value !== undefined) read += 1
      if ((value === undefined) !== (problem !== undefined) || (value?.skipped.length ?? 0) > 1) wrong.push(end)
    }
    expect(wrong).toEqual([])
    // A JSON document that is cut off cannot be parsed.
    expect(read).toBeGreaterThan(/^\{.*\}\n\{/.test(text) ? (bytes.length / step) * 0.8 : -1)
  })
})

const inLines = recordings.filter(({ text }) => /^\{.*\}\n\{/.test(text))
const hostile: readonly string[] = [
  '{"broken',
  'null',
  '7',
  '[1,2]',
  '{}',
  '{"type":"a type from the future","x":[{}]}',
  '{"type":"user","uuid":7,"parentUuid":{},"message":null}',
  '{"type":"user","parentUuid":"nobody","message":{"role":"user","content":null}}',
  '{"type":"assistant","parentUuid":[],"message":{"content":[null,7,{"type":null},{"type":"tool_use"}],"usage":7}}',
  '{"type":"message","id":[],"parentId":9,"message":{"role":{},"content":{}}}',
  '{"type":"message","parentId":"nobody","message":{"role":"assistant","content":null,"usage":[]}}',
  '{"type":"response_item","payload":{"type":"function_call","call_id":""}}',
  '{"type":"response_item","payload":{"type":"message","role":"user","content":null}}',
  '{"type":"event_msg","payload":null}',
  '{"type":"compacted","payload":{"message":null,"replacement_history":7}}',
  '{"role":"user","parts":null}',
  '{"role":"model","parts":[]}',
  '{"__proto__":{"type":"user"},"constructor":1,"type":"__proto__"}',
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
]

describe.each(inLines)('a damaged log of $name', ({ text }) => {
  it.each(hostile)('continues after %s, and reports it', async (line) => {
    const clean = await read(text)
    const rows = text.trimEnd().split('\n')
    for (const at of [1, 3, rows.length]) {
      const log = await read([...rows.slice(0, at), line, ...rows.slice(at)].join('\n'))
      expect({ at, told: told(log) > told(clean) }).toEqual({ at, told: true })
      expect(wordsOf(log)).toEqual(expect.arrayContaining(wordsOf(clean) as string[]))
      const ids = messagesOf(log).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('reads a line of 5 MB', async () => {
    const rows = text.trimEnd().split('\n')
    const [first] = rows
    const log = await read([`${first?.slice(0, -1)},"padding":"${'x'.repeat(5_000_000)}"}`, ...rows.slice(1)].join('\n'))
    expect(messagesOf(log)).toEqual(messagesOf(await read(text)))
  })
})

/** Everything a log tells of its entries, whether it took them or not. */
function told({ sessions, skipped, unread }: ReadLog): number {
  const parts = sessions.flatMap(({ messages }) => messages.flatMap((message) => message.parts))
  const left = sessions.reduce((total, { abandoned }) => total + abandoned, 0)
  return parts.length + left + skipped.length + Object.values(unread).reduce((total, count) => total + count, 0)
}

function wordsOf(log: ReadLog): readonly string[] {
  return messagesOf(log).flatMap(({ role, parts }) =>
    parts.map(
      (part) => `${role} ${part.type} ${'text' in part ? part.text : part.type === 'tool-result' ? resultText(part) : ''}`,
    ),
  )
}
