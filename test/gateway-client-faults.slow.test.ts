import { type TrimMode, trimModes } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientCall } from './gateway/client.ts'
import { clientWays, keyFor } from './gateway/clients.ts'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { refusals } from './gateway/refusals.ts'
import { type StartedGateway, startGateway } from './gateway/start-gateway.ts'
import { taskReply } from './gateway/task.ts'

let upstream: FakeUpstream
const gateways = new Map<TrimMode, StartedGateway>()

beforeAll(async () => {
  upstream = await startFakeUpstream(({ key, dialect }, number) => {
    // Refused at the request with tool results, when there is something to trim.
    const [, kind] = /-(limited|overflow|overloaded)-/.exec(key) ?? []
    if (kind !== undefined && dialect !== null && number === 1) return refusals[dialect][kind as 'limited']
    if (key.includes('-cancelled-') && number === 1) return { text: 'This answer never ends.', hangs: true }
    return taskReply(number)
  })
  for (const mode of trimModes) gateways.set(mode, await startGateway({ mode, upstream: upstream.url }))
})

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()))
  await Promise.all([...gateways.values()].map((gateway) => gateway.remove()))
  await upstream.close()
})

describe.each(clientWays)('$way', ({ client, isStreamed, way }) => {
  const failing = async (call: Omit<ClientCall, 'isStreamed'>) => {
    const outcome = await client.run({ ...call, isStreamed }).then(
      (received) => ({ received }),
      (error: unknown) => ({ error: describeError(error) }),
    )
    return { outcome, requests: upstream.of(call.key).length }
  }

  // A refusal is never streamed, so one kind is enough to test a reader that expects a stream.
  const kinds = isStreamed ? (['overflow'] as const) : (['limited', 'overflow', 'overloaded'] as const)
  test.each(kinds)('%s: the library throws the same error as without the gateway', async (kind) => {
    const direct = await failing({ url: upstream.url, key: keyFor(`${way}-${kind}-direct`) })
    expect(direct).toEqual({ outcome: { error: expect.objectContaining({ status: expect.any(Number) }) }, requests: 2 })
    for (const mode of ['observe', 'economy'] as const) {
      const through = await failing({ url: urlOf(mode), key: keyFor(`${way}-${kind}-${mode}`) })
      expect({ mode, ...through }).toEqual({ mode, ...direct })
    }
  })

  test('cancelled: the provider sees it, and the library throws the same error as without the gateway', async () => {
    const cancelled = async (url: string, key: string) => {
      const stop = new AbortController()
      // Streamed answers are cancelled in the middle, others before they arrive.
      const ended = failing({
        url,
        key,
        signal: stop.signal,
        onPiece: () => {
          if (upstream.of(key).length === 2) stop.abort()
        },
      })
      await expect.poll(() => upstream.of(key).length).toBe(2)
      if (!isStreamed) stop.abort()
      const [{ outcome }, isAborted] = await Promise.all([ended, upstream.of(key)[1]?.isAborted])
      return { outcome, isAborted }
    }
    const direct = await cancelled(upstream.url, keyFor(`${way}-cancelled-direct`))
    expect(direct.isAborted).toBe(true)
    for (const mode of trimModes) {
      const through = await cancelled(urlOf(mode), keyFor(`${way}-cancelled-${mode}`))
      expect({ mode, ...through }).toEqual({ mode, ...direct })
    }
  })
})

function urlOf(mode: TrimMode): string {
  return gateways.get(mode)?.url ?? ''
}

/** The visible fields of a caught error, without addresses and credentials. */
function describeError(error: unknown): Readonly<Record<string, unknown>> {
  const { status, statusCode, code, type, isRetryable, headers, responseHeaders, ...rest } = error as Readonly<
    Record<string, unknown>
  >
  const header = headers instanceof Headers ? Object.fromEntries(headers) : ((responseHeaders ?? {}) as Record<string, string>)
  return {
    name: (error as Error).constructor.name,
    message: (error as Error).message,
    status: status ?? statusCode,
    code,
    type,
    isRetryable,
    body: rest['error'] ?? rest['responseBody'],
    retryAfter: header['retry-after'],
    requestId: header['request-id'],
  }
}
