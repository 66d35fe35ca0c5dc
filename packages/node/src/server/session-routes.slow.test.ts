import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message, ToolResultPart } from '@plimsoll/core'
import type { RecallAnswer } from '@plimsoll/core/session'
import { messageText } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSession } from '../session/create-session.ts'
import { openSession } from '../session/open-session.ts'
import { shownMedia } from '../shared/inspection/inspection.ts'
import type { ApiProblem, ChatMessage, FileSuggestion, SessionListRow } from '../shared/server-api.ts'
import { createLiveSessions } from './live-sessions.ts'
import { sharedReading } from './session-list.ts'
import { type SessionClient, startClient } from './testing/session-client.ts'
import { testServerOptions } from './testing/test-server-options.ts'

/** An image that is large enough to be stored as a blob. */
const image = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d494844520000001000000010080200000090916836', 'hex'),
  Buffer.alloc(5000, 7),
])

async function stored(client: SessionClient, messages: readonly Message[], title?: string): Promise<string> {
  const session = await createSession(client.options.sessions, title === undefined ? {} : { title })
  await session.append(messages.map((message) => ({ type: 'message', message })))
  await session.close()
  return session.id
}

const user = (id: string, text: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const call = (id: string, callId: string): Message => ({
  id,
  role: 'assistant',
  parts: [{ type: 'tool-call', callId, tool: 'Bash', input: { command: 'x' } }],
})
const result = (id: string, part: Omit<ToolResultPart, 'type' | 'tool'>): Message => ({
  id,
  role: 'tool',
  parts: [{ type: 'tool-result', tool: 'Bash', ...part }],
})

describe('the list of sessions', () => {
  it('includes an unreadable session in every search', async () => {
    const client = await startClient()
    const id = '20260102-030405-abcdef'
    mkdirSync(join(client.options.sessions, id, 'log.jsonl'), { recursive: true })
    const whole = await stored(client, [user('1', 'hello zebra')])
    const made = Date.UTC(2026, 0, 2, 3, 4, 5)
    const list = (await client.get('/sessions')).body as readonly SessionListRow[]
    expect(list.map((row) => row.id)).toEqual([whole, id])
    expect(list[1]).toEqual({
      id,
      title: null,
      messages: 0,
      bytes: 0,
      first: made,
      last: made,
      root: null,
      from: null,
      isBusy: false,
      isWaiting: false,
      isUnreadable: true,
    })
    expect(((await client.get('/sessions?search=zebra')).body as readonly SessionListRow[]).map((row) => row.id)).toEqual([whole])
  })

  it('is read once for all who ask during a reading, after they asked', async () => {
    const gates: PromiseWithResolvers<number>[] = []
    const ask = sharedReading(() => {
      const gate = Promise.withResolvers<number>()
      gates.push(gate)
      return gate.promise
    })
    const first = ask()
    const others = [ask(), ask(), ask()]
    gates[0]?.resolve(1)
    expect(await first).toBe(1)
    await expect.poll(() => gates.length).toBe(2)
    gates[1]?.reject(new Error('no'))
    expect(await Promise.allSettled(others)).toMatchObject(others.map(() => ({ status: 'rejected' })))
    const last = ask()
    gates[2]?.resolve(3)
    expect(await last).toBe(3)
  })

  it('is sorted by time, newest first, and searched by title, id and messages', async () => {
    const client = await startClient()
    const one = await stored(client, [user('1', 'Fix the “quoted” parser')], 'Parser')
    const two = await stored(client, [
      user('1', 'hello'),
      call('2', 'c'),
      result('3', { callId: 'c', content: { type: 'text', text: 'Ünïcode zebra' } }),
    ])
    const find = async (search: string) => {
      const { body } = await client.get(`/sessions?search=${encodeURIComponent(search)}`)
      return (body as readonly SessionListRow[]).map(({ id }) => id)
    }
    expect((await find('')).toSorted()).toEqual([one, two].toSorted())
    expect([await find('pars'), await find(two.slice(-6)), await find('ZEBRA'), await find('“quoted”')]).toEqual([
      [one],
      [two],
      [two],
      [one],
    ])
    // Messages are not searched for field names or for two letters.
    expect([await find('tool-result'), await find('ze'), await find('nowhere')]).toEqual([[], [], []])
  })

  it('omits a session without messages', async () => {
    const client = await startClient()
    const id = await client.create()
    expect((await client.get('/sessions')).body).toEqual([])
    await client.talk(id, 'run echo hello')
    const { body } = await client.get('/sessions')
    expect((body as readonly SessionListRow[]).map((row) => [row.id, row.title, row.messages, row.isBusy])).toEqual([
      [id, 'run echo hello', 4, false],
    ])
  })

  it('drops a removed session; one with a running agent cannot be removed', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    const remove = async () =>
      (await client.fetch(`/api/sessions/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } })).status
    await client.command(id, 'turn', { text: 'run sleep 60' })
    await listening.until(({ type }) => type === 'tool_call_start')
    const refused = await remove()
    await client.command(id, 'cancel', {})
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    expect([refused, await remove(), (await client.get('/sessions')).body, await remove()]).toEqual([409, 200, [], 404])
  })
})

describe('messages', () => {
  it('come in pages, the latest first; compacted ones are marked', async () => {
    const client = await startClient()
    const messages = Array.from({ length: 450 }, (_, index) => user(`m${index}`, `message ${index}`))
    const id = await stored(client, messages)
    const session = await openSession(client.options.sessions, id)
    const into: Message = { id: 'summary', role: 'user', summary: true, parts: [{ type: 'text', text: 'all of it' }] }
    const [, asked] = await session.append([
      { type: 'edits', apply: [{ id: 'f', policy: 'compact', why: 'long', kind: 'fold', first: 'm0', last: 'm299', into }] },
      { type: 'request', model: 'offline', last: 'm449', view: 'v', estimate: 900, policies: [] },
    ])
    // How full the window was is known without an agent: at first by the estimate.
    expect((await client.snapshot(id)).live.look).toMatchObject({ fill: { tokens: 900, source: 'estimate' }, cost: null })
    await session.append([
      { type: 'usage', request: asked?.id ?? '', usage: { input: 1000, cacheRead: 200, cacheWrite: 34, output: 5 } },
    ])
    await session.close()
    const { count, start, messages: latest, live, title } = await client.snapshot(id)
    expect({ count, start, last: latest.at(-1)?.number, folded: latest.filter(({ isFolded }) => isFolded).length }).toEqual({
      count: 450,
      start: 250,
      last: 449,
      folded: 50,
    })
    expect(latest.find(({ summary }) => summary !== undefined)).toEqual({
      number: 299,
      message: messages[299],
      isFolded: true,
      summary: into,
    })
    expect(live.look?.fill).toMatchObject({ tokens: 1234, source: 'usage', window: 200_000 })
    expect({ title, isBusy: live.isBusy, canResume: live.canResume }).toEqual({
      title: 'message 0',
      isBusy: false,
      canResume: true,
    })
    const { body } = await client.get(`/sessions/${id}/messages?from=248&to=251`)
    expect((body as readonly ChatMessage[]).map(({ number, message }) => [number, messageText(message)])).toEqual([
      [248, 'message 248'],
      [249, 'message 249'],
      [250, 'message 250'],
    ])
    expect((await client.get(`/sessions/${id}/messages?from=0&to=9999`)).body).toHaveLength(450)
    expect((await client.get(`/sessions/${id}/messages?from=-1`)).status).toBe(400)
  })

  it('R002-11 R002-35 have complete images when a call ends, and images named by blobs later, also after a restart', async () => {
    const client = await startClient()
    writeFileSync(join(client.options.root, 'shot.png'), image)
    const id = await client.create()
    const received = await client.talk(id, 'read shot.png')
    const end = received.find((event) => event.type === 'tool_call_end')
    const live = end?.type === 'tool_call_end' && end.data.result.content.type === 'list' ? end.data.result.content.items : []
    const [complete] = live.flatMap((item) => (item.type === 'media' ? [shownMedia(item.data)] : []))
    const url = complete !== undefined && 'url' in complete ? complete.url : ''
    expect(url === `data:image/png;base64,${image.toString('base64')}`).toBe(true)
    await client.server.close()

    const next = await startClient({ root: client.options.root, sessions: client.options.sessions })
    const { messages } = await next.snapshot(id)
    const [named] = messages.flatMap(({ message }) =>
      message.parts.flatMap((part) =>
        part.type === 'tool-result' && part.content.type === 'list'
          ? part.content.items.flatMap((item) => (item.type === 'media' ? [shownMedia(item.data)] : []))
          : [],
      ),
    )
    const sha256 = named !== undefined && 'blob' in named ? named.blob.sha256 : ''
    const response = await next.fetch(`/api/sessions/${id}/blobs/${sha256}`)
    const { headers } = response
    expect({
      bytes: Buffer.from(await response.arrayBuffer()).equals(image),
      type: headers.get('content-type'),
      sniff: headers.get('x-content-type-options'),
      disposition: headers.get('content-disposition'),
    }).toEqual({
      bytes: true,
      type: 'image/png',
      sniff: 'nosniff',
      disposition: `inline; filename="${sha256.slice(0, 12)}.png"`,
    })
  })

  it('have long results cut, which can be requested in full', async () => {
    const client = await startClient()
    const id = await client.create()
    const received = await client.talk(id, 'run seq 1 80000')
    const whole = `${Array.from({ length: 80_000 }, (_, index) => index + 1).join('\n')}\n`
    const end = received.find((event) => event.type === 'tool_call_end')
    const result = end?.type === 'tool_call_end' ? end.data.result : null
    expect(result?.content.type === 'text' ? result.content.text.length : 0).toBe(262_144)
    const callId = end?.type === 'tool_call_end' ? end.data.callId : ''
    const { messages } = await client.snapshot(id)
    const part = messages[2]?.message.parts[0]
    const cut = part?.type === 'tool-result' ? part.metadata?.['cut'] : null
    expect(cut).toEqual({ characters: expect.any(Number) })
    const response = await client.fetch(`/api/sessions/${id}/results/${callId}`)
    const text = await response.text()
    expect([
      response.headers.get('content-type'),
      text.includes(whole.slice(0, 300_000)),
      text.length >= whole.length - 1,
    ]).toEqual(['text/plain; charset=utf-8', true, true])
    expect((await client.get(`/sessions/${id}/results/nothing`)).status).toBe(404)
  })
})

describe('the content of a session', () => {
  it.each([
    ['markdown', 'text/plain; charset=utf-8', 'md'],
    ['openai-chat', 'application/json', 'json'],
    ['log', 'text/plain; charset=utf-8', 'jsonl'],
  ])('is exported as %s, without secrets if requested', async (format, type, extension) => {
    const client = await startClient()
    const id = await stored(client, [user('1', 'the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH')])
    const whole = await client.fetch(`/api/sessions/${id}/export?format=${format}`)
    const clean = await client.fetch(`/api/sessions/${id}/export?format=${format}&redact=1`)
    expect({ type: whole.headers.get('content-type'), file: whole.headers.get('content-disposition') }).toEqual({
      type,
      file: `attachment; filename="plimsoll-${id}.${extension}"`,
    })
    expect([(await whole.text()).includes('sk-ant-api03'), (await clean.text()).includes('sk-ant-api03')]).toEqual([true, false])
  })

  it('is not exported in an unknown format', async () => {
    const client = await startClient()
    const id = await stored(client, [user('1', 'hello')])
    expect((await client.get(`/sessions/${id}/export?format=docx`)).status).toBe(400)
  })

  it('is recalled by text and by handle', async () => {
    const client = await startClient()
    const text = Array.from({ length: 50 }, (_, index) => `line ${index} of the zebra`).join('\n')
    const id = await stored(client, [
      user('1', 'look'),
      call('2', 'c'),
      result('3', { callId: 'c', content: { type: 'text', text } }),
    ])
    const { body } = await client.get(`/sessions/${id}/recall?query=zebra`)
    const asked = body as RecallAnswer
    const handle = asked.kind === 'spans' ? (asked.spans[0]?.original.handle ?? '') : ''
    const found = await client.get(`/sessions/${id}/recall?handle=${handle}`)
    expect(found.body).toMatchObject({ kind: 'found', text })
    expect((await client.get(`/sessions/${id}/recall`)).status).toBe(400)
  })

  it('includes only its own blobs, and a browser executes none of them', async () => {
    const client = await startClient()
    const page = Buffer.from(`<script>alert(1)</script>${' '.repeat(6000)}`)
    const part = { type: 'media', mediaType: 'text/html', data: page.toString('base64') } as const
    const id = await stored(client, [{ id: '1', role: 'user', parts: [part] }])
    const { messages } = await client.snapshot(id)
    const [shown] = (messages[0]?.message.parts ?? []).flatMap((one) => (one.type === 'media' ? [shownMedia(one.data)] : []))
    const sha256 = shown !== undefined && 'blob' in shown ? shown.blob.sha256 : ''
    const response = await client.fetch(`/api/sessions/${id}/blobs/${sha256}`)
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'application/octet-stream',
      `attachment; filename="${sha256.slice(0, 12)}.bin"`,
    ])
    const others = [
      `${id}/blobs/${'0'.repeat(64)}`,
      `${id}/blobs/..%2flog.jsonl`,
      `..%2f${id}/blobs/${sha256}`,
      `nothing/blobs/${sha256}`,
    ]
    for (const path of others) expect((await client.get(`/sessions/${path}`)).status).toBe(404)
  })
})

describe('problems with a session', () => {
  it('a damaged session shows its intact part, and reports the damage', async () => {
    const client = await startClient()
    const id = await stored(client, [user('1', 'one'), user('2', 'two'), user('3', 'three')])
    const log = join(client.options.sessions, id, 'log.jsonl')
    truncateSync(log, readFileSync(log).length - 10)
    appendFileSync(log, '\nnonsense\n')
    const { messages, troubles } = await client.snapshot(id)
    expect(messages.map(({ message }) => messageText(message))).toEqual(['one', 'two'])
    expect(troubles.length).toBe(2)
    expect(troubles.every((text) => text.includes('ine '))).toBe(true)
  })

  it('a lost image is replaced by a message', async () => {
    const client = await startClient()
    const part = { type: 'media', mediaType: 'image/png', data: image.toString('base64') } as const
    const id = await stored(client, [user('1', 'see'), { id: '2', role: 'user', parts: [part] }])
    rmSync(join(client.options.sessions, id, 'blobs'), { recursive: true })
    const { messages, troubles } = await client.snapshot(id)
    expect([messages.length, troubles.length]).toEqual([2, 1])
    expect(messages[1]?.message.parts[0]?.type).toBe('text')
  })

  it('a session that another process has is read-only', async () => {
    const client = await startClient()
    const id = await stored(client, [user('1', 'mine')])
    const lock = join(client.options.sessions, id, 'lock')
    const holder = await openSession(client.options.sessions, id)
    onTestFinished(() => holder.close())
    expect((await client.snapshot(id)).messages.length).toBe(1)
    const { status, body } = await client.post(`/sessions/${id}/turn`, {
      text: 'hello',
    })
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { error: { code: 'SESSION_IN_USE', message: expect.stringContaining(lock) as string } },
    })
    // A refused request succeeds later, once it is possible.
    await holder.close()
    expect((await client.post(`/sessions/${id}/turn`, { text: 'hello' })).status).toBe(200)
  })

  it.each([
    ['turn', {}],
    ['turn', { text: 'x', more: 1 }],
    ['turn', null],
    ['permission', { callId: 'x', answer: { kind: 'maybe' } }],
    ['mode', { mode: 'everything' }],
    ['edits', { restore: 'x' }],
  ])('%s with %j is refused before anything is opened', async (name, body) => {
    const client = await startClient()
    const id = await stored(client, [user('1', 'hello')])
    expect((await client.post(`/sessions/${id}/${name}`, body)).status).toBe(400)
  })

  it('impossible commands and missing sessions have different errors', async () => {
    const client = await startClient()
    const id = await stored(client, [user('1', 'hello')])
    const codes = await Promise.all(
      [`${id}/dance`, `${id}/constructor`, '20260101-000000-aaaaaa/turn', '..%2f..%2fetc/turn'].map(async (path) => {
        const { status, body } = await client.post(`/sessions/${path}`, { text: 'x' })
        return [status, (body as ApiProblem).error.code]
      }),
    )
    expect(codes).toEqual([
      [404, 'NO_SUCH_COMMAND'],
      [404, 'NO_SUCH_COMMAND'],
      [404, 'SESSION_NOT_FOUND'],
      [404, 'SESSION_NOT_FOUND'],
    ])
  })
})

it('a session without clients and work is left, and opened again when needed', async () => {
  const options = testServerOptions()
  const live = createLiveSessions({ ...options, idleMs: 500 })
  onTestFinished(live.closeAll)
  const { id, turn } = await live.create(undefined)
  const end = live.subscribe(id)(null, () => undefined)
  turn('run echo hello')
  await expect.poll(() => live.find(id)?.isBusy()).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(live.find(id)).not.toBeNull()
  end()
  await expect.poll(() => live.find(id)).toBeNull()
  const again = await live.open(id)
  expect(again.agent.session.state().messages.length).toBe(4)
})

it('a client of a session that is removed in another tab gets a reset, and then a 404', async () => {
  const client = await startClient()
  const id = await client.create()
  await client.talk(id, 'run echo one')
  const listening = await client.listen(id, (await client.snapshot(id)).event)
  await client.fetch(`/api/sessions/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } })
  await listening.until(({ type }) => type === 'reset')
  expect((await client.get(`/sessions/${id}`)).status).toBe(404)
})

it('a session dated after the last day of the calendar does not break the list', async () => {
  const client = await startClient()
  const id = await stored(client, [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'hello' }] }])
  const log = join(client.options.sessions, id, 'log.jsonl')
  writeFileSync(log, readFileSync(log, 'utf8').replaceAll(/"at":\d+/g, '"at":9007199254740991'))
  const { body } = await client.get('/sessions')
  expect((body as readonly SessionListRow[]).map(({ last }) => new Date(last).toISOString())).toEqual([
    '+275760-09-13T00:00:00.000Z',
  ])
})

it('a session without an agent is opened once for concurrent requests', async () => {
  const before = await startClient()
  const id = await before.create()
  await before.talk(id, 'run echo zero')
  await before.server.close()
  const client = await startClient({ root: before.options.root, sessions: before.options.sessions })
  const asked = ['one', 'two', 'three'].map((text) => client.post(`/sessions/${id}/turn`, { text: `run echo ${text}` }))
  expect(await Promise.all(asked)).toEqual([
    { status: 200, body: { queued: false } },
    { status: 200, body: { queued: true } },
    { status: 200, body: { queued: true } },
  ])
  await client.server.close()
  const session = await openSession(client.options.sessions, id)
  await session.close()
})

it.runIf(process.platform === 'linux')('a HEAD request leaves no file open', async () => {
  const client = await startClient()
  const id = await client.create()
  await client.talk(id, 'run echo one')
  const opened = () => openFiles(client.options.sessions)
  // The log and the file that says where it ends.
  await expect.poll(opened).toBe(2)
  const { status } = await client.ask(`/api/sessions/${id}/export?format=markdown`, { method: 'HEAD' })
  expect({ status, opened: opened() }).toEqual({ status: 200, opened: 2 })
})

/** How many files below a folder this process holds open. */
function openFiles(folder: string): number {
  const names = readdirSync('/proc/self/fd').map((number) => {
    try {
      return readlinkSync(join('/proc/self/fd', number))
    } catch {
      // That of the list itself.
      return ''
    }
  })
  return names.filter((name) => name.startsWith(folder)).length
}

it('files of the workspace are found by a few letters, with the tokens it takes to read them', async () => {
  const client = await startClient()
  mkdirSync(join(client.options.root, 'src'))
  writeFileSync(join(client.options.root, 'src', 'my view.ts'), 'export const view = 1\n')
  writeFileSync(join(client.options.root, 'other.bin'), Buffer.from([0, 1, 2]))
  const { body } = await client.get('/files?search=view')
  expect(body).toEqual([{ path: 'src/my view.ts', text: '@"src/my view.ts" ', tokens: expect.any(Number) }])
  const [other] = (await client.get('/files?search=other')).body as readonly FileSuggestion[]
  expect(other?.tokens).toBeNull()
})
