import type { LogRecord } from '@plimsoll/core/hosts'
import type { LogLevel } from '../files/logger.ts'
import { createEventLog } from './event-log.ts'
import type { GatewayEvent, OperationsAnswer } from './gateway-options.ts'
import { createGatewayMetrics } from './metrics.ts'
import type { Measured } from './planner.ts'

/** Everything that those who run a gateway look at: its numbers, its log and, where they are wanted, its traces. */
export interface GatewayOperations {
  /** For the gateway's options. */
  readonly onEvent: (event: GatewayEvent) => void
  /** For the planner. */
  readonly onMeasured: (measured: Measured) => void
  /** For the gateway's options: answers `/metrics`. */
  readonly operations: (path: string) => Promise<OperationsAnswer | null>
  /** Sends the traces that are left. After the gateway and the planner have closed, so that all has been told. */
  readonly close: () => Promise<void>
}

/** What is looked at. */
export interface OperationsOptions {
  /** Receives the records of the log; see `createLogger`. */
  readonly log: (record: LogRecord) => void
  /** The least level that it keeps, so that others are not made. Default: all are. */
  readonly logLevel?: LogLevel
  /** Where spans go, by OTLP over HTTP; null for no traces, and then nothing of OpenTelemetry is loaded. */
  readonly tracesEndpoint: string | null
  readonly version: string
  readonly now: () => number
}

/** Starts what watches one gateway. */
export async function createGatewayOperations({
  log,
  logLevel = 'debug',
  tracesEndpoint: endpoint,
  version,
  now,
}: OperationsOptions): Promise<GatewayOperations> {
  const metrics = createGatewayMetrics()
  const events = createEventLog({ write: log, now, level: logLevel })
  const onUndelivered = () => {
    const fault: GatewayEvent = { type: 'fault', id: null, code: 'traces-not-delivered' }
    metrics.onEvent(fault)
    events.onEvent(fault)
  }
  const traces =
    endpoint === null
      ? null
      : await import('./traces.ts').then(({ createGatewayTraces }) =>
          createGatewayTraces({ endpoint, version, now, onUndelivered }),
        )
  return {
    onEvent: (event) => {
      metrics.onEvent(event)
      events.onEvent(event)
      traces?.onEvent(event)
    },
    onMeasured: (measured) => {
      metrics.onMeasured(measured)
      events.onMeasured(measured)
      traces?.onMeasured(measured)
    },
    operations: metrics.operations,
    close: async () => traces?.close(),
  }
}
