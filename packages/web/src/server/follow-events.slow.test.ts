import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { type ApiError, createApi } from './api.ts'
import { createEventParser, followEvents } from './follow-events.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server that tells so many events and breaks the connection after every `most` of them, in the middle of the next. */
async function startTelling(count: number, most: number) {
  const asked: string[] = []
  let left = 0
  const server = createServer((request, response) => {
    response.on('close', () => {
      left += 1
    })
    const after = new URL(request.url ?? '', 'http://localhost').searchParams.get('after') ?? ''
    asked.push(`${request.headers.authorization} ${after}`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    const first = Number(after.split('-')[1]) + 1
    for (let number = first; number <= count && number < first + most; number += 1) {
      response.write(`id: e-${number}\ndata: ${JSON.stringify({ type: 'text_delta', data: { text: `${number}` } })}\n\n`)
    }
    if (first + most <= count) response.end(`id: e-${first + most}\ndata: {"type":"tex`)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { api: createApi('secret-token', () => 'en', `http://127.0.0.1:${port}`), asked, left: () => left }
}

it('resumes after the last event when the connection was lost, and reports each event once', async () => {
  const { api, asked } = await startTelling(7, 3)
  const told: SessionEvent[] = []
  const states: string[] = []
  const all = Promise.withResolvers<void>()
  const stop = followEvents(api, 's', 'e-0', {
    event(event) {
      told.push(event)
      if (told.length === 7) all.resolve()
    },
    connection: (state) => states.push(state),
    refused: all.reject,
  })
  await all.promise
  stop()
  expect(told.map((event) => (event.type === 'text_delta' ? event.data.text : ''))).toEqual(['1', '2', '3', '4', '5', '6', '7'])
  expect(asked).toEqual(['Bearer secret-token e-0', 'Bearer secret-token e-3', 'Bearer secret-token e-6'])
  expect(states).toEqual(['open', 'lost', 'open', 'lost', 'open'])
})

it('treats a silent connection as lost, and resumes where it was', async () => {
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('after'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // Sends one event and then stays silent.
    response.write(`id: e-${asked.length}\ndata: ${JSON.stringify({ type: 'text_delta', data: { text: '' } })}\n\n`)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api = createApi('secret-token', () => 'en', `http://127.0.0.1:${port}`)
  const states: string[] = []
  await new Promise<void>((resolve, reject) => {
    const stop = followEvents(
      api,
      's',
      'e-0',
      {
        event(_, id) {
          if (id !== 'e-2') return
          stop()
          resolve()
        },
        connection: (state) => states.push(state),
        refused: reject,
      },
      { maxSilentMs: 1500 },
    )
  })
  expect({ asked, states }).toEqual({ asked: ['e-0', 'e-1'], states: ['open', 'lost', 'open'] })
})

it('closes the connection while the page is hidden, and then reports what was missed', async () => {
  const { api, asked, left } = await startTelling(3, 3)
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
  const states: string[] = []
  const told: (string | null)[] = []
  let wake: () => void = () => undefined
  const stop = followEvents(
    api,
    's',
    'e-0',
    {
      event(_, id) {
        told.push(id)
        wake()
      },
      connection(state) {
        states.push(state)
        wake()
      },
      refused: () => undefined,
    },
    { sight, maxHiddenMs: 1 },
  )
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  expect(asked).toEqual([])
  turn(false)
  await until(() => told.length === 3)
  turn(true)
  await expect.poll(left).toBe(1)
  turn(false)
  await until(() => states.length === 2)
  stop()
  expect({ asked, states }).toEqual({
    asked: ['Bearer secret-token e-0', 'Bearer secret-token e-3'],
    states: ['open', 'open'],
  })
})

it('does not retry if the server rejects the request', async () => {
  const server = createServer((_, response) => {
    const error = { code: 'NO_SESSION', message: 'There is no such session.', suggestion: null }
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const api = createApi('secret-token', () => 'en', `http://127.0.0.1:${port}`)
  const refused = await new Promise<ApiError>((resolve, reject) => {
    followEvents(api, 's', 'e-0', { event: reject, connection: () => undefined, refused: resolve })
  })
  expect([refused.status, refused.code, refused.message]).toEqual([404, 'NO_SESSION', 'There is no such session.'])
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
