import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The answer at a path: a value as JSON, or the output of a function. */
export type PathAnswer = object | ((response: ServerResponse) => void)

/** A server that is listening until the test is over. */
export interface PathServer {
  readonly origin: string
  /** Everything that was asked, oldest first. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
}

/** Starts a server on a free port of this machine that answers at these paths, and nowhere else. */
export async function startPathServer(answers: Readonly<Record<string, PathAnswer>>): Promise<PathServer> {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const path = incoming.url ?? ''
      requests.push({ path, headers: incoming.headers, body: Buffer.concat(pieces).toString('utf8') })
      const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
      if (answer === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      else if (typeof answer === 'function') (answer as (response: ServerResponse) => void)(response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
