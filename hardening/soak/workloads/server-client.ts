import type { SessionEvent } from '../../../packages/node/src/shared/server-api.ts'
import type { Journal } from '../journal.ts'

/** The address and token of a server. */
export interface ServerPlace {
  readonly address: string
  readonly token: string
}

/** A server's response; null if the connection broke or was closed. */
export interface ServerAnswer {
  readonly status: number
  readonly text: string
  readonly body: unknown
}

/** Unusual parts of a request. */
export interface Sending {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A browser client. */
export interface ServerClient {
  /** Sends a request and checks the form of the response: JSON, and a refusal with a suggestion. */
  readonly send: (path: string, sending?: Sending) => Promise<ServerAnswer | null>
  readonly post: (path: string, body: unknown) => Promise<ServerAnswer | null>
  /** Listens to a session until `listen` returns true or the connection ends. */
  readonly listen: (session: string, listen: (event: SessionEvent) => boolean, milliseconds: number) => Promise<void>
}

/** Creates a client for a server. */
export function createServerClient({ address, token }: ServerPlace, journal: Journal): ServerClient {
  const headers = { authorization: `Bearer ${token}` }

  async function send(
    path: string,
    { method = 'GET', body, headers: further, signal }: Sending = {},
  ): Promise<ServerAnswer | null> {
    try {
      const answer = await fetch(`${address}api${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...further },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([AbortSignal.timeout(60_000), ...(signal === undefined ? [] : [signal])]),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
      const parsed: unknown = isJson ? JSON.parse(text) : null
      checkForm(path, method, answer.status, parsed, text)
      return { status: answer.status, text, body: parsed }
    } catch (error) {
      if (error instanceof SyntaxError)
        journal.check('clients get answers in the agreed form', false, () => `${path}: ${error.message}`)
      return null
    }
  }

  function checkForm(path: string, method: string, status: number, body: unknown, text: string): void {
    const isRefusal = isTrouble(body)
    // A server that is closing or asks for a retry responds with a code for that; any other status from 500 is a bug.
    const isFault = status >= 500 && status !== 503 && status !== 507
    journal.check('clients get answers in the agreed form', status < 400 || (isRefusal && !isFault), () => {
      return `${method} ${path}: ${status} ${text.slice(0, 300)}`
    })
  }

  return {
    send,
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    async listen(session, listen, milliseconds) {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), milliseconds)
      try {
        const answer = await fetch(`${address}api/sessions/${session}/events`, { headers, signal: stop.signal })
        if (answer.status !== 200 || answer.body === null) return
        let open = ''
        for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
          const blocks = (open + piece).split('\n\n')
          open = blocks.pop() ?? ''
          for (const block of blocks) {
            const [, data] = /^data: (.*)$/m.exec(block) ?? []
            if (data !== undefined && listen(JSON.parse(data) as SessionEvent)) return
          }
        }
      } catch {
        // The server disconnected, or it took too long.
      } finally {
        clearTimeout(timer)
        stop.abort()
      }
    },
  }
}

function isTrouble(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error && typeof error.message === 'string'
}
