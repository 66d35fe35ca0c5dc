import type { IncomingMessage } from 'node:http'
import { dialectError, type Refusal } from './dialect-error.ts'
import { closeExchange, type Exchange, type ExchangeEnd, type Listeners } from './exchange.ts'

/** Answers a request in the gateway's own name, in the client's dialect. */
export function refuse(exchange: Exchange, refusal: Refusal, listeners: Listeners, end: ExchangeEnd = 'refused'): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const body = Buffer.from(dialectError(exchange.route?.dialect ?? null, refusal, exchange.id))
  exchange.status = end === 'refused' ? refusal.status : null
  response.writeHead(refusal.status, [
    'content-type',
    'application/json',
    'content-length',
    String(body.byteLength),
    'x-plimsoll-request-id',
    exchange.id,
  ])
  response.end(body)
  if (!request.complete) discardRest(request)
  closeExchange(exchange, end, listeners)
}

/** Bytes that are read after a refusal: whoever is cut off while sending does not get to see the answer. */
const mostDiscarded = 256 * 1024 * 1024

function discardRest(request: IncomingMessage): void {
  let discarded = 0
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.byteLength
    if (discarded > mostDiscarded) request.socket.destroy()
  })
  request.resume()
}
