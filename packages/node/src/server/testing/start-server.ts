import { type IncomingHttpHeaders, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { createServer, type PlimsollServer } from '../create-server.ts'
import type { ServerOptions } from '../server-options.ts'
import { type TestServerOptions, testServerOptions } from './test-server-options.ts'

/** A listening server, with functions to send requests. */
export interface TestServer {
  readonly server: PlimsollServer
  readonly options: ServerOptions
  readonly port: number
  /** Sends a request unchanged over its own connection: paths are not normalised, and `Host` may be anything. */
  readonly ask: (path: string, init?: AskInit) => Promise<Asked>
  /** Sends a request as the web app does, and returns the answer. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** A request, byte for byte. */
export interface AskInit {
  readonly method?: string
  /** In addition to the token; null omits one. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | Uint8Array
}

/** An answer. */
export interface Asked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

/** Starts a server on a free port, which is closed when the test ends. */
export async function startServer(given: TestServerOptions = {}): Promise<TestServer> {
  const options = testServerOptions(given)
  const server = createServer(options)
  const { port } = await server.listen()
  onTestFinished(() => server.close())
  const authorization = `Bearer ${options.token}`
  return {
    server,
    options,
    port,
    ask: (path, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const sent: Record<string, string | number> = { authorization }
        if (body !== undefined) sent['content-length'] = Buffer.byteLength(body)
        for (const [name, value] of Object.entries(headers)) {
          if (value === null) delete sent[name]
          else sent[name] = value
        }
        const asked = request({ host: '127.0.0.1', port, path, method, headers: sent, agent: false }, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const whole = Buffer.concat(chunks)
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: whole, text: whole.toString() })
          })
        })
        asked.on('error', reject)
        asked.end(body)
      }),
    fetch(path, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('authorization', authorization)
      return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
    },
  }
}
