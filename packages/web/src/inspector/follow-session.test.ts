import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SessionEvent } from '@plimsoll/core'
import { afterEach, expect, it } from 'vitest'
import { createApi } from '../server/api.ts'
import { followSession } from './follow-session.ts'

const servers: Server[] = []

afterEach(() => {
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
  response.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)
}

function changed(api: Parameters<typeof followSession>[0]): Promise<void> {
  return new Promise((resolve) => {
    const stop = followSession(api, 's', () => {
      stop()
      resolve()
    })
  })
}

it('tells that a session has changed once a turn has ended, and reads nothing of it before', async () => {
  const { api, asked } = await startAnswering((response) => {
    tell(response, 'e-1', { type: 'text_delta' })
    tell(response, 'e-2', { type: 'turn_end' })
  })
  await changed(api)
  expect(asked).toEqual(['/api/sessions/s/events?after='])
})

it('takes a session for changed when it was not heard of for a while, and there is no event to go on behind', async () => {
  const { api, asked } = await startAnswering(
    (response) => response.end(),
    () => undefined,
  )
  await changed(api)
  expect(asked).toEqual(['/api/sessions/s/events?after=', '/api/sessions/s/events?after='])
})

it('goes on behind the last event, where there was one, and has missed nothing', async () => {
  const { api, asked } = await startAnswering(
    (response) => {
      tell(response, 'e-1', { type: 'text_delta' })
      response.end()
    },
    (response) => tell(response, 'e-2', { type: 'turn_end' }),
  )
  await changed(api)
  expect(asked).toEqual(['/api/sessions/s/events?after=', '/api/sessions/s/events?after=e-1'])
})
