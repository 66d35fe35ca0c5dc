import { knownModels } from '@plimsoll/core/bill'
import { describe, expect, test } from 'vitest'
import { type WireDialect, wireDialects } from '../store/gateway-record.ts'
import type { GatewayEvent } from './gateway-options.ts'
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts'
import { answeredEvent, measuredRequest, passedEvent } from './testing/gateway-events.ts'

describe('the metrics of a gateway', () => {
  test('show what the planner remembers when they are asked for', async () => {
    let conversations = 1
    const remembered = () => ({ conversations, bytes: 2048, heapBytes: 4096 })
    const metrics = createGatewayMetrics({ withProcess: false, remembered })
    conversations = 3
    expect(await samples(metrics, 'plimsoll_(remembered|planner)_.*')).toEqual([
      'plimsoll_remembered_conversations 3',
      'plimsoll_remembered_bytes 2048',
      'plimsoll_planner_heap_bytes 4096',
    ])
  })

  test('count a request by format, route, status, mode and end', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    metrics.onEvent(answeredEvent())
    metrics.onEvent(answeredEvent())
    metrics.onEvent(passedEvent({ dialect: null, route: 'other', status: null, end: 'upstream-failed' }))
    expect(await samples(metrics, 'plimsoll_requests_total')).toEqual([
      'plimsoll_requests_total{dialect="anthropic",route="/v1/messages",status="200",mode="safe",end="complete"} 2',
      'plimsoll_requests_total{dialect="none",route="other",status="none",mode="none",end="upstream-failed"} 1',
    ])
  })

  test('count only unchanged requests as passed through, and only relayed ones as overhead', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    metrics.onEvent(answeredEvent({ isChanged: true, overheadMilliseconds: 2 }))
    metrics.onEvent(answeredEvent({ isChanged: false, overheadMilliseconds: 1 }))
    metrics.onEvent(answeredEvent({ end: 'refused', status: 403 }))
    expect(await samples(metrics, 'plimsoll_passthrough_total')).toEqual(['plimsoll_passthrough_total 1'])
    expect(await samples(metrics, 'plimsoll_overhead_seconds_(sum|count)')).toEqual([
      'plimsoll_overhead_seconds_sum 0.003',
      'plimsoll_overhead_seconds_count 2',
    ])
  })

  test('count removals, cache breaks, findings, refusals and errors by rule, code and kind', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    metrics.onMeasured(measuredRequest({ breaks: ['stub-old-results'] }))
    metrics.onMeasured(
      measuredRequest({ dialect: 'gemini', overflow: 'overflow', usage: null, findings: [{ code: 'orphan-result', count: 3 }] }),
    )
    metrics.onEvent(answeredEvent({ findings: [{ code: 'too-late', count: 1 }] }))
    metrics.onEvent({ type: 'fault', id: null, code: 'store-unreachable' })
    expect(await samples(metrics, 'plimsoll_(tokens_removed|prefix_breaks|overflow|findings|faults)_total')).toEqual([
      'plimsoll_tokens_removed_total{rule="filter-binary"} 600',
      'plimsoll_tokens_removed_total{rule="limit-tool-output"} 200',
      'plimsoll_prefix_breaks_total{rule="stub-old-results"} 1',
      'plimsoll_overflow_total{provider="gcp.gemini",kind="overflow"} 1',
      'plimsoll_findings_total{code="orphan-result"} 3',
      'plimsoll_findings_total{code="too-late"} 1',
      'plimsoll_faults_total{code="store-unreachable"} 1',
    ])
  })

  test('R003-25 count new edits by rule, and report the share of tool results that were cut', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    const trims = { records: [], edits: { 'trim-repeated-reads': 3 }, tokensSaved: 0, results: 6 }
    metrics.onMeasured(measuredRequest())
    metrics.onMeasured(measuredRequest({ trims }))
    expect(await samples(metrics, 'plimsoll_(edits_total|tool_results|truncation_ratio)')).toEqual([
      'plimsoll_edits_total{rule="limit-tool-output"} 1',
      'plimsoll_edits_total{rule="trim-repeated-reads"} 3',
      'plimsoll_tool_results_total 10',
      'plimsoll_tool_results_truncated_total 1',
      'plimsoll_truncation_ratio 0.1',
    ])
  })

  test('report costs: actual, untrimmed, and net for requests for which both are known', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    metrics.onMeasured(measuredRequest({ dollars: 0.25, untrimmedDollars: 0.5 }))
    metrics.onMeasured(measuredRequest({ dollars: 1, untrimmedDollars: null }))
    metrics.onMeasured(measuredRequest({ dollars: null, untrimmedDollars: null }))
    metrics.onMeasured(measuredRequest({ dollars: 0.125, untrimmedDollars: 0, isKeptAlive: true }))
    expect(await samples(metrics, 'plimsoll_.*_usd')).toEqual([
      'plimsoll_keep_alive_cost_usd_total 0.125',
      'plimsoll_cost_usd_total 1.375',
      'plimsoll_untrimmed_cost_usd_total 0.5',
      'plimsoll_net_cost_usd -0.125',
    ])
  })

  test('report the provider’s tokens, in the buckets of the conventions', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    metrics.onMeasured(measuredRequest())
    expect(await samples(metrics, 'plimsoll_cache_')).toEqual([
      'plimsoll_cache_read_tokens_total 90',
      'plimsoll_cache_write_tokens_total 10',
    ])
    const usage = await samples(metrics, 'gen_ai_client_token_usage')
    const labels = 'gen_ai_operation_name="chat",gen_ai_provider_name="anthropic",gen_ai_request_model="claude-sonnet-4.5"'
    expect(usage.filter((line) => line.includes('_sum'))).toEqual([
      `gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="input"} 600`,
      `gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="output"} 40`,
    ])
    const bounds = usage.filter((line) => line.includes('type="input"')).flatMap((line) => /le="([^"]+)"/.exec(line)?.[1] ?? [])
    expect(bounds).toEqual('1 4 16 64 256 1024 4096 16384 65536 262144 1048576 4194304 16777216 67108864 +Inf'.split(' '))
  })

  test('ignore invalid numbers, and never throw', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    metrics.onEvent(answeredEvent({ overheadMilliseconds: Number.NaN, status: -7 }))
    metrics.onMeasured(
      measuredRequest({
        dollars: Number.NaN,
        untrimmedDollars: -1,
        removed: { 'filter-binary': -4 },
        usage: { input: -1, cacheRead: Number.POSITIVE_INFINITY, cacheWrite: Number.NaN, output: 0 },
      }),
    )
    expect(await samples(metrics, 'plimsoll_(tokens_removed|cost|cache_read|overhead_seconds_sum)')).toEqual([
      'plimsoll_overhead_seconds_sum 0',
      'plimsoll_tokens_removed_total{rule="filter-binary"} 0',
      'plimsoll_cache_read_tokens_total 0',
      'plimsoll_cost_usd_total 0',
    ])
  })

  test('come as text, with those of the process; other paths are not answered', async () => {
    const metrics = createGatewayMetrics()
    const answer = await metrics.operations('/metrics')
    expect({ status: answer?.status, contentType: answer?.contentType }).toEqual({
      status: 200,
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
    })
    expect(answer?.body).toMatch(/^process_resident_memory_bytes \d+/m)
    expect(answer?.body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    expect(await metrics.operations('/health')).toBeNull()
  })

  test('stay separate for two gateways in one process', async () => {
    const [one, two] = [createGatewayMetrics({ withProcess: false }), createGatewayMetrics({ withProcess: false })]
    one.onEvent(answeredEvent())
    expect(await samples(two, 'plimsoll_passthrough_total')).toEqual(['plimsoll_passthrough_total 0'])
  })
})

describe('labels', () => {
  test('have a limited number of values, regardless of what clients call their models, routes and methods', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    const models = [
      ...knownModels.models.map(({ model }) => model),
      ...Array.from({ length: 800 }, (_, index) => `sk-secret-model-${index}`),
      'x'.repeat(100_000),
      '"} 1\nplimsoll_forged_total 7',
    ]
    for (const [index, model] of models.entries()) hostile(metrics, index, model)
    const lines = await samples(metrics, '.*')
    // Every known model is asked for, so the limit on models is what holds the histogram.
    const named = new Set(lines.flatMap((line) => /request_model="([^"]*)"/.exec(line)?.[1] ?? []))
    expect(knownModels.models.length).toBeGreaterThan(64)
    expect(named.size).toBe(65)
    expect(lines.length).toBeLessThan(20_000)
    const before = lines.length
    for (const [index] of models.entries()) hostile(metrics, index, `later-${index}`)
    expect((await samples(metrics, '.*')).length).toBe(before)
    expect(lines.filter((line) => /secret|forged|xxxx/.test(line))).toEqual([])
  })

  test('name a model as the catalogue does', async () => {
    const metrics = createGatewayMetrics({ withProcess: false })
    for (const model of ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5', 'my-own-finetune', null])
      metrics.onMeasured(measuredRequest({ model }))
    const counts = await samples(metrics, 'gen_ai_client_token_usage_count')
    expect(counts.map((line) => /request_model="([^"]*)".* (\d+)$/.exec(line)?.slice(1))).toEqual([
      ['claude-sonnet-4.5', '2'],
      ['claude-sonnet-4.5', '2'],
      ['other', '2'],
      ['other', '2'],
    ])
  })
})

function hostile(metrics: GatewayMetrics, index: number, model: string): void {
  const word = `word-${index}`
  const dialect = wireDialects[index % wireDialects.length] as WireDialect
  metrics.onEvent(
    answeredEvent({
      dialect,
      model,
      route: '/v1/messages',
      status: 100 + (index % 900),
      mode: word as 'safe',
      end: (index % 2 === 0 ? word : 'complete') as Extract<GatewayEvent, { type: 'answered' }>['end'],
    }),
  )
  metrics.onEvent({ type: 'fault', id: null, code: word })
  metrics.onMeasured(
    measuredRequest({
      dialect,
      model,
      removed: { [word]: 1 },
      breaks: [word],
      overflow: word,
      findings: [{ code: word as 'unreadable', count: 1 }],
    }),
  )
}

/** The lines whose name matches, without the comments. */
async function samples(metrics: GatewayMetrics, name: string): Promise<readonly string[]> {
  const { body } = (await metrics.operations('/metrics')) ?? { body: '' }
  return body.split('\n').filter((line) => new RegExp(`^${name}`).test(line) && line !== '')
}
