import type { LogRecord } from '@plimsoll/core/hosts'
import { type LogLevel, logLevels } from '../files/logger.ts'
import type { AnsweredEvent, GatewayEvent } from './gateway-options.ts'
import { createGatewayMetrics } from './metrics.ts'
import type { StoreProblem } from './planner/planner-messages.ts'
import type { Measured, Remembered } from './planner.ts'

interface OperationsOptions {
  /** Receives the records of the log; see `createLogger`. */
  readonly log: (record: LogRecord) => void
  /** Records of lower levels are not made. Default: all are. */
  readonly logLevel?: LogLevel
  /** Where spans go, by OTLP over HTTP; null for no traces, and then nothing of OpenTelemetry is loaded. */
  readonly tracesEndpoint: string | null
  readonly version: string
  readonly now: () => number
  /** What the planner remembers now. Default: not shown. */
  readonly remembered?: () => Remembered
}

/** Everything that the operator of a gateway looks at: its numbers, its log and, if wanted, its traces. */
export async function createGatewayOperations({
  log,
  logLevel = 'debug',
  tracesEndpoint: endpoint,
  version,
  now,
  remembered,
}: OperationsOptions) {
  const metrics = createGatewayMetrics(remembered === undefined ? {} : { remembered })
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
    /** For the gateway's options, as `operations`. */
    onEvent: (event: GatewayEvent) => {
      metrics.onEvent(event)
      events.onEvent(event)
      traces?.onEvent(event)
    },
    onMeasured: (measured: Measured) => {
      metrics.onMeasured(measured)
      events.onMeasured(measured)
      traces?.onMeasured(measured)
    },
    /** Logs why the store can no longer be written, or that it can again. */
    onStore: (problem: StoreProblem | null) => {
      if (problem !== null) metrics.onEvent({ type: 'fault', id: null, code: `store-${problem.kind}` })
      events.onStore(problem)
    },
    operations: metrics.operations,
    /** Sends the remaining traces. To be called after the gateway and the planner have closed. */
    close: async () => traces?.close(),
  }
}

interface EventLogOptions {
  readonly write: (record: LogRecord) => void
  readonly now: () => number
  readonly level?: LogLevel
}

/**
 * Turns events into records: names, numbers and codes, never a word of a conversation, a key, or an address with what a client wrote
 * into it. Requests are `info`, errors are `warn`, and measurements are `debug`.
 */
export function createEventLog({ write, now, level: min = 'debug' }: EventLogOptions) {
  const isLogged = (level: LogRecord['level']) => logLevels.indexOf(level) >= logLevels.indexOf(min)
  const log = (level: LogRecord['level'], event: string, message: string, data: Data) =>
    write({ level, event, message, data: { at: new Date(now()).toISOString(), ...present(data) } })
  return {
    onEvent: (event: GatewayEvent) => {
      if (event.type === 'fault') {
        log('warn', 'gateway_fault', `The gateway had an error: ${safe(event.code)}.`, { id: event.id, code: safe(event.code) })
        return
      }
      if (event.type === 'kept-alive') {
        const { id, status, end } = event
        const level = isProblem(event) ? 'warn' : 'info'
        if (isLogged(level))
          log(level, 'gateway_kept_alive', 'A prompt was sent again so that it stays cached.', { id, status, end })
        return
      }
      const level = isProblem(event) ? 'warn' : 'info'
      if (!isLogged(level)) return
      const { id, dialect, method, route, model, mode, status, end } = event
      log(level, 'gateway_request', sentences[end], {
        id,
        dialect,
        method: safe(method),
        route,
        model: model === null ? null : safe(model),
        mode: mode ?? null,
        status,
        end,
        changed: event.isChanged ? 1 : 0,
        findings: safeList((event.findings ?? []).map(({ code }) => code)),
        request_bytes: event.requestBytes,
        answer_bytes: event.answerBytes,
        first_byte_ms: rounded(event.firstByteMilliseconds),
        whole_ms: rounded(event.wholeMilliseconds),
        overhead_ms: rounded(event.overheadMilliseconds),
      })
    },
    onStore: (problem: StoreProblem | null) => {
      // Whoever saw the first line should see this one.
      if (problem === null) return log('warn', 'gateway_store', 'The store can be written again.', { kind: null })
      const message = `${problem.message} Requests go on without new trimming until it can be written.`
      log('warn', 'gateway_store', message, { kind: problem.kind })
    },
    onMeasured: (measured: Measured) => {
      if (!isLogged('debug')) return
      const { id, dialect, model, mode, tokensBefore, tokensAfter, usage } = measured
      log('debug', 'gateway_measured', 'The request was measured.', {
        id,
        dialect,
        model: model === null ? null : safe(model),
        mode,
        tokens_before: tokensBefore,
        tokens_after: tokensAfter,
        rules: safeList(Object.keys(measured.removed)),
        breaks: safeList(measured.breaks),
        findings: safeList(measured.findings.map(({ code }) => code)),
        overflow: measured.overflow === null ? null : safe(measured.overflow),
        input: usage?.input ?? null,
        cache_read: usage?.cacheRead ?? null,
        cache_write: usage?.cacheWrite ?? null,
        output: usage?.output ?? null,
        dollars: measured.dollars,
        untrimmed_dollars: measured.untrimmedDollars,
        planned_ms: rounded(measured.plannedMilliseconds),
      })
    },
  }
}

type Data = Readonly<Record<string, string | number | null>>

const sentences = {
  complete: 'The request was answered.',
  'client-gone': 'The client disconnected before the response was complete.',
  'upstream-failed': 'The upstream did not respond, or its response was cut off.',
  refused: 'The request was rejected.',
}

function isProblem({ end, status }: Pick<AnsweredEvent, 'end' | 'status'>): boolean {
  return end === 'upstream-failed' || end === 'refused' || (status !== null && status >= 400)
}

/** Text that may come from a client is written only if it looks like a name. */
function safe(text: string): string {
  return /^[\w.:/@[\]-]{1,100}$/.test(text) ? text : '(unprintable)'
}

function safeList(list: readonly string[]): string | null {
  return list.length === 0 ? null : list.slice(0, 20).map(safe).join(' ')
}

function rounded(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds * 100) / 100
}

function present(data: Data): Readonly<Record<string, string | number>> {
  const known: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(data)) if (value !== null) known[name] = value
  return known
}
