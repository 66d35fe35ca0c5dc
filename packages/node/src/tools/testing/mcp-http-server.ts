import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { createTestServer } from './mcp-test-server.ts'

type Handler = (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** Starts an HTTP server on a free port of this machine, until the test is over. */
export async function listen(handler: Handler) {
  const seen: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((incoming, response) => {
    seen.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers })
    void handler(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close }
}

/** The real server of tools over HTTP. */
export function serveTestTools(): Handler {
  const handler = createMcpHandler(createTestServer)
  return async (incoming, response) => {
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(hasBody ? { body: await text(incoming) } : {}),
    })
    const answer = await handler.fetch(request)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response)
  }
}

/** A server of the older kind, with one stream of events for all answers. */
export function serveOlderTools(): Handler {
  const streams: ServerResponse[] = []
  return async (incoming, response) => {
    if (incoming.url === '/sse' && incoming.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages\n\n')
      streams.push(response)
      return
    }
    if (incoming.url !== '/messages') {
      response.writeHead(405).end()
      return
    }
    const body = await text(incoming)
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string }
    response.writeHead(202).end()
    const result = results[method]
    if (result !== undefined) streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
  }
}

const results: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
  'tools/list': { tools: [{ name: 'old', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'from the older server' }] },
}
