import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands between a client and a server, and records what the client sent. */
export interface Tap {
  readonly url: string
  /** The bodies of all POST requests, in order. */
  readonly bodies: readonly Buffer[]
  readonly close: () => Promise<void>
}

export async function startTap(to: string): Promise<Tap> {
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      if (request.method === 'POST') bodies.push(body)
      const { method, headers, url = '/' } = request
      const onward = send(new URL(url, to), { method, headers: { ...headers, host: new URL(to).host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
