import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { connectRaw, type RawEnd, startRawServer } from '../testing/raw-sockets.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { waitFor } from '../testing/wait-for.ts'

const ask = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\nsec-websocket-protocol: realtime\r\n${headers}\r\n`

const switched =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: xyz\r\n\r\n'

const start = async (answer: string) => {
  let upstream: RawEnd | null = null
  const server = await startRawServer((end) => {
    upstream = end
    end.until('\r\n\r\n').then(
      () => end.socket.write(answer),
      () => {},
    )
  })
  const gateway = await startGateway({ upstream: server.url })
  return { gateway, server, client: await connectRaw(gateway.port), upstream: () => waitFor(() => upstream) }
}

describe('a web socket', () => {
  test.each(['/v1/responses', '/v1/realtime?model=m', '/ws/google.ai.Bidi?key=k'])(
    'at %s is relayed to the upstream, byte for byte both ways',
    async (path) => {
      const { client, upstream, server, gateway } = await start(`${switched}\x81\x02hi`)
      client.socket.write(`${ask(path, 'Authorization: Bearer k\r\nX-Plimsoll-Trim: safe\r\n')}early`)
      const answer = await client.until('hi')
      expect(answer).toMatch(
        /^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: xyz\r\nx-plimsoll-request-id: /,
      )
      const end = await upstream()
      expect((await end.until('early')).split('\r\n')).toEqual([
        ...[
          `GET ${path} HTTP/1.1`,
          `host: 127.0.0.1:${server.port}`,
          'connection: upgrade',
          'upgrade: websocket',
          'Sec-WebSocket-Key: abc',
        ],
        ...['sec-websocket-protocol: realtime', 'Authorization: Bearer k', '', 'early'],
      ])
      client.socket.write('\xff\x00more', 'latin1')
      await end.until('\xff\x00more')
      end.socket.write('back')
      await client.until('back')
      client.socket.destroy()
      await end.closed
      await waitFor(() => gateway.events.find(({ type }) => type === 'answered'))
      expect(gateway.events.map((event) => event.type === 'answered' && [event.status, event.end])).toEqual([[101, 'complete']])
    },
  )

  test('ends for the client when it ends for the upstream', async () => {
    const { client, upstream } = await start(switched)
    client.socket.write(ask('/v1/responses'))
    await client.until('x-plimsoll-request-id')
    ;(await upstream()).socket.destroy()
    await client.closed
  })

  test('gets the upstream’s answer if refused, and cannot smuggle a second request', async () => {
    const { client, upstream } = await start(
      'HTTP/1.1 426 Upgrade Required\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nno!\n',
    )
    client.socket.write(ask('/v1/responses'))
    await client.until('no!\n')
    client.socket.write('GET /../secret HTTP/1.1\r\nHost: x\r\n\r\n')
    await client.closed
    expect(client.text()).toMatch(/^HTTP\/1\.1 426 .*\r\nconnection: close\r\n\r\nno!\n$/s)
    expect((await upstream()).text()).not.toContain('secret')
  })

  test('gets a long refusal no faster than it is read: nothing piles up in the gateway', async () => {
    const length = 64_000_000
    const { client, upstream } = await start(`HTTP/1.1 426 Upgrade Required\r\nContent-Length: ${length}\r\n\r\n`)
    client.socket.pause()
    client.socket.write(ask('/v1/responses'))
    const { socket, until } = await upstream()
    await until('\r\n\r\n')
    socket.write(Buffer.alloc(length))
    // Long enough for all of it to arrive if it were read.
    for (let turn = 0; turn < 300 && socket.writableLength > 0; turn += 1) await setTimeout(1)
    expect(socket.writableLength).toBeGreaterThan(0)
    client.socket.resume()
    await client.closed
    expect(client.text().length - client.text().indexOf('\r\n\r\n') - 4).toBe(length)
  })

  test('gets an error in its dialect if the upstream is unreachable', async () => {
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:9' })
    const client = await connectRaw(gateway.port)
    client.socket.write(ask('/v1/responses'))
    await client.closed
    expect(client.text()).toMatch(/^HTTP\/1\.1 502 .*"code":"plimsoll_upstream_unreachable"/s)
  })

  test.each([
    ['an Anthropic path', '/v1/messages', '', '400', 'invalid_request_error'],
    ['a page of another site', '/v1/responses', 'Origin: https://evil.example\r\n', '403', 'wrong_origin'],
    ['a path that leads elsewhere', '/v1/../x', '', '400', 'no_web_socket'],
    ['a body', '/v1/responses', 'Content-Length: 5\r\n', '400', 'no_web_socket'],
  ])('is refused in its dialect for %s', async (_, path, headers, status, word) => {
    const { client } = await start(switched)
    client.socket.write(ask(path, headers))
    await client.until(word)
    expect(client.text().slice(9, 12)).toBe(status)
  })

  test('is closed when the gateway is', async () => {
    const { client, upstream, gateway } = await start(switched)
    client.socket.write(ask('/v1/responses'))
    await client.until('x-plimsoll-request-id')
    await gateway.gateway.close()
    await Promise.all([client.closed, (await upstream()).closed])
  })
})

test('a request to upgrade to another protocol is relayed without the upgrade', async () => {
  const { client, upstream } = await start('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  client.socket.write(
    'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
  )
  await client.until('\r\n\r\nok')
  expect((await upstream()).text()).not.toMatch(/upgrade|settings/i)
})
