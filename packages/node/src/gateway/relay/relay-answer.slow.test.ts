import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../testing/http-upstream.ts'
import { connectRaw, type RawEnd, sendRaw, startRawServer } from '../testing/raw-sockets.ts'
import { type StartOptions, startGateway } from '../testing/start-gateway.ts'
import { waitFor, waitUntilStill } from '../testing/wait-for.ts'
import { refusal } from './dialect-error.ts'

const ask = (method = 'POST', version = '1.1', path = '/v1/messages') =>
  `${method} ${path} HTTP/${version}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`

/** A gateway with an upstream whose answer the test writes, once it has the request. */
const startByHand = async (answer: (upstream: RawEnd) => void, options: StartOptions = {}) => {
  let connections = 0
  const server = await startRawServer((upstream) => {
    connections++
    upstream.until('{}').then(
      () => answer(upstream),
      () => {},
    )
  })
  const gateway = await startGateway({ upstream: server.url, ...options })
  return { gateway, client: await connectRaw(gateway.port), connections: () => connections }
}

const say = (text: string) => (upstream: RawEnd) => {
  upstream.socket.write(text, 'latin1')
}

const ended = (events: readonly unknown[]) =>
  (events as readonly { type: string; end?: string; status?: number | null }[])
    .filter(({ type }) => type === 'answered')
    .map(({ end, status }) => [end, status])

describe('an answer', () => {
  test('arrives with its status, its headers in order and its bytes', async () => {
    const { client } = await startByHand(
      say(
        'HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nRequest-Id: r1\r\nX-A: 1\r\nx-a: 2\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 3\r\nKeep-Alive: timeout=9\r\nProxy-Authenticate: p\r\nX-Plimsoll-Mode: other\r\nContent-Type: application/json\r\nx-latin: \xe9\r\nContent-Length: 16\r\n\r\n{"error":"\\u00"}',
      ),
    )
    client.socket.write(ask())
    const answer = await client.until('{"error":"\\u00"}')
    expect(answer.replace(/request-id: [0-9a-f-]{36}/, 'request-id: ID')).toBe(
      'HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nRequest-Id: r1\r\nX-A: 1\r\nx-a: 2\r\nProxy-Authenticate: p\r\nContent-Type: application/json\r\nx-latin: \xe9\r\nContent-Length: 16\r\nx-plimsoll-request-id: ID\r\nx-plimsoll-mode: observe\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n{"error":"\\u00"}',
    )
  })

  test('sends its headers before its first byte, and every piece as it arrives', async () => {
    let upstream: RawEnd | null = null
    const { client } = await startByHand((end) => {
      upstream = end
      end.socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
    })
    client.socket.write(ask())
    await client.until('Transfer-Encoding: chunked\r\n\r\n')
    const end = await waitFor(() => upstream)
    end.socket.write('5\r\nevent\r\n')
    await client.until('5\r\nevent\r\n')
    end.socket.write('6\r\n: ping\r\n')
    await client.until('6\r\n: ping\r\n')
    end.socket.write('0\r\n\r\n')
    await client.until('0\r\n\r\n')
  })

  test('keeps its trailers', async () => {
    const { client } = await startByHand(
      say('HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Sum: 9\r\n\r\n'),
    )
    client.socket.write(ask())
    expect(await client.until('X-Sum: 9\r\n\r\n')).toContain('2\r\nab\r\n0\r\nX-Sum: 9\r\n\r\n')
  })

  test('may follow interim answers', async () => {
    const { client } = await startByHand(
      say(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      ),
    )
    client.socket.write(ask())
    expect(await client.until('ok')).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1\.1 102 Processing\r\n\r\nHTTP\/1\.1 200 OK\r\nContent-Length: 2\r\n/,
    )
  })

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n', /^HTTP\/1\.1 200 OK\r\nContent-Length: 999\r\n.*\r\n\r\n$/s],
    ['POST', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n', /^HTTP\/1\.1 204 No Content\r\nX-A: 1\r\n.*\r\n\r\n$/s],
    ['POST', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n', /^HTTP\/1\.1 304 Not Modified\r\nETag: "a"\r\n.*\r\n\r\n$/s],
  ])('without a body has none: %s %s', async (method, said, expected) => {
    const { client, gateway } = await startByHand(say(said))
    client.socket.write(ask(method))
    await client.until('\r\n\r\n')
    await waitFor(() => ended(gateway.events)[0])
    client.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const text = await client.until('\r\n\r\nalive\n')
    expect(text.slice(0, text.lastIndexOf('HTTP/1.1 '))).toMatch(expected)
  })

  test.each([
    ['a redirect', 'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/steal\r\nContent-Length: 0\r\n\r\n'],
    [
      'an error with status 200',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n{"type":"error","error":{}}\n',
    ],
    ['a page', 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>'],
  ])('is relayed without checks: %s', async (_, said) => {
    const { client, connections } = await startByHand(say(said))
    client.socket.write(ask())
    const answer = await client.until('x-plimsoll-mode')
    expect(answer.startsWith(said.slice(0, said.indexOf('\r\n\r\n')))).toBe(true)
    await client.until(said.slice(said.indexOf('\r\n\r\n')))
    expect(connections()).toBe(1)
  })

  test('stays packed if it is packed, and is kept in full', async () => {
    const packed = gzipSync('{"usage":{}}')
    const upstream = await startUpstream((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
    const gateway = await startGateway({ upstream: upstream.url })
    const answer = await sendRaw(gateway.port, ask().replace('Host', 'Connection: close\r\nHost'))
    expect(answer).toContain(packed.toString('latin1'))
    const kept = gateway.planner.outcomes[0]?.answer
    expect([kept?.contentEncoding, Buffer.from(kept?.head ?? []).equals(packed), kept?.tail]).toEqual(['gzip', true, null])
  })

  test('is sent no faster than the client reads', async () => {
    let upstream: RawEnd | null = null
    const size = 40 * 1024 * 1024
    const { client, gateway } = await startByHand((end) => {
      upstream = end
      end.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
      for (let written = 0; written < size; written += 1024 * 1024) end.socket.write(Buffer.alloc(1024 * 1024, 'x'))
    })
    client.socket.pause()
    client.socket.write(ask())
    const { socket } = await waitFor(() => upstream)
    await waitFor(() => socket.writableLength > 0)
    // Unread bytes stay with the upstream, which can write no more.
    await waitUntilStill(() => socket.writableLength)
    expect(socket.writableLength).toBeGreaterThan(size / 8)
    expect(ended(gateway.events)).toEqual([])
    client.socket.resume()
    await waitFor(() => ended(gateway.events)[0])
    expect(ended(gateway.events)).toEqual([['complete', 200]])
    expect(gateway.planner.outcomes[0]?.answer?.tail?.byteLength).toBe(1024 * 1024)
  })
})

describe('an event stream without end', () => {
  // One event that never ends, and events without number.
  test.each([
    ['one event', Buffer.alloc(1 << 18, 'x')],
    ['events', Buffer.from('event: content_block_delta\ndata: {"type":"content_block_delta"}\n\n'.repeat(4000))],
  ])('of %s is relayed within bounds, and ends with its client, at the upstream too', async (_, piece) => {
    let relayed = 0
    let isGone = false
    const upstream = await startUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const goOn = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', goOn).on('close', () => {
        isGone = true
      })
      response.write('data: ')
      goOn()
    })
    const gateway = await startGateway({ upstream: upstream.url })
    const client = connect(gateway.port, '127.0.0.1').on('data', ({ length }) => {
      relayed += length
    })
    onTestFinished(() => void client.destroy())
    client.write(ask())
    await waitFor(() => relayed > 96 * 1024 * 1024)
    // One that is not read stops, here and at the upstream.
    client.pause()
    await waitUntilStill(() => gateway.planner.outcomes.length)
    expect([isGone, ended(gateway.events)]).toEqual([false, []])
    client.destroy()
    await waitFor(() => isGone)
    await waitFor(() => gateway.planner.outcomes[0])
    const { head, tail } = gateway.planner.outcomes[0]?.answer ?? {}
    expect((head?.byteLength ?? 0) + (tail?.byteLength ?? 0)).toBeLessThanOrEqual(2 * 1024 * 1024)
    expect(ended(gateway.events)).toEqual([['client-gone', 200]])
  })
})

describe('silence in an event stream', () => {
  const stream = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'

  test('gets a comment between two events, and nowhere else', async () => {
    let upstream: RawEnd | null = null
    const { client } = await startByHand(
      (end) => {
        upstream = end
        end.socket.write(`${stream}9\r\ndata: 1\n\n\r\n`)
      },
      { keepAliveSeconds: 0.02 },
    )
    client.socket.write(ask())
    await client.until('data: 1\n\n\r\ne\r\n: keep-alive\n\n\r\n')
    const { socket } = await waitFor(() => upstream)
    socket.write('8\r\ndata: 2\n\r\n')
    await client.until('data: 2\n')
    const before = client.text().length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(client.text().slice(before)).toBe('\r\n'.slice(client.text().endsWith('\r\n') ? 2 : 0))
    socket.write('1\r\n\n\r\n0\r\n\r\n')
    await client.until('0\r\n\r\n')
  })

  test.each([
    ['a JSON text', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'],
    [
      'a packed stream',
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a stream of a known length', 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5\r\n\r\n'],
  ])('stays silence in %s', async (_, head) => {
    const { client } = await startByHand(say(head), { keepAliveSeconds: 0.01 })
    client.socket.write(ask())
    const before = await client.until('\r\n\r\n')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(client.text()).toBe(before)
  })

  test('stays silence if nothing is configured', async () => {
    const { client } = await startByHand(say(`${stream}9\r\ndata: 1\n\n\r\n`))
    client.socket.write(ask())
    const before = await client.until('data: 1\n\n\r\n')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(client.text()).toBe(before)
  })
})

describe('an upstream that fails', () => {
  test.each([
    ['resets before it answers', (end: RawEnd) => end.socket.resetAndDestroy(), 502, 'upstream_closed'],
    ['closes before it answers', (end: RawEnd) => end.socket.end(), 502, 'upstream_closed'],
    ['speaks something else', say('SSH-2.0-OpenSSH\r\n'), 502, 'upstream_malformed'],
    ['sends headers without end', say(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(200_000)}`), 502, 'upstream_malformed'],
    ['sends a status that is none', say('HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n'), 502, 'upstream_malformed'],
    [
      'switches without being asked',
      say('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      502,
      'upstream_closed',
    ],
  ])('%s: the client gets an error in its dialect, and nothing is sent twice', async (_, answer, status, code) => {
    const { client, gateway, connections } = await startByHand(answer)
    client.socket.write(ask('POST', '1.1', '/v1/chat/completions'))
    expect(await client.until(`plimsoll_${code}`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(ended(gateway.events)).toEqual([['upstream-failed', null]])
    expect(gateway.planner.outcomes.map(({ status: reported, end }) => [reported, end])).toEqual([[null, 'upstream-failed']])
    expect(connections()).toBe(1)
    // The client's connection is fine, and so is the gateway.
    client.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await client.until('\r\n\r\nalive\n')
  })

  test.each([
    [
      'half an event',
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n8\r\ndata: {"\r\n',
      'data: {"',
    ],
    ['too few bytes', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"half":', '{"half":'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n', 'ab'],
  ])('sends %s and disconnects: the client gets those bytes and no clean end', async (_, said, bytes) => {
    for (const leave of ['end', 'resetAndDestroy'] as const) {
      let upstream: RawEnd | null = null
      const { client, gateway } = await startByHand((end) => {
        upstream = end
        end.socket.write(said)
      })
      client.socket.write(ask())
      await client.until(bytes)
      const { socket } = await waitFor(() => upstream)
      if (!socket.destroyed) socket[leave]()
      await client.closed
      expect(client.text().endsWith('0\r\n\r\n')).toBe(false)
      expect(client.text()).toContain(bytes)
      expect(ended(gateway.events)).toEqual([['upstream-failed', 200]])
    }
  })

  test('in an answer delimited by its end resets an old client, which would take it for complete', async () => {
    let upstream: RawEnd | null = null
    const { client } = await startByHand((end) => {
      upstream = end
      end.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n')
    })
    client.socket.write(ask('POST', '1.0'))
    await client.until('ab')
    ;(await waitFor(() => upstream)).socket.destroy()
    expect(await client.closed).toBe('reset')
  })

  test('sends more than it announced: the client gets what was announced', async () => {
    const { client, gateway } = await startByHand(
      say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nX-Smuggled: 1\r\n\r\n'),
    )
    client.socket.write(ask())
    await client.until('\r\n\r\nok')
    await waitFor(() => ended(gateway.events)[0])
    client.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await client.until('\r\n\r\nalive\n')).not.toContain('Smuggled')
  })

  test('is silent: the client waits as it would without a gateway, and others are served', async () => {
    const { client, gateway } = await startByHand(() => {})
    client.socket.write(ask())
    const other = await fetch(`${gateway.url}/livez`)
    expect(await other.text()).toBe('alive\n')
    expect(client.text()).toBe('')
  })

  test('answers before it has the request: the client gets the answer', async () => {
    const server = await startRawServer((upstream) => {
      upstream.until('\r\n\r\n').then(
        () => upstream.socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge'),
        () => {},
      )
    })
    const gateway = await startGateway({ upstream: server.url })
    const client = await connectRaw(gateway.port)
    client.socket.write(
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
    )
    client.socket.write('a'.repeat(500_000))
    await client.until('\r\n\r\nlarge')
    client.socket.write('a'.repeat(500_000))
    client.socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await client.until('\r\n\r\nalive\n')
    const { status, end } = await waitFor(() => gateway.planner.outcomes[0])
    expect([gateway.planner.observed[0]?.body.byteLength, status, end]).toEqual([1_000_000, 413, 'complete'])
  })

  test('is unreachable: 502 in the format of each dialect', async () => {
    const { port } = await startGateway({ upstream: 'http://127.0.0.1:9' })
    const answers = await Promise.all(
      ['/v1/messages', '/v1/responses', '/v1beta/models/g:generateContent'].map(async (path) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: '{}' })
        const { error } = (await answer.json()) as { error: { type?: string; status?: string; message: string } }
        return [answer.status, error.type ?? error.status, error.message]
      }),
    )
    const message = `Plimsoll gateway: ${refusal('upstream_unreachable').message}`
    expect(answers).toEqual([
      [502, 'api_error', message],
      [502, 'server_error', message],
      [502, 'UNAVAILABLE', message],
    ])
  })

  test('takes too long to connect to: 504', async () => {
    // A server that accepts connections and sends nothing never finishes a handshake.
    const server = await startRawServer(() => {})
    const gateway = await startGateway({ upstream: server.url.replace('http:', 'https:'), limits: { connectSeconds: 0.1 } })
    const answer = await fetch(`${gateway.url}/v1beta/models/g:generateContent`, { method: 'POST', body: '{}' })
    const { error } = (await answer.json()) as { error: { status: string } }
    expect([answer.status, error.status]).toEqual([504, 'DEADLINE_EXCEEDED'])
    expect(gateway.events[0]).toEqual({ type: 'fault', id: expect.any(String), code: 'upstream_timeout' })
  })

  test('has an unknown name: 502', async () => {
    const { url, events } = await startGateway({ upstream: 'http://nobody.invalid' })
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('could not be resolved')])
    expect(JSON.stringify(events)).not.toContain('nobody.invalid')
  })
})

describe('a client that goes away', () => {
  test('while it waits: the upstream request ends', async () => {
    let upstream: RawEnd | null = null
    const { client, gateway } = await startByHand((end) => {
      upstream = end
    })
    client.socket.write(ask())
    const end = await waitFor(() => upstream)
    client.socket.destroy()
    await end.closed
    expect(ended(gateway.events)).toEqual([['client-gone', null]])
  })

  test('in the middle of an answer: the upstream request ends, and the partial answer is reported', async () => {
    let upstream: RawEnd | null = null
    const { client, gateway } = await startByHand((end) => {
      upstream = end
      end.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n')
    })
    client.socket.write(ask())
    await client.until('ab')
    client.socket.destroy()
    await (await waitFor(() => upstream)).closed
    expect(ended(gateway.events)).toEqual([['client-gone', 200]])
    expect(gateway.planner.outcomes.map(({ end, answer }) => [end, Buffer.from(answer?.head ?? []).toString()])).toEqual([
      ['client-gone', 'ab'],
    ])
  })

  test('in the middle of its request: the upstream does not get a complete one', async () => {
    let upstream: RawEnd | null = null
    const server = await startRawServer((end) => {
      upstream = end
    })
    const gateway = await startGateway({ upstream: server.url })
    const client = await connectRaw(gateway.port)
    client.socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n${'a'.repeat(400_000)}`,
    )
    const end = await waitFor(() => upstream)
    await end.until('aaaa')
    client.socket.destroy()
    await end.closed
    expect(ended(gateway.events)).toEqual([['client-gone', null]])
    expect(gateway.planner.observed).toEqual([])
  })

  test('while its request is planned: nothing is sent', async () => {
    let upstreams = 0
    const server = await startRawServer(() => {
      upstreams++
    })
    let plan: (() => void) | null = null
    const { createMarkerPlanner } = await import('../testing/marker-planner.ts')
    const planner = createMarkerPlanner()
    const slow = {
      ...planner,
      plan: async (request: Parameters<typeof planner.plan>[0]) => {
        await new Promise<void>((resolve) => {
          plan = resolve
        })
        return planner.plan(request)
      },
    }
    const gateway = await startGateway({ upstream: server.url, mode: 'safe', planner: slow })
    const client = await connectRaw(gateway.port)
    client.socket.write(ask())
    const go = await waitFor(() => plan)
    client.socket.destroy()
    await waitFor(() => ended(gateway.events)[0])
    go()
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
    expect(upstreams).toBe(0)
    expect(planner.outcomes.map(({ status, end }) => [status, end])).toEqual([[null, 'client-gone']])
  })
})
