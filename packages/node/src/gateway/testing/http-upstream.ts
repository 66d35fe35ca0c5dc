import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** A request as an upstream of a test got it. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** An upstream of a test with everything that it was sent. */
export interface HttpUpstream {
  readonly url: string
  readonly port: number
  readonly received: ReceivedRequest[]
}

/** Starts an upstream that reads complete requests and lets the test answer them; by default with a short JSON text. */
export async function startUpstream(
  answer: (request: ReceivedRequest, response: ServerResponse) => void = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  },
): Promise<HttpUpstream> {
  const received: ReceivedRequest[] = []
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', rawHeaders } = request
      const whole = { method, url, rawHeaders, body: Buffer.concat(chunks) }
      received.push(whole)
      answer(whole, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, port, received }
}
