import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { isOwnHost, type Listening } from './host-names.ts'
import { refusal, tooLarge } from './refusal.ts'

interface GuardOptions {
  readonly token: string
  readonly listening: () => Listening
  readonly stopping: AbortSignal
}

/** Accepts only pages that were opened by the server's own name: another site can be given a name that leads here. */
export function guardHost({ listening, stopping }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    if (!isOwnHost(host, listening())) throw refusal('WRONG_HOST')
    const origin = context.req.header('origin')
    if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) throw refusal('WRONG_ORIGIN')
    if (stopping.aborted) throw refusal('CLOSING')
    await next()
  }
}

/**
 * Accepts requests with the token. It is in a header and never in a cookie: a cookie of 127.0.0.1 is sent to every port of it, and with
 * every request of another page.
 */
export function guardData({ token }: GuardOptions): MiddlewareHandler {
  const expected = digestOf(token)
  return async (context, next) => {
    const site = context.req.header('sec-fetch-site') ?? 'none'
    // Another port of this machine counts as the same site, but is another program.
    if (site !== 'same-origin' && site !== 'none') throw refusal('WRONG_ORIGIN')
    const given = /^Bearer ([\w-]{1,1000})$/i.exec(context.req.header('authorization') ?? '')?.[1]
    if (given === undefined) throw refusal('NO_TOKEN')
    // Digests have one length, so the time to compare them says nothing about the token.
    if (!timingSafeEqual(digestOf(given), expected)) throw refusal('WRONG_TOKEN')
    if (context.req.method !== 'GET' && context.req.method !== 'HEAD') checkBody(context)
    await next()
  }
}

const maxJson = 2 ** 20
const maxUpload = 256 * 2 ** 20

/** Refuses types that a plain form of another page can send, and bodies without a length. */
function checkBody(context: Context): void {
  const type = context.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  const isUpload = type === 'application/octet-stream' && context.req.path === '/api/logs'
  if (!isUpload && type !== 'application/json') throw refusal('WRONG_TYPE')
  if (context.req.header('transfer-encoding') !== undefined) throw refusal('NO_LENGTH')
  const max = isUpload ? maxUpload : maxJson
  if (Number(context.req.header('content-length') ?? 0) > max) throw tooLarge(max)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function securityHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next()
    for (const [name, value] of headers) context.res.headers.set(name, value)
  }
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const headers: readonly (readonly [string, string])[] = [
  ['content-security-policy', policy.join('; ')],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
]
