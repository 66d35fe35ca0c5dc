import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it arrived. */
export interface ImageServerRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>> | null
}

/** How the server answers one request; undefined never answers. */
export type ImageAnswer = { readonly status?: number; readonly json?: unknown; readonly raw?: string | Uint8Array } | undefined

/** Starts a service that makes images on a free port of this machine, until the test is over. The last answer repeats. */
export async function startImageServer(...answers: readonly ImageAnswer[]) {
  const requests: ImageServerRequest[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const body = text === '' ? null : (JSON.parse(text) as ImageServerRequest['body'])
      requests.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body })
      give(response, answers[Math.min(requests.length, answers.length) - 1])
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Bytes that begin as a PNG does, the same for the same numbers. */
export function pngBytes(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size)
  let state = seed
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  Buffer.from('89504e470d0a1a0a', 'hex').copy(bytes)
  return bytes
}

function give(response: ServerResponse, answer: ImageAnswer): void {
  if (answer === undefined) return
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
  response.end(answer.raw ?? JSON.stringify(answer.json))
}
