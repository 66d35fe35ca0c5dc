import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { proofAnswer } from '../setup/prove-bytes.ts'

/** A received request. */
export interface ArrivedRequest {
  readonly path: string
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A local provider that answers one word in every dialect and records its requests. It ends with the test. */
export async function startProvider(): Promise<{ readonly url: string; readonly arrived: readonly ArrivedRequest[] }> {
  const arrived: ArrivedRequest[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const path = request.url ?? ''
      arrived.push({ path, body: Buffer.concat(pieces), headers: request.headers })
      response.writeHead(200, { 'content-type': 'application/json' }).end(proofAnswer(path))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived }
}
