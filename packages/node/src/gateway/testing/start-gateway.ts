import { onTestFinished } from 'vitest'
import type { WireDialect } from '../../store/gateway-record.ts'
import { createGateway } from '../create-gateway.ts'
import type { Gateway, GatewayEvent, GatewayLimits, GatewayOptions } from '../gateway-options.ts'
import { createMarkerPlanner, type MarkerPlanner } from './marker-planner.ts'

/** A gateway of a test, with everything it reported. */
export interface StartedGateway {
  readonly gateway: Gateway
  readonly port: number
  readonly url: string
  readonly events: GatewayEvent[]
  readonly planner: MarkerPlanner
}

/** Options of a test for its gateway. */
export interface StartOptions extends Omit<Partial<GatewayOptions>, 'upstreams' | 'limits' | 'planner'> {
  /** The address of all upstreams, or those of some dialects. */
  readonly upstream?: string | Partial<Record<WireDialect, string>>
  readonly limits?: Partial<GatewayLimits>
  /** A proxy for all of them. */
  readonly proxy?: string
  readonly planner?: MarkerPlanner
}

/** Starts a gateway on a free port; it is closed when the test ends. */
export async function startGateway({
  upstream = 'http://127.0.0.1:9',
  limits,
  planner,
  proxy,
  ...options
}: StartOptions = {}): Promise<StartedGateway> {
  const events: GatewayEvent[] = []
  const marker = planner ?? createMarkerPlanner()
  const to = (dialect: WireDialect) => ({
    url: typeof upstream === 'string' ? upstream : (upstream[dialect] ?? 'http://127.0.0.1:9'),
    managesContext: false,
    ...(proxy === undefined ? {} : { proxy }),
  })
  const gateway = createGateway({
    host: '127.0.0.1',
    port: 0,
    allowPublic: false,
    token: null,
    upstreams: {
      anthropic: to('anthropic'),
      'openai-chat': to('openai-chat'),
      'openai-responses': to('openai-responses'),
      gemini: to('gemini'),
    },
    mode: 'observe',
    planner: marker,
    limits: { ...testLimits, ...limits },
    keepAliveSeconds: null,
    now: () => 1_700_000_000_000,
    onEvent: (event) => {
      events.push(event)
    },
    ...options,
  })
  const port = await gateway.listen()
  onTestFinished(() => gateway.close())
  return { gateway, port, url: `http://127.0.0.1:${port}`, events, planner: marker }
}

const testLimits: GatewayLimits = {
  maxBodyBytes: 8 * 1024 * 1024,
  maxReadBytes: 4 * 1024 * 1024,
  maxHeaderBytes: 32 * 1024,
  headersSeconds: 60,
  bodySeconds: 60,
  connectSeconds: 10,
  planMilliseconds: 20_000,
  maxConnections: 100,
  maxConnectionsPerClient: 100,
  maxBufferedBytes: 64 * 1024 * 1024,
  shutdownSeconds: 0.05,
}
