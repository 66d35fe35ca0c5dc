import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Usage } from '@plimsoll/core/bill'
import { defaultConfig, type TrimMode } from '@plimsoll/core/policies'
import { createGateway } from '../../packages/node/src/gateway/create-gateway.ts'
import type { GatewayLimits } from '../../packages/node/src/gateway/gateway-options.ts'
import { createPlanner, type QueuedPlanner } from '../../packages/node/src/gateway/planner/create-planner.ts'
import type { Measured } from '../../packages/node/src/gateway/planner.ts'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import { openSqliteStore } from '../../packages/node/src/store/sqlite/open-sqlite-store.ts'
import { startFakeUpstream } from '../gateway/fake-upstream.ts'

/** Gateways for one provider, on one store, that take turns with the requests of one client. */
export interface GatewayDoor {
  /** Sends a body and waits until the gateway has recorded the outcome. */
  readonly send: (request: GatewayDoorRequest) => Promise<GatewayDoorAnswer>
  /** Replaces all gateways with new ones on the same store. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** One request of a client. */
export interface GatewayDoorRequest {
  readonly text: string
  readonly model: string
  readonly at: number
  /** Null: the provider fails. */
  readonly usage: Usage | null
}

/** The request as the provider received it, and the answer that the client received. */
export interface GatewayDoorAnswer {
  readonly arrived: string
  /** The provider's answer, in its format. */
  readonly answer: unknown
  readonly measured: Measured
}

/** How a door is opened. */
export interface GatewayDoorOptions {
  readonly dialect: WireDialect
  readonly mode: TrimMode
  readonly gateways: number
}

/** Starts a provider and gateways in front of it, over HTTP. */
export async function openGatewayDoor({ dialect, mode, gateways }: GatewayDoorOptions): Promise<GatewayDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-one-door-'))
  let now = 0
  let usage: Usage | null = null
  let arrived: string | null = null
  const clock = () => now
  const upstream = await startFakeUpstream(({ body }) => {
    arrived = body.toString()
    if (usage === null) return { status: 500, body: { error: { type: 'api_error', message: 'Try again later.' } } }
    return { status: 200, body: answerIn(dialect, usage) }
  })
  const store = await openSqliteStore({ path: join(folder, 'store.sqlite'), now: clock })
  let started = await startAll()
  let turn = 0

  async function startAll(): Promise<readonly RunningGateway[]> {
    return Promise.all(Array.from({ length: gateways }, () => startOne()))
  }

  async function startOne(): Promise<RunningGateway> {
    // The other entry points use the specification's sentences unless they are told otherwise.
    const config = { ...defaultConfig, strings: 'specification' as const }
    const settings = { config, isWindowSet: false, keepText: false, holdout: 0, recall: 'handle' as const }
    const planner = createPlanner({ store, settings, now: clock })
    let settled: () => void = () => undefined
    const to = { url: upstream.url, managesContext: false }
    const gateway = createGateway({
      host: '127.0.0.1',
      port: 0,
      allowPublic: false,
      token: null,
      upstreams: { anthropic: to, 'openai-chat': to, 'openai-responses': to, gemini: to },
      mode,
      planner: {
        ...planner,
        answered(outcome) {
          planner.answered(outcome)
          settled()
        },
      },
      limits,
      keepAliveSeconds: null,
      now: clock,
      onEvent: () => undefined,
    })
    const measured: Measured[] = []
    planner.onMeasured((one) => measured.push(one))
    const url = `http://127.0.0.1:${await gateway.listen()}`
    return {
      url,
      gateway,
      planner,
      measured,
      nextSettled: () =>
        new Promise((resolve) => {
          settled = resolve
        }),
    }
  }

  async function closeAll(): Promise<void> {
    for (const { gateway, planner } of started) {
      await gateway.close()
      await planner.close()
    }
  }

  return {
    async send(request) {
      now = request.at
      usage = request.usage
      arrived = null
      const one = started[turn % started.length] as RunningGateway
      turn += 1
      const settled = one.nextSettled()
      const response = await fetch(`${one.url}${pathOf(dialect, request.model)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer the-same-client' },
        body: request.text,
      })
      const answer: unknown = await response.json()
      await settled
      await one.planner.rest()
      const measured = one.measured.at(-1)
      if (arrived === null || measured === undefined) throw new Error(`The request did not arrive: ${JSON.stringify(answer)}`)
      return { arrived, answer, measured }
    },
    async restart() {
      await closeAll()
      started = await startAll()
    },
    async close() {
      await closeAll()
      await store.close()
      await upstream.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface RunningGateway {
  readonly url: string
  readonly gateway: ReturnType<typeof createGateway>
  readonly planner: QueuedPlanner
  readonly measured: readonly Measured[]
  /** Resolves when the planner knows the outcome of the next request. */
  readonly nextSettled: () => Promise<void>
}

const limits: GatewayLimits = {
  maxBodyBytes: 64_000_000,
  maxReadBytes: 32_000_000,
  maxHeaderBytes: 64_000,
  headersSeconds: 60,
  bodySeconds: 60,
  connectSeconds: 60,
  // A busy machine must not turn a plan into the original bytes.
  planMilliseconds: 60_000,
  maxConnections: 1000,
  maxConnectionsPerClient: 1000,
  maxBufferedBytes: 512_000_000,
  shutdownSeconds: 5,
}

function pathOf(dialect: WireDialect, model: string): string {
  switch (dialect) {
    case 'anthropic':
      return '/v1/messages'
    case 'openai-chat':
      return '/v1/chat/completions'
    case 'openai-responses':
      return '/v1/responses'
    case 'gemini':
      return `/v1beta/models/${model}:generateContent`
  }
}

/** An answer of which only the usage matters. */
function answerIn(dialect: WireDialect, { input, cacheRead, cacheWrite, output }: Usage): unknown {
  switch (dialect) {
    case 'anthropic':
      return {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Continue.' }],
        stop_reason: 'end_turn',
        usage: {
          input_tokens: input,
          cache_read_input_tokens: cacheRead,
          cache_creation_input_tokens: cacheWrite,
          output_tokens: output,
        },
      }
    case 'openai-chat':
      return {
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Continue.' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: input + cacheRead + cacheWrite,
          completion_tokens: output,
          prompt_tokens_details: { cached_tokens: cacheRead },
        },
      }
    case 'openai-responses':
      return {
        object: 'response',
        status: 'completed',
        output: [],
        usage: {
          input_tokens: input + cacheRead + cacheWrite,
          output_tokens: output,
          input_tokens_details: { cached_tokens: cacheRead },
        },
      }
    case 'gemini':
      return {
        candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'Continue.' }] } }],
        usageMetadata: {
          promptTokenCount: input + cacheRead + cacheWrite,
          candidatesTokenCount: output,
          cachedContentTokenCount: cacheRead,
        },
      }
  }
}
