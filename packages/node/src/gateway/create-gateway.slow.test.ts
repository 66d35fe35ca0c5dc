import { describe, expect, test } from 'vitest'
import { StoreError } from '../store/gateway-store.ts'
import { startUpstream } from './testing/http-upstream.ts'
import { createMarkerPlanner } from './testing/marker-planner.ts'
import { connectRaw, type RawEnd, startRawServer } from './testing/raw-sockets.ts'
import { startGateway } from './testing/start-gateway.ts'
import { waitFor } from './testing/wait-for.ts'

const ask = 'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

describe('a gateway answers by itself', () => {
  test('who looks whether it is there', async () => {
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

  test('who asks whether it lives and is ready', async () => {
    const { url } = await startGateway()
    const answers = await Promise.all(['/livez', '/readyz', '/health'].map(async (path) => (await fetch(url + path)).text()))
    expect(answers).toEqual(['alive\n', 'ready\n', 'ready\n'])
  })

  test('that it is not ready while its store does not answer', async () => {
    const check = () => Promise.reject(new StoreError('unreachable', 'postgres://secret'))
    const { url } = await startGateway({ planner: createMarkerPlanner({ planner: { check } }) })
    const answer = await fetch(`${url}/readyz`)
    expect([answer.status, await answer.text(), (await fetch(`${url}/livez`)).status]).toEqual([
      503,
      'the store does not answer\n',
      200,
    ])
  })

  test('those who run it, as far as somebody knows an answer', async () => {
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
  test('lets an answer that is on its way come to its end', async () => {
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

  test('takes no more requests on connections that are still open', async () => {
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
    // What was sent before has been read when this is answered.
    expect((await fetch(`http://127.0.0.1:${port}/livez`, { headers: { connection: 'close' } })).status).toBe(200)
    const closed = gateway.close()
    expect(gateway.close()).toBe(closed)
    late.socket.write(ask.slice(40))
    expect(await late.until('overloaded_error')).toMatch(/^HTTP\/1\.1 503 /)
    busy.socket.destroy()
    await closed
  })

  test('ends what takes too long, and lets the upstream go', async () => {
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

test('a port that is taken is told when it is listened on', async () => {
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

test('what those who listen do wrong disturbs no request', async () => {
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

test('a gateway that others reach needs their token', async () => {
  await expect(startGateway({ host: '0.0.0.0' })).rejects.toThrow('needs allowPublic and a token')
  await expect(startGateway({ host: '0.0.0.0', allowPublic: true })).rejects.toThrow('needs allowPublic and a token')
  await expect(startGateway({ host: '::', token: 't' })).rejects.toThrow('needs allowPublic and a token')
})
