import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Message, type Part, resultText } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import { readSession } from './open-session.ts'
import { pathsOf } from './session-folder.ts'
import { temporarySessions } from './testing/sessions.ts'

const bytes = Buffer.from(Uint8Array.from({ length: 6000 }, (_, index) => (index * index * 31) & 255))
const base64 = bytes.toString('base64')

function entryOf(id: string, ...parts: readonly Part[]): NewEntry {
  return { type: 'message', message: { id, role: 'user', parts } }
}

function image(data: unknown): Part {
  return { type: 'media', mediaType: 'image/png', data }
}

function result(content: (Part & { type: 'tool-result' })['content']): Part {
  return { type: 'tool-result', callId: 'c', tool: 'x', content }
}

/** Writes entries, and returns the session as the next process finds it. */
async function stored(entries: readonly NewEntry[]) {
  const sessions = temporarySessions()
  const session = await createSession(sessions)
  await session.append(entries)
  await session.close()
  const { log, blobs } = pathsOf(session.folder)
  return {
    log: readFileSync(log, 'utf8'),
    files: readdirSync(blobs),
    blobs,
    sessions,
    id: session.id,
    read: () => readSession(sessions, session.id),
  }
}

async function partsOf({ read }: Awaited<ReturnType<typeof stored>>): Promise<readonly Part[]> {
  const session = await read()
  const parts = session.state().messages.flatMap((message) => message.parts)
  await session.close()
  return parts
}

describe('binary content', () => {
  it.each<[string, Part, Buffer]>([
    ['base64', image(base64), bytes],
    ['base64 without padding', image(bytes.toString('base64url')), bytes],
    ['a data URL', image({ url: `data:image/png;base64,${base64}` }), bytes],
    ['base64 deep inside', image({ source: { type: 'base64', data: [base64] } }), bytes],
    ['bytes', image(new Uint8Array(bytes)), bytes],
    ['a few bytes', image({ image: new Uint8Array([1, 2, 3]) }), Buffer.from([1, 2, 3])],
    ['base64 that no encoder writes', image(`${base64.slice(0, -2)}B=`), Buffer.from(`${base64.slice(0, -2)}B=`)],
    ['a data URL with line ends', image(`data:x/y;base64,${base64}\n`), Buffer.from(`data:x/y;base64,${base64}\n`)],
    ['a field of a result', result({ type: 'json', value: { metadata: { imageBase64: base64 } } }), bytes],
    ['an argument', { type: 'tool-call', callId: 'c', tool: 'x', input: { data: base64 } }, bytes],
    ['an image in a result', result({ type: 'list', items: [{ type: 'media', mediaType: 'x', data: base64 }] }), bytes],
  ])('Q-6 as %s is kept as a file by its hash and comes back bit for bit', async (_, part, content) => {
    const session = await stored([entryOf('m1', part)])
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(session.files).toEqual([sha256])
    expect(readFileSync(join(session.blobs, sha256))).toEqual(content)
    expect(session.log).not.toContain(base64.slice(0, 100))
    expect(await partsOf(session)).toEqual([part])
  })

  it.each<[string, unknown]>([
    ['short base64', base64.slice(0, 4000)],
    ['prose', 'some words of it. '.repeat(500)],
    ['a stream of events', `data: {"a":1}\n\n`.repeat(500)],
    ['half a character in a data URL', `data:x/y;base64,${base64}\ud800`],
  ])('%s stays in the log', async (_, data) => {
    const session = await stored([entryOf('m1', image(data))])
    expect(session.files).toEqual([])
    expect(await partsOf(session)).toEqual([image(data)])
  })

  it('is stored once if it appears twice', async () => {
    const session = await stored([entryOf('m1', image(base64)), entryOf('m2', image({ again: base64 }), image(base64))])
    expect(session.files).toHaveLength(1)
    expect(await partsOf(session)).toEqual([image(base64), image({ again: base64 }), image(base64)])
  })

  it('of every kind comes back as it was', async () => {
    const texts = fc.oneof(
      fc.uint8Array({ minLength: 3000, maxLength: 4000 }).map((some) => Buffer.from(some).toString('base64')),
      fc
        .uint8Array({ minLength: 3000, maxLength: 4000 })
        .map((some) => `data:a/b;base64,${Buffer.from(some).toString('base64url')}`),
      fc.string({ unit: fc.constantFrom('A', 'b', '/', '+', '-', '_', '='), minLength: 4090, maxLength: 4110 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        texts,
        fc.uint8Array({ maxLength: 9 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    let moved = 0
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 4 }), async (list) => {
        const parts = list.map(image)
        const session = await stored([entryOf('m1', ...parts)])
        moved += session.files.length
        expect(await partsOf(session)).toEqual(parts)
      }),
      { numRuns: 40 },
    )
    expect(moved).toBeGreaterThan(20)
  })
})

describe('a result over 1 MB', () => {
  const log = Array.from({ length: 40_000 }, (_, line) =>
    line === 20_000 ? 'Error: the disk is on fire' : `line ${line} of a very long log, all well`,
  ).join('\n')
  const texts = ['first', log.slice(0, 700_000), log.slice(700_000)]

  it.each<[string, Part & { type: 'tool-result' }]>([
    ['text', { type: 'tool-result', callId: 'c', tool: 'Bash', isError: true, content: { type: 'text', text: log } }],
    ['Chinese text', { type: 'tool-result', callId: 'c', tool: 'Bash', content: { type: 'text', text: '日志'.repeat(200_000) } }],
    [
      'text with half a character',
      { type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: `${log}\ud800` } },
    ],
    [
      'JSON',
      {
        type: 'tool-result',
        callId: null,
        tool: 'x',
        content: { type: 'json', value: { stdout: log, deep: [1, null, { a: 'b' }] } },
      },
    ],
    [
      'a list',
      {
        type: 'tool-result',
        callId: 'c',
        tool: 'x',
        content: {
          type: 'list',
          items: [
            { type: 'text', text: texts[0] ?? '' },
            { type: 'media', mediaType: 'image/png', data: base64 },
            { type: 'text', text: texts[1] ?? '' },
            { type: 'text', text: texts[2] ?? '' },
          ],
        },
      },
    ],
  ])('as %s is kept as a file, its line holds an extract, and the whole comes back bit for bit', async (_, part) => {
    const session = await (await stored([entryOf('m1', part)])).read()
    const [extract] = session.state().messages[0]?.parts ?? []
    if (extract?.type !== 'tool-result') throw new Error('expected a result')
    expect(resultText(extract).length).toBeLessThan(65_000)
    expect(resultText(extract)).toContain(`recall ${extract.blob?.handle}]`)
    expect(session.whole(extract)).toEqual({ part })
    expect({ ...extract, content: null, blob: null }).toEqual({ ...part, content: null, blob: null })
    await session.close()
  })

  it('shows the failed line', async () => {
    const session = await stored([entryOf('m1', result({ type: 'text', text: log }))])
    expect(JSON.stringify(await partsOf(session))).toContain('20001: Error: the disk is on fire')
    expect(session.log.length).toBeLessThan(70_000)
  })

  it('stays in the log if it has exactly 1 MB', async () => {
    const part = result({ type: 'text', text: 'a b '.repeat(250_000) })
    const session = await stored([entryOf('m1', part)])
    expect(session.files).toEqual([])
    expect(await partsOf(session)).toEqual([part])
  })
})

describe('a blob', () => {
  const large = result({ type: 'text', text: 'a line of it\n'.repeat(100_000) })
  const entries = [entryOf('m1', image(base64)), entryOf('m2', { type: 'text', text: 'between' }), entryOf('m3', large)]

  it.each<[string, (file: string) => void, string]>([
    ['that is lost', (file) => rmSync(file), 'missing'],
    ['with a flipped bit', (file) => flip(file), 'damaged'],
    ['that is empty', (file) => writeFileSync(file, ''), 'damaged'],
  ])('%s is named with what to do, and the rest of the session is there', async (_, damage, word) => {
    const before = await stored(entries)
    for (const name of before.files) damage(join(before.blobs, name))
    const session = await before.read()
    const { messages } = session.state()
    expect(messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3'])
    expect(messages[0]?.parts).toMatchObject([
      { type: 'text', text: expect.stringContaining('6000 bytes that cannot be recalled') },
    ])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(session.troubles()).toMatchObject([
      { kind: 'blob', line: 2, message: expect.stringContaining(join(before.blobs, sha256)) },
    ])
    expect(session.troubles()[0]?.message).toContain(word)
    expect(session.troubles()[0]?.message).toContain('from a backup')
    const [extract] = messages[2]?.parts ?? []
    expect(extract?.type === 'tool-result' && session.whole(extract)).toEqual({ trouble: expect.stringContaining(word) })
    await session.close()
  })

  it('is repaired by the next append of the same content if it was damaged', async () => {
    const sessions = temporarySessions()
    const first = await createSession(sessions)
    await first.append([entryOf('m1', image(base64))])
    const { blobs } = pathsOf(first.folder)
    const [name = ''] = readdirSync(blobs)
    flip(join(blobs, name))
    await first.close()
    const again = await (await import('./open-session.ts')).openSession(sessions, first.id)
    await again.append([entryOf('m2', image(base64))])
    expect(again.state().messages.map((message: Message) => message.parts)).toEqual([[image(base64)], [image(base64)]])
    await again.close()
  })

  it('is written before the entry that names it: an append that cannot write it writes nothing', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const { blobs, log } = pathsOf(session.folder)
    rmSync(blobs, { recursive: true })
    // A file instead of the folder: nothing can be written there, not even by root.
    writeFileSync(blobs, '')
    chmodSync(blobs, 0o600)
    const before = readFileSync(log)
    await expect(session.append([entryOf('m1', image(base64))])).rejects.toMatchObject({
      problem: { kind: 'cannot-write', file: blobs },
    })
    expect(readFileSync(log)).toEqual(before)
    rmSync(blobs)
    await session.append([entryOf('m1', image(base64))])
    expect(session.state().messages).toHaveLength(1)
    await session.close()
  })

  it('does no harm with an invalid hash or a missing place', async () => {
    const before = await stored([entryOf('m1', { type: 'text', text: 'hi' })])
    const { log } = pathsOf(join(before.sessions, before.id))
    const line = (id: string, blobs: unknown, parent: string) =>
      JSON.stringify({
        type: 'message',
        id,
        parentId: parent,
        at: 1,
        message: { id, role: 'user', parts: [{ type: 'text', text: 'x' }] },
        blobs,
      })
    const sha256 = '0'.repeat(64)
    writeFileSync(
      log,
      [
        before.log.trimEnd(),
        line('a', [{ path: ['message', 'parts', 0, 'text'], sha256: '../../../etc/passwd', bytes: 1, form: 'text' }], 'm1'),
        line('b', [{ path: ['__proto__', 'polluted'], sha256, bytes: 1, form: 'text' }], 'a'),
        line('c', [{ path: [], sha256, bytes: 1, form: 'text' }, 7, null], 'b'),
        line('d', 'blobs', 'c'),
        line('e', [{ path: ['message', 'parts', 0], sha256, bytes: 1, form: 'bytes' }], 'd'),
        '',
      ].join('\n'),
    )
    const session = await readSession(before.sessions, before.id)
    expect(session.state().messages.map(({ id }) => id)).toEqual(['m1', 'a', 'b', 'c', 'd'])
    expect({}).not.toHaveProperty('polluted')
    expect(
      session.whole({
        type: 'tool-result',
        callId: null,
        tool: null,
        content: { type: 'text', text: '' },
        blob: { sha256: '../x', bytes: 1 },
      }),
    ).toMatchObject({ trouble: expect.any(String) })
    await session.close()
  })
})

function flip(file: string): void {
  const content = readFileSync(file)
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1
  writeFileSync(file, content)
}
