import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import { messageText } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createModelClient } from '../model/create-client.ts'
import { type ScriptedAnswer, startOpenAiServer } from '../model/testing/openai-server.ts'
import { openSession, readSession } from '../session/open-session.ts'
import type { ChatMessage, LiveState, SessionEvent, SessionListRow } from '../shared/server-api.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { type SessionClient, startClient } from './testing/session-client.ts'
import { type TestServerOptions, testServerOptions } from './testing/test-server-options.ts'

const refusals = stringsFor('en').server.sessions

/** A client of a server whose model answers from a script. */
async function scripted(
  answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]],
  given: TestServerOptions = {},
): Promise<SessionClient> {
  const model = await startOpenAiServer(...answers)
  onTestFinished(model.close)
  const options = testServerOptions(given)
  const environment = { ...options.environment, OPENAI_API_KEY: 'not-a-real-key' }
  const client = (name: string) => createModelClient({ name, url: model.url, environment, config: options.config })
  const defaultModel = client('test')
  const { agents } = options
  return startClient({
    ...given,
    root: options.root,
    sessions: options.sessions,
    agents: {
      ...agents,
      defaultModel,
      model: (name) => Promise.resolve(client(name)),
      start: (start) => agents.start({ ...start, model: start.model ?? defaultModel }),
    },
  })
}

const fine: ScriptedAnswer = { kind: 'text', text: 'Fine.' }
const tooLong: ScriptedAnswer = {
  kind: 'body',
  status: 400,
  body: '{"error":{"message":"This model\'s maximum context length is 4096 tokens. However, you requested 9000 tokens.","code":"context_length_exceeded"}}',
}

function texts(messages: readonly { readonly message: Message }[]): readonly string[] {
  return messages.map(({ message }) => `${message.role}: ${messageText(message)}`)
}

/** The events that a client gets after reading the session. A reset among them would make it read again, forever. */
async function receivedAgain(client: SessionClient, id: string): Promise<readonly string[]> {
  const listening = await client.listen(id, (await client.snapshot(id)).event)
  await client.command(id, 'mode', { mode: 'read-only' })
  await listening.until((event) => event.type === 'live' && event.data.mode === 'read-only')
  await client.command(id, 'mode', { mode: 'auto' })
  listening.stop()
  return listening.received.map(({ event }) => event.type)
}

const isQuiet = (event: SessionEvent) => event.type === 'live' && !event.data.isBusy

describe('a turn', () => {
  it('waits for the running one, and all clients see the queue', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    const first = await client.command(id, 'turn', { text: 'run sleep 0.3' })
    const second = await client.command(id, 'turn', { text: 'run echo second' })
    const queued = await listening.until((event) => event.type === 'live' && event.data.queue.length > 0)
    await listening.until((event) => event.type === 'said' && event.data.text === 'run echo second')
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { messages } = await client.snapshot(id)
    expect([first, second, queued.type === 'live' ? queued.data.queue : null]).toEqual([
      { queued: false },
      { queued: true },
      ['run echo second'],
    ])
    expect(texts(messages).filter((text) => text.startsWith('user'))).toEqual(['user: run sleep 0.3', 'user: run echo second'])
  })

  it('reads with its next request what the user said to steer it', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run sleep 0.3' })
    await listening.until(({ type }) => type === 'tool_call_start')
    expect(await client.command(id, 'turn', { text: 'Stay in port.', steer: true })).toEqual({ queued: true })
    await listening.until((event) => event.type === 'said' && event.data.text === 'Stay in port.')
    await listening.until(({ type }) => type === 'turn_end')
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { messages, live } = await client.snapshot(id)
    const roles = messages.map(({ message }) => message.role)
    const turns = listening.received.filter(({ event }) => event.type === 'turn_end').length
    expect([roles, live.queue, turns]).toEqual([['user', 'assistant', 'tool', 'user', 'assistant'], [], 1])
  })

  it('can be stopped in the middle of a command, and returns queued messages', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run sleep 60' })
    await client.command(id, 'turn', { text: 'later' })
    await listening.until(({ type }) => type === 'tool_call_start')
    expect(await client.command(id, 'cancel', {})).toEqual({ queue: ['later'] })
    const end = await listening.until(({ type }) => type === 'turn_end')
    expect(end.type === 'turn_end' ? end.data.outcome : null).toBe('cancelled')
    await listening.until(
      isQuiet,
      listening.received.findIndex(({ event }) => event.type === 'turn_end'),
    )
    const { live, messages } = await client.snapshot(id)
    expect({ ...live, model: null, look: null }).toEqual({
      isBusy: false,
      since: null,
      permission: null,
      model: null,
      mode: 'auto',
      queue: [],
      look: null,
      overflow: null,
      canResume: true,
    } satisfies Omit<LiveState, 'model'> & { model: null })
    expect(messages.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool'])
  })

  it('keeps its end, its errors and notices in the log, for a page that is loaded later and for the next server', async () => {
    const failing: ScriptedAnswer = { kind: 'body', status: 401, body: '{"error":{"message":"wrong key"}}' }
    const client = await scripted([fine, failing])
    const id = await client.create()
    await client.talk(id, 'hello')
    await client.talk(id, 'and now')
    const kept = (messages: readonly ChatMessage[]) =>
      messages.map(({ message, notes = [] }) => [
        message.role,
        ...notes.map(
          ({ type, data }) => `${type} ${'outcome' in data ? data.outcome : 'code' in data ? data.code : data.callId}`,
        ),
      ])
    const { messages, event } = await client.snapshot(id)
    // The events of the failed turn are sent again, with the beginning of its answer, so that they are not in the snapshot.
    expect(kept(messages)).toEqual([['user'], ['assistant', 'turn_end finished'], ['user']])
    const listening = await client.listen(id, event)
    await listening.until(({ type }) => type === 'turn_end')
    listening.stop()
    await client.server.close()
    const next = await startClient({ sessions: client.options.sessions })
    const again = await next.snapshot(id)
    expect(kept(again.messages)).toEqual([
      ['user'],
      ['assistant', 'turn_end finished'],
      ['user', 'error KEY_REFUSED', 'turn_end failed'],
    ])
    expect(again.live.canResume).toBe(true)
    const [end] = again.messages[1]?.notes ?? []
    expect(end?.type === 'turn_end' ? Object.keys(end.data).sort() : []).toEqual([
      'cost',
      'durationMs',
      'outcome',
      'steps',
      'text',
      'usage',
    ])
  })

  it('keeps how long a call took', async () => {
    let time = 0
    const client = await startClient({ now: () => (time += 100) })
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.talk(id, 'list')
    const ended = await listening.until(({ type }) => type === 'tool_call_end')
    const { messages } = await client.snapshot(id)
    const { callId, durationMs } = ended.type === 'tool_call_end' ? ended.data : { callId: '', durationMs: 0 }
    expect(durationMs).toBeGreaterThanOrEqual(100)
    const notes = messages.flatMap(({ notes: all = [] }) => all.filter(({ type }) => type === 'tool_call_end'))
    expect(notes).toEqual([{ id: expect.any(String), type: 'tool_call_end', data: { callId, durationMs } }])
  })

  it('does not count the time that it waits for the user', async () => {
    let time = 1_000_000
    const client = await startClient({ now: () => time, config: { agent: { mode: 'ask' } } })
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run echo hello' })
    const asked = await listening.until((event) => event.type === 'permission' && event.data !== null)
    const callId = asked.type === 'permission' ? (asked.data?.callId ?? '') : ''
    time += 600_000
    await client.command(id, 'permission', { callId, answer: { kind: 'once' } })
    const end = await listening.until(({ type }) => type === 'turn_end')
    expect(end.type === 'turn_end' ? end.data.durationMs : null).toBe(0)
  })

  it('reports how full the window is when it ends', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run echo hello')
    const { live } = await client.snapshot(id)
    const { fill, cost } = live.look ?? { fill: null, cost: null }
    const sum = Object.values(fill?.categories ?? {}).reduce((all, tokens) => all + tokens, 0)
    expect(cost).toEqual({ dollars: 0, unpriced: 2 })
    expect(sum).toBe(fill?.tokens)
    expect(fill?.categories.tools).toBeGreaterThan(100)
    expect(fill?.results.map(({ tool }) => tool)).toEqual(['Bash'])
  })

  it('is refused without a message', async () => {
    const client = await startClient()
    const id = await client.create()
    const { status, body } = await client.post(`/sessions/${id}/turn`, { text: ' \n' })
    expect([status, body]).toEqual([
      422,
      { error: { code: 'NOTHING_SAID', message: 'There is no text to send.', suggestion: 'Write something first.' } },
    ])
  })
})

describe('permissions', () => {
  it('need one answer from any tab, and are remembered as given', async () => {
    const client = await startClient({ config: { agent: { mode: 'ask' } } })
    const id = await client.create()
    const [one, other] = [await client.listen(id, null), await client.listen(id, null)]
    await client.command(id, 'turn', { text: 'run echo yes' })
    const asked = await one.until((event) => event.type === 'permission' && event.data !== null)
    const request = asked.type === 'permission' ? asked.data : null
    expect((await client.snapshot(id)).live.permission).toEqual(request)
    expect({ tool: request?.tool, about: request?.about }).toEqual({ tool: 'Bash', about: 'echo yes' })
    const isWaiting = async () => ((await client.get('/sessions')).body as readonly SessionListRow[])[0]?.isWaiting
    expect(await isWaiting()).toBe(true)
    await client.command(id, 'permission', { callId: request?.callId ?? '', answer: { kind: 'once' } })
    const withdrawn = other.received.findIndex(({ event }) => event.type === 'permission')
    await other.until((event) => event.type === 'permission' && event.data === null, withdrawn)
    expect(await isWaiting()).toBe(false)
    const end = await other.until(({ type }) => type === 'tool_call_end')
    expect(end.type === 'tool_call_end' && end.data.isError).toBe(false)
    const late = await client.post(`/sessions/${id}/permission`, { callId: request?.callId ?? '', answer: { kind: 'once' } })
    expect([late.status, late.body]).toEqual([409, { error: { code: 'NO_QUESTION', ...refusals.NO_QUESTION } }])
  })

  it('give the model the reason if refused, and may stop the turn', async () => {
    const client = await startClient({ config: { agent: { mode: 'ask' } } })
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run touch made' })
    const asked = await listening.until((event) => event.type === 'permission' && event.data !== null)
    const callId = asked.type === 'permission' ? (asked.data?.callId ?? '') : ''
    await client.command(id, 'permission', { callId, answer: { kind: 'no', reason: 'not here' }, stop: true })
    const end = await listening.until(({ type }) => type === 'turn_end')
    expect(end.type === 'turn_end' ? end.data.outcome : null).toBe('cancelled')
    expect(existsSync(join(client.options.root, 'made'))).toBe(false)
  })

  it('disappear when the turn is stopped', async () => {
    const client = await startClient({ config: { agent: { mode: 'ask' } } })
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run touch made' })
    await listening.until((event) => event.type === 'permission' && event.data !== null)
    await client.command(id, 'cancel', {})
    await listening.until(({ type }) => type === 'turn_end')
    expect((await client.snapshot(id)).live.permission).toBeNull()
  })

  it('follow the mode, which can be changed at any time', async () => {
    const client = await startClient({ config: { agent: { mode: 'ask' } } })
    const id = await client.create()
    await client.command(id, 'mode', { mode: 'auto' })
    await client.talk(id, 'run touch made')
    expect([existsSync(join(client.options.root, 'made')), (await client.snapshot(id)).live.mode]).toEqual([true, 'auto'])
  })
})

describe('rewinding', () => {
  it('removes messages from the branch, returns their text, and notifies every tab', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run echo one')
    await client.talk(id, 'run echo two')
    const listening = await client.listen(id, null)
    const { messages } = await client.snapshot(id)
    const before = messages.findLast(({ message }) => message.role === 'user')?.message.id ?? ''
    expect(await client.command(id, 'rewind', { before })).toEqual({ text: 'run echo two', dropped: 4 })
    const changed = await listening.until(({ type }) => type === 'changed')
    expect(changed).toEqual({ type: 'changed', data: { what: 'rewind' } })
    expect((await client.snapshot(id)).count).toBe(4)
    expect(await receivedAgain(client, id)).not.toContain('changed')
    const gone = await client.post(`/sessions/${id}/rewind`, { before })
    expect(gone.status).toBe(404)
  })

  it('is refused while the agent is running', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run sleep 60' })
    await listening.until(({ type }) => type === 'tool_call_start')
    const { messages } = await client.snapshot(id)
    const { status, body } = await client.post(`/sessions/${id}/rewind`, { before: messages[0]?.message.id })
    expect([status, body]).toEqual([409, { error: { code: 'BUSY', ...refusals.BUSY } }])
    await client.command(id, 'cancel', {})
  })

  it('into a separate session leaves the old one unchanged', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run echo one')
    await client.talk(id, 'run echo two')
    const { messages } = await client.snapshot(id)
    const { session: part } = await client.command(id, 'fork', { before: messages[4]?.message.id ?? '' })
    const { session: all } = await client.command(id, 'fork', {})
    const [first, second] = [await client.snapshot(part), await client.snapshot(all)]
    expect({ counts: [first.count, second.count], from: first.from }).toEqual({
      counts: [4, 8],
      from: { session: id, reason: 'fork' },
    })
    await client.talk(part, 'run echo three')
    expect([(await client.snapshot(id)).count, (await client.snapshot(part)).count]).toEqual([8, 8])
  })
})

describe('a log that cannot be written to', () => {
  it('loses no message sent meanwhile: it stays queued and is sent once writing works again', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run echo zero')
    const log = join(client.options.sessions, id, 'log.jsonl')
    const listening = await client.listen(id, null)
    renameSync(log, `${log}.away`)
    await client.command(id, 'turn', { text: 'run echo one' })
    await listening.until((event) => event.type === 'error' && event.data.code === 'SESSION_FAILED')
    await listening.until(isQuiet)
    const { live } = await client.snapshot(id)
    expect([live.queue, live.canResume]).toEqual([['run echo one'], true])
    renameSync(`${log}.away`, log)
    await client.command(id, 'turn', { text: 'run echo two' })
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { messages } = await client.snapshot(id)
    const said = texts(messages).filter((text) => text.startsWith('user'))
    expect(said).toEqual(['user: run echo zero', 'user: run echo two', 'user: run echo one'])
  })

  it('sends no queued message before it is asked to continue', async () => {
    const client = await startClient()
    const id = await client.create()
    const log = join(client.options.sessions, id, 'log.jsonl')
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run sleep 0.3' })
    await client.command(id, 'turn', { text: 'run echo one' })
    await client.command(id, 'turn', { text: 'run echo two' })
    await listening.until(({ type }) => type === 'tool_call_start')
    renameSync(log, `${log}.away`)
    await listening.until((event) => event.type === 'error' && event.data.code === 'SESSION_FAILED')
    await listening.until(isQuiet)
    expect((await client.snapshot(id)).live.queue).toEqual(['run echo one', 'run echo two'])
    renameSync(`${log}.away`, log)
    // The last event of a turn comes a moment before the session takes commands again.
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    await client.command(id, 'resume', {})
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { messages, live } = await client.snapshot(id)
    const said = texts(messages).filter((text) => text.startsWith('user'))
    expect([said, live.queue]).toEqual([['user: run sleep 0.3', 'user: run echo one', 'user: run echo two'], []])
  })
})

describe('a conversation that is too long', () => {
  const config = { overflow: { auto_recover: false } }

  it('R002-20 R002-32 waits for the user to choose, and continues in a new session', async () => {
    const client = await scripted([tooLong, fine], { config })
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.talk(id, 'Explain all of it')
    const { live } = await client.snapshot(id)
    expect({ code: live.overflow?.code, canResume: live.canResume }).toEqual({
      code: 'CONTEXT_LENGTH_EXCEEDED',
      canResume: true,
    })
    const { session } = await client.command(id, 'hand-over', {})
    expect(await listening.until(({ type }) => type === 'moved')).toEqual({ type: 'moved', data: { session } })
    await expect.poll(async () => (await client.snapshot(session)).live.isBusy).toBe(false)
    const { messages, from } = await client.snapshot(session)
    expect({ from, last: texts(messages).at(-1) }).toEqual({
      from: { session: id, reason: 'compaction' },
      last: 'assistant: Fine.',
    })
    expect((await client.snapshot(id)).live.overflow).toBeNull()
    expect(await receivedAgain(client, id)).not.toContain('moved')
  })

  it('R002-32 continues in a new session even if the only message is the one that was too long', async () => {
    const client = await scripted([tooLong, fine], { config })
    const id = await client.create()
    await client.talk(id, `Explain ${'all of it '.repeat(5000)}`)
    const { session } = await client.command(id, 'hand-over', {})
    await expect.poll(async () => (await client.snapshot(session)).live.isBusy).toBe(false)
    const { messages, live } = await client.snapshot(session)
    expect({ roles: messages.map(({ message, isFolded }) => [message.role, isFolded]), canResume: live.canResume }).toEqual({
      roles: [
        ['user', true],
        ['assistant', false],
      ],
      canResume: false,
    })
    const { session: next } = await client.command(session, 'hand-over', {})
    expect((await client.snapshot(next)).live).toMatchObject({ isBusy: false, canResume: false })
  })

  it('still waits for the user after the session was left, and after another server has opened it', async () => {
    const client = await scripted([tooLong], { config })
    const id = await client.create()
    await client.talk(id, 'Explain all of it')
    await client.server.close()
    const next = await startClient({ sessions: client.options.sessions })
    const waiting = async () => (await next.snapshot(id)).live.overflow?.code ?? null
    expect(await waiting()).toBe('CONTEXT_LENGTH_EXCEEDED')
    // With an agent, which this opens.
    await next.command(id, 'mode', { mode: 'auto' })
    expect(await waiting()).toBe('CONTEXT_LENGTH_EXCEEDED')
    await next.talk(id, 'list')
    expect(await waiting()).toBeNull()
    await next.server.close()
    const last = await startClient({ sessions: client.options.sessions })
    expect((await last.snapshot(id)).live.overflow).toBeNull()
  })

  it('can be answered by another model', async () => {
    const client = await scripted([tooLong, fine], { config })
    const id = await client.create()
    await client.talk(id, 'Explain all of it')
    const { name } = await client.command(id, 'model', { name: 'larger', thenResume: true })
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { live, messages } = await client.snapshot(id)
    expect([name, live.model.name, live.overflow, texts(messages).at(-1)]).toEqual(['larger', 'larger', null, 'assistant: Fine.'])
  })

  it('can be switched to another model without an answer yet', async () => {
    const client = await scripted([tooLong, fine], { config })
    const id = await client.create()
    await client.talk(id, 'Explain all of it')
    await client.command(id, 'model', { name: 'larger' })
    expect((await client.snapshot(id)).live.overflow?.code).toBe('CONTEXT_LENGTH_EXCEEDED')
    expect(await receivedAgain(client, id)).not.toContain('changed')
    await client.command(id, 'resume', {})
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    expect((await client.snapshot(id)).live.overflow).toBeNull()
  })

  it('is compacted and tried again', async () => {
    const client = await scripted([fine, fine, fine, tooLong, fine], { config })
    const id = await client.create()
    for (const text of ['one', 'two', 'three']) await client.talk(id, `${text} ${'word '.repeat(2000)}`)
    await client.talk(id, 'four')
    await client.command(id, 'compact', { thenResume: true })
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { messages, live } = await client.snapshot(id)
    expect({ last: texts(messages).at(-1), overflow: live.overflow }).toEqual({ last: 'assistant: Fine.', overflow: null })
    expect(messages.filter(({ isFolded }) => isFolded).length).toBeGreaterThan(1)
    expect(messages.filter(({ summary }) => summary !== undefined).length).toBe(1)
  })

  it('keeps messages queued until the user has chosen', async () => {
    const client = await scripted([{ kind: 'raw', pieces: [300], ending: 'break' }, tooLong, fine], { config })
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'first' })
    await client.command(id, 'turn', { text: 'second' })
    await listening.until(({ type }) => type === 'turn_end')
    await expect.poll(async () => (await client.snapshot(id)).live.isBusy).toBe(false)
    const { live } = await client.snapshot(id)
    expect([live.overflow?.code, live.queue]).toEqual(['CONTEXT_LENGTH_EXCEEDED', ['second']])
  })
})

describe('edits', () => {
  it('can be undone, which pins their message; pins can be set and removed', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run seq 1 20000')
    const session = await readSession(client.options.sessions, id)
    const edit = session.state().edits.find(({ kind }) => kind === 'replace')
    await session.close()
    expect(edit).toBeDefined()
    await client.command(id, 'edits', { restore: [edit?.id ?? ''] })
    const message = edit?.kind === 'replace' ? edit.message : ''
    const after = await readSession(client.options.sessions, id)
    expect(after.state().pins).toEqual([message])
    await after.close()
    await client.command(id, 'edits', { unpin: [message] })
    const last = await readSession(client.options.sessions, id)
    expect(last.state().pins).toEqual([])
    await last.close()
    const again = await client.post(`/sessions/${id}/edits`, { restore: ['nothing'] })
    expect([again.status, (await client.post(`/sessions/${id}/edits`, { pin: ['nothing'] })).status]).toEqual([404, 404])
  })
})

describe('hiding', () => {
  it('says what it costs, takes the result out of the next request, and can be undone', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run seq 1 2000')
    const read = async () => {
      const session = await readSession(client.options.sessions, id)
      await session.close()
      return session.state()
    }
    const message = (await read()).messages.find(({ role }) => role === 'tool')?.id ?? ''
    const cost = await client.post(`/sessions/${id}/hiding-cost`, { message })
    expect(cost.body).toMatchObject({ saved: expect.any(Number), rewritten: expect.any(Number) })
    expect((await read()).hides).toEqual([])
    await client.command(id, 'edits', { hide: [message] })
    await client.talk(id, 'hello')
    const hidden = await read()
    expect(hidden.hides).toEqual([message])
    expect(hidden.edits.map(({ policy }) => policy)).toContain('hide-item')
    await client.command(id, 'edits', { unhide: [message] })
    await client.talk(id, 'hello')
    expect((await read()).edits.map(({ policy }) => policy)).not.toContain('hide-item')
    const missing = [{ message: 'nothing' }, { message: '' }].map((body) => client.post(`/sessions/${id}/hiding-cost`, body))
    expect((await Promise.all(missing)).map(({ status }) => status)).toEqual([404, 400])
  })
})

describe('closing', () => {
  it('keeps everything that was acknowledged: the running turn and queued messages', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run sleep 60' })
    await client.command(id, 'turn', { text: 'and then' })
    await listening.until(({ type }) => type === 'tool_call_start')
    await client.server.close()
    const session = await openSession(client.options.sessions, id)
    const { messages } = session.state()
    await session.close()
    expect(messages.map((message) => [message.role, messageText(message)])).toEqual([
      ['user', 'run sleep 60'],
      ['assistant', ''],
      ['tool', ''],
      ['user', 'and then'],
    ])
  })

  it('removes a session without messages', async () => {
    const client = await startClient()
    const id = await client.create()
    expect(existsSync(join(client.options.sessions, id))).toBe(true)
    await client.server.close()
    expect(existsSync(join(client.options.sessions, id))).toBe(false)
  })

  it('releases the session for another process', async () => {
    const client = await startClient()
    const id = await client.create()
    await client.talk(id, 'run echo hello')
    expect(existsSync(join(client.options.sessions, id, 'lock'))).toBe(true)
    await client.server.close()
    expect(existsSync(join(client.options.sessions, id, 'lock'))).toBe(false)
    expect(readFileSync(join(client.options.sessions, id, 'log.jsonl'), 'utf8')).toContain('run echo hello')
  })
})
