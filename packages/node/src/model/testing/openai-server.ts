import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { estimateTokens } from '@plimsoll/core'

/** How the server answers one request. */
export type Answer =
  /** A streamed text, in pieces of 200 characters. */
  | {
      readonly kind: 'text'
      readonly text: string
      readonly finish?: 'stop' | 'length' | 'content_filter'
      /** Reported prompt tokens; `estimated` is close to the real size. Default: 1,000. */
      readonly prompt?: number | 'estimated'
      /** Reported cached tokens. Default: not reported. */
      readonly cached?: number | ((prompt: number) => number)
    }
  /** A streamed tool call. */
  | { readonly kind: 'tool-call'; readonly tool: string; readonly input: unknown }
  /** Text without end, as fast as it is read, until the reader goes away. */
  | { readonly kind: 'endless'; readonly text: string }
  /** Some text, then silence, for as long as the server lives. */
  | { readonly kind: 'hang'; readonly text?: string }
  /** Some text, then the connection breaks. */
  | { readonly kind: 'cut'; readonly text: string }
  /** Some text, then the stream ends politely without having come to an end. */
  | { readonly kind: 'unfinished'; readonly text: string }
  /** Pieces as they are, with pauses in milliseconds or for other things between them; then the stream ends, breaks, or stays open. */
  | {
      readonly kind: 'raw'
      readonly pieces: readonly (string | number | (() => Promise<void> | void))[]
      readonly ending?: 'end' | 'break' | 'wait'
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Anything but a stream. */
  | {
      readonly kind: 'body'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw body. */
  readonly text: string
  readonly body: ChatBody
}

/** The fields of a chat completions request that tests look at. */
export interface ChatBody {
  readonly model: string
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly unknown[]
  readonly tool_choice?: unknown
}

/** A message of such a request. */
export interface ChatMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly unknown[]
  readonly tool_call_id?: string
}

/** A server that is listening. */
export interface OpenAiServer {
  /** The base URL, such as `http://127.0.0.1:12345/v1`. */
  readonly url: string
  /** Everything that was asked, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  /** Resolves when the connection of the first answer that was not finished is gone. */
  readonly abandoned: Promise<void>
  readonly close: () => Promise<void>
}

/** An answer, or what finds one for a request. */
export type ScriptedAnswer = Answer | ((request: ReceivedRequest) => Answer)

/** Starts a server that speaks OpenAI's chat completions on a free port of this machine. The last answer is given again and again. */
export async function startOpenAiServer(...answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]]): Promise<OpenAiServer> {
  const requests: ReceivedRequest[] = []
  const abandoned = Promise.withResolvers<void>()
  const server = createServer((incoming, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abandoned.resolve()
    })
    // Probes for the kind of server get no answer.
    if (incoming.method !== 'POST') {
      response.writeHead(404).end()
      return
    }
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const request = { path: incoming.url ?? '', headers: incoming.headers, text, body: JSON.parse(text) as ChatBody }
      requests.push(request)
      const scripted = answers[Math.min(requests.length, answers.length) - 1] as ScriptedAnswer
      give(response, typeof scripted === 'function' ? scripted(request) : scripted, text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    abandoned: abandoned.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function give(response: ServerResponse, answer: Answer, request: string): void {
  if (answer.kind === 'body') {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body)
    return
  }
  if (answer.kind === 'raw') {
    void sendRaw(response, answer)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  switch (answer.kind) {
    case 'text':
      sendText(response, answer.text)
      sendFinish(
        response,
        answer.finish ?? 'stop',
        answer.prompt === 'estimated' ? estimateTokens(request) : answer.prompt,
        answer.cached,
      )
      return
    case 'tool-call': {
      const call = { name: answer.tool, arguments: JSON.stringify(answer.input) }
      sendDelta(response, { tool_calls: [{ index: 0, id: 'call-0', type: 'function', function: call }] })
      sendFinish(response, 'tool_calls')
      return
    }
    case 'endless':
      sendForEver(response, answer.text)
      return
    case 'hang':
      response.flushHeaders()
      sendText(response, answer.text ?? '')
      return
    case 'cut':
      sendText(response, answer.text)
      // Written bytes must be sent before the connection is cut.
      void setTimeout(20).then(() => response.destroy())
      return
    case 'unfinished':
      sendText(response, answer.text)
      response.end()
  }
}

async function sendRaw(
  response: ServerResponse,
  { pieces, ending = 'end', headers }: Extract<Answer, { kind: 'raw' }>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
  for (const piece of pieces) {
    if (typeof piece === 'number') await setTimeout(piece)
    else if (typeof piece === 'function') await piece()
    else response.write(piece)
  }
  if (ending === 'end') response.end()
  if (ending !== 'break') return
  await setTimeout(20)
  response.destroy()
}

function sendText(response: ServerResponse, text: string): void {
  for (let start = 0; start < text.length; start += 200) sendDelta(response, { content: text.slice(start, start + 200) })
}

function sendForEver(response: ServerResponse, text: string): void {
  const more = () => {
    while (!response.destroyed && sendDelta(response, { content: text }));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

function sendDelta(response: ServerResponse, delta: unknown): boolean {
  return send(response, { choices: [{ index: 0, delta, finish_reason: null }] })
}

function sendFinish(
  response: ServerResponse,
  reason: string,
  prompt = 1000,
  cached?: Extract<Answer, { readonly kind: 'text' }>['cached'],
): void {
  const cached_tokens = typeof cached === 'function' ? cached(prompt) : cached
  const details = cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }
  const usage = { prompt_tokens: prompt, completion_tokens: 100, total_tokens: prompt + 100, ...details }
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: reason }], usage })
  response.end('data: [DONE]\n\n')
}

function send(response: ServerResponse, fields: object): boolean {
  const chunk = { id: 'chatcmpl-0', object: 'chat.completion.chunk', created: 0, model: 'test', ...fields }
  return response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}
