import { describe, expect, test } from 'vitest'
import { startUpstream } from './testing/http-upstream.ts'
import { sendRaw } from './testing/raw-sockets.ts'
import { startGateway } from './testing/start-gateway.ts'

describe('a gateway', () => {
  test('relays a request and its answer byte for byte', async () => {
    const upstream = await startUpstream()
    const gateway = await startGateway({ upstream: upstream.url })
    const body = '{"model":"m",  "messages":[]}'
    const answer = await sendRaw(
      gateway.port,
      `POST /v1/messages?beta=true HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nX-Api-Key: k\r\nAnthropic-Beta: a\r\nanthropic-beta: b\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    expect(upstream.received.map((r) => r.body.toString())).toEqual([body])
  })
})
