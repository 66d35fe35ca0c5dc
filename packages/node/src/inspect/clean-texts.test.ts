import type { Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { createTextCleaner } from './clean-texts.ts'

const strings = stringsFor('en').page
const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}-AA`

describe('createTextCleaner', () => {
  it('redacts secrets and home folders in all parts of a message, and counts them', () => {
    const cleaner = createTextCleaner({ isRedacted: true, home: '/data/ada', strings })
    const cleaned = cleaner.message(
      messageOf([
        { type: 'text', text: `my key is ${key} in /home/ada/x` },
        { type: 'reasoning', text: `look at /data/ada/y and /data/adamant` },
        { type: 'tool-call', callId: 'a', tool: 'run', input: { command: 'ls /Users/ada', password: 'hunter2hunter2' } },
        { type: 'tool-call', callId: 'b', tool: 'run', input: JSON.stringify({ command: `echo ${key}` }) },
        {
          type: 'tool-result',
          callId: 'a',
          tool: 'run',
          content: { type: 'json', value: { out: [key] } },
          metadata: { path: '/home/ada' },
        },
        { type: 'tool-result', callId: 'b', tool: 'run', content: { type: 'list', items: [{ type: 'text', text: key }] } },
      ]),
      1000,
    )
    const text = JSON.stringify(cleaned)
    for (const gone of [key, 'hunter2', '/home/ada', '/Users/ada', '/data/ada/']) expect(text).not.toContain(gone)
    expect(text).toContain('/data/adamant')
    expect(cleaner.counts()).toEqual({ secrets: 5, homes: 4, texts: 0 })
  })

  it('redacts names of tools and ids, and still joins each call and its result', () => {
    const cleaner = createTextCleaner({ isRedacted: true, home: null, strings })
    const ids = [`a ${key}`, `b ${key}`]
    const calls = ids.map((callId) => ({ type: 'tool-call', callId, tool: key, input: {} }) as const)
    const results = ids.map(
      (callId) => ({ type: 'tool-result', callId, tool: key, content: { type: 'text', text: '' } }) as const,
    )
    const { parts } = cleaner.message(messageOf([...calls, ...results]), 1000)
    expect(JSON.stringify(parts)).not.toContain(key.slice(20, 40))
    const joined = parts.map((part) => ('callId' in part ? part.callId : null))
    expect([joined[2], joined[3], joined[0] === joined[1]]).toEqual([joined[0], joined[1], false])
  })

  it('leaves short messages unchanged without redaction', () => {
    const cleaner = createTextCleaner({ isRedacted: false, home: '/home/ada', strings })
    const message = messageOf([
      { type: 'text', text: `${key} /home/ada` },
      { type: 'tool-call', callId: 'a', tool: 'run', input: { password: 'hunter2' }, providerOptions: { x: { y: 1 } } },
      { type: 'media', mediaType: 'image/png', data: { url: 'data:image/png;base64,AAAA' } },
    ])
    expect(cleaner.message(message, 1000)).toEqual(message)
    expect(cleaner.counts()).toEqual({ secrets: 0, homes: 0, texts: 0 })
  })

  it('keeps the start and the end of a long text, and states what is missing', () => {
    const cleaner = createTextCleaner({ isRedacted: false, home: null, strings })
    const text = cleaner.text(`${'a'.repeat(5000)}${'b'.repeat(10_000)}${'c'.repeat(5000)}`, 400)
    expect(text).toBe(`${'a'.repeat(300)}\n${strings.cutText('19,600')}\n${'c'.repeat(100)}`)
    expect(cleaner.counts().texts).toBe(1)
  })

  it('turns a long value into text, and omits data that only providers read', () => {
    const cleaner = createTextCleaner({ isRedacted: true, home: null, strings })
    const { parts } = cleaner.message(
      messageOf([
        {
          type: 'tool-call',
          callId: 'a',
          tool: 'write',
          input: { content: 'x'.repeat(9000) },
          providerOptions: { p: { s: 'y'.repeat(9000) } },
        },
        { type: 'tool-result', callId: 'a', tool: 'write', content: { type: 'json', value: ['z'.repeat(9000)] } },
      ]),
      400,
    )
    expect(parts[0]).toEqual({
      type: 'tool-call',
      callId: 'a',
      tool: 'write',
      input: expect.stringMatching(/^\{"content":"x+\n\[… /),
    })
    expect(parts[1]).toMatchObject({ content: { type: 'text', text: expect.stringMatching(/^\["z+\n\[… /) } })
  })

  it('lets no secret through at a cut, wherever it falls', () => {
    let cutInside = 0
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 100, max: 12_000 }), (before, limit) => {
        const cleaner = createTextCleaner({ isRedacted: true, home: null, strings })
        const blanks = 'word '.repeat(3000)
        const text = `${'word '.repeat(before / 5)}\n${key}\n${blanks}`
        const cleaned = cleaner.text(text, limit)
        const start = text.indexOf(key)
        const head = limit - Math.floor(limit / 4)
        if (text.length > limit && start < head && start + key.length > head) cutInside += 1
        for (let at = 0; at + 24 <= key.length; at += 8) expect(cleaned).not.toContain(key.slice(at, at + 24))
      }),
      {
        numRuns: 300,
        examples: [
          [740, 1000],
          [8990, 12_000],
        ],
      },
    )
    expect(cutInside).toBeGreaterThan(0)
  })

  it('does not cut a character in half', () => {
    const cleaner = createTextCleaner({ isRedacted: false, home: null, strings })
    for (const limit of [401, 402, 403, 404]) expect(cleaner.text('😀'.repeat(5000), limit).isWellFormed()).toBe(true)
  })
})

function messageOf(parts: Message['parts']): Message {
  return { id: 'm', role: 'assistant', parts }
}
