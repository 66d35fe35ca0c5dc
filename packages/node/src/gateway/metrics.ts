import { modelFacts } from '@plimsoll/core'
import { promptTotal, type Usage } from '@plimsoll/core/bill'
import { policyNames, type TrimMode, trimModes } from '@plimsoll/core/policies'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type FindingCode, type WireDialect, wireDialects } from '../store/gateway-record.ts'
import type { GatewayEvent, OperationsAnswer } from './gateway-options.ts'
import type { Measured } from './planner.ts'

/** Numbers about a gateway, for Prometheus. */
export interface GatewayMetrics {
  /** Counts something that happened. Never throws; takes microseconds. */
  readonly onEvent: (event: GatewayEvent) => void
  /** Counts what was measured about a request. Never throws; takes microseconds. */
  readonly onMeasured: (measured: Measured) => void
  /** Answers `/metrics`, in the text format; null for every other path. */
  readonly operations: (path: string) => Promise<OperationsAnswer | null>
}

/** What is counted. */
export interface MetricsOptions {
  /** Whether memory, processor time, event loop and garbage collection of this process belong to it. Default true. */
  readonly withProcess?: boolean
}

/** Counts requests, tokens, money and trouble of one gateway. Labels come from closed sets, so that nobody can make them grow. */
export function createGatewayMetrics({ withProcess = true }: MetricsOptions = {}): GatewayMetrics {
  const registry = new Registry()
  const say = createClosedLabels()
  const metrics = createMetrics(registry)
  if (withProcess) collectDefaultMetrics({ register: registry })
  return {
    onEvent: (event) => {
      if (event.type === 'fault') {
        metrics.faults.inc({ code: say.fault(event.code) })
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
    onMeasured: (measured) => {
      const { provider, operation } = providerNames[measured.dialect]
      for (const rule of Object.keys(measured.removed))
        metrics.removed.inc({ rule: say.rule(rule) }, amount(measured.removed[rule]))
      for (const rule of measured.breaks) metrics.breaks.inc({ rule: say.rule(rule) })
      for (const { code, count } of measured.findings) metrics.findings.inc({ code: say.finding(code) }, amount(count))
      if (measured.overflow !== null) metrics.overflow.inc({ provider, kind: say.failure(measured.overflow) })
      if (measured.usage !== null)
        countUsage(metrics, measured.usage, {
          gen_ai_operation_name: operation,
          gen_ai_provider_name: provider,
          gen_ai_request_model: say.model(measured.model),
        })
      const { dollars, untrimmedDollars } = measured
      if (dollars !== null) metrics.cost.inc(amount(dollars))
      if (untrimmedDollars !== null) metrics.untrimmedCost.inc(amount(untrimmedDollars))
      if (dollars !== null && untrimmedDollars !== null) metrics.netCost.inc(amount(dollars) - amount(untrimmedDollars))
    },
    operations: async (path) =>
      path === '/metrics' ? { status: 200, contentType: registry.contentType, body: await registry.metrics() } : null,
  }
}

type Metrics = ReturnType<typeof createMetrics>
type UsageLabels = Readonly<Record<'gen_ai_operation_name' | 'gen_ai_provider_name' | 'gen_ai_request_model', string>>

function countUsage(metrics: Metrics, usage: Usage, labels: UsageLabels): void {
  metrics.tokenUsage.observe({ ...labels, gen_ai_token_type: 'input' }, amount(promptTotal(usage)))
  metrics.tokenUsage.observe({ ...labels, gen_ai_token_type: 'output' }, amount(usage.output))
  metrics.cacheRead.inc(amount(usage.cacheRead))
  metrics.cacheWrite.inc(amount(usage.cacheWrite))
}

/** A counter refuses what is less than nothing or no number; a gateway must not fall over one. */
function amount(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0
}

/** The bounds that the conventions for generative models give for tokens: powers of four. */
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power)
const overheadBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

function createMetrics(registry: Registry) {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    requests: counter(
      'plimsoll_requests_total',
      'Requests, by format, route, status of the answer, mode and how they ended.',
      'dialect',
      'route',
      'status',
      'mode',
      'end',
    ),
    passthrough: counter('plimsoll_passthrough_total', 'Requests that went on byte for byte as they came.'),
    overhead: new Histogram({
      name: 'plimsoll_overhead_seconds',
      help: 'What the gateway itself took before a request went on.',
      buckets: overheadBuckets,
      registers,
    }),
    removed: counter('plimsoll_tokens_removed_total', 'Tokens that were not sent, by the rule that took them away.', 'rule'),
    breaks: counter('plimsoll_prefix_breaks_total', 'Times that a rule changed what the provider had cached.', 'rule'),
    overflow: counter('plimsoll_overflow_total', 'Requests that the provider refused as too long.', 'provider', 'kind'),
    findings: counter('plimsoll_findings_total', 'What was found in requests, by code.', 'code'),
    faults: counter('plimsoll_faults_total', 'What went wrong in the gateway, by code.', 'code'),
    cacheRead: counter('plimsoll_cache_read_tokens_total', 'Input tokens that providers read from their caches.'),
    cacheWrite: counter('plimsoll_cache_write_tokens_total', 'Input tokens that providers wrote to their caches.'),
    tokenUsage: new Histogram({
      name: 'gen_ai_client_token_usage',
      help: 'Tokens of a request, as its provider reported them; input with what was cached.',
      labelNames: ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model', 'gen_ai_token_type'],
      buckets: tokenBuckets,
      registers,
    }),
    cost: counter(
      'plimsoll_cost_usd_total',
      'What requests cost by what their providers reported; those without a price are missing.',
    ),
    untrimmedCost: counter(
      'plimsoll_untrimmed_cost_usd_total',
      'What requests would have cost untrimmed, by the cache model; those for which nobody knows are missing.',
    ),
    netCost: new Gauge({
      name: 'plimsoll_net_cost_usd',
      help: 'What trimming cost after all effects on caches, where both sums are known; less than nothing is money saved.',
      registers,
    }),
  }
}

/**
 * Words for the labels of metrics. What a client wrote, such as the name of a model, must not become a label: every new word is a
 * series that is kept for ever. So each of these knows all the words it may say, and says `other` for what is none of them.
 */
export interface ClosedLabels {
  readonly dialect: (dialect: WireDialect | null) => string
  readonly mode: (mode: TrimMode | undefined) => string
  readonly model: (model: string | null) => string
  readonly status: (status: number | null) => string
  readonly rule: (rule: string) => string
  readonly finding: (code: string) => string
  readonly failure: (kind: string) => string
  readonly end: (end: string) => string
  /** Routes are the gateway's own words; should one that is not come here, there is an end to that too. */
  readonly route: (route: string) => string
  readonly fault: (code: string) => string
}

/** A set of labels that remembers what it has said, for one registry. */
export function createClosedLabels(): ClosedLabels {
  const knownModel = atMost(mostModels)
  const modelOf = remembered((model) => {
    const facts = modelFacts(model)
    return facts.source === null ? other : knownModel(facts.model)
  })
  return {
    dialect: (dialect) => (dialect === null ? 'none' : among(dialects, dialect)),
    mode: (mode) => (mode === undefined ? 'none' : among(modes, mode)),
    model: (model) => (model === null || model.length > 200 ? other : modelOf(model)),
    status: statusLabel,
    rule: (rule) => among(rules, rule),
    finding: (code) => among(findings, code),
    failure: (kind) => among(failures, kind),
    end: (end) => among(ends, end),
    route: atMost(mostRoutes),
    fault: atMost(mostFaults),
  }
}

const other = 'other'
const mostModels = 64
const mostRoutes = 40
const mostFaults = 40
const mostRemembered = 500

const dialects: ReadonlySet<string> = new Set(wireDialects)
const modes: ReadonlySet<string> = new Set(trimModes)
const rules: ReadonlySet<string> = new Set([
  ...policyNames,
  'context-management',
  'clear_tool_uses_20250919',
  'clear_thinking_20251015',
])
const ends: ReadonlySet<string> = new Set(['complete', 'client-gone', 'upstream-failed', 'refused'])
const failures: ReadonlySet<string> = new Set([
  'overflow',
  'output_reservation',
  'tpm_single_request',
  'payload_bytes',
  'image_limit',
])
const findings: ReadonlySet<string> = new Set(
  Object.keys({
    unreadable: 0,
    unsupported: 0,
    'history-elsewhere': 0,
    'too-large': 0,
    'too-late': 0,
    'not-applied': 0,
    'store-unavailable': 0,
    'orphan-result': 0,
    'unanswered-call': 0,
    'over-window': 0,
    'context-management': 0,
    'bound-thinking': 0,
    'decisions-lost': 0,
  } satisfies Record<FindingCode, 0>),
)

/** Those that mean something to whoever runs a gateway; the rest by their hundred. */
const statuses: ReadonlySet<number> = new Set([
  101, 200, 304, 400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 421, 422, 426, 429, 431, 499, 500, 502, 503, 504, 529,
])

function statusLabel(status: number | null): string {
  if (status === null) return 'none'
  if (statuses.has(status)) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : other
}

function among(words: ReadonlySet<string>, word: string): string {
  return words.has(word) ? word : other
}

/** The first so many words as they are; every later one is `other`. */
function atMost(count: number): (word: string) => string {
  const said = new Set<string>()
  return (word) => {
    if (said.has(word)) return word
    if (said.size >= count || word.length > 100) return other
    said.add(word)
    return word
  }
}

/** Looking a model up takes longer than counting a request. */
function remembered(look: (word: string) => string): (word: string) => string {
  const answers = new Map<string, string>()
  return (word) => {
    const known = answers.get(word)
    if (known !== undefined) return known
    const answer = look(word)
    if (answers.size >= mostRemembered) answers.clear()
    answers.set(word, answer)
    return answer
  }
}

/** What OpenTelemetry's conventions for generative models call who is behind a dialect, and what is asked of them. */
export const providerNames: Readonly<Record<WireDialect, { readonly provider: string; readonly operation: string }>> = {
  anthropic: { provider: 'anthropic', operation: 'chat' },
  'openai-chat': { provider: 'openai', operation: 'chat' },
  'openai-responses': { provider: 'openai', operation: 'chat' },
  gemini: { provider: 'gcp.gemini', operation: 'generate_content' },
}
