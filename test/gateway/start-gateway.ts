import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogRecord } from '@plimsoll/core/hosts'
import { defaultConfig, type TrimMode } from '@plimsoll/core/policies'
import { createGateway } from '../../packages/node/src/gateway/create-gateway.ts'
import { createGatewayOperations } from '../../packages/node/src/gateway/gateway-operations.ts'
import type { GatewayEvent, GatewayLimits } from '../../packages/node/src/gateway/gateway-options.ts'
import { createPlanner } from '../../packages/node/src/gateway/planner/create-planner.ts'
import type { Measured } from '../../packages/node/src/gateway/planner.ts'
import type { GatewayStore } from '../../packages/node/src/store/gateway-store.ts'
import { openSqliteStore } from '../../packages/node/src/store/sqlite/open-sqlite-store.ts'

/** A real gateway with all its parts, in its own folder. */
export interface StartedGateway {
  readonly url: string
  readonly folder: string
  readonly store: GatewayStore
  readonly events: readonly GatewayEvent[]
  readonly measured: readonly Measured[]
  readonly log: readonly LogRecord[]
  readonly close: () => Promise<void>
  /** Removes the folder. After `close`. */
  readonly remove: () => Promise<void>
}

/** Options of a test. */
export interface StartOptions {
  readonly mode: TrimMode
  readonly upstream: string
  readonly keepText?: boolean
  readonly tracesEndpoint?: string
  /** Default: that of the machine. */
  readonly now?: () => number
  /** The folder of a closed gateway, to continue with its store. Default: a new one. */
  readonly folder?: string
}

/** Starts a gateway in front of one upstream for all dialects. */
export async function startGateway(options: StartOptions): Promise<StartedGateway> {
  const { mode, upstream, keepText = false, tracesEndpoint, now = Date.now } = options
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'plimsoll-gateway-')))
  const store = await openSqliteStore({ path: join(folder, 'store.sqlite'), now })
  const settings = { config: defaultConfig, isWindowSet: false, keepText, holdout: 0, recall: 'handle' as const }
  const planner = createPlanner({ store, settings, now })
  const log: LogRecord[] = []
  const operations = await createGatewayOperations({
    log: (record) => log.push(record),
    tracesEndpoint: tracesEndpoint ?? null,
    version: 'test',
    now,
  })
  const events: GatewayEvent[] = []
  const measured: Measured[] = []
  planner.onMeasured((one) => {
    measured.push(one)
    operations.onMeasured(one)
  })
  const to = { url: upstream, managesContext: false }
  const gateway = createGateway({
    host: '127.0.0.1',
    port: 0,
    allowPublic: false,
    token: null,
    upstreams: { anthropic: to, 'openai-chat': to, 'openai-responses': to, gemini: to },
    mode,
    planner,
    limits,
    keepAliveSeconds: null,
    now,
    onEvent: (event) => {
      events.push(event)
      operations.onEvent(event)
    },
    operations: operations.operations,
  })
  const port = await gateway.listen()
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    store,
    events,
    measured,
    log,
    close: async () => {
      await gateway.close()
      await planner.close()
      await operations.close()
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
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
