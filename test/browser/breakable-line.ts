import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { StartedApp } from './start-app.ts'

/** An app that is reached over a line which can be cut. */
export interface BreakableLine {
  /** The same app at the near end of the line. */
  readonly app: StartedApp
  /** Cuts open connections and rejects new ones. */
  readonly cut: () => void
  readonly restore: () => void
}

/** Puts a line between an app and its client until the test is over. */
export async function startLine(app: StartedApp): Promise<BreakableLine> {
  const far = new URL(app.origin)
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    const { origin } = incoming.headers
    const headers = { ...incoming.headers, host: far.host, ...(origin === undefined ? {} : { origin: app.origin }) }
    const onwards = request(
      { host: far.hostname, port: far.port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        answer.pipe(response)
      },
    )
    onwards.on('error', () => response.destroy())
    response.on('close', () => onwards.destroy())
    incoming.pipe(onwards)
  })
  server.on('connection', (socket) => {
    if (isCut) return socket.destroy()
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    app: { ...app, origin, address: app.address.replace(app.origin, origin) },
    cut,
    restore() {
      isCut = false
    },
  }
}
