import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { emptyPlan } from '../planner.ts'
import { startUpstream } from '../testing/http-upstream.ts'
import { createMarkerPlanner } from '../testing/marker-planner.ts'
import { connectRaw, type RawEnd, sendRaw, startRawServer } from '../testing/raw-sockets.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { waitFor } from '../testing/wait-for.ts'

const post = (key: string, path = '/v1/messages') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`

const halfOpen = async (port: number, key: string, path?: string): Promise<RawEnd> => {
  const end = await connectRaw(port)
  end.socket.write(`${post(key, path)}Content-Length: 900\r\n\r\n{`)
  return end
}

const served = (port: number, key: string) => sendRaw(port, `${post(key)}Content-Length: 2\r\nConnection: close\r\n\r\n{}`)

/** Some requests that never come in full, of one client or of as many as there are requests. */
const openMany = (port: number, count: number, keyOf: (index: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, index) => halfOpen(port, keyOf(index))))

describe.each(['observe', 'safe'] as const)('in the mode %s', (mode) => {
  test('a client with too many open requests is refused in its own format, and others are not', async () => {
    const upstream = await startUpstream()
    const gateway = await startGateway({ upstream: upstream.url, mode, limits: { maxConnectionsPerClient: 10 } })
    const hostile = await openMany(gateway.port, 60, () => 'hostile')
    await Promise.race(hostile.map(({ closed }) => closed))
    await waitFor(() => hostile.filter(({ text }) => text().startsWith('HTTP/1.1 429')).length === 50)
    const refused = hostile.find(({ text }) => text() !== '')?.text() ?? ''
    expect(refused).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(refused).toMatch(/"type":"rate_limit_error","message":"Plimsoll gateway: this client has too many requests open/)
    expect((await served(gateway.port, 'neighbour')).slice(9, 12)).toBe('200')
    for (const { socket } of hostile) socket.destroy()
    await expect.poll(() => served(gateway.port, 'hostile'), { timeout: 60_000 }).toMatch(/^HTTP\/1\.1 200/)
  })

  test('half-open bodies under many keys keep no one out: the slowest are closed', async () => {
    const upstream = await startUpstream()
    const gateway = await startGateway({ upstream: upstream.url, mode, limits: { maxConnections: 20 } })
    const hostile = await openMany(gateway.port, 60, (index) => `key-${index}`)
    for (let index = 0; index < 10; index++) expect((await served(gateway.port, `neighbour-${index}`)).slice(9, 12)).toBe('200')
    await waitFor(() => hostile.filter(({ text }) => text().startsWith('HTTP/1.1 503')).length >= 40)
    expect(hostile.find(({ text }) => text() !== '')?.text()).toMatch(/\r\nretry-after: 1\r\n/i)
    expect(gateway.events).toContainEqual(expect.objectContaining({ type: 'fault', code: 'too_many_connections' }))
  })
})

test('connections without a request, or with half a head, give way as well', async () => {
  const gateway = await startGateway({ limits: { maxConnections: 4 } })
  const silent = await connectRaw(gateway.port)
  const half = await connectRaw(gateway.port)
  half.socket.write('GET /livez HTTP/1.1\r\nHo')
  for (let index = 0; index < 8; index++) {
    const next = await connectRaw(gateway.port)
    next.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await next.until('\r\n\r\nalive\n')
  }
  await Promise.all([silent.closed, half.closed])
})

test('a connection is refused with a sentence if all others are being answered', async () => {
  const silent = await startRawServer(() => {})
  const gateway = await startGateway({ upstream: silent.url, limits: { maxConnections: 3 } })
  const busy = await Promise.all([1, 2, 3].map(() => connectRaw(gateway.port)))
  for (const { socket } of busy) socket.write(`${post('key')}Content-Length: 2\r\n\r\n{}`)
  await waitFor(() => gateway.planner.observed.length === 3)
  const late = await connectRaw(gateway.port)
  await late.closed
  expect(late.text()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1.*all are in use/is)
  expect(busy.map(({ text }) => text())).toEqual(['', '', ''])
})

describe('bytes in memory', () => {
  const piece = 'a'.repeat(200_000)
  /** Announces more than it sends. */
  const send = async (port: number, key: string) => {
    const end = await connectRaw(port)
    end.socket.write(`${post(key)}Content-Length: 900000\r\n\r\n${piece}`)
    return end
  }

  test('a client that sends more than its share at once is refused, and others are not', async () => {
    const upstream = await startUpstream()
    const limits = { maxBufferedBytes: 4_000_000, maxBodyBytes: 950_000, maxReadBytes: 950_000 }
    const gateway = await startGateway({ upstream: upstream.url, mode: 'safe', limits })
    const hostile = await Promise.all(Array.from({ length: 20 }, () => send(gateway.port, 'hostile')))
    // A share is one body as sent and unpacked: 1,900,000 bytes.
    await waitFor(() => hostile.filter(({ text }) => text().startsWith('HTTP/1.1 429')).length >= 10)
    expect(hostile.find(({ text }) => text() !== '')?.text()).toMatch(/retry-after: 1.*sends too many bytes at once/is)
    expect((await served(gateway.port, 'neighbour')).slice(9, 12)).toBe('200')
  })

  test('if all together send too much, the slowest give way', async () => {
    const upstream = await startUpstream()
    const limits = { maxBufferedBytes: 2_000_000, maxBodyBytes: 950_000, maxReadBytes: 950_000 }
    const gateway = await startGateway({ upstream: upstream.url, mode: 'safe', limits })
    const hostile = await Promise.all(Array.from({ length: 20 }, (_, index) => send(gateway.port, `key-${index}`)))
    await waitFor(() => hostile.filter(({ text }) => text().startsWith('HTTP/1.1 503')).length >= 10)
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: piece }] })
    const whole = await sendRaw(
      gateway.port,
      `${post('neighbour')}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    expect(whole.slice(9, 12)).toBe('200')
    expect(upstream.received.map((received) => received.body.length)).toEqual([body.length])
  })

  test('short bodies that unpack to long ones are unpacked one after the other, and all are relayed', async () => {
    let most = 0
    let planning = 0
    const plan = async () => {
      planning += 1
      most = Math.max(most, planning)
      await new Promise((resolve) => setTimeout(resolve, 20))
      planning -= 1
      return emptyPlan
    }
    const planner = createMarkerPlanner({ planner: { plan } })
    const upstream = await startUpstream()
    const limits = { maxReadBytes: 2_000_000, maxBodyBytes: 100_000, maxBufferedBytes: 1 }
    const gateway = await startGateway({ upstream: upstream.url, mode: 'safe', planner, limits })
    const bomb = gzipSync(JSON.stringify({ model: 'm', messages: [], pad: 'a'.repeat(1_500_000) }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${gateway.url}/v1/messages`, {
          method: 'POST',
          body: bomb,
          headers: { authorization: 'Bearer hostile', 'content-type': 'application/json', 'content-encoding': 'gzip' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(upstream.received.map(({ body }) => body.length)).toEqual(answers.map(() => bomb.length))
    // The share of a client is one such body.
    expect(most).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('x-plimsoll-findings') === 'too-late').length).toBeGreaterThan(0)
  })
})

describe('a refusal for too many requests', () => {
  test.each([
    ['/v1/chat/completions', '"type":"rate_limit_error","param":null,"code":"plimsoll_too_many_requests"'],
    ['/v1beta/models/g:generateContent', '"code":429,"message":"Plimsoll gateway: this client has too many'],
  ])('has the form of %s', async (path, part) => {
    const gateway = await startGateway({ limits: { maxConnectionsPerClient: 1 } })
    await halfOpen(gateway.port, 'key', path)
    const second = await halfOpen(gateway.port, 'key', path)
    expect(await second.until('}}')).toContain(part)
  })

  test('counts web sockets, and forgets those that have ended', async () => {
    const upstream = await startRawServer(({ socket, until }) => {
      void until('\r\n\r\n').then(() => socket.write('HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'))
    })
    const gateway = await startGateway({ upstream: upstream.url, limits: { maxConnectionsPerClient: 2 } })
    const open = async () => {
      const end = await connectRaw(gateway.port)
      end.socket.write(
        'GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      )
      return end
    }
    const [first, second] = [await open(), await open()]
    await Promise.all([first.until('101'), second.until('101')])
    expect(await (await open()).until('}}')).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1/is)
    first.socket.destroy()
    await waitFor(() => gateway.events.some((event) => event.type === 'answered' && event.end === 'complete'))
    expect(await (await open()).until('101')).toContain('101')
  })
})
