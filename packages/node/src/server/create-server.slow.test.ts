import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSession } from '../session/open-session.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { createServer } from './create-server.ts'
import type { AgentStarter } from './server-options.ts'
import { startServer } from './testing/start-server.ts'
import { testServerOptions, testToken } from './testing/test-server-options.ts'

const { refusals } = stringsFor('en').server
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('access', () => {
  it('answers a client that has the token', async () => {
    const { ask, options } = await startServer({
      models: ['offline', 'other/model'],
      isOfflineUnasked: true,
      notices: ['A word.'],
    })
    const { status, headers, text } = await ask('/api/hello')
    expect({ status, type: headers['content-type'], hello: JSON.parse(text) as unknown }).toEqual({
      status: 200,
      type: 'application/json',
      hello: {
        version: '1.2.3',
        locale: null,
        folder: options.root.split('/').at(-1),
        root: options.root,
        model: { name: 'offline', isOffline: true, window: 200_000 },
        models: ['offline', 'other/model'],
        windows: { offline: 200_000 },
        mode: 'auto',
        isOfflineUnasked: true,
        notices: ['A word.'],
      },
    })
  })

  it.each([
    ['no token', null, 'NO_TOKEN'],
    ['another token', 'Bearer another-token-than-the-one', 'WRONG_TOKEN'],
    ['a part of the token', `Bearer ${testToken.slice(0, -1)}`, 'WRONG_TOKEN'],
    ['the token and more', `Bearer ${testToken}x`, 'WRONG_TOKEN'],
    ['another scheme', `Basic ${testToken}`, 'NO_TOKEN'],
    ['an empty token', 'Bearer ', 'NO_TOKEN'],
  ])('refuses data to a client with %s', async (_name, authorization, code) => {
    const { ask } = await startServer()
    const { status, text, headers } = await ask('/api/hello', { headers: { authorization } })
    expect({ status, body: JSON.parse(text) as unknown, challenge: headers['www-authenticate'] }).toEqual({
      status: 401,
      body: { error: { code, ...refusals[code as 'NO_TOKEN'] } },
      challenge: 'Bearer',
    })
  })

  it('ignores a token in a cookie or in the address', async () => {
    const { ask } = await startServer()
    const headers = { authorization: null, cookie: `token=${testToken}` }
    expect((await ask(`/api/hello?token=${testToken}`, { headers })).status).toBe(401)
  })

  it('answers in the language that the request asks for', async () => {
    const { ask } = await startServer()
    const { text } = await ask('/api/hello', { headers: { authorization: null, 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' } })
    expect(JSON.parse(text)).toEqual({ error: { code: 'NO_TOKEN', ...stringsFor('zh').server.refusals.NO_TOKEN } })
  })

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    '10.0.0.1:PORT',
    '[::2]:PORT',
  ])('refuses everything to a page that uses the host name %j', async (host) => {
    const { ask, port } = await startServer()
    const headers = { host: host.replace('PORT', String(port)) }
    expect([(await ask('/api/hello', { headers })).status, (await ask('/', { headers })).status]).toEqual([421, 421])
  })

  it.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])('accepts the host name %s', async (name) => {
    const { ask, port } = await startServer()
    expect((await ask('/api/hello', { headers: { host: `${name}:${port}` } })).status).toBe(200)
  })

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1:PORT', 'http://localhost:PORT'])(
    'refuses a request that comes from %s',
    async (origin) => {
      const { ask, port } = await startServer()
      const headers = { host: `127.0.0.1:${port}`, origin: origin.replace('PORT', String(port)) }
      const { status, headers: answered } = await ask('/api/hello', { headers })
      expect({ status, cors: answered['access-control-allow-origin'] }).toEqual({ status: 403, cors: undefined })
    },
  )

  it('answers its own page', async () => {
    const { ask, port } = await startServer()
    const headers = { host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' }
    expect((await ask('/api/hello', { headers })).status).toBe(200)
  })

  it.each(['cross-site', 'same-site'])('refuses data to what a browser calls %s', async (site) => {
    const { ask } = await startServer()
    expect((await ask('/api/hello', { headers: { 'sec-fetch-site': site } })).status).toBe(403)
  })

  it('refuses a preflight of another page', async () => {
    const { ask } = await startServer()
    const { status, headers } = await ask('/api/sessions', {
      method: 'OPTIONS',
      headers: { authorization: null, origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    })
    expect({ status, cors: Object.keys(headers).filter((name) => name.startsWith('access-control')) }).toEqual({
      status: 403,
      cors: [],
    })
  })

  it('does not listen on a public address unless that is allowed, and never without a token', () => {
    expect(() => createServer(testServerOptions({ host: '0.0.0.0' }))).toThrow('allowPublic')
    expect(() => createServer(testServerOptions({ token: 'short' }))).toThrow('token')
  })

  it('listens on all addresses if allowed, and then accepts its addresses but no names', async () => {
    const { ask, port } = await startServer({ host: '0.0.0.0', allowPublic: true })
    const statuses = async (host: string) => (await ask('/api/hello', { headers: { host: `${host}:${port}` } })).status
    expect([await statuses('192.0.2.7'), await statuses('evil.example')]).toEqual([200, 421])
  })
})

describe('requests', () => {
  const post = (body: string, type: string | null) => ({ method: 'POST', body, headers: { 'content-type': type } })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    null,
  ])('must not have the type %s, which the form of another page could send', async (type) => {
    const { ask } = await startServer()
    const { status, text } = await ask('/api/sessions', post('{}', type))
    expect([status, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([415, 'WRONG_TYPE'])
  })

  it('over a megabyte are refused with a message', async () => {
    const { ask } = await startServer()
    const { status, text } = await ask('/api/sessions', post(' '.repeat(2 ** 20 + 1), 'application/json'))
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: 413,
      body: { error: { code: 'TOO_LARGE', message: refusals.TOO_LARGE.message('1 MB'), suggestion: null } },
    })
  })

  it('with a file over 256 MB are refused before it is sent', async () => {
    const { ask } = await startServer()
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(256 * 2 ** 20 + 1) }
    const { status, text } = await ask('/api/logs?name=x', { method: 'POST', headers, body: 'the first bytes' })
    expect([status, (JSON.parse(text) as { error: { message: string } }).error.message]).toEqual([
      413,
      refusals.TOO_LARGE.message('256 MB'),
    ])
  })

  it.each(['/%61pi/hello', '/api//hello', '/api/./hello', '/api/x/../hello'])('need the token at %s too', async (path) => {
    const { ask } = await startServer()
    expect((await ask(path, { headers: { authorization: null } })).status).toBe(401)
  })

  it('need a length', async () => {
    const { ask } = await startServer()
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', 'content-length': null }
    expect((await ask('/api/sessions', { method: 'POST', body: '{}', headers })).status).toBe(411)
  })

  it('without a token stay unread', async () => {
    const { ask } = await startServer()
    expect((await ask('/api/sessions', { method: 'POST', body: '{', headers: { authorization: null } })).status).toBe(401)
  })

  it('at unknown addresses get a 404 with a message', async () => {
    const { ask } = await startServer()
    const { status, text } = await ask('/api/nothing-here')
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({
      status: 404,
      body: { error: { code: 'NO_SUCH_ADDRESS', ...refusals.NO_SUCH_ADDRESS } },
    })
  })

  it('with endless headers are refused', async () => {
    const { ask } = await startServer()
    expect((await ask('/', { headers: { 'x-large': 'x'.repeat(20_000) } })).status).toBe(431)
  })
})

describe('a client that takes too long', () => {
  it('to send the headers of a request is cut off', async () => {
    const { port } = await startServer({ headersTimeoutMs: 50 })
    const slow = await opened(port)
    slow.write('GET /api/hello HTTP/1.1\r\nHost: 127')
    const said: Buffer[] = []
    slow.on('data', (chunk: Buffer) => said.push(chunk))
    await new Promise((resolve) => slow.once('close', resolve))
    expect(Buffer.concat(said).toString()).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe('the web app’s files', () => {
  const index = `<!doctype html><title>Plimsoll</title>${'<p>text</p>'.repeat(200)}`

  function webFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-web-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const web = join(folder, 'web')
    mkdirSync(join(web, 'assets'), { recursive: true })
    writeFileSync(join(folder, 'secret.html'), 'secret')
    writeFileSync(join(web, 'index.html'), index)
    writeFileSync(join(web, '.tsbuildinfo'), 'secret')
    writeFileSync(join(web, 'assets', 'main-CWvt1qbM.js'), 'export const one = 1')
    return web
  }

  it('come without a token, with a policy that loads nothing from elsewhere', async () => {
    const { ask } = await startServer({ webFolder: webFolder() })
    const { status, headers, text } = await ask('/', { headers: { authorization: null } })
    expect({ status, text, ...pick(headers, securityNames) }).toEqual({
      status: 200,
      text: index,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
      'set-cookie': undefined,
    })
  })

  it('can be cached permanently if their names change with their content', async () => {
    const { ask } = await startServer({ webFolder: webFolder() })
    const { headers, text } = await ask('/assets/main-CWvt1qbM.js')
    expect({ text, ...pick(headers, ['content-type', 'cache-control']) }).toEqual({
      text: 'export const one = 1',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it('come packed if the client accepts that', async () => {
    const { ask } = await startServer({ webFolder: webFolder() })
    const answers = await Promise.all(
      ['gzip, deflate, br', 'gzip', 'br;q=0, gzip;q=0.5', 'identity'].map((accepted) =>
        ask('/', { headers: { 'accept-encoding': accepted } }),
      ),
    )
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }
    const got = answers.map(({ headers, body }) => {
      const encoding = (headers['content-encoding'] ?? 'none') as keyof typeof unpack
      return [encoding, unpack[encoding](body).toString() === index]
    })
    expect(got).toEqual([
      ['br', true],
      ['gzip', true],
      ['gzip', true],
      ['none', true],
    ])
  })

  it('come only once for a client that caches them', async () => {
    const { ask } = await startServer({ webFolder: webFolder() })
    const etag = (await ask('/')).headers.etag ?? ''
    const { status, text } = await ask('/', { headers: { 'if-none-match': etag } })
    expect({ status, text }).toEqual({ status: 304, text: '' })
  })

  it.each([
    '/../secret.html',
    '/assets/../../secret.html',
    '/%2e%2e/secret.html',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.html',
    '/..%5csecret.html',
    '/%252e%252e/secret.html',
    '//etc/passwd',
    '/assets',
    '/assets/',
    '/.tsbuildinfo',
    '/index.html%00.js',
    '/__proto__',
  ])('do not include %s', async (path) => {
    const { ask } = await startServer({ webFolder: webFolder() })
    const { status, text } = await ask(path)
    expect({ status, text }).toEqual({ status: 404, text: '404' })
  })

  it('get a message in both languages if they are missing', async () => {
    const { ask } = await startServer()
    const { status, headers, text } = await ask('/')
    const [english, chinese] = ['en', 'zh'].map((locale) => stringsFor(locale).server.serve.notBuilt)
    expect({ status, type: headers['content-type'], text }).toEqual({
      status: 503,
      type: 'text/plain; charset=UTF-8',
      text: `${english}\n\n${chinese}\n`,
    })
  })
})

describe('the data', () => {
  it('is never cached by a browser, and has the same policy', async () => {
    const { ask } = await startServer()
    const { headers } = await ask('/api/hello')
    expect(pick(headers, ['cache-control', 'content-security-policy', 'x-content-type-options', 'set-cookie'])).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'set-cookie': undefined,
    })
  })

  it('is packed if it is large and leaves the machine', async () => {
    const notices = ['long '.repeat(1000)]
    const near = await startServer({ notices })
    const far = await startServer({ notices, host: '0.0.0.0', allowPublic: true })
    const [plain, packed] = await Promise.all(
      [near, far].map(({ ask }) => ask('/api/hello', { headers: { 'accept-encoding': 'gzip' } })),
    )
    expect([plain?.headers['content-encoding'], packed?.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(JSON.parse(gunzipSync(packed?.body ?? '').toString())).toMatchObject({ version: '1.2.3', notices })
  })

  it('is replaced by a message if there is a bug, whose report has no user content', async () => {
    const places: string[] = []
    const agents = {
      get defaultModel(): never {
        throw new TypeError('a secret of the user\n    at /home/user/secret.ts:1:2')
      },
    } as unknown as AgentStarter
    const { ask } = await startServer({ agents, onFault: (place) => places.push(place) })
    const { status, text } = await ask('/api/hello')
    expect({ status, body: JSON.parse(text) as unknown, places }).toEqual({
      status: 500,
      body: { error: { code: 'UNEXPECTED', ...refusals.UNEXPECTED } },
      places: [expect.stringMatching(/^TypeError( [\w.-]+\.[jt]s(?:\?vitest=\d+)?:\d+){3}$/)],
    })
    expect(places.join()).not.toContain('secret')
  })
})

describe('closing', () => {
  it('accepts no more requests and frees the port', async () => {
    const { server, ask, port } = await startServer()
    await ask('/api/hello')
    await server.close()
    await expect(ask('/api/hello')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect((await createServer(testServerOptions({ port })).listen()).port).toBe(port)
  })

  it('reports the system’s error if a port is in use, and can then use another one', async () => {
    const { port } = await startServer()
    const second = createServer(testServerOptions())
    onTestFinished(() => second.close())
    await expect(second.listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    expect((await second.listen(0)).port).not.toBe(port)
  })

  it('ends open streams, keeps what was acknowledged, and leaves no session locked', async () => {
    const { server, fetch, options } = await startServer()
    const post = (path: string, body: unknown) =>
      fetch(`/api/sessions${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const { id } = (await (await post('', {})).json()) as { id: string }
    const stream = await fetch(`/api/sessions/${id}/events`)
    expect(await (await post(`/${id}/turn`, { text: 'run sleep 100' })).json()).toEqual({ queued: false })
    await server.close()
    expect(await stream.text()).toMatch(/: the server closes\n\n$/)
    const session = await openSession(options.sessions, id)
    const said = session.state().messages.find(({ role }) => role === 'user')
    expect(said?.parts).toEqual([{ type: 'text', text: 'run sleep 100' }])
    await session.close()
  })

  it('does not wait for a client that has sent half a request', async () => {
    const { server, port } = await startServer()
    const slow = await opened(port)
    slow.write('GET /api/hello HTTP/1.1\r\nHost: 127')
    const gone = new Promise((resolve) => slow.once('close', resolve))
    await server.close()
    await gone
  })
})

const securityNames = [
  'content-type',
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'cache-control',
  'set-cookie',
]

function pick(headers: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, headers[name]]))
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', reject)
    onTestFinished(() => void socket.destroy())
  })
}
