import type { Socket } from 'node:net'
import type { TrimMode } from '@plimsoll/core/policies'
import type { Dispatcher } from 'undici'
import { tellCompaction } from '../compaction/tell-compaction.ts'
import type { Plan } from '../planner.ts'
import { type AnswerOutlet, keepAnswer, openOutlet } from './answer-outlet.ts'
import { closeExchange, type Exchange, type Listeners, refuse, reportEvent } from './exchange.ts'
import { without } from './request-head.ts'
import { type AnswerTransform, tellAppliedEdits } from './tell-applied-edits.ts'
import { upstreamFailure } from './upstream-line.ts'

/**
 * Relays an upstream's answer to the client: status, headers and bytes, no faster than the client reads them. If one of the two goes away,
 * the other is let go, and an answer that was cut off is cut off for the client too.
 */
export function relayAnswer(
  exchange: Exchange,
  options: Listeners & { readonly keepAliveSeconds: number | null },
): Dispatcher.DispatchHandler {
  const { request, response } = exchange
  let outlet: AnswerOutlet | null = null
  let rewrite: AnswerTransform | null = null
  let hasEnd = false

  return {
    onRequestStart: (controller) => {
      if (exchange.isOver) controller.abort(clientGone)
      else exchange.abort = () => controller.abort(clientGone)
    },
    onResponseStart: (controller, status, _headers, text) => {
      const raw = controller.rawHeaders as readonly Uint8Array[]
      if (status < 100) throw noStatus
      if (status < 200) return relayInterim(exchange, status, text ?? '', raw)
      const hasBody = request.method !== 'HEAD' && status !== 204 && status !== 304
      const headers = readAnswerHeaders(raw)
      rewrite = hasBody && status === 200 ? rewriteOf(exchange.plan, headers) : null
      // A body of another length is sent in chunks.
      const forward = rewrite === null ? headers.forward : [...without(headers.forward, length)]
      hasEnd = request.httpVersionMinor > 0 || (headers.hasLength && rewrite === null)
      addOwnHeaders(forward, exchange.id, exchange.mode, exchange.plan)
      exchange.status = status
      response.sendDate = false
      response.writeHead(status, unspeakable.test(text ?? '') ? '' : text, forward)
      outlet = openOutlet(response, {
        pause: () => controller.pause(),
        resume: () => controller.resume(),
        keepAliveSeconds: isPlainEventStream(headers) ? options.keepAliveSeconds : null,
      })
      if (!hasBody || exchange.telling === 'never' || exchange.route?.kind !== 'generate') return
      // A redirect has no usage; an error may say that the request was too long.
      if (status < 300 || status >= 400) exchange.kept = keepAnswer(headers.contentType, headers.contentEncoding)
    },
    onResponseData: (_controller, chunk) => {
      exchange.firstByteAt ??= performance.now()
      exchange.answerBytes += chunk.byteLength
      exchange.kept?.add(chunk)
      if (rewrite === null) outlet?.write(chunk)
      else for (const piece of rewrite.write(chunk)) outlet?.write(piece)
    },
    onResponseEnd: (controller) => {
      if (rewrite !== null) for (const piece of rewrite.end()) outlet?.write(piece)
      outlet?.end(pairsOf(controller.rawTrailers as readonly Uint8Array[] | null))
      if (!response.destroyed) closeExchange(exchange, 'complete', options)
    },
    onResponseError: (_controller, error) => {
      if (exchange.isOver) return
      const failure = upstreamFailure(error)
      reportEvent(options, { type: 'fault', id: exchange.id, code: failure.code })
      if (!response.headersSent) return refuse(exchange, failure, options, 'upstream-failed')
      if (rewrite !== null) for (const piece of rewrite.end()) outlet?.write(piece)
      outlet?.flush()
      closeExchange(exchange, 'upstream-failed', options)
      breakOff(response.socket ?? request.socket, hasEnd)
    },
  }
}

/** Adds to an answer what the gateway did for the client; null if there is nothing to add. */
function rewriteOf(plan: Plan | null, headers: AnswerHeaders): AnswerTransform | null {
  const edits = plan?.appliedEdits ?? null
  const applied = edits === null ? null : tellAppliedEdits({ ...headers, edits })
  if (plan?.told === undefined || headers.contentEncoding !== '') return applied
  const told = tellCompaction({ contentType: headers.contentType, told: plan.told })
  if (applied === null) return told
  return {
    write: (chunk) => told.write(chunk).flatMap(applied.write),
    end: () => [...told.end().flatMap(applied.write), ...applied.end()],
  }
}

const length: ReadonlySet<string> = new Set(['content-length'])

/** Characters that a status line cannot hold; clients ignore its text. */
const unspeakable = /[^\t\x20-\x7e\x80-\xff]/

const noStatus = Object.assign(new Error('An answer has a status of at least 100.'), { code: 'ERR_STATUS' })

const clientGone = new Error('The client went away.')

function isPlainEventStream({ contentType, contentEncoding, hasLength }: AnswerHeaders): boolean {
  return !hasLength && contentEncoding === '' && contentType.trimStart().toLowerCase().startsWith('text/event-stream')
}

/** An interim answer, which only newer clients understand. */
function relayInterim({ request, response }: Exchange, status: number, text: string, raw: readonly Uint8Array[]): void {
  const { socket } = response
  // Without a socket, an earlier answer on the same connection is not over.
  if (socket === null || response.headersSent || request.httpVersionMinor === 0) return
  const { forward } = readAnswerHeaders(raw)
  let lines = `HTTP/1.1 ${status} ${text}\r\n`
  for (let index = 0; index + 1 < forward.length; index += 2) lines += `${forward[index]}: ${forward[index + 1]}\r\n`
  socket.write(`${lines}\r\n`, 'latin1')
}

function pairsOf(raw: readonly Uint8Array[] | null): [string, string][] {
  const pairs: [string, string][] = []
  if (raw === null) return pairs
  const { forward } = readAnswerHeaders(raw)
  for (let index = 0; index + 1 < forward.length; index += 2) pairs.push([forward[index] as string, forward[index + 1] as string])
  return pairs
}

/** Milliseconds that a client has to read what arrived before an answer was cut off. */
const lingering = 5000

/** Ends a connection in the middle of an answer, so that the client does not take it for complete. */
function breakOff(socket: Socket, hasEnd: boolean): void {
  if (!hasEnd) {
    // The end of the connection would be the end of the answer; a reset is not.
    socket.resetAndDestroy()
    return
  }
  socket.destroySoon()
  setTimeout(() => socket.destroy(), lingering).unref()
}

type AnswerHeaders = ReturnType<typeof readAnswerHeaders>

/** Reads an answer's raw headers, without those that concern one connection only and those of another gateway. */
function readAnswerHeaders(raw: readonly Uint8Array[]) {
  const forward: string[] = []
  let contentType = ''
  let contentEncoding = ''
  let named: string[] | null = null
  let hasLength = false
  let isChunked = false
  let announced: string | null = null
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const written = latin1(raw[index] as Uint8Array)
    const value = latin1(raw[index + 1] as Uint8Array)
    const name = written.toLowerCase()
    switch (name) {
      case 'connection':
        named = [...(named ?? []), ...value.toLowerCase().split(',')]
        continue
      case 'transfer-encoding':
        isChunked = true
        continue
      case 'trailer':
        announced = value
        continue
      case 'keep-alive':
      case 'te':
      case 'upgrade':
      case 'proxy-connection':
        continue
      case 'content-length':
        hasLength = true
        break
      case 'content-type':
        contentType = value
        break
      case 'content-encoding':
        contentEncoding = value.trim().toLowerCase()
        break
      default:
        if (name.startsWith('x-plimsoll-')) continue
    }
    forward.push(written, value)
  }
  // Only a body in chunks can have trailers.
  if (isChunked && announced !== null) forward.push('trailer', announced)
  return {
    forward: named === null ? forward : [...without(forward, new Set(named.map((name) => name.trim())))],
    contentType,
    contentEncoding: contentEncoding === 'identity' ? '' : contentEncoding,
    hasLength,
  }
}

function addOwnHeaders(headers: string[], id: string, mode: TrimMode | null, plan: Plan | null): void {
  headers.push('x-plimsoll-request-id', id)
  if (mode !== null) headers.push('x-plimsoll-mode', mode)
  if (plan === null) return
  if (plan.tokensBefore !== null) headers.push('x-plimsoll-tokens-before', String(plan.tokensBefore))
  if (plan.tokensAfter !== null) headers.push('x-plimsoll-tokens-after', String(plan.tokensAfter))
  if (plan.rules.length > 0) headers.push('x-plimsoll-rules', plan.rules.join(', '))
  if (plan.prefixKept !== null) headers.push('x-plimsoll-prefix-kept', String(plan.prefixKept))
  if (plan.findings.length > 0)
    headers.push(
      'x-plimsoll-findings',
      plan.findings.map(({ code, count }) => (count === 1 ? code : `${code};count=${count}`)).join(', '),
    )
}

function latin1(bytes: Uint8Array): string {
  return (bytes as Buffer).toString('latin1')
}
