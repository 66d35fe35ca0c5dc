import { onTestFinished } from 'vitest'
import type { SessionAnswers, SessionCommands, SessionEvent, SessionSnapshot } from '../../shared/server-api.ts'
import { startServer, type TestServer } from './start-server.ts'
import type { TestServerOptions } from './test-server-options.ts'

/** An event of a stream with its id. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: SessionEvent
}

/** A listener to a session. */
export interface Listening {
  /** The events so far. */
  readonly received: readonly ReceivedEvent[]
  /** Resolves with the first past or future event that matches, from an index in `received` on. */
  readonly until: (holds: (event: SessionEvent) => boolean, from?: number) => Promise<SessionEvent>
  readonly stop: () => void
}

/** An answer in JSON. */
export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** A server, with functions to use its sessions. */
export interface SessionClient extends TestServer {
  readonly get: (path: string) => Promise<Answered>
  readonly post: (path: string, body: unknown) => Promise<Answered>
  readonly create: () => Promise<string>
  readonly command: <Name extends keyof SessionCommands>(
    id: string,
    name: Name,
    body: SessionCommands[Name],
  ) => Promise<SessionAnswers[Name]>
  readonly snapshot: (id: string) => Promise<SessionSnapshot>
  /** Listens from an event on; null for new events only. */
  readonly listen: (id: string, after: string | null) => Promise<Listening>
  /** Sends a message, waits until the session is idle, and returns all events until then. */
  readonly talk: (id: string, text: string) => Promise<readonly SessionEvent[]>
}

/** Starts a server and talks to it as the web app does. */
export async function startClient(given: TestServerOptions = {}): Promise<SessionClient> {
  const server = await startServer(given)

  async function send(path: string, init: RequestInit): Promise<Answered> {
    const response = await server.fetch(`/api${path}`, init)
    return { status: response.status, body: await response.json() }
  }

  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const get = (path: string) => send(path, {})

  async function snapshot(id: string): Promise<SessionSnapshot> {
    const { status, body } = await get(`/sessions/${id}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as SessionSnapshot
  }

  async function listen(id: string, after: string | null): Promise<Listening> {
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const query = after === null ? '' : `?after=${after}`
    const response = await server.fetch(`/api/sessions/${id}/events${query}`, { signal: stop.signal })
    if (response.status !== 200 || response.body === null) throw new Error(await response.text())
    const received: ReceivedEvent[] = []
    let wake: () => void = () => undefined
    void (async () => {
      let open = ''
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (open + piece).split('\n\n')
        open = blocks.pop() ?? ''
        for (const block of blocks) {
          const [, eventId] = /^id: (.*)$/m.exec(block) ?? []
          const [, data] = /^data: (.*)$/m.exec(block) ?? []
          if (eventId !== undefined && data !== undefined) received.push({ id: eventId, event: JSON.parse(data) as SessionEvent })
        }
        wake()
      }
    })().catch(() => undefined)
    return {
      received,
      async until(holds, from = 0) {
        for (let at = from; ; ) {
          for (; at < received.length; at += 1) {
            const { event } = received[at] as ReceivedEvent
            if (holds(event)) return event
          }
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
      stop: () => stop.abort(),
    }
  }

  return {
    ...server,
    get,
    post,
    snapshot,
    listen,
    async create() {
      const { body } = await post('/sessions', {})
      return (body as { readonly id: string }).id
    },
    async command(id, name, body) {
      const answer = await post(`/sessions/${id}/${name}`, body)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body as never
    },
    async talk(id, text) {
      const { event } = await snapshot(id)
      const listening = await listen(id, event)
      const from = listening.received.length
      const answer = await post(`/sessions/${id}/turn`, { text })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      await listening.until(({ type }) => type === 'turn_end', from)
      await listening.until((one) => one.type === 'live' && !one.data.isBusy, afterTurn(listening))
      listening.stop()
      return listening.received.map((one) => one.event)
    },
  }
}

function afterTurn({ received }: Listening): number {
  return received.findIndex(({ event }) => event.type === 'turn_end')
}
