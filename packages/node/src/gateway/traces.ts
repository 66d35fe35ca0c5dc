import { setTimeout as wait } from 'node:timers/promises'
import type { Tracer } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { promptTotal } from '@plimsoll/core/bill'
import { redactSecrets } from '../shared/redact/redact.ts'
import type { Finding } from '../store/gateway-record.ts'
import { type ClosedLabels, createClosedLabels, providerNames } from './closed-labels.ts'
import type { AnsweredEvent, GatewayEvent } from './gateway-options.ts'
import type { Measured } from './planner.ts'

interface TracesOptions {
  /** The collector's address for OTLP over HTTP, with or without `/v1/traces`. */
  readonly endpoint: string
  readonly version: string
  readonly now: () => number
  /** Called when spans could not be delivered; they are lost, requests are not. At most once until some could be again. */
  readonly onUndelivered?: () => void
  readonly closeMilliseconds?: number
}

/**
 * Records a span for each request when it has ended, as a child of the client's own if it sent a `traceparent`. Spans that cannot be sent
 * are kept up to a limit and then dropped. The libraries are loaded here, since most gateways trace nothing.
 */
export async function createGatewayTraces(options: TracesOptions) {
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
  const join = createMeasuredJoin((event, measured) => {
    const end = endedAt.get(event.id) ?? now()
    endedAt.delete(event.id)
    const { name, isModelCall, attributes, error } = spanFacts(event, measured, say)
    const parent = traceParent(event.traceparent)
    const context = parent === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
    const kind = isModelCall ? api.SpanKind.CLIENT : api.SpanKind.SERVER
    const span = tracer.startSpan(name, { kind, attributes, startTime: end - event.wholeMilliseconds }, context)
    if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end(end)
  })
  return {
    onEvent: (event: GatewayEvent) => {
      if (event.type !== 'answered') return
      endedAt.set(event.id, now())
      join.answered(event)
    },
    onMeasured: join.measured,
    /** Sends the remaining spans. Never rejects. */
    close: async () => {
      join.close()
      const shutdown = provider.shutdown().catch(() => undefined)
      await Promise.race([shutdown, wait(closeMilliseconds, undefined, { ref: false })])
    },
  }
}

/** The same exporter, which reports when it begins to fail: the library does not. */
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

/** Reads a W3C `traceparent` header; null if it is not valid. The flags are 1 if the client records its trace. */
export function traceParent(header: string | undefined) {
  const [, version, traceId, spanId, flags, rest] = shape.exec(header ?? '') ?? []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return null
  // Only later versions may have more after the flags.
  if (version === 'ff' || (version === '00' && rest !== '') || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(|-.{0,200})$/

/** Names and numbers of a request, never a word of the conversation. */
interface SpanFacts {
  readonly name: string
  readonly isModelCall: boolean
  /** Undefined ones are not sent. */
  readonly attributes: Readonly<Record<string, string | number | boolean | string[] | undefined>>
  readonly error: string | null
}

/**
 * Describes a request by OpenTelemetry's conventions for generative models, and by `plimsoll.*` for the rest. There must be few names of
 * spans, so they have only models that `say` knows.
 */
export function spanFacts(event: AnsweredEvent, measured: Measured | null, say: ClosedLabels): SpanFacts {
  const { dialect } = event
  const model = measured?.model ?? event.model
  const error = failureOf(event)
  const common = { ...requestAttributes(event), 'error.type': error ?? undefined }
  if (dialect === null || (measured === null && model === null))
    return { name: `${methodName(event.method)} ${event.route}`, isModelCall: false, attributes: common, error }
  const { provider, operation } = providerNames[dialect]
  const names = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': modelName(model),
  }
  return {
    name: [operation, say.model(model)].filter((word) => word !== 'other').join(' '),
    isModelCall: true,
    attributes: { ...common, ...names, ...(measured === null ? {} : measuredAttributes(measured, event.findings ?? [])) },
    error,
  }
}

/** A client may send anything as the name of a model. */
function modelName(model: string | null | undefined): string | undefined {
  return model === null || model === undefined ? undefined : redactSecrets(model).slice(0, 200)
}

function requestAttributes(event: AnsweredEvent): SpanFacts['attributes'] {
  return {
    'http.request.method': methodName(event.method),
    'http.route': event.route,
    'plimsoll.request.id': event.id,
    'plimsoll.request.bytes': event.requestBytes,
    'plimsoll.answer.bytes': event.answerBytes,
    'plimsoll.changed': event.isChanged,
    'plimsoll.end': event.end,
    'plimsoll.overhead_milliseconds': event.overheadMilliseconds,
    'http.response.status_code': event.status ?? undefined,
    'plimsoll.dialect': event.dialect ?? undefined,
    'plimsoll.mode': event.mode,
    'plimsoll.findings': event.findings?.map(({ code }) => code),
    'plimsoll.first_byte_milliseconds': event.firstByteMilliseconds ?? undefined,
  }
}

function measuredAttributes(measured: Measured, found: readonly Finding[]): SpanFacts['attributes'] {
  const { usage, dollars, untrimmedDollars, answeredModel, overflow } = measured
  return {
    'plimsoll.mode': measured.mode,
    'plimsoll.tokens.before': measured.tokensBefore,
    'plimsoll.tokens.after': measured.tokensAfter,
    'plimsoll.rules': Object.keys(measured.removed),
    'plimsoll.prefix.breaks': [...measured.breaks],
    'plimsoll.findings': [...found, ...measured.findings].map(({ code }) => code),
    'plimsoll.planned_milliseconds': measured.plannedMilliseconds,
    'gen_ai.response.model': modelName(answeredModel),
    'plimsoll.overflow': overflow ?? undefined,
    'plimsoll.cost.usd': dollars ?? undefined,
    'plimsoll.cost.untrimmed_usd': untrimmedDollars ?? undefined,
    // By the conventions, all of the input, cached or not.
    'gen_ai.usage.input_tokens': usage === null ? undefined : promptTotal(usage),
    'gen_ai.usage.output_tokens': usage?.output,
    'gen_ai.usage.cache_read.input_tokens': usage?.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWrite,
  }
}

function failureOf({ end, status }: AnsweredEvent): string | null {
  if (end !== 'complete' && end !== 'refused') return end
  return status !== null && status >= 400 ? String(status) : null
}

function methodName(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

type OnRequest = (event: AnsweredEvent, measured: Measured | null) => void

interface Waiting {
  readonly event: AnsweredEvent | null
  readonly measured: Measured | null
  passes: number
}

const maxWaiting = 1000
const waitMilliseconds = 10_000

/**
 * Joins what the relay and the planner report of one request, in any order. Each request comes once, with its measurements if they came
 * in time; those that are not measured come at once if that is known.
 */
function createMeasuredJoin(onRequest: OnRequest) {
  const waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | null = null

  const release = ({ event, measured }: Waiting) => {
    if (event !== null) onRequest(event, measured)
  }
  const hold = (id: string, half: Waiting) => {
    waiting.set(id, half)
    for (const [oldest, other] of waiting) {
      if (waiting.size <= maxWaiting) break
      waiting.delete(oldest)
      release(other)
    }
    timer ??= setInterval(sweep, waitMilliseconds).unref()
  }
  // Two passes of the timer, so that each waits at least once its whole time.
  const sweep = () => {
    for (const [id, half] of waiting) {
      if (half.passes > 0) {
        waiting.delete(id)
        release(half)
      } else half.passes += 1
    }
    if (waiting.size === 0) stop()
  }
  const stop = () => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  return {
    answered: (event: AnsweredEvent) => {
      const half = waiting.get(event.id)
      waiting.delete(event.id)
      const isMeasured = event.mode !== undefined && event.end !== 'refused'
      if (half?.measured || !isMeasured) onRequest(event, half?.measured ?? null)
      else hold(event.id, { event, measured: null, passes: 0 })
    },
    measured: (measured: Measured) => {
      const half = waiting.get(measured.id)
      waiting.delete(measured.id)
      if (half?.event) onRequest(half.event, measured)
      else hold(measured.id, { event: null, measured, passes: 0 })
    },
    close: () => {
      for (const half of waiting.values()) release(half)
      waiting.clear()
      stop()
    },
  }
}
