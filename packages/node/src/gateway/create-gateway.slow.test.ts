import { describe, expect, test } from 'vitest'
import { StoreError } from '../store/gateway-store.ts'
import { startUpstream } from './testing/http-upstream.ts'
import { createMarkerPlanner } from './testing/marker-planner.ts'
import { connectRaw, type RawEnd, startRawServer } from './testing/raw-sockets.ts'
import { startGateway } from './testing/start-gateway.ts'
import { waitFor } from './testing/wait-for.ts'

const ask = 'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

describe('the gateway’s own answers', () => {
  test('include a greeting at the root', async () => {
    const { url } = await startGateway()
    const head = await fetch(url, { method: 'HEAD' })
    const get = await fetch(url)
    expect([head.status, await head.text(), get.status, await get.text()]).toEqual([
      200,
      '',
      200,
      'This is a Plimsoll gateway. Point an agent at this address as if it were that of its model provider.\n',
    ])
  })

  test('include liveness and readiness checks', async () => {
    const { url } = await startGateway()
    const answers = await Promise.all(['/livez', '/readyz', '/health'].map(async (path) => (await fetch(url + path)).text()))
    expect(answers).toEqual(['alive\n', 'ready\n', 'ready\n'])
  })

  test('report that it is not ready while its store does not answer', async () => {
    const check = () => Promise.reject(new StoreError('unreachable', 'postgres://secret'))
    const { url } = await startGateway({ planner: createMarkerPlanner({ planner: { check } }) })
    const answer = await fetch(`${url}/readyz`)
    expect([answer.status, await answer.text(), (await fetch(`${url}/livez`)).status]).toEqual([
      503,
      'the store does not respond\n',
      200,
    ])
  })

  test('include the operator’s paths, if they are known', async () => {
    const { url } = await startGateway({
      operations: async (path) => (path === '/metrics' ? { status: 200, contentType: 'text/x', body: 'm 1\n' } : null),
    })
    const metrics = await fetch(`${url}/metrics`)
    expect([metrics.headers.get('content-type'), await metrics.text()]).toEqual(['text/x', 'm 1\n'])
    expect(await (await fetch(`${url}/health`)).text()).toBe('ready\n')
    const bare = await startGateway()
    expect((await fetch(`${bare.url}/metrics`)).status).toBe(404)
  })
})

describe('a gateway that is closed', () => {
  test('lets a running answer finish', async () => {
    let upstream: RawEnd | null = null
    const server = await startRawServer((end) => {
      end.until('{}').then(
        () => {
          upstream = end
          end.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n')
        },
        () => {},
      )
    })
    const { gateway, port } = await startGateway({ upstream: server.url, limits: { shutdownSeconds: 60 } })
    const client = await connectRaw(port)
    client.socket.write(ask)
    await client.until('ab')
    const closed = gateway.close()
    await expect(connectRaw(port)).rejects.toThrow('ECONNREFUSED')
    ;(await waitFor(() => upstream)).socket.write('2\r\ncd\r\n0\r\n\r\n')
    await closed
    await client.closed
    expect(client.text().endsWith('2\r\ncd\r\n0\r\n\r\n')).toBe(true)
  })

  test('accepts no more requests on connections that are still open', async () => {
    const server = await startRawServer((end) => {
      end.until('{}').then(
        () => end.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'),
        () => {},
      )
    })
    const { gateway, port } = await startGateway({ upstream: server.url, limits: { shutdownSeconds: 60 } })
    const busy = await connectRaw(port)
    busy.socket.write(ask)
    await busy.until('ab')
    const late = await connectRaw(port)
    late.socket.write(ask.slice(0, 40))
    // Once this is answered, everything sent before it has been read.
    expect((await fetch(`http://127.0.0.1:${port}/livez`, { headers: { connection: 'close' } })).status).toBe(200)
    const closed = gateway.close()
    expect(gateway.close()).toBe(closed)
    late.socket.write(ask.slice(40))
    expect(await late.until('overloaded_error')).toMatch(/^HTTP\/1\.1 503 /)
    busy.socket.destroy()
    await closed
  })

  test('cuts off answers that take too long, and drops the upstream request', async () => {
    let upstream: RawEnd | null = null
    const server = await startRawServer((end) => {
      upstream = end
    })
    const { gateway, port, events } = await startGateway({ upstream: server.url })
    const client = await connectRaw(port)
    client.socket.write(ask)
    const end = await waitFor(() => upstream)
    await end.until('{}')
    await gateway.close()
    await Promise.all([client.closed, end.closed])
    expect(events.map((event) => event.type === 'answered' && event.end)).toEqual(['client-gone'])
  })
})

test('listening on a port in use rejects', async () => {
  const { port } = await startGateway()
  await expect(startGateway({ port })).rejects.toThrow('EADDRINUSE')
})

test('requests share connections to the upstream', async () => {
  let connections = 0
  const server = await startRawServer((end) => {
    connections++
    end.socket.on('data', (chunk) => {
      if (chunk.toString().includes('{}')) end.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  const { url } = await startGateway({ upstream: server.url })
  for (let times = 0; times < 5; times++) {
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{}' })
    expect(await answer.text()).toBe('ok')
  }
  expect(connections).toBe(1)
})

test('an error thrown by a listener does not affect requests', async () => {
  const upstream = await startUpstream()
  const fail = () => {
    throw new Error('listener')
  }
  const planner = createMarkerPlanner({ planner: { observe: fail, answered: fail } })
  const { url } = await startGateway({ upstream: upstream.url, planner, onEvent: fail })
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect([answer.status, await answer.text()]).toEqual([200, '{"ok":true}'])
})

test('a gateway on a public address needs a token', async () => {
  await expect(startGateway({ host: '0.0.0.0' })).rejects.toThrow('needs allowPublic and a token')
  await expect(startGateway({ host: '0.0.0.0', allowPublic: true })).rejects.toThrow('needs allowPublic and a token')
  await expect(startGateway({ host: '::', token: 't' })).rejects.toThrow('needs allowPublic and a token')
})
