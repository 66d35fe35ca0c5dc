import dns from 'node:dns'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startUpstream } from '../testing/http-upstream.ts'
import { sendRaw } from '../testing/raw-sockets.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { waitFor } from '../testing/wait-for.ts'

const token = 'eyJhbGciOiJSUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl'

describe.each(['observe', 'economy'] as const)('logins without a key, in the mode %s', (mode) => {
  test.each([
    [
      'Claude Code',
      '/v1/messages?beta=true',
      [
        ['Authorization', `Bearer sk-ant-oat01-${token}`],
        ['anthropic-beta', 'claude-code-20250219,oauth-2025-04-20,interleaved-thinking-2025-05-14'],
        ['anthropic-version', '2023-06-01'],
        ['anthropic-dangerous-direct-browser-access', 'true'],
        ['x-app', 'cli'],
        ['User-Agent', 'claude-cli/2.0.0 (external, cli)'],
        ['X-Stainless-Retry-Count', '0'],
      ],
      {
        model: 'claude-opus-5',
        max_tokens: 10,
        system: [{ type: 'text', text: 'You are Claude Code.' }],
        messages: [{ role: 'user', content: 'hello' }],
      },
    ],
    [
      'Codex',
      '/responses',
      [
        ['authorization', `Bearer ${token}`],
        ['chatgpt-account-id', '00000000-0000-4000-8000-000000000000'],
        ['OpenAI-Beta', 'responses=experimental'],
        ['originator', 'codex_cli_rs'],
        ['session_id', '00000000-0000-4000-8000-000000000001'],
        ['user-agent', 'codex_cli_rs/0.50.0'],
      ],
      {
        model: 'gpt-5-codex',
        instructions: 'You are Codex.',
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
        store: false,
      },
    ],
  ] as const)('%s: headers pass in order and unchanged, the token is told to no one', async (_, path, headers, value) => {
    const upstream = await startUpstream((_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'anthropic-organization-id': 'org',
          'x-codex-primary-used-percent': '3',
        })
        .end('{}'),
    )
    const gateway = await startGateway({ upstream: upstream.url, mode })
    const body = JSON.stringify(value)
    const lines = headers.map(([name, text]) => `${name}: ${text}\r\n`).join('')
    const answer = await sendRaw(
      gateway.port,
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    const [received] = upstream.received
    const raw = received?.rawHeaders ?? []
    const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]]] : []))
    const passed = pairs.filter(([name = '']) => headers.some(([known]) => known === name))
    expect(passed).toEqual(headers)
    expect(received?.body.toString()).toBe(body)
    expect(received?.url.endsWith(path)).toBe(true)
    expect(answer).toMatch(/anthropic-organization-id: org\r\nx-codex-primary-used-percent: 3\r\n/)
    const { planned, observed } = gateway.planner
    await waitFor(() => planned.length + observed.length === 1)
    expect(JSON.stringify([gateway.events, planned, observed, answer])).not.toContain(token)
  })

  test('an expired login is refused by the provider, and its refusal is relayed as it is', async () => {
    const refusal = '{"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired."}}'
    const upstream = await startUpstream((_request, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer error="invalid_token"' })
        .end(refusal),
    )
    const gateway = await startGateway({ upstream: upstream.url, mode })
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-ant-oat01-${token}`, 'content-type': 'application/json' },
      body: '{"model":"m","messages":[]}',
    })
    expect([answer.status, answer.headers.get('www-authenticate'), await answer.text()]).toEqual([
      401,
      'Bearer error="invalid_token"',
      refusal,
    ])
  })
})

test('a name that is not resolved in time ends with a sentence, and others are served meanwhile', async () => {
  const near = await startUpstream()
  const gateway = await startGateway({
    upstream: { anthropic: 'http://provider.invalid', 'openai-chat': near.url },
    limits: { connectSeconds: 1 },
  })
  // From here on no name is ever resolved.
  let asked = 0
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation((() => {
    asked += 1
  }) as never)
  onTestFinished(() => lookup.mockRestore())
  const post = (path: string) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"model":"m","messages":[]}',
    })
  const slow = post('/v1/messages')
  await waitFor(() => asked > 0)
  expect((await post('/v1/chat/completions')).status).toBe(200)
  const answer = await slow
  expect([answer.status, ((await answer.json()) as { error: { message: string } }).error.message]).toEqual([
    504,
    'Plimsoll gateway: connecting to the upstream took too long; check its address and the network, then try again.',
  ])
})

describe('a proxy of a company', () => {
  /** A proxy that asks for a password, or answers in its own way. */
  const startProxy = async (answer: (request: IncomingMessage, client: Socket) => void) => {
    const proxy = createServer()
    proxy.on('connect', (request: IncomingMessage, client: Socket) => {
      client.on('error', () => undefined)
      answer(request, client)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      proxy.close()
      proxy.closeAllConnections()
    })
    return (proxy.address() as AddressInfo).port
  }
  const ask = async (proxy: string) => {
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', proxy })
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-the-client', 'content-type': 'application/json' },
      body: '{"model":"m","messages":[]}',
    })
    return { status: answer.status, text: await answer.text(), events: JSON.stringify(gateway.events) }
  }

  test('gets the password of its address, and never the key of a client', async () => {
    const seen: string[] = []
    const port = await startProxy((request, client) => {
      seen.push(JSON.stringify(request.rawHeaders))
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n')
    })
    const { status, text, events } = await ask(`http://user:pass%20word@127.0.0.1:${port}`)
    expect(seen.join()).toContain(Buffer.from('user:pass word').toString('base64'))
    expect(seen.join()).not.toContain('key-of-the-client')
    expect(status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
    for (const secret of ['pass word', 'pass%20word', 'key-of-the-client', '127.0.0.1'])
      expect(text + events).not.toContain(secret)
  })

  test.each([
    [
      'a login page',
      'HTTP/1.1 302 Found\r\nLocation: http://login.example/\r\nContent-Length: 0\r\n\r\n',
      'the proxy in HTTPS_PROXY',
    ],
    ['a page that forbids it', 'HTTP/1.1 403 Forbidden\r\nContent-Length: 9\r\n\r\nForbidden', 'the proxy in HTTPS_PROXY'],
    ['bytes that are no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n', ''],
    ['nothing', '', ''],
  ])('that answers with %s leads to an error in the client’s format', async (_, bytes, names) => {
    const port = await startProxy((_request, client) => client.end(bytes))
    const { status, text } = await ask(`http://127.0.0.1:${port}`)
    expect(status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining(`Plimsoll gateway: ${names}`) },
    })
  })
})
