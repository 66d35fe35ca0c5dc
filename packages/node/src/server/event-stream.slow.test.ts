import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type EventStreamOptions, eventStream, type StreamEvent, type Subscribe } from './event-stream.ts'

describe('a stream of events', () => {
  it('writes each event as its id, its type and one line of JSON', async () => {
    const { open, events } = await startStream()
    const stream = await open()
    events.send({ id: 'a-1', type: 'text_delta', data: { text: 'two\nlines\r and \u2028 more' } })
    events.send({ id: 'a-2', type: 'live', data: null })
    expect(await stream.until('data: null\n\n')).toBe(
      'retry: 1000\n\nid: a-1\nevent: text_delta\ndata: {"text":"two\\nlines\\r and \u2028 more"}\n\nid: a-2\nevent: live\ndata: null\n\n',
    )
  })

  it('is neither cached nor changed by a browser', async () => {
    const { open } = await startStream()
    const { headers } = await open()
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/event-stream; charset=utf-8',
      'no-store, no-transform',
    ])
  })

  it.each([
    ['the header', '/', { 'last-event-id': 'a-7' }, 'a-7'],
    ['the address', '/?after=a-8', {}, 'a-8'],
    ['the header before the address', '/?after=a-8', { 'last-event-id': 'a-7' }, 'a-7'],
    ['nothing', '/', {}, null],
  ])('continues after the event that %s names', async (_name, path, headers, after) => {
    const { open, events } = await startStream()
    await open(path, headers)
    expect(events.afters).toEqual([after])
  })

  it('sends missed events before new ones', async () => {
    const { open, events } = await startStream({}, [{ id: 'a-1', type: 'live', data: 1 }])
    const stream = await open('/?after=a-0')
    events.send({ id: 'a-2', type: 'live', data: 2 })
    expect(idsIn(await stream.until('a-2\nevent: live\ndata: 2\n\n'))).toEqual(['a-1', 'a-2'])
  })

  it('sends keep-alive comments while nothing happens', async () => {
    const { open } = await startStream({ heartbeatMs: 5 })
    const stream = await open()
    expect(await stream.until(':\n\n:\n\n')).toMatch(/^retry: 1000\n\n(:\n\n){2,}$/)
  })

  it('ends when the client is gone', async () => {
    const { open, events } = await startStream()
    const stream = await open()
    expect(events.listeners.size).toBe(1)
    await stream.leave()
    await events.allLeft()
  })

  it('ends with a comment when the server closes', async () => {
    const { open, stop, events } = await startStream()
    const stream = await open()
    events.send({ id: 'a-1', type: 'live', data: 1 })
    stop()
    expect(await stream.end()).toBe('retry: 1000\n\nid: a-1\nevent: live\ndata: 1\n\n: the server closes\n\n')
    expect(events.listeners.size).toBe(0)
  })

  it('ends at once when the server is closing already', async () => {
    const { open, stop, events } = await startStream()
    stop()
    expect(await (await open()).end()).toBe('retry: 1000\n\n: the server closes\n\n')
    expect(events.listeners.size).toBe(0)
  })

  it('is cut off for a client that does not read, without delaying others', async () => {
    const { open, events, port } = await startStream({ maxUnsentBytes: 100_000 })
    const idle = connect(port, '127.0.0.1')
    onTestFinished(() => void idle.destroy())
    idle.pause()
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await events.someone(1)
    const reader = await open()
    const got = reader.until('event: last')
    for (let n = 0; events.listeners.size > 1; n += 1) {
      if (n > 2000) throw new Error('it was never cut off')
      events.send({ id: `a-${n}`, type: 'live', data: 'x'.repeat(10_000) })
      await new Promise((resolve) => setImmediate(resolve))
    }
    events.send({ id: 'b', type: 'last', data: null })
    const ids = idsIn(await got)
    expect(ids.slice(0, -1)).toEqual(ids.slice(0, -1).map((_, index) => `a-${index}`))
    expect(ids.length).toBeGreaterThan(10)
  })

  it('is cut off if the missed events alone are too much', async () => {
    const missed = Array.from({ length: 30 }, (_, n) => ({ id: `a-${n}`, type: 'live', data: 'x'.repeat(10_000) }))
    const { open, events } = await startStream({ maxUnsentBytes: 100_000 }, missed)
    await expect(open().then((stream) => stream.end())).rejects.toBeInstanceOf(TypeError)
    expect(events.listeners.size).toBe(0)
  })
})

/** Events and their listeners. */
interface Events {
  readonly send: (event: StreamEvent) => void
  readonly listeners: ReadonlySet<unknown>
  readonly afters: readonly (string | null)[]
  readonly allLeft: () => Promise<void>
  readonly someone: (count: number) => Promise<void>
}

async function startStream(options: Partial<EventStreamOptions> = {}, missed: readonly StreamEvent[] = []) {
  const controller = new AbortController()
  const listeners = new Set<(event: StreamEvent) => void>()
  const afters: (string | null)[] = []
  let changed: () => void = () => undefined
  const subscribe: Subscribe = (after, listen) => {
    afters.push(after)
    for (const event of missed) listen(event)
    listeners.add(listen)
    changed()
    return () => {
      listeners.delete(listen)
      changed()
    }
  }
  async function until(count: number): Promise<void> {
    while (listeners.size !== count) await new Promise<void>((resolve) => (changed = resolve))
  }
  const events: Events = {
    send: (event) => {
      for (const listen of listeners) listen(event)
    },
    listeners,
    afters,
    allLeft: () => until(0),
    someone: until,
  }
  const app = new Hono().get('/', (context) => eventStream(context, subscribe, { stopping: controller.signal, ...options }))
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    events,
    stop: () => controller.abort(),
    open: async (path = '/', headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      return { headers: response.headers, ...readerOf(response) }
    },
  }
}

function readerOf(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  async function more(): Promise<boolean> {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    return !done
  }
  return {
    async until(part: string): Promise<string> {
      while (!text.includes(part)) if (!(await more())) throw new Error(`ended before ${part}`)
      return text
    },
    async end(): Promise<string> {
      while (await more());
      return text
    },
    leave: () => reader.cancel(),
  }
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id as string)
}
