import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { createApi } from '../server/api.ts'
import { followSession } from './inspector-screen.tsx'

const servers: Server[] = []
const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server that answers each connection to the events of a session by the next of these. */
async function startAnswering(...answers: readonly ((response: ServerResponse) => void)[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    answers[asked.length - 1]?.(response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { api: createApi('secret-token', () => 'en', `http://127.0.0.1:${port}`), asked }
}

function tell(response: ServerResponse, id: string, event: Pick<SessionEvent, 'type'>): void {
  response.write(`id: 0 ${id}\ndata: ${JSON.stringify(event)}\n\n`)
}

/** Follows a session, and tells each time that it is said to have changed. */
function follow(api: Parameters<typeof followSession>[0]) {
  const changes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let told = 0
  const stop = followSession(api, 's', () => {
    changes[told]?.resolve()
    told += 1
  })
  stops.push(stop)
  return { first: changes[0].promise, second: changes[1].promise }
}

const first = '/api/events?follow=s~'

it('reports a change as soon as it starts listening, since the session may have continued after it was read', async () => {
  const { api, asked } = await startAnswering((response) => tell(response, 'e-1', { type: 'reset' }))
  await follow(api).first
  expect(asked).toEqual([first])
})

it('reports a change once a turn has ended', async () => {
  let ends = () => {}
  const { api, asked } = await startAnswering((response) => {
    tell(response, 'e-1', { type: 'reset' })
    ends = () => tell(response, 'e-2', { type: 'turn_end' })
  })
  const changes = follow(api)
  await changes.first
  ends()
  await changes.second
  expect(asked).toEqual([first])
})

it('resumes after the last event and misses nothing', async () => {
  let breaks = () => {}
  const { api, asked } = await startAnswering(
    (response) => {
      tell(response, 'e-1', { type: 'reset' })
      breaks = () => response.end()
    },
    (response) => tell(response, 'e-2', { type: 'turn_end' }),
  )
  const changes = follow(api)
  await changes.first
  breaks()
  await changes.second
  expect(asked).toEqual([first, `${first}e-1`])
})
