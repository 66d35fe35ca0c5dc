import { promptTotal } from '@plimsoll/core/bill'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { cutsIn } from '../files/trim-log.ts'
import { createClosedLabels, providerNames } from './closed-labels.ts'
import type { GatewayEvent, OperationsAnswer } from './gateway-options.ts'
import type { Measured, Remembered } from './planner.ts'

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>

interface MetricsOptions {
  /** Whether to report memory, processor time, event loop and garbage collection of this process. Default: true. */
  readonly withProcess?: boolean
  /** What the planner remembers now. Default: unknown. */
  readonly remembered?: () => Remembered
}

/**
 * Numbers about one gateway, for Prometheus. Counting never throws and takes microseconds. Labels come from closed sets, so that no client
 * can make them grow.
 */
export function createGatewayMetrics({ withProcess = true, remembered }: MetricsOptions = {}) {
  const registry = new Registry()
  const say = createClosedLabels()
  const metrics = createMetrics(registry)
  let results = 0
  let truncated = 0
  if (withProcess) collectDefaultMetrics({ register: registry })
  if (remembered !== undefined) addRemembered(registry, remembered)
  return {
    onEvent: (event: GatewayEvent) => {
      if (event.type === 'fault') {
        metrics.faults.inc({ code: say.fault(event.code) })
        return
      }
      if (event.type === 'kept-alive') {
        metrics.keptAlive.inc({ status: say.status(event.status), end: say.end(event.end) })
        return
      }
      const { dialect, route, status, mode, end } = event
      metrics.requests.inc({
        dialect: say.dialect(dialect),
        route: say.route(route),
        status: say.status(status),
        mode: say.mode(mode),
        end: say.end(end),
      })
      for (const { code, count } of event.findings ?? []) metrics.findings.inc({ code: say.finding(code) }, amount(count))
      if (end === 'refused') return
      if (!event.isChanged) metrics.passthrough.inc()
      metrics.overhead.observe(amount(event.overheadMilliseconds) / 1000)
    },
    onMeasured: (measured: Measured) => {
      const { provider, operation } = providerNames[measured.dialect]
      for (const rule of Object.keys(measured.removed))
        metrics.removed.inc({ rule: say.rule(rule) }, amount(measured.removed[rule]))
      const { trims } = measured
      for (const rule of Object.keys(trims.edits)) metrics.edits.inc({ rule: say.rule(rule) }, amount(trims.edits[rule]))
      metrics.results.inc(amount(trims.results))
      metrics.truncated.inc(amount(cutsIn(trims)))
      results += amount(trims.results)
      truncated += amount(cutsIn(trims))
      metrics.truncationRatio.set(results === 0 ? 0 : truncated / results)
      for (const rule of measured.breaks) metrics.breaks.inc({ rule: say.rule(rule) })
      for (const { code, count } of measured.findings) metrics.findings.inc({ code: say.finding(code) }, amount(count))
      if (measured.overflow !== null) metrics.overflow.inc({ provider, kind: say.failure(measured.overflow) })
      const { usage, dollars, untrimmedDollars } = measured
      if (usage !== null) {
        const names = { gen_ai_operation_name: operation, gen_ai_provider_name: provider }
        const labels = { ...names, gen_ai_request_model: say.model(measured.model) }
        metrics.tokenUsage.observe({ ...labels, gen_ai_token_type: 'input' }, amount(promptTotal(usage)))
        metrics.tokenUsage.observe({ ...labels, gen_ai_token_type: 'output' }, amount(usage.output))
        metrics.cacheRead.inc(amount(usage.cacheRead))
        metrics.cacheWrite.inc(amount(usage.cacheWrite))
      }
      if (dollars !== null) metrics.cost.inc(amount(dollars))
      if (measured.isKeptAlive === true) metrics.keptAliveCost.inc(amount(dollars ?? 0))
      if (untrimmedDollars !== null) metrics.untrimmedCost.inc(amount(untrimmedDollars))
      if (dollars !== null && untrimmedDollars !== null) metrics.netCost.inc(amount(dollars) - amount(untrimmedDollars))
    },
    /** Answers `/metrics`, in the text format; null for every other path. */
    operations: async (path: string): Promise<OperationsAnswer | null> =>
      path === '/metrics' ? { status: 200, contentType: registry.contentType, body: await registry.metrics() } : null,
  }
}

function addRemembered(registry: Registry, remembered: () => Remembered): void {
  const gauge = (name: string, help: string, field: keyof Remembered) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(remembered()[field])
      },
    })
  gauge('plimsoll_remembered_conversations', 'Conversations whose last request is remembered for the next one.', 'conversations')
  gauge('plimsoll_remembered_bytes', 'Bytes of these requests.', 'bytes')
  gauge('plimsoll_planner_heap_bytes', 'Memory of the objects in the planner’s threads.', 'heapBytes')
}

/** A counter throws for NaN and negative numbers. */
function amount(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0
}

/** Powers of four, by OpenTelemetry's conventions for generative models. */
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power)
const overheadBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

function createMetrics(registry: Registry) {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    requests: counter(
      'plimsoll_requests_total',
      'Requests by API format (dialect), route, response status, trim mode and outcome (end).',
      'dialect',
      'route',
      'status',
      'mode',
      'end',
    ),
    passthrough: counter('plimsoll_passthrough_total', 'Requests forwarded byte for byte.'),
    keptAlive: counter(
      'plimsoll_keep_alive_total',
      'Prompts the gateway sent again so that they stay cached, by response status and outcome (end).',
      'status',
      'end',
    ),
    keptAliveCost: counter('plimsoll_keep_alive_cost_usd_total', 'Cost of these; part of plimsoll_cost_usd_total.'),
    overhead: new Histogram({
      name: 'plimsoll_overhead_seconds',
      help: 'Time the gateway added before it forwarded a request.',
      buckets: overheadBuckets,
      registers,
    }),
    removed: counter('plimsoll_tokens_removed_total', 'Tokens trimmed from requests, by rule.', 'rule'),
    edits: counter('plimsoll_edits_total', 'New edits of tool results, by rule; a repeated edit counts once.', 'rule'),
    results: counter('plimsoll_tool_results_total', 'Tool results in requests; a repeated result counts once.'),
    truncated: counter('plimsoll_tool_results_truncated_total', 'Tool results cut to their size limit.'),
    truncationRatio: new Gauge({
      name: 'plimsoll_truncation_ratio',
      help: 'Share of tool results cut to their size limit, 0 to 1.',
      registers,
    }),
    breaks: counter('plimsoll_prefix_breaks_total', 'Edits that invalidated the provider’s prompt cache, by rule.', 'rule'),
    overflow: counter('plimsoll_overflow_total', 'Requests the provider rejected as too long.', 'provider', 'kind'),
    findings: counter('plimsoll_findings_total', 'Problems found in requests, by code.', 'code'),
    faults: counter('plimsoll_faults_total', 'Errors of the gateway, by code.', 'code'),
    cacheRead: counter('plimsoll_cache_read_tokens_total', 'Input tokens read from the providers’ prompt caches.'),
    cacheWrite: counter('plimsoll_cache_write_tokens_total', 'Input tokens written to the providers’ prompt caches.'),
    tokenUsage: new Histogram({
      name: 'gen_ai_client_token_usage',
      help: 'Tokens per request, as reported by the provider; input includes cached tokens.',
      labelNames: ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model', 'gen_ai_token_type'],
      buckets: tokenBuckets,
      registers,
    }),
    cost: counter(
      'plimsoll_cost_usd_total',
      'Cost of requests, from the usage that providers reported; excludes requests without a known price.',
    ),
    untrimmedCost: counter(
      'plimsoll_untrimmed_cost_usd_total',
      'Estimated cost of the same requests without trimming; excludes requests without an estimate.',
    ),
    netCost: new Gauge({
      name: 'plimsoll_net_cost_usd',
      help: 'Cost minus estimated cost without trimming, for requests with both; negative means savings.',
      registers,
    }),
  }
}
