import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startUpstream } from '../testing/http-upstream.ts'
import { sendRaw } from '../testing/raw-sockets.ts'
import { startGateway } from '../testing/start-gateway.ts'

it('a proxy only opens the tunnel: request and answer pass unchanged', async () => {
  const upstream = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () =>
      response.end(`${request.headers.host} ${request.headers.authorization} ${Buffer.concat(chunks).toString()}`),
    )
  })
  const seen: string[] = []
  const proxy = createServer((_request, response) => response.writeHead(500).end('no tunnel'))
  proxy.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    seen.push(`${request.url} ${JSON.stringify(request.headers)}`)
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const far = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      far.write(head)
      far.pipe(client).pipe(far)
    })
    far.on('error', () => client.destroy())
    client.on('error', () => far.destroy())
  })
  for (const server of [upstream, proxy]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
  }
  const portOf = (server: typeof proxy) => (server.address() as AddressInfo).port
  const place = `127.0.0.1:${portOf(upstream)}`
  const { url } = await startGateway({ upstream: `http://${place}`, proxy: `http://127.0.0.1:${portOf(proxy)}` })
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: '{"model": "m", "messages": []}',
  })
  expect(await answer.text()).toBe(`${place} Bearer secret {"model": "m", "messages": []}`)
  expect(seen).toEqual([expect.stringContaining(place)])
  expect(seen.join()).not.toContain('secret')
})

it('repeated headers survive a proxy', async () => {
  const upstream = await startUpstream()
  const proxy = createServer()
  proxy.on('connect', (_request: IncomingMessage, client: Socket) => {
    const far = connect(upstream.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      far.pipe(client).pipe(far)
    })
    far.on('error', () => client.destroy())
    client.on('error', () => far.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  const { port } = await startGateway({
    upstream: upstream.url,
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  })
  const head = 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAnthropic-Beta: one\r\nX-A: 1\r\nanthropic-beta: two\r\nX-A: 2\r\n'
  await sendRaw(port, `${head}Connection: close\r\n\r\n`)
  expect(upstream.received.map(({ rawHeaders }) => rawHeaders)).toEqual([
    [
      'host',
      `127.0.0.1:${upstream.port}`,
      'connection',
      'keep-alive',
      'Anthropic-Beta',
      'one',
      'X-A',
      '1',
      'X-A',
      '2',
      'anthropic-beta',
      'two',
    ],
  ])
})
