import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import { anthropicEvents, anthropicReply } from './anthropic-reply.ts'
import { geminiEvents, geminiReply } from './gemini-reply.ts'
import { openaiChatEvents, openaiChatReply } from './openai-chat-reply.ts'
import { openaiResponsesEvents, openaiResponsesReply } from './openai-responses-reply.ts'
import type { ModelReply, Reply } from './reply.ts'

/** A received request. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** The client's credential, from any header. */
  readonly key: string
  /** Null if it is not a model request. */
  readonly dialect: WireDialect | null
  readonly isStreamed: boolean
  /** Resolves when the connection ended before the answer did. */
  readonly isAborted: Promise<boolean>
}

/** A provider on its own port that speaks four dialects, gives scripted answers, and records every byte. */
export interface FakeUpstream {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  /** The requests with one credential. */
  readonly of: (key: string) => readonly Exchange[]
  readonly close: () => Promise<void>
}

/** Returns the model's answer to a request, given the number of earlier requests with the same credential. */
export type Script = (exchange: Exchange, number: number) => Reply

/** Starts a provider. */
export async function startFakeUpstream(script: Script): Promise<FakeUpstream> {
  const exchanges: Exchange[] = []
  const of = (key: string) => exchanges.filter((exchange) => exchange.key === key)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const exchange = readExchange(request, response, Buffer.concat(chunks))
      const number = of(exchange.key).filter(({ dialect }) => dialect !== null).length
      exchanges.push(exchange)
      if (exchange.dialect === null) answerAside(exchange, response)
      else answer(exchange, script(exchange, number), response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    of,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function readExchange(request: IncomingMessage, response: ServerResponse, body: Buffer): Exchange {
  const url = request.url ?? ''
  const [path = ''] = url.split('?')
  const dialect = request.method === 'POST' ? dialectOf(path) : null
  return {
    method: request.method ?? '',
    url,
    rawHeaders: request.rawHeaders,
    body,
    key: credential(request, url),
    dialect,
    isStreamed: dialect === 'gemini' ? path.endsWith(':streamGenerateContent') : /"stream":\s*true/.test(body.toString('latin1')),
    isAborted: new Promise((resolve) => response.on('close', () => resolve(!response.writableFinished))),
  }
}

function dialectOf(path: string): WireDialect | null {
  if (path.endsWith('/v1/messages')) return 'anthropic'
  if (path.endsWith('/chat/completions')) return 'openai-chat'
  if (path.endsWith('/responses')) return 'openai-responses'
  return /:(?:g|streamG)enerateContent$/.test(path) ? 'gemini' : null
}

function credential({ headers }: IncomingMessage, url: string): string {
  const named =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization ?? new URL(url, 'http://x').searchParams.get('key')
  return String(named).replace(/^Bearer /, '')
}

function answer(exchange: Exchange, reply: Reply, response: ServerResponse): void {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...reply.headers })
    response.end(JSON.stringify(reply.body))
    return
  }
  if (!exchange.isStreamed) {
    // A disconnect is noticed only while the client waits.
    if (reply.hangs) return
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_fake' })
    response.end(wholeAnswer(exchange, reply))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_fake' })
  const events = streamedAnswer(exchange, reply)
  if (reply.hangs) response.write(events.slice(0, Math.ceil(events.length / 2)).join(''))
  else writeAll(response, events)
}

/** Writes each event separately, as a model does. */
function writeAll(response: ServerResponse, events: readonly string[]): void {
  const [first, ...rest] = events
  if (first === undefined) {
    response.end()
    return
  }
  response.write(first)
  setImmediate(() => writeAll(response, rest))
}

function wholeAnswer({ dialect, ...exchange }: Exchange, reply: ModelReply): string {
  const model = modelOf(exchange)
  switch (dialect) {
    case 'anthropic':
      return anthropicReply(reply, model)
    case 'openai-chat':
      return openaiChatReply(reply, model)
    case 'openai-responses':
      return openaiResponsesReply(reply, model)
    case 'gemini':
      return geminiReply(reply, model)
    case null:
      return ''
  }
}

function streamedAnswer({ dialect, ...exchange }: Exchange, reply: ModelReply): readonly string[] {
  const model = modelOf(exchange)
  switch (dialect) {
    case 'anthropic':
      return anthropicEvents(reply, model)
    case 'openai-chat':
      return openaiChatEvents(reply, model, exchange.body.includes('"include_usage":true'))
    case 'openai-responses':
      return openaiResponsesEvents(reply, model)
    case 'gemini':
      return geminiEvents(reply, model)
    case null:
      return []
  }
}

function modelOf({ url, body }: Pick<Exchange, 'url' | 'body'>): string {
  const [, named] = /models\/([^/:]+):/.exec(url) ?? /"model":\s*"([^"]+)"/.exec(body.toString()) ?? []
  return named ?? 'unnamed'
}

/** Other requests of clients: the list of models and token counts. */
function answerAside({ url, method }: Exchange, response: ServerResponse): void {
  const [path = ''] = url.split('?')
  const isCount = path.endsWith('/count_tokens') || path.endsWith(':countTokens')
  response.writeHead(isCount || method === 'GET' ? 200 : 404, { 'content-type': 'application/json' })
  if (isCount) response.end(JSON.stringify({ input_tokens: 1500, totalTokens: 1500 }))
  else response.end(JSON.stringify({ data: [], models: [], object: 'list' }))
}
