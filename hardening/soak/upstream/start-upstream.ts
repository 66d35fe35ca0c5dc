import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireDialect } from '../../../packages/node/src/store/gateway-record.ts'
import { anthropicEvents, anthropicReply } from '../../../test/gateway/anthropic-reply.ts'
import { geminiEvents, geminiReply } from '../../../test/gateway/gemini-reply.ts'
import { openaiChatEvents, openaiChatReply } from '../../../test/gateway/openai-chat-reply.ts'
import { openaiResponsesEvents, openaiResponsesReply } from '../../../test/gateway/openai-responses-reply.ts'
import { refusals } from '../../../test/gateway/refusals.ts'
import type { ModelReply, RefusedReply } from '../../../test/gateway/reply.ts'
import type { UpstreamFault } from '../faults/upstream-fault.ts'

/** A model request of a client. */
export interface Question {
  readonly dialect: WireDialect
  readonly isStreamed: boolean
  readonly body: string
}

/** A numbered request as received by the provider, and its response. */
export interface Exchange {
  readonly body: string
  readonly status: number
  /** The bytes written to the connection. */
  readonly sent: Buffer
  /** Whether the response was sent to its end, even with a fault. */
  readonly isWhole: boolean
}

/** A faulty provider that speaks four dialects. */
export interface Upstream {
  readonly url: string
  /** Returns and removes the request with this `?number=`; null if there is none. */
  readonly take: (number: string) => Exchange | null
  readonly close: () => Promise<void>
}

/** The answers of a provider and their faults. */
export interface UpstreamOptions {
  readonly answer: (question: Question) => ModelReply
  readonly fault: (question: Question) => UpstreamFault
}

/** Starts a provider on a free port of this machine. */
export async function startUpstream({ answer, fault }: UpstreamOptions): Promise<Upstream> {
  const exchanges = new Map<string, Exchange>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('error', () => undefined)
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString()
      const question = questionIn(request, body)
      if (question === null) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such address"}}')
        return
      }
      const number = new URL(request.url ?? '', 'http://upstream').searchParams.get('number')
      const note = (exchange: Omit<Exchange, 'body'>) => {
        if (number !== null) exchanges.set(number, { body, ...exchange })
      }
      note({ status: 0, sent: Buffer.alloc(0), isWhole: false })
      void respond(response, answerTo(question, answer, fault(question)), note)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take(number) {
      const exchange = exchanges.get(number) ?? null
      exchanges.delete(number)
      return exchange
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function questionIn({ method, url = '' }: IncomingMessage, body: string): Question | null {
  const [path = ''] = url.split('?')
  if (method !== 'POST') return null
  const isStreamed = path.endsWith(':streamGenerateContent') || /"stream":\s*true/.test(body)
  if (path.endsWith('/messages')) return { dialect: 'anthropic', isStreamed, body }
  if (path.endsWith('/chat/completions')) return { dialect: 'openai-chat', isStreamed, body }
  if (path.endsWith('/responses')) return { dialect: 'openai-responses', isStreamed, body }
  return /:(?:g|streamG)enerateContent$/.test(path) ? { dialect: 'gemini', isStreamed, body } : null
}

/** How a response is sent. */
interface Wire {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: readonly string[]
  /** Milliseconds before each chunk. */
  readonly pause: number
  readonly ending: 'end' | 'break'
}

function answerTo(question: Question, answer: UpstreamOptions['answer'], fault: UpstreamFault): Wire {
  const refused = refusals[question.dialect]
  const type = question.isStreamed ? 'text/event-stream' : 'application/json'
  const plain = { status: 200, headers: { 'content-type': type }, pause: 0, ending: 'end' as const }
  switch (fault) {
    case 'limited':
      return refusal(refused.limited)
    case 'overloaded':
      return refusal(refused.overloaded)
    case 'overflow':
      return refusal(refused.overflow)
    case 'page':
      return {
        ...plain,
        headers: { 'content-type': 'text/html' },
        pieces: ['<html><body>Bad gateway</body></html>'],
        status: 502,
      }
    case 'reset':
      return { ...plain, status: 0, pieces: [], ending: 'break' }
    case 'none':
      return { ...plain, pieces: piecesOf(question, answer(question)) }
    case 'slow':
      return { ...plain, pieces: piecesOf(question, answer(question)), pause: 120 }
    case 'cut':
      return { ...plain, pieces: firstHalf(piecesOf(question, answer(question))), ending: 'break' }
    case 'half':
      return { ...plain, pieces: firstHalf(piecesOf(question, answer(question))) }
  }
}

function refusal({ status, body }: RefusedReply): Wire {
  const headers = { 'content-type': 'application/json', 'retry-after': '1' }
  return { status, headers, pieces: [JSON.stringify(body)], pause: 0, ending: 'end' }
}

function firstHalf(pieces: readonly string[]): readonly string[] {
  const text = pieces.join('')
  return [text.slice(0, Math.floor(text.length / 2))]
}

function piecesOf({ dialect, isStreamed, body }: Question, reply: ModelReply): readonly string[] {
  const [, model = 'unnamed'] = /"model":\s*"([^"]+)"/.exec(body) ?? []
  switch (dialect) {
    case 'anthropic':
      return isStreamed ? anthropicEvents(reply, model) : [anthropicReply(reply, model)]
    case 'openai-chat':
      return isStreamed ? openaiChatEvents(reply, model, body.includes('"include_usage":true')) : [openaiChatReply(reply, model)]
    case 'openai-responses':
      return isStreamed ? openaiResponsesEvents(reply, model) : [openaiResponsesReply(reply, model)]
    case 'gemini':
      return isStreamed ? geminiEvents(reply, model) : [geminiReply(reply, model)]
  }
}

async function respond(response: ServerResponse, wire: Wire, note: (exchange: Omit<Exchange, 'body'>) => void): Promise<void> {
  response.on('error', () => undefined)
  const sent: Buffer[] = []
  const tell = (isWhole: boolean) => note({ status: wire.status, sent: Buffer.concat(sent), isWhole })
  if (wire.status > 0) {
    response.writeHead(wire.status, wire.headers)
    response.flushHeaders()
  }
  for (const piece of wire.pieces) {
    if (wire.pause > 0) await sleep(wire.pause)
    if (response.destroyed) return tell(false)
    sent.push(Buffer.from(piece))
    response.write(piece)
    tell(false)
  }
  if (wire.ending === 'end') {
    tell(true)
    response.end()
    return
  }
  // Written bytes are sent before the connection stalls.
  await sleep(20)
  response.destroy()
}
