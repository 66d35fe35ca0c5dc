import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { type ApiError, createApi } from './api.ts'
import { createEventHub, createEventParser } from './follow-events.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

type Answer = (follows: readonly (readonly [session: string, after: string])[], response: ServerResponse, times: number) => void

/** A server that answers each stream by a function. */
async function startAnswering(answer: Answer) {
  const asked: string[] = []
  let left = 0
  const server = createServer((request, response) => {
    response.on('close', () => {
      left += 1
    })
    const follows = new URL(request.url ?? '', 'http://localhost').searchParams.getAll('follow')
    asked.push(follows.join(' '))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    const wanted = follows.map((text) => [text.split('~')[0] ?? '', text.split('~')[1] ?? ''] as const)
    answer(wanted, response, asked.length)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { api: createApi('secret-token', () => 'en', `http://127.0.0.1:${port}`), asked, left: () => left }
}

function frame(place: number, id: string, text: string): string {
  return `id: ${place} ${id}\ndata: ${JSON.stringify({ type: 'text_delta', data: { text } })}\n\n`
}

/** Tells so many events of each session, and breaks the connection after every `most` of them, in the middle of the next. */
function telling(count: number, most: number): Answer {
  return (follows, response) => {
    for (const [place, [session, after]] of follows.entries()) {
      const first = Number(after.split('-')[1]) + 1
      for (let number = first; number <= count && number < first + most; number += 1)
        response.write(frame(place, `e-${number}`, `${session}${number}`))
      if (first + most <= count) response.end(`id: ${place} e-${first + most}\ndata: {"type":"tex`)
    }
  }
}

function hubFor(...given: Parameters<typeof createEventHub>) {
  const hub = createEventHub(...given)
  onTestFinished(() => hub.close())
  return hub
}

/** Follows a session, and resolves once so many events have come. */
function collect(hub: ReturnType<typeof createEventHub>, session: string, count: number) {
  const told: string[] = []
  const all = Promise.withResolvers<readonly string[]>()
  const stop = hub.follow(session, 'e-0', {
    event(event) {
      told.push(event.type === 'text_delta' ? event.data.text : event.type)
      if (told.length === count) all.resolve(told)
    },
    refused: all.reject,
  })
  return { all: all.promise, told, stop }
}

it('resumes after the last event when the connection was lost, and reports each event once', async () => {
  const { api, asked } = await startAnswering(telling(7, 3))
  const told = await collect(hubFor(api), 's', 7).all
  expect(told).toEqual(['s1', 's2', 's3', 's4', 's5', 's6', 's7'])
  expect(asked).toEqual(['s~e-0', 's~e-3', 's~e-6'])
})

it('treats a silent connection as lost, and resumes where it was', async () => {
  const { api, asked } = await startAnswering((_follows, response, times) => void response.write(frame(0, `e-${times}`, '')))
  await collect(hubFor(api, { maxSilentMs: 500 }), 's', 2).all
  expect(asked).toEqual(['s~e-0', 's~e-1'])
})

it('closes the connection while the page is hidden, and then reports what was missed', async () => {
  const { api, asked, left } = await startAnswering(telling(3, 3))
  let isHidden = true
  const watching = new Set<() => void>()
  const sight = {
    isHidden: () => isHidden,
    watch(changed: () => void) {
      watching.add(changed)
      return () => void watching.delete(changed)
    },
  }
  const turn = (hidden: boolean) => {
    isHidden = hidden
    for (const changed of [...watching]) changed()
  }
  const { all } = collect(hubFor(api, { sight, maxHiddenMs: 1 }), 's', 3)
  expect(asked).toEqual([])
  turn(false)
  await all
  turn(true)
  await expect.poll(left).toBe(1)
  turn(false)
  await expect.poll(() => asked).toEqual(['s~e-0', 's~e-3'])
})

it('does not retry if the server rejects the request', async () => {
  const server = createServer((_, response) => {
    const error = { code: 'NOT_ALLOWED', message: 'The token is wrong.', suggestion: null }
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api = createApi('secret-token', () => 'en', `http://127.0.0.1:${port}`)
  const refused = await collect(hubFor(api), 's', 1).all.catch((error: ApiError) => error)
  expect(refused).toMatchObject({ status: 401, code: 'NOT_ALLOWED', message: 'The token is wrong.' })
})

it('serves twenty tabs over one connection at a time, and goes on when the tab that holds it is closed', async () => {
  let open = 0
  let most = 0
  const streams = new Set<(text: string) => void>()
  const { api } = await startAnswering((follows, response) => {
    open += 1
    most = Math.max(most, open)
    const send = (text: string) => {
      for (const [place, [session, after]] of follows.entries())
        if (after === 'e-0' || text !== 'first')
          response.write(frame(place, text === 'first' ? 'e-1' : 'e-2', `${text} ${session}`))
    }
    send('first')
    streams.add(send)
    response.on('close', () => {
      open -= 1
      streams.delete(send)
    })
  })
  const name = `test ${Math.random()}`
  const tabs = Array.from({ length: 20 }, (_, index) => {
    const hub = hubFor(api, { shared: { name, locks: navigator.locks } })
    return { hub, ...collect(hub, `s${index}`, 2) }
  })
  await expect.poll(() => tabs.every(({ told }) => told.length === 1)).toBe(true)
  tabs.at(-1)?.hub.close()
  const left = tabs.slice(0, -1)
  await expect.poll(() => [open, streams.size]).toEqual([1, 1])
  const told = Promise.all(left.map(({ all }) => all))
  // Until the new stream follows all of them.
  const timer = setInterval(() => {
    for (const send of streams) send('second')
  }, 20)
  onTestFinished(() => clearInterval(timer))
  expect((await told).map(([first]) => first)).toEqual(left.map((_, index) => `first s${index}`))
  // A stream that ends and the one after it may be open together for a moment.
  expect(most).toBeLessThanOrEqual(3)
})

const stream = 'retry: 1000\n\n: still here\n\nid: a-1\ndata: {"n":1}\n\nid: a-2\r\ndata:{"n":2}\r\n\r\ndata: one\ndata: two\n\n'
const whole = [
  { id: 'a-1', data: '{"n":1}' },
  { id: 'a-2', data: '{"n":2}' },
  { id: 'a-2', data: 'one\ntwo' },
]

it('returns complete events with the last reported id', () => expect(createEventParser()(stream)).toEqual(whole))

it('gives the same events wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), stream.length]
      const parse = createEventParser()
      const events = places.slice(1).flatMap((end, index) => parse(stream.slice(places[index], end)))
      expect(events).toEqual(whole)
    }),
  )
})

it('holds back an incomplete event', () => expect(createEventParser()('id: a-1\ndata: {"n":1}\n')).toEqual([]))
