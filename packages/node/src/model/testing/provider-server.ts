import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the server answers one request. */
export type ProviderAnswer =
  /** A text, streamed in the format that belongs to the path that was asked. */
  | { readonly kind: 'text'; readonly text: string }
  /** Events of a stream as they are. */
  | { readonly kind: 'events'; readonly events: readonly object[] }
  /** An error inside a stream that began well, in the same format. */
  | { readonly kind: 'stream-error'; readonly message: string; readonly code: string }
  /** Anything else. */
  | {
      readonly kind: 'body'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }

/** A request as it arrived. */
export interface ProviderRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** A server that is listening. */
export interface ProviderServer {
  /** Such as `http://127.0.0.1:12345`. */
  readonly origin: string
  /** Everything that was asked, oldest first. */
  readonly requests: readonly ProviderRequest[]
  readonly close: () => Promise<void>
}

/**
 * Starts a server on a free port of this machine that speaks as four kinds of provider do, each at its own path. The last answer is
 * given again and again.
 */
export async function startProviderServer(...answers: readonly [ProviderAnswer, ...ProviderAnswer[]]): Promise<ProviderServer> {
  const requests: ProviderRequest[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const path = incoming.url ?? ''
      const text = Buffer.concat(pieces).toString('utf8')
      requests.push({ path, headers: incoming.headers, body: JSON.parse(text) as ProviderRequest['body'] })
      give(response, path, answers[Math.min(requests.length, answers.length) - 1] as ProviderAnswer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** How one kind of provider puts a text and an error into a stream of events. */
interface Wire {
  readonly path: RegExp
  readonly text: (text: string) => readonly object[]
  readonly error: (message: string, code: string) => readonly object[]
  /** The end of the stream. */
  readonly end?: string
}

const message = { id: 'msg_0', type: 'message', role: 'assistant', model: 'test', content: [], stop_reason: null }
const response = { id: 'resp_0', created_at: 0, model: 'test', status: 'in_progress' }
const chunk = { id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'test' }

const wires: readonly Wire[] = [
  {
    path: /\/chat\/completions$/,
    text: (text) => [
      { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } },
    ],
    error: (message, code) => [{ error: { message, code, type: code } }],
    end: 'data: [DONE]\n\n',
  },
  {
    path: /\/responses$/,
    text: (text) => [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'out_0', role: 'assistant' } },
      { type: 'response.output_text.delta', item_id: 'out_0', output_index: 0, content_index: 0, delta: text },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'out_0', role: 'assistant' } },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', usage: { input_tokens: 1000, output_tokens: 100 } },
      },
    ],
    error: (message, code) => [
      { type: 'response.created', response },
      {
        type: 'response.failed',
        sequence_number: 1,
        response: { ...response, status: 'failed', error: { code, message }, usage: null },
      },
    ],
  },
  {
    path: /\/messages$/,
    text: (text) => [
      { type: 'message_start', message: { ...message, usage: { input_tokens: 1000, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 100 } },
      { type: 'message_stop' },
    ],
    error: (words, type) => [
      { type: 'message_start', message: { ...message, usage: { input_tokens: 1000, output_tokens: 1 } } },
      { type: 'error', error: { type, message: words } },
    ],
  },
  {
    path: /:streamGenerateContent\?alt=sse$/,
    text: (text) => [
      { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
      },
    ],
    error: (message, status) => [{ error: { code: 400, message, status } }],
  },
]

function give(outgoing: ServerResponse, path: string, answer: ProviderAnswer): void {
  if (answer.kind === 'body') {
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    outgoing.end(answer.body)
    return
  }
  const wire = wires.find((candidate) => candidate.path.test(path))
  if (wire === undefined) {
    outgoing.writeHead(404).end()
    return
  }
  const events = eventsOf(wire, answer)
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) outgoing.write(`${eventName(event)}data: ${JSON.stringify(event)}\n\n`)
  outgoing.end(wire.end ?? '')
}

function eventsOf(wire: Wire, answer: Exclude<ProviderAnswer, { kind: 'body' }>): readonly object[] {
  if (answer.kind === 'events') return answer.events
  return answer.kind === 'text' ? wire.text(answer.text) : wire.error(answer.message, answer.code)
}

function eventName(event: object): string {
  return 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n` : ''
}
