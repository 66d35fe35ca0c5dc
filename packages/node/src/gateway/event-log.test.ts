import { describe, expect, test } from 'vitest'
import { createLogger, type LogLevel } from '../files/logger.ts'
import { createEventLog } from './gateway-operations.ts'
import { answeredEvent, measuredRequest } from './testing/gateway-events.ts'

function logged(level: LogLevel = 'debug') {
  const lines: string[] = []
  const log = createEventLog({
    write: createLogger({ level, write: (line) => lines.push(line) }),
    now: () => Date.UTC(2026, 0, 2),
  })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>) }
}

describe('the log of a gateway', () => {
  test('has one line per request', () => {
    const { log, lines, records } = logged()
    log.onEvent(answeredEvent())
    expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1)
    expect(records()).toEqual([
      {
        level: 'info',
        event: 'gateway_request',
        message: 'The request was answered.',
        at: '2026-01-02T00:00:00.000Z',
        id: 'request-1',
        dialect: 'anthropic',
        method: 'POST',
        route: '/v1/messages',
        model: 'claude-sonnet-4-5-20250929',
        mode: 'safe',
        status: 200,
        end: 'complete',
        changed: 0,
        request_bytes: 2000,
        answer_bytes: 300,
        first_byte_ms: 12,
        whole_ms: 40,
        overhead_ms: 0.4,
      },
    ])
  })

  test('writes a measurement as a line of numbers and codes', () => {
    const { log, records } = logged()
    log.onMeasured(measuredRequest({ breaks: ['stub-old-results'], findings: [{ code: 'orphan-result', count: 1 }] }))
    expect(records()).toEqual([
      {
        level: 'debug',
        event: 'gateway_measured',
        message: 'The request was measured.',
        at: '2026-01-02T00:00:00.000Z',
        id: 'request-1',
        dialect: 'anthropic',
        model: 'claude-sonnet-4-5-20250929',
        mode: 'safe',
        tokens_before: 1000,
        tokens_after: 600,
        rules: 'filter-binary limit-tool-output',
        breaks: 'stub-old-results',
        findings: 'orphan-result',
        input: 500,
        cache_read: 90,
        cache_write: 10,
        output: 40,
        dollars: 0.25,
        untrimmed_dollars: 0.5,
        planned_ms: 3,
      },
    ])
  })

  test.each([
    ['an answer', answeredEvent(), 'info'],
    ['a client that left', answeredEvent({ end: 'client-gone' }), 'info'],
    ['a refusal of the provider', answeredEvent({ status: 429 }), 'warn'],
    ['a refusal of the gateway', answeredEvent({ end: 'refused', status: 403 }), 'warn'],
    ['an upstream that failed', answeredEvent({ end: 'upstream-failed', status: null }), 'warn'],
    ['a fault', { type: 'fault', id: null, code: 'planner-died' }, 'warn'],
  ] as const)('%s has its level', (_name, event, level) => {
    const { log, records } = logged()
    log.onEvent(event)
    expect(records().map((record) => record['level'])).toEqual([level])
  })

  test('skips records below the level', () => {
    const { log, lines } = logged('warn')
    log.onEvent(answeredEvent())
    log.onMeasured(measuredRequest())
    expect(lines).toEqual([])
  })

  test('omits client text where a name is expected', () => {
    const { log, lines } = logged()
    const secret = 'please say: sk-ant-secret\n{"level":"info"}'
    log.onEvent(answeredEvent({ model: secret, method: secret }))
    log.onEvent({ type: 'fault', id: null, code: secret })
    log.onMeasured(measuredRequest({ model: `claude-${'x'.repeat(5000)}`, removed: { [secret]: 1 }, overflow: secret }))
    expect(lines.length).toBe(3)
    expect(lines.filter((line) => line.includes('secret') || line.length > 1000)).toEqual([])
  })
})
