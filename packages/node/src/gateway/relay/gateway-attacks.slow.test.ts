import { readdir, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startUpstream } from '../testing/http-upstream.ts'
import { createMarkerPlanner } from '../testing/marker-planner.ts'
import { connectRaw, sendRaw, startRawServer } from '../testing/raw-sockets.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { waitFor, waitUntilStill } from '../testing/wait-for.ts'

const start = async () => {
  const upstream = await startUpstream()
  const gateway = await startGateway({ upstream: upstream.url })
  return { upstream, gateway }
}

/** Sends a request for a path and returns the status once the connection has ended. */
const statusOf = async (port: number, head: string, body = '') => {
  const answer = await sendRaw(port, `${head}\r\nConnection: close\r\n\r\n${body}`)
  return answer.slice(9, 12)
}

describe('the destination of a request', () => {
  test('cannot be a full address, whatever the host header says', async () => {
    const { upstream, gateway } = await start()
    let visits = 0
    const elsewhere = await startRawServer(() => {
      visits++
    })
    for (const target of [
      `${elsewhere.url}/v1/messages`,
      `//127.0.0.1:${elsewhere.port}/`,
      `/\\127.0.0.1:${elsewhere.port}/`,
      `@127.0.0.1:${elsewhere.port}/`,
    ]) {
      expect([target, await statusOf(gateway.port, `GET ${target} HTTP/1.1\r\nHost: localhost`)]).toEqual([target, '400'])
    }
    expect(
      await statusOf(
        gateway.port,
        `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${elsewhere.port}\r\nX-Base-Url: ${elsewhere.url}\r\nX-Forwarded-Host: evil`,
      ),
    ).toBe('200')
    expect(upstream.received.map(({ rawHeaders }) => rawHeaders[1])).toEqual([`127.0.0.1:${upstream.port}`])
    expect(visits).toBe(0)
  })

  test('cannot be a proxied host', async () => {
    const { gateway } = await start()
    expect(await statusOf(gateway.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443')).toBe('405')
  })

  test('cannot be outside the upstream’s path', async () => {
    const upstream = await startUpstream()
    const gateway = await startGateway({ upstream: `${upstream.url}/only/here` })
    const paths = [
      '/../secret',
      '/v1/../../secret',
      '/v1/%2e%2e/%2e%2e/secret',
      '/v1/..%2f..%2f..%2fsecret',
      '/v1//secret',
      '/t/x/../../secret',
    ]
    for (const path of paths)
      expect([path, await statusOf(gateway.port, `GET ${path} HTTP/1.1\r\nHost: localhost`)]).toEqual([path, '400'])
    expect(upstream.received).toEqual([])
  })

  test('does not change by a redirect, which is left to the client', async () => {
    let visits = 0
    const elsewhere = await startRawServer(() => {
      visits++
    })
    const upstream = await startUpstream((_, response) => response.writeHead(302, { location: elsewhere.url }).end())
    const gateway = await startGateway({ upstream: upstream.url })
    expect(await statusOf(gateway.port, 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k')).toBe('302')
    expect(visits).toBe(0)
  })
})

describe('ambiguous requests', () => {
  const head = 'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json'
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'

  test.each([
    ['both lengths', `${head}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['both lengths, turned around', `${head}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `${head}\r\nContent-Length: 2\r\nContent-Length: ${smuggled.length + 2}\r\n\r\n{}${smuggled}`],
    ['two equal lengths', `${head}\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}${smuggled}`],
    ['a list of lengths', `${head}\r\nContent-Length: 2, 2\r\n\r\n{}${smuggled}`],
    ['a signed length', `${head}\r\nContent-Length: +2\r\n\r\n{}${smuggled}`],
    ['a negative length', `${head}\r\nContent-Length: -1\r\n\r\n{}${smuggled}`],
    ['a length past all bounds', `${head}\r\nContent-Length: 99999999999999999999999\r\n\r\n{}${smuggled}`],
    ['chunked twice', `${head}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked and something else', `${head}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    ['something else and chunked', `${head}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['nearly chunked', `${head}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['chunked behind a tab', `${head}\r\nTransfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a space before the colon', `${head}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a folded header', `${head}\r\nX-A: 1\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${smuggled}`],
    ['lines that end with a line feed', `${head}\nContent-Length: 0\n\n${smuggled}`],
    ['a carriage return alone', `${head}\r\nX-A: 1\rContent-Length: 9\r\nContent-Length: 0\r\n\r\n${smuggled}`],
    ['a zero byte in a header', `${head}\r\nX-A: \0\r\nContent-Length: 0\r\n\r\n${smuggled}`],
    ['a chunk size that is none', `${head}\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n${smuggled}`],
    ['a chunk size with a sign', `${head}\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n${smuggled}`],
    [
      'a chunk size past all bounds',
      `${head}\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a chunk longer than it says', `${head}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}GET\r\n0\r\n\r\n${smuggled}`],
    ['chunk lines that end with a line feed', `${head}\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n${smuggled}`],
  ])('%s', async (_, bytes) => {
    const { upstream, gateway } = await start()
    const client = await connectRaw(gateway.port)
    client.socket.write(bytes, 'latin1')
    await client.until('HTTP/1.1 4')
    expect(client.text()).toMatch(/^HTTP\/1\.1 4\d\d .*"error"/s)
    client.socket.destroy()
    // A separate request after the odd one may be served; it never becomes part of another, and the odd one is never relayed.
    expect(upstream.received.filter(({ url, body }) => url.startsWith('/v1/messages') || body.length > 0)).toEqual([])
    const after = await fetch(`${gateway.url}/livez`)
    expect(after.status).toBe(200)
  })

  test.each([
    ['no host', 'GET /v1/models HTTP/1.1\r\nX-A: 1'],
    ['two hosts', 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nHost: evil.example'],
  ])('%s', async (_, text) => {
    const { upstream, gateway } = await start()
    expect(await statusOf(gateway.port, text)).toMatch(/^40[03]$/)
    expect(upstream.received).toEqual([])
  })
})

describe('pages of other sites', () => {
  test.each([
    ['localhost', '200'],
    ['LOCALHOST:80', '200'],
    ['127.0.0.1:7478', '200'],
    ['127.9.9.9', '200'],
    ['[::1]:7478', '200'],
    ['evil.example', '403'],
    ['evil.example:7478', '403'],
    ['localhost.evil.example', '403'],
    ['127.0.0.1.evil.example', '403'],
    ['127.0.0.1@evil.example', '403'],
    ['[::1', '403'],
    ['192.168.0.1', '403'],
    ['0.0.0.0', '403'],
    ['', '403'],
  ])('cannot use a name that leads here: host %s', async (host, status) => {
    const { gateway } = await start()
    expect(await statusOf(gateway.port, `GET /v1/models HTTP/1.1\r\nHost: ${host}`)).toBe(status)
    if (status === '403') expect(await statusOf(gateway.port, `GET /metrics HTTP/1.1\r\nHost: ${host}`)).toBe('403')
  })

  test('get refused by their origin, and no header lets them read anything', async () => {
    const { upstream, gateway } = await start()
    const own = `http://127.0.0.1:${gateway.port}`
    const tries = [
      ['Origin: https://evil.example', '403'],
      ['Origin: null', '403'],
      ['Origin: http://localhost:1', '403'],
      [`Origin: https://127.0.0.1:${gateway.port}`, '403'],
      [`Origin: http://evil.example:${gateway.port}`, '403'],
      ['Sec-Fetch-Site: cross-site', '403'],
      ['Sec-Fetch-Site: same-site', '403'],
      [`Origin: ${own}`, '200'],
      [`Origin: http://localhost:${gateway.port}`, '200'],
    ] as const
    for (const [header, status] of tries) {
      expect([header, await statusOf(gateway.port, `GET /v1/models HTTP/1.1\r\nHost: localhost\r\n${header}`)]).toEqual([
        header,
        status,
      ])
    }
    const preflight = await sendRaw(
      gateway.port,
      'OPTIONS /v1/messages HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n',
    )
    expect(preflight).toMatch(/^HTTP\/1\.1 403 /)
    expect(preflight).not.toMatch(/access-control/i)
    expect(upstream.received.length).toBe(2)
  })
})

describe('a gateway with a token', () => {
  test('refuses requests without it, and does not forward it', async () => {
    const upstream = await startUpstream()
    const gateway = await startGateway({
      upstream: upstream.url,
      token: 'sesame',
      operations: async () => ({ status: 200, contentType: 't', body: 'm' }),
    })
    const get = (path: string, header = 'X-A: 1') =>
      statusOf(gateway.port, `GET ${path} HTTP/1.1\r\nHost: gateway.example\r\n${header}`)
    expect([
      await get('/v1/models'),
      await get('/v1/models', 'x-plimsoll-token: sesam'),
      await get('/v1/models', 'X-Plimsoll-Token: sesame'),
    ]).toEqual(['401', '401', '200'])
    expect([await get('/livez'), await get('/metrics'), await get('/metrics', 'Authorization: Bearer sesame')]).toEqual([
      '200',
      '401',
      '200',
    ])
    expect(JSON.stringify(upstream.received.map(({ rawHeaders }) => rawHeaders))).not.toContain('sesame')
  })
})

describe('limits', () => {
  test('refuse headers that are too long', async () => {
    const { gateway } = await start()
    expect(await statusOf(gateway.port, `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(40_000)}`)).toBe('431')
  })

  test('refuse too many headers, and drop none silently', async () => {
    const { upstream, gateway } = await start()
    const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1`).join('\r\n')
    expect(await statusOf(gateway.port, `GET /v1/models HTTP/1.1\r\nHost: localhost\r\n${headers(300)}`)).toBe('431')
    expect(await statusOf(gateway.port, `GET /v1/models HTTP/1.1\r\nHost: localhost\r\n${headers(200)}`)).toBe('200')
    expect(upstream.received.map(({ rawHeaders }) => rawHeaders.length / 2)).toEqual([202])
  })

  test('cut off clients that send headers or a body drop by drop', async () => {
    const upstream = await startUpstream()
    const gateway = await startGateway({ upstream: upstream.url, limits: { headersSeconds: 0.1, bodySeconds: 0.1 } })
    const slow = await connectRaw(gateway.port)
    slow.socket.write('GET / HTTP/1.1\r\nHost: local')
    const slower = await connectRaw(gateway.port)
    slower.socket.write(
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{',
    )
    await Promise.all([slow.closed, slower.closed])
    expect([slow.text().slice(9, 12), slower.text().slice(9, 12)]).toEqual(['408', '408'])
    expect(upstream.received).toEqual([])
    expect(gateway.events).toContainEqual({ type: 'fault', id: null, code: 'too_slow' })
  })

  test('let a body of 100 MB pass without holding it', async () => {
    const size = 100 * 1024 * 1024
    let received = 0
    let upstream: Socket | null = null
    const server = await startRawServer(({ socket }) => {
      socket.removeAllListeners('data')
      socket.on('data', (chunk) => {
        received += chunk.byteLength
        if (received >= size) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
      socket.pause()
      upstream = socket
    })
    const gateway = await startGateway({ upstream: server.url })
    const { socket, until } = await connectRaw(gateway.port)
    socket.write(
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const piece = Buffer.alloc(1024 * 1024, 'a')
    for (let times = 0; times < 100; times++) {
      socket.write('100000\r\n')
      socket.write(piece)
      socket.write('\r\n')
    }
    socket.write('0\r\n\r\n')
    const waiting = await waitFor(() => upstream)
    // The client keeps what the upstream does not accept.
    await waitUntilStill(() => socket.writableLength)
    expect(socket.writableLength).toBeGreaterThan(size / 2)
    waiting.resume()
    await until('\r\n\r\nok')
    expect(received).toBeGreaterThanOrEqual(size)
    expect(gateway.planner.observed).toEqual([])
  })
})

test('keys never appear in events, answer headers, the planner’s input or errors', async () => {
  const key = 'sk-ant-very-secret-key'
  const planner = createMarkerPlanner()
  const gateway = await startGateway({ planner, mode: 'safe', upstream: 'http://127.0.0.1:9' })
  const headers = ['Authorization: Bearer', 'X-Api-Key:', 'X-Goog-Api-Key:', 'Api-Key:', 'Cookie:', 'Proxy-Authorization:']
  let answers = ''
  for (const header of headers) {
    answers += await sendRaw(
      gateway.port,
      `POST /v1beta/models/g:generateContent?key=${key} HTTP/1.1\r\nHost: localhost\r\n${header} ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    )
  }
  answers += await sendRaw(gateway.port, `POST /../${key} HTTP/1.1\r\nHost: ${key}\r\nConnection: close\r\n\r\n`)
  answers += await sendRaw(gateway.port, `BROKEN ${key}\r\n\r\n`)
  await waitFor(() => planner.outcomes.length === headers.length)
  expect(planner.planned.length).toBe(headers.length)
  expect(new Set(planner.planned.map(({ credential }) => credential?.length))).toEqual(new Set([64]))
  expect(JSON.stringify([gateway.events, planner.planned, planner.outcomes]) + answers).not.toContain(key)
})

test('the relay never writes to the console', async () => {
  const names = (await readdir(new URL('.', import.meta.url))).filter((name) => /^[\w-]+\.ts$/.test(name))
  expect(names).toContain('relay-request.ts')
  const files = ['../create-gateway.ts', ...names]
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')))
  expect(sources.filter((source) => /console\.|process\.std/.test(source))).toEqual([])
})
