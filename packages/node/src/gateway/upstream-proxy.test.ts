import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from './testing/start-gateway.ts'

it('a proxy on the way only makes the tunnel: request and answer pass as they are', async () => {
  const upstream = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.end(`${request.headers.host} ${request.headers.authorization} ${Buffer.concat(chunks).toString()}`))
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
