import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageText } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SessionEvent } from '../shared/server-api.ts'
import { type Listening, type ReceivedEvent, type SessionClient, startClient } from './testing/session-client.ts'

/** A conversation with a call, and all its events. */
async function conversation(
  client: SessionClient,
): Promise<{ readonly id: string; readonly received: readonly ReceivedEvent[] }> {
  writeFileSync(join(client.options.root, 'notes.txt'), 'alpha\nbeta\n')
  const id = await client.create()
  const listening = await client.listen(id, null)
  await client.talk(id, 'read notes.txt')
  await quiet(listening)
  return { id, received: [...listening.received] }
}

async function quiet(listening: Listening): Promise<void> {
  const end = () => listening.received.findIndex(({ event }) => event.type === 'turn_end')
  await listening.until(({ type }) => type === 'turn_end')
  await listening.until((event) => event.type === 'live' && !event.data.isBusy, end())
}

/** All events but `live` ones, of which only the latest is sent again; texts in full. */
function said(received: readonly ReceivedEvent[]): readonly SessionEvent[] {
  const events: SessionEvent[] = []
  for (const { event } of received) {
    const last = events.at(-1)
    if (event.type === 'live') continue
    if ((event.type === 'text_delta' || event.type === 'reasoning_delta') && last?.type === event.type)
      events.splice(-1, 1, { type: event.type, data: { text: last.data.text + event.data.text } })
    else events.push(event)
  }
  return events
}

describe('the events of a session', () => {
  it('cover a turn with a tool call from the user message to its end', async () => {
    const { received } = await conversation(await startClient())
    const types = said(received).map(({ type }) => type)
    expect(types).toEqual([
      'said',
      'turn_start',
      'view_built',
      'reasoning_delta',
      'usage',
      'tool_call_start',
      'tool_call_end',
      'view_built',
      'text_delta',
      'usage',
      'turn_end',
    ])
    const [first, start] = said(received)
    const turn = start?.type === 'turn_start' ? start.data.turn : null
    expect(first).toEqual({ type: 'said', data: { text: 'read notes.txt', message: turn } })
  })

  it('continue after any of them: none is missing, none comes twice', async () => {
    const client = await startClient()
    const { id, received } = await conversation(client)
    expect(received.length).toBeGreaterThan(15)
    for (const [place, { id: event }] of received.entries()) {
      const again = await client.listen(id, event)
      const last = received.at(-1)?.id
      if (event !== last) while (again.received.at(-1)?.id !== last) await again.until(() => true, again.received.length)
      again.stop()
      expect(said(again.received)).toEqual(said(received.slice(place + 1)))
    }
  })

  it('reach a second tab like the first one, and fifty', async () => {
    const client = await startClient()
    const id = await client.create()
    const tabs = await Promise.all(Array.from({ length: 50 }, () => client.listen(id, null)))
    await client.talk(id, 'run echo hello')
    await Promise.all(tabs.map(quiet))
    // A tab that connected first may also get the state of the session while the others connected.
    const [first, ...others] = tabs.map(({ received }) =>
      received.slice(received.findIndex(({ event }) => event.type === 'said')),
    )
    expect(first?.length).toBeGreaterThan(5)
    expect(others).toHaveLength(49)
    for (const heard of others) expect(heard).toEqual(first)
  })

  it('give a page that is loaded during an answer all of it, once', async () => {
    const client = await startClient()
    const id = await client.create()
    const listening = await client.listen(id, null)
    await client.command(id, 'turn', { text: 'run sh -c "echo one; sleep 0.3; echo two"' })
    await listening.until(({ type }) => type === 'tool_progress')
    const { messages, event, live } = await client.snapshot(id)
    const late = await client.listen(id, event)
    await quiet(late)
    expect({ isBusy: live.isBusy, roles: messages.map(({ message }) => message.role) }).toEqual({
      isBusy: true,
      roles: ['user', 'assistant'],
    })
    const types = said(late.received).map(({ type }) => type)
    expect(types.filter((type) => type === 'tool_call_start' || type === 'tool_call_end')).toEqual([
      'tool_call_start',
      'tool_call_end',
    ])
    expect(types).not.toContain('said')
    const output = late.received.flatMap(({ event: one }) => (one.type === 'tool_progress' ? [one.data.message] : [])).join('')
    expect(output).toBe('one\ntwo\n')
  })

  it('start with a reset for a client from before a restart', async () => {
    const client = await startClient()
    const { id, received } = await conversation(client)
    await client.server.close()
    const next = await startClient({ root: client.options.root, sessions: client.options.sessions })
    const listening = await next.listen(id, received.at(-1)?.id ?? '')
    const reset = await listening.until(({ type }) => type === 'reset')
    const { event, messages } = await next.snapshot(id)
    expect(reset).toEqual({ type: 'reset', data: { event } })
    expect(messages.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(messageText(messages[0]?.message ?? { id: '', role: 'user', parts: [] })).toContain('read notes.txt')
  })

  it('cannot be requested for a missing session', async () => {
    const client = await startClient()
    expect((await client.get('/sessions/20260101-000000-aaaaaa/events')).status).toBe(404)
  })
})

it('follows many sessions in one stream, each from its own place, and resets one that is not there', async () => {
  const client = await startClient()
  const [one, two] = [await client.create(), await client.create()]
  await client.talk(one, 'run echo before')
  const places = await Promise.all([one, two].map(async (id) => `${id}~${(await client.snapshot(id)).event}`))
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const query = [...places, 'no-such-session~'].map((text) => `follow=${encodeURIComponent(text)}`).join('&')
  const response = await client.fetch(`/api/events?${query}`, { signal: stop.signal })
  await Promise.all([one, two].map((id) => client.command(id, 'turn', { text: 'run echo hello' })))
  let text = ''
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if ([0, 1].every((place) => new RegExp(`id: ${place} \\S+\nevent: turn_end`).test(text))) break
  }
  expect(text).toContain('id: 2 \nevent: reset')
  expect(text).not.toContain('run echo before')
  expect((await client.get('/events')).status).toBe(400)
})
