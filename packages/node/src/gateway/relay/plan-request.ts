import type { FindingCode } from '../../store/gateway-record.ts'
import type { GatewayOptions } from '../gateway-options.ts'
import { emptyPlan, type Plan, type RelayedRequest, type Splice } from '../planner.ts'
import type { Visit } from './clients.ts'
import { type Exchange, reportEvent } from './exchange.ts'
import { bodyBytes, unpackBody } from './read-request-body.ts'
import type { Relay } from './relay-request.ts'

/**
 * Unpacks a body, asks the planner about it and follows the plan. Resolves with the changed body, or with null if the original bytes go
 * out; the exchange's plan says why. Never waits longer than a plan may take.
 */
export async function planRequest({ relay, exchange, client, visit, body, ask }: PlannedRequest): Promise<Buffer | null> {
  const { options } = relay
  const plain = await unpackInTurn(exchange, body, client, relay)
  if (exchange.isOver) return null
  if (typeof plain === 'string') return leave(exchange, plain)
  // A short body can be unpacked to thousands of times its length.
  if (plain !== body && !visit.hold(plain.byteLength)) return leave(exchange, 'too-late')
  exchange.telling = 'done'
  const plan = await planInTime(exchange, ask(plain), options)
  if (plan === null) {
    exchange.isPlanDropped = true
    return leave(exchange, 'too-late')
  }
  if (plan.splices.length === 0) {
    exchange.plan = plan
    return null
  }
  const changed = spliceBytes(plain, plan.splices, bodyBytes.take)
  if (changed === null) {
    exchange.isPlanDropped = true
    reportEvent(options, { type: 'fault', id: exchange.id, code: 'plan_does_not_fit' })
    return leave(exchange, 'not-applied')
  }
  exchange.plan = plan
  exchange.isChanged = true
  return changed
}

interface PlannedRequest {
  readonly relay: Pick<Relay, 'options' | 'unpackTurns'>
  readonly exchange: Exchange
  readonly client: string
  readonly visit: Visit
  readonly body: Buffer
  readonly ask: (plain: Uint8Array) => RelayedRequest
}

async function unpackInTurn({ head }: Exchange, body: Buffer, client: string, { options, unpackTurns }: PlannedRequest['relay']) {
  const { maxReadBytes } = options.limits
  if (head.contentEncoding === '') return unpackBody(body, '', maxReadBytes)
  const done = await unpackTurns.take(client)
  return unpackBody(body, head.contentEncoding, maxReadBytes).finally(done)
}

function leave(exchange: Exchange, code: FindingCode): null {
  exchange.plan = { ...emptyPlan, findings: [{ code, count: 1 }] }
  return null
}

function planInTime(exchange: Exchange, request: RelayedRequest, options: GatewayOptions): Promise<Plan | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, options.limits.planMilliseconds, null)
    options.planner.plan(request).then(
      (plan) => {
        clearTimeout(timer)
        resolve(plan)
      },
      () => {
        clearTimeout(timer)
        reportEvent(options, { type: 'fault', id: exchange.id, code: 'planner_failed' })
        resolve(null)
      },
    )
  })
}

/** A body with ranges replaced, in memory from `take`; null if the ranges are out of order, overlap, or are outside of it. */
export function spliceBytes(
  body: Uint8Array,
  splices: readonly Splice[],
  take: (length: number) => Buffer = (size) => Buffer.allocUnsafeSlow(size),
): Buffer | null {
  let length = body.byteLength
  let from = 0
  for (const { start, end, bytes } of splices) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < from || end < start || end > body.byteLength) return null
    length += bytes.byteLength - (end - start)
    from = end
  }
  const spliced = take(length)
  let read = 0
  let written = 0
  for (const { start, end, bytes } of splices) {
    spliced.set(body.subarray(read, start), written)
    written += start - read
    spliced.set(bytes, written)
    written += bytes.byteLength
    read = end
  }
  spliced.set(body.subarray(read), written)
  return spliced
}
