import type { Tracer } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { createClosedLabels } from './closed-labels.ts'
import type { GatewayEvent } from './gateway-options.ts'
import { createMeasuredJoin } from './join-measured.ts'
import type { Measured } from './planner.ts'
import { spanFacts } from './span-attributes.ts'
import { traceParent } from './trace-parent.ts'

/** One span for every request, sent to whoever collects them. */
export interface GatewayTraces {
  readonly onEvent: (event: GatewayEvent) => void
  readonly onMeasured: (measured: Measured) => void
  /** Sends what there is, and waits for that only so long. Never rejects. */
  readonly close: () => Promise<void>
}

/** Where spans go. */
export interface TracesOptions {
  /** The collector's address for OTLP over HTTP, with or without `/v1/traces`. */
  readonly endpoint: string
  /** The version of this program, for the collector. */
  readonly version: string
  readonly now: () => number
  /** Told that spans could not be delivered; they are lost, requests are not. At most once until some could be again. */
  readonly onUndelivered?: () => void
  /** How long `close` may take. Default 5,000. */
  readonly closeMilliseconds?: number
}

/**
 * Records a span for each request when it has ended, as a child of the client's own where it sent a `traceparent`. What cannot be sent
 * is kept up to a limit and then dropped. The libraries are loaded here and not before, since most gateways trace nothing.
 */
export async function createGatewayTraces(options: TracesOptions): Promise<GatewayTraces> {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all(
    [
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ],
  )
  const { now, closeMilliseconds = 5000 } = options
  const exporter = watched(
    new OTLPTraceExporter({ url: tracesAddress(options.endpoint), timeoutMillis: 10_000 }),
    options.onUndelivered,
  )
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'plimsoll-gateway', 'service.version': options.version }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: 2048, maxExportBatchSize: 256, scheduledDelayMillis: 2000 }),
    ],
  })
  const tracer: Tracer = provider.getTracer('plimsoll', options.version)

  const say = createClosedLabels()
  const endedAt = new Map<string, number>()
  const join = createMeasuredJoin({
    onRequest: (event, measured) => {
      const end = endedAt.get(event.id) ?? now()
      endedAt.delete(event.id)
      const { name, isModelCall, attributes, error } = spanFacts(event, measured, say)
      const parent = traceParent(event.traceparent)
      const context =
        parent === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
      const kind = isModelCall ? api.SpanKind.CLIENT : api.SpanKind.SERVER
      const span = tracer.startSpan(name, { kind, attributes, startTime: end - event.wholeMilliseconds }, context)
      if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end(end)
    },
  })
  return {
    onEvent: (event) => {
      if (event.type !== 'answered') return
      endedAt.set(event.id, now())
      join.answered(event)
    },
    onMeasured: join.measured,
    close: async () => {
      join.close()
      await atMost(closeMilliseconds, provider.shutdown())
    },
  }
}

/** The same exporter, which tells when it begins to fail: the library itself keeps silent. */
function watched(exporter: SpanExporter, onUndelivered: () => void = () => undefined): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const code: number = result.code
        const hasFailed = code !== 0
        if (hasFailed && !isFailing) onUndelivered()
        isFailing = hasFailed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function tracesAddress(endpoint: string): string {
  const address = new URL(endpoint)
  if (!address.pathname.endsWith('/v1/traces')) address.pathname = `${address.pathname.replace(/\/$/, '')}/v1/traces`
  return address.href
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  // What could not be delivered was told already.
  await Promise.race([work.catch(() => undefined), late])
  clearTimeout(timer)
}
