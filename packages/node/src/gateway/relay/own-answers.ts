import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayOptions, OperationsAnswer } from '../gateway-options.ts'
import type { RequestTarget } from './find-route.ts'
import { type Door, refusalWithoutToken } from './host-guard.ts'
import type { RequestHead } from './request-head.ts'

/** What the gateway answers by itself. */
export interface OwnAnswers {
  /** Answers a request that is for the gateway; false for one that is not. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, target: RequestTarget, head: RequestHead) => boolean
}

/** Makes what answers those who look whether the gateway is there, and those who run it. */
export function createOwnAnswers(
  { planner, operations }: Pick<GatewayOptions, 'planner' | 'operations'>,
  door: () => Door,
  isClosing: () => boolean,
): OwnAnswers {
  async function readiness(): Promise<OperationsAnswer> {
    if (isClosing()) return text(503, 'closing\n')
    const isReady = await inTime(planner.check())
    return isReady ? text(200, 'ready\n') : text(503, 'the store does not answer\n')
  }

  async function findAnswer(path: string, head: RequestHead): Promise<OperationsAnswer> {
    if (path === '/livez') return text(200, 'alive\n')
    if (path === '/readyz') return readiness()
    if (path === '/metrics' && refusalWithoutToken(head.token ?? bearer(head.credential), door()) !== null) {
      return text(401, 'show the token of the gateway\n')
    }
    return (await operations?.(path)) ?? (path === '/health' ? readiness() : text(404, 'there is nothing here\n'))
  }

  return {
    answer: (request, response, { path, tag }, head) => {
      if (tag !== null || (request.method !== 'GET' && request.method !== 'HEAD')) return false
      if (path === '/') {
        send(response, text(200, hello))
        return true
      }
      if (!ownPaths.has(path)) return false
      findAnswer(path, head).then(
        (answer) => send(response, answer),
        () => send(response, text(500, 'this did not work\n')),
      )
      return true
    },
  }
}

const ownPaths: ReadonlySet<string> = new Set(['/livez', '/readyz', '/health', '/metrics'])

const hello = 'This is a Plimsoll gateway. Point an agent at this address as if it were that of its model provider.\n'

/** Milliseconds after which a store that says nothing counts as one that does not answer. */
const patience = 2000

async function inTime(check: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patience, false)
  })
  const isReady = await Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    late,
  ])
  clearTimeout(timer)
  return isReady
}

/** Those who collect metrics can send this header and often no other. */
function bearer(credential: string | null): string | null {
  return /^Bearer (.+)$/i.exec(credential ?? '')?.[1] ?? null
}

function text(status: number, body: string): OperationsAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body }
}

function send(response: ServerResponse, { status, contentType, body }: OperationsAnswer): void {
  if (response.destroyed || response.headersSent) return
  const bytes = Buffer.from(body)
  response.writeHead(status, [
    'content-type',
    contentType,
    'content-length',
    String(bytes.byteLength),
    'cache-control',
    'no-store',
  ])
  response.end(bytes)
}
