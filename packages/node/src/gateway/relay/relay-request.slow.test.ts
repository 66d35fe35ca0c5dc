import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type HttpUpstream, startUpstream } from '../testing/http-upstream.ts'
import { createMarkerPlanner } from '../testing/marker-planner.ts'
import { connectRaw, sendRaw } from '../testing/raw-sockets.ts'
import { type StartOptions, startGateway } from '../testing/start-gateway.ts'
import { waitFor } from '../testing/wait-for.ts'

const post = (path: string, body: string | Buffer, headers: readonly string[] = []) => {
  const bytes = Buffer.from(body)
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    'Content-Type: application/json',
    ...headers,
    `Content-Length: ${bytes.length}`,
    '',
    bytes.toString('latin1'),
  ].join('\r\n')
}

const start = async (options: StartOptions = {}) => {
  const upstream = await startUpstream()
  const gateway = await startGateway({ upstream: upstream.url, ...options })
  return { upstream, gateway, send: (text: string) => sendRaw(gateway.port, text) }
}

const bodies = ({ received }: HttpUpstream) => received.map(({ body }) => body.toString('latin1'))

const headerOf = (answer: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(answer)?.[1]

describe('in the mode observe', () => {
  test('a request reaches the upstream byte for byte, with headers in order and duplicates', async () => {
    const { upstream, send } = await start()
    const body = '{ "model":"m",\t"messages" : [\u00e9] , "x":1e400 }'
    await send(
      post('/v1/messages?beta=true&x=%2F', body, [
        'X-Api-Key: k',
        'Anthropic-Beta: a,b',
        'ANTHROPIC-beta: c',
        'x-unknown: \t1 ',
        'Accept-Encoding: gzip, br',
        'X-Plimsoll-Trim: observe',
        'X-Drop-Me: 1',
        'Connection: x-drop-me',
        'Proxy-Authorization: p',
        'TE: trailers',
      ]),
    )
    expect(bodies(upstream)).toEqual([Buffer.from(body).toString('latin1')])
    expect(upstream.received[0]?.method).toBe('POST')
    expect(upstream.received[0]?.url).toBe('/v1/messages?beta=true&x=%2F')
    expect(upstream.received[0]?.rawHeaders).toEqual([
      ...['host', `127.0.0.1:${upstream.port}`, 'connection', 'keep-alive', 'Content-Type', 'application/json', 'X-Api-Key', 'k'],
      ...['Anthropic-Beta', 'a,b', 'ANTHROPIC-beta', 'c', 'x-unknown', '1', 'Accept-Encoding', 'gzip, br'],
      ...['content-length', String(Buffer.from(body).length)],
    ])
  })

  test('the planner gets a request without delaying it, and then its outcome', async () => {
    const { gateway, send } = await start()
    const body = '{"messages":[]}'
    const answer = await send(post('/v1/chat/completions', body, ['Authorization: Bearer secret', 'session_id: abc']))
    const [request] = gateway.planner.observed
    expect({ ...request, body: Buffer.from(request?.body ?? []).toString() }).toEqual({
      id: headerOf(answer, 'x-plimsoll-request-id'),
      dialect: 'openai-chat',
      kind: 'generate',
      model: null,
      credential: createHash('sha256').update('Bearer secret').digest('hex'),
      mode: 'observe',
      session: 'abc',
      isManagedUpstream: false,
      at: 1_700_000_000_000,
      body,
    })
    const [outcome] = gateway.planner.outcomes
    expect([outcome?.id, outcome?.status, outcome?.end]).toEqual([request?.id, 200, 'complete'])
    expect(Buffer.from(outcome?.answer?.head ?? []).toString()).toBe('{"ok":true}')
    expect(gateway.planner.planned).toEqual([])
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('a body packed with %s is relayed packed, and unpacked for the planner', async (encoding, pack) => {
    const { upstream, gateway, send } = await start()
    const packed = pack(Buffer.from('{"messages":["MARK"]}'))
    await send(post('/v1/messages', packed, [`Content-Encoding: ${encoding}`]))
    expect(upstream.received[0]?.body.equals(packed)).toBe(true)
    const observed = await waitFor(() => gateway.planner.observed[0])
    expect(Buffer.from(observed.body).toString()).toBe('{"messages":["MARK"]}')
    await waitFor(() => gateway.planner.outcomes[0])
  })

  test('a long body is relayed while it arrives', async () => {
    const { upstream, gateway } = await start()
    const client = await connectRaw(gateway.port)
    client.socket.write(
      'POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const piece = 'a'.repeat(100_000)
    for (let times = 0; times < 10; times++) client.socket.write(`186a0\r\n${piece}\r\n`)
    client.socket.write('0\r\n\r\n')
    await client.until('{"ok":true}')
    expect(upstream.received[0]?.body.toString() === piece.repeat(10)).toBe(true)
    expect(gateway.planner.observed[0]?.body.byteLength).toBe(1_000_000)
    expect(gateway.planner.outcomes.length).toBe(1)
  })

  test('a body over the limit passes without the planner', async () => {
    const { upstream, gateway, send } = await start({ limits: { maxReadBytes: 300_000 } })
    await send(post('/v1/messages', 'a'.repeat(400_000)))
    expect(upstream.received[0]?.body.byteLength).toBe(400_000)
    expect([gateway.planner.observed, gateway.planner.outcomes]).toEqual([[], []])
  })

  test('invalid JSON passes to the upstream, whose answer comes back', async () => {
    const { upstream, gateway, send } = await start()
    await send(post('/v1/messages', '{"broken'))
    expect(bodies(upstream)).toEqual(['{"broken'])
    expect(gateway.planner.observed.length).toBe(1)
  })

  test('other types than JSON and unknown paths pass unread', async () => {
    const { upstream, gateway, send } = await start()
    await send(post('/v1/messages', 'a=b').replace('application/json', 'application/x-www-form-urlencoded'))
    await send(post('/v1/embeddings', '{"MARK":1}'))
    await send(post('/upload/v1beta/files', 'bytes'))
    expect(bodies(upstream)).toEqual(['a=b', '{"MARK":1}', 'bytes'])
    expect(gateway.planner.observed).toEqual([])
  })

  test('a request without a body and one with an empty body stay different', async () => {
    const { upstream, send } = await start()
    await send('DELETE /v1/files/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await send('POST /v1/files HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    expect(upstream.received.map(({ method, url, rawHeaders }) => [method, url, rawHeaders.includes('content-length')])).toEqual([
      ['DELETE', '/v1/files/1', false],
      ['POST', '/v1/files', true],
    ])
  })

  test('a client that expects 100-continue gets it', async () => {
    const { upstream, gateway } = await start()
    const client = await connectRaw(gateway.port)
    client.socket.write(
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
    )
    await client.until('HTTP/1.1 100 Continue')
    client.socket.write('{}')
    await client.until('{"ok":true}')
    expect(bodies(upstream)).toEqual(['{}'])
    expect(upstream.received[0]?.rawHeaders.map((text) => text.toLowerCase())).not.toContain('expect')
  })
})

describe('in modes that change requests', () => {
  test('a plan is spliced into the body, and the answer’s headers report it', async () => {
    const { upstream, gateway, send } = await start({ mode: 'safe' })
    const answer = await send(post('/v1/messages', '{"a":"MARK",  "b":"MARK"}'))
    expect(bodies(upstream)).toEqual(['{"a":"mark!",  "b":"mark!"}'])
    expect(upstream.received[0]?.rawHeaders.slice(-2)).toEqual(['content-length', '27'])
    const names = ['mode', 'tokens-before', 'tokens-after', 'rules', 'prefix-kept', 'findings']
    expect(names.map((name) => headerOf(answer, `x-plimsoll-${name}`))).toEqual([
      'safe',
      '20',
      '10',
      'limit-tool-output',
      '5',
      undefined,
    ])
    expect(gateway.planner.planned.map(({ mode, kind }) => [mode, kind])).toEqual([['safe', 'generate']])
    expect(gateway.planner.outcomes.length).toBe(1)
    expect(gateway.events.map((event) => event.type === 'answered' && event.isChanged)).toEqual([true])
  })

  test('a token count request is planned too', async () => {
    const { upstream, gateway, send } = await start({ mode: 'economy' })
    await send(post('/v1/messages/count_tokens', '"MARK"'))
    expect(bodies(upstream)).toEqual(['"mark!"'])
    expect(gateway.planner.planned.map(({ kind }) => kind)).toEqual(['count'])
  })

  test('a packed body stays packed if nothing changes, and is sent unpacked otherwise', async () => {
    const { upstream, send } = await start({ mode: 'safe' })
    const same = gzipSync('{"a":1}')
    await send(post('/v1/messages', same, ['Content-Encoding: gzip']))
    await send(post('/v1/messages', zstdCompressSync(Buffer.from('"MARK"')), ['Content-Encoding: zstd']))
    expect(upstream.received[0]?.body.equals(same)).toBe(true)
    expect(upstream.received[0]?.rawHeaders.slice(-4)).toEqual([
      'Content-Encoding',
      'gzip',
      'content-length',
      String(same.length),
    ])
    expect(upstream.received[1]?.body.toString()).toBe('"mark!"')
    expect(upstream.received[1]?.rawHeaders).not.toContain('Content-Encoding')
  })

  test.each([
    ['a bomb', gzipSync(Buffer.alloc(6_000_000)), 'Content-Encoding: gzip', 'too-large'],
    ['a damaged body', Buffer.from('MARK not packed'), 'Content-Encoding: gzip', 'unreadable'],
    ['an unknown packing', Buffer.from('MARK'), 'Content-Encoding: rot13', 'unsupported'],
    ['a body with a digest', Buffer.from('MARK'), 'Content-Digest: sha-256=:x:', 'not-applied'],
    ['a body that is long', Buffer.alloc(5_000_000, 'MARK'), 'X-A: 1', 'too-large'],
  ])('%s is relayed unchanged, with a finding', async (_, body, header, finding) => {
    const { upstream, send } = await start({ mode: 'safe' })
    const answer = await send(post('/v1/messages', body, [header]))
    expect(upstream.received[0]?.body.equals(body)).toBe(true)
    expect(headerOf(answer, 'x-plimsoll-findings')).toBe(finding)
  })

  test('a late plan changes nothing, and the planner learns that', async () => {
    let letGo: () => void = () => {}
    const late = new Promise<never>((_, reject) => {
      letGo = () => reject(new Error('late'))
    })
    const planner = createMarkerPlanner({ planner: { plan: () => late } })
    const { upstream, gateway, send } = await start({ mode: 'safe', planner, limits: { planMilliseconds: 20 } })
    const answer = await send(post('/v1/messages', '"MARK"'))
    letGo()
    expect(bodies(upstream)).toEqual(['"MARK"'])
    expect(headerOf(answer, 'x-plimsoll-findings')).toBe('too-late')
    expect(gateway.planner.outcomes.map(({ isPlanDropped }) => isPlanDropped)).toEqual([true])
  })

  test.each([
    [
      'that fails',
      createMarkerPlanner({ planner: { plan: () => Promise.reject(new Error('x')) } }),
      'too-late',
      'planner_failed',
    ],
    [
      'whose plan does not fit',
      createMarkerPlanner({ plan: { splices: [{ start: 3, end: 99, bytes: Buffer.from('x') }] } }),
      'not-applied',
      'plan_does_not_fit',
    ],
  ])('a planner %s changes nothing', async (_, planner, finding, code) => {
    const { upstream, gateway, send } = await start({ mode: 'safe', planner })
    const answer = await send(post('/v1/messages', '"MARK"'))
    expect(bodies(upstream)).toEqual(['"MARK"'])
    expect(headerOf(answer, 'x-plimsoll-findings')).toBe(finding)
    expect(gateway.events.filter(({ type }) => type === 'fault')).toEqual([{ type: 'fault', id: expect.any(String), code }])
  })

  test.each([
    ['economy', 'observe', '"MARK"'],
    ['safe', 'observe', '"MARK"'],
    ['safe', 'economy', '"mark!"'],
    ['safe', 'nonsense', '"mark!"'],
    ['observe', 'economy', '"MARK"'],
  ] as const)('in the mode %s, a request that asks for %s gets the gentler one', async (mode, asked, sent) => {
    const { upstream, send } = await start({ mode })
    await send(post('/v1/messages', '"MARK"', [`x-plimsoll-trim: ${asked}`]))
    expect(bodies(upstream)).toEqual([sent])
  })

  test('a body longer than the limit is refused in the client’s dialect, announced or not', async () => {
    const { upstream, send, gateway } = await start({ mode: 'safe', limits: { maxBodyBytes: 100_000 } })
    const announced = await send(post('/v1/messages', 'a'.repeat(100_001)))
    expect(announced).toMatch(/^HTTP\/1.1 413 .*"type":"request_too_large"/s)
    const chunked = await send(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n186a1\r\n${'a'.repeat(100_001)}\r\n0\r\n\r\n`,
    )
    expect(chunked).toMatch(/^HTTP\/1.1 413 .*"code":"plimsoll_too_large"/s)
    expect(upstream.received).toEqual([])
    expect(gateway.events.map((event) => event.type === 'answered' && [event.end, event.status])).toEqual([
      ['refused', 413],
      ['refused', 413],
    ])
  })

  test('a client that asked for edits receives the applied ones', async () => {
    const applied = [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 50 }]
    const upstream = await startUpstream((_, response) => {
      const text = '{"type":"message","content":[]}'
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
    })
    const gateway = await startGateway({
      upstream: upstream.url,
      mode: 'safe',
      planner: createMarkerPlanner({ plan: { appliedEdits: applied } }),
    })
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '"MARK"',
    })
    expect(await answer.json()).toEqual({ type: 'message', content: [], context_management: { applied_edits: applied } })
    const { rawHeaders } = upstream.received[0] as (typeof upstream.received)[0]
    expect(rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'accept-encoding') + 1]).toBe('identity')
  })
})

describe('the session and the tenant of a request', () => {
  test.each([
    ['/v1/messages', ['x-claude-code-session-id: one', 'x-session-id: two'], 'one'],
    ['/v1/messages', ['x-session-id: two'], 'two'],
    ['/v1/responses', ['session_id: three'], 'three'],
    ['/t/my%20work/v1/responses', ['session_id: three'], 'my work'],
    ['/v1/messages', [`x-session-id: ${'s'.repeat(300)}`], 's'.repeat(200)],
    ['/v1/messages', [], null],
  ])('%s %j is labelled %s', async (path, headers, label) => {
    const { gateway, send } = await start()
    await send(post(path, '{}', headers))
    expect(gateway.planner.observed.map(({ session }) => session)).toEqual([label])
  })

  test.each([
    ['/v1/messages', ['x-api-key: k'], 'k'],
    ['/v1beta/models/g:generateContent', ['x-goog-api-key: k'], 'k'],
    ['/v1beta/models/g:generateContent?alt=sse&key=k', [], 'k'],
    ['/v1/chat/completions', ['api-key: k'], 'k'],
    ['/v1/messages', [], null],
  ])('%s %j has its credential hashed', async (path, headers, key) => {
    const { gateway, send } = await start()
    await send(post(path, '{}', headers))
    const hash = key === null ? null : createHash('sha256').update(key).digest('hex')
    expect(gateway.planner.observed.map(({ credential }) => credential)).toEqual([hash])
  })
})

test('each dialect goes to its own upstream, at its own path', async () => {
  const anthropic = await startUpstream()
  const chat = await startUpstream()
  const responses = await startUpstream()
  const gemini = await startUpstream()
  const { port } = await startGateway({
    upstream: {
      anthropic: `${anthropic.url}/base/`,
      'openai-chat': `${chat.url}/api/v1`,
      'openai-responses': responses.url,
      gemini: gemini.url,
    },
  })
  await sendRaw(port, post('/v1/messages', '{}'))
  await sendRaw(port, post('/v1/chat/completions', '{}'))
  await sendRaw(port, post('/responses', '{}'))
  await sendRaw(port, post('/v1beta/models/g:countTokens?key=k', '{}'))
  await sendRaw(port, 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nanthropic-version: 1\r\n\r\n')
  await sendRaw(port, 'GET /v1/models?key=k HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await sendRaw(port, 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const urls = ({ received }: HttpUpstream) => received.map(({ url }) => url)
  expect([anthropic, chat, responses, gemini].map(urls)).toEqual([
    ['/base/v1/messages', '/base/v1/models'],
    ['/api/v1/chat/completions', '/api/v1/models'],
    ['/v1/responses'],
    ['/v1beta/models/g:countTokens?key=k', '/v1/models?key=k'],
  ])
})
