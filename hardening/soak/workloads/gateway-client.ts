import type { Message } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import type { WireDialect } from '../../../packages/node/src/store/gateway-record.ts'
import type { Journal } from '../journal.ts'
import { checkText } from '../laws/check-secrets.ts'
import { isDialectError } from '../laws/dialect-error.ts'
import type { Seen } from '../laws/witness.ts'
import type { Exchange, Upstream } from '../upstream/start-upstream.ts'

/** Options of one request. */
export interface Ask {
  readonly url: string
  readonly dialect: WireDialect
  readonly mode: TrimMode
  readonly key: string
  readonly isStreamed: boolean
  readonly messages: readonly Message[]
  /** Milliseconds until the client disconnects. */
  readonly leaveAfter?: number
}

/** The request as received by the provider, and whether the client got the complete response; null if it never arrived. */
export interface Asked extends Seen {
  readonly isAnswered: boolean
  readonly status: number
}

let asked = 0

/** Sends a request through a gateway and checks the response, unless the gateway may have been killed meanwhile. */
export async function ask(request: Ask, upstream: Upstream, journal: Journal, mayVanish: () => boolean): Promise<Asked | null> {
  asked += 1
  const number = String(asked)
  const body = bodyOf(request)
  const answer = await send(request, body, number)
  const exchange = upstream.take(number)
  const hasLeft = answer.isLeft || (mayVanish() && !answer.isWhole)
  if (!hasLeft) checkAnswer(request, answer, exchange, journal)
  journal.count(`gateway: requests, ${answer.isLeft ? 'left' : answer.isWhole ? answer.status : 'broken off'}`)
  checkText(answer.headers, 'gateway: answer', journal)
  if (exchange === null) return null
  return { body, arrived: exchange.body, findings: answer.findings, isAnswered: answer.isWhole, status: answer.status }
}

interface Answer {
  /** 0 if there was none. */
  readonly status: number
  readonly headers: string
  /** Null if the gateway reports no plan, as in its own errors. */
  readonly findings: string | null
  readonly bytes: Buffer
  readonly isWhole: boolean
  readonly isLeft: boolean
}

async function send({ url, dialect, mode, key, isStreamed, leaveAfter }: Ask, body: string, number: string): Promise<Answer> {
  const stop = new AbortController()
  const timer = leaveAfter === undefined ? undefined : setTimeout(() => stop.abort(), leaveAfter)
  let [status, headers, findings]: [number, string, string | null] = [0, '', null]
  const pieces: Buffer[] = []
  try {
    const answer = await fetch(`${url}${pathOf(dialect, isStreamed)}number=${number}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-plimsoll-trim': mode, ...credential(dialect, key) },
      body,
      signal: stop.signal,
    })
    status = answer.status
    headers = [...answer.headers].flat().join('\n')
    if (answer.headers.has('x-plimsoll-mode')) findings = answer.headers.get('x-plimsoll-findings') ?? ''
    for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece))
    return { status, headers, findings, bytes: Buffer.concat(pieces), isWhole: true, isLeft: false }
  } catch {
    return { status, headers, findings, bytes: Buffer.concat(pieces), isWhole: false, isLeft: stop.signal.aborted }
  } finally {
    clearTimeout(timer)
  }
}

function checkAnswer({ dialect }: Ask, answer: Answer, exchange: Exchange | null, journal: Journal): void {
  const { status, bytes, isWhole } = answer
  const sent = exchange?.sent ?? Buffer.alloc(0)
  const isUpstreams = exchange !== null && exchange.status === status && isBeginning(bytes, sent)
  // A response that the upstream cut off is cut off here too.
  const isRelayed = isUpstreams && (isWhole ? exchange.isWhole && bytes.length === sent.length : !exchange.isWhole)
  const isOwn = isWhole && status >= 400 && isDialectError(dialect, bytes.toString())
  journal.check('clients get the upstream’s bytes or an error in their dialect', isRelayed || isOwn, () => {
    const from = exchange === null ? 'nothing arrived' : `${exchange.status}, ${sent.length} bytes, whole: ${exchange.isWhole}`
    return `${dialect}: ${status}, ${bytes.length} bytes, whole: ${isWhole}; upstream: ${from}; ${bytes.toString().slice(0, 200)}`
  })
}

function isBeginning(bytes: Buffer, sent: Buffer): boolean {
  return bytes.length <= sent.length && bytes.equals(sent.subarray(0, bytes.length))
}

function bodyOf({ dialect, isStreamed, messages }: Ask): string {
  const body = JSON.stringify(writeRequest(dialect, messages, { model: models[dialect], system: 'Work on it.' }))
  return isStreamed && dialect !== 'gemini' ? body.replace(/\}$/, ',"stream":true}') : body
}

const models: Readonly<Record<WireDialect, string>> = {
  anthropic: 'claude-opus-5',
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  gemini: 'gemini-2.5-pro',
}

function pathOf(dialect: WireDialect, isStreamed: boolean): string {
  if (dialect === 'anthropic') return '/v1/messages?'
  if (dialect === 'openai-chat') return '/v1/chat/completions?'
  if (dialect === 'openai-responses') return '/v1/responses?'
  return `/v1beta/models/gemini-2.5-pro:${isStreamed ? 'streamGenerateContent?alt=sse&' : 'generateContent?'}`
}

function credential(dialect: WireDialect, key: string): Readonly<Record<string, string>> {
  if (dialect === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return dialect === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}
