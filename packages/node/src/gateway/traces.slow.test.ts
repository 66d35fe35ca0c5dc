import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { answeredEvent, measuredRequest, passedEvent } from './testing/gateway-events.ts'
import { type OtlpReceiver, startOtlpReceiver } from './testing/otlp-receiver.ts'
import { createGatewayTraces, traceParent } from './traces.ts'

const open: OtlpReceiver[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()))
})

async function receive(options: Parameters<typeof startOtlpReceiver>[0] = {}): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver(options)
  open.push(receiver)
  return receiver
}

const now = () => Date.UTC(2026, 0, 1)

describe('the span of a request', () => {
  test('describes a model call by the conventions, whichever half arrives first', async () => {
    const receiver = await receive()
    const traces = await createGatewayTraces({ endpoint: receiver.endpoint, version: '1.2.3', now })
    const measured = measuredRequest({
      answeredModel: 'claude-sonnet-4-5-20250929',
      breaks: ['stub-old-results'],
      findings: [{ code: 'orphan-result', count: 2 }],
    })
    traces.onEvent(answeredEvent({ isChanged: true }))
    traces.onMeasured(measured)
    traces.onMeasured({ ...measured, id: 'request-2' })
    traces.onEvent(answeredEvent({ id: 'request-2', isChanged: true }))
    await traces.close()

    const attributes = {
      'http.request.method': 'POST',
      'http.route': '/v1/messages',
      'http.response.status_code': 200,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-4-5-20250929',
      'gen_ai.response.model': 'claude-sonnet-4-5-20250929',
      'gen_ai.usage.input_tokens': 600,
      'gen_ai.usage.output_tokens': 40,
      'gen_ai.usage.cache_read.input_tokens': 90,
      'gen_ai.usage.cache_creation.input_tokens': 10,
      'plimsoll.request.bytes': 2000,
      'plimsoll.answer.bytes': 300,
      'plimsoll.changed': true,
      'plimsoll.end': 'complete',
      'plimsoll.dialect': 'anthropic',
      'plimsoll.mode': 'safe',
      'plimsoll.overhead_milliseconds': 0.4,
      'plimsoll.first_byte_milliseconds': 12,
      'plimsoll.planned_milliseconds': 3,
      'plimsoll.tokens.before': 1000,
      'plimsoll.tokens.after': 600,
      'plimsoll.rules': ['filter-binary', 'limit-tool-output'],
      'plimsoll.prefix.breaks': ['stub-old-results'],
      'plimsoll.findings': ['orphan-result'],
      'plimsoll.cost.usd': 0.25,
      'plimsoll.cost.untrimmed_usd': 0.5,
    }
    expect(receiver.spans).toEqual(
      ['request-1', 'request-2'].map((id) => ({
        name: 'chat claude-sonnet-4.5',
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        parentSpanId: null,
        kind: 3,
        milliseconds: 40,
        status: 0,
        attributes: { ...attributes, 'plimsoll.request.id': id },
      })),
    )
    expect(receiver.resources).toEqual([{ 'service.name': 'plimsoll-gateway', 'service.version': '1.2.3' }])
  })

  test('continues the trace of its client', async () => {
    const receiver = await receive()
    const traces = await createGatewayTraces({ endpoint: `${receiver.endpoint}/v1/traces`, version: '1', now })
    traces.onEvent(passedEvent({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }))
    await traces.close()
    expect(receiver.spans.map(({ traceId, parentSpanId }) => ({ traceId, parentSpanId }))).toEqual([
      { traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' },
    ])
  })

  test('is omitted if the client does not record its trace', async () => {
    const receiver = await receive()
    const traces = await createGatewayTraces({ endpoint: receiver.endpoint, version: '1', now })
    traces.onEvent(passedEvent({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' }))
    await traces.close()
    expect(receiver.spans).toEqual([])
  })

  test('has an error type: the status, or how the request ended', async () => {
    const receiver = await receive()
    const traces = await createGatewayTraces({ endpoint: receiver.endpoint, version: '1', now })
    traces.onEvent(answeredEvent({ id: 'a', status: 529 }))
    traces.onEvent(answeredEvent({ id: 'b', status: null, end: 'upstream-failed' }))
    traces.onEvent(answeredEvent({ id: 'c', status: 200, end: 'client-gone' }))
    traces.onEvent(answeredEvent({ id: 'd', status: 403, end: 'refused', dialect: null, method: 'SECRET', route: 'other' }))
    await traces.close()
    expect(receiver.spans.map(({ name, status, attributes }) => [name, status, attributes['error.type']])).toEqual([
      ['_OTHER other', 2, '403'],
      ['chat claude-sonnet-4.5', 2, '529'],
      ['chat claude-sonnet-4.5', 2, 'upstream-failed'],
      ['chat claude-sonnet-4.5', 2, 'client-gone'],
    ])
  })

  test('is dropped beyond a limit, and closing sends the rest', async () => {
    const receiver = await receive()
    const traces = await createGatewayTraces({ endpoint: receiver.endpoint, version: '1', now })
    for (let index = 0; index < 6000; index += 1) traces.onEvent(answeredEvent({ id: `request-${index}` }))
    await traces.close()
    expect(receiver.spans.length).toBeGreaterThan(256)
    expect(receiver.spans.length).toBeLessThanOrEqual(4096)
  })

  test('is lost with one report if the collector refuses, and closing does not fail', async () => {
    const receiver = await receive({ status: 400 })
    let reports = 0
    const traces = await createGatewayTraces({
      endpoint: receiver.endpoint,
      version: '1',
      now,
      onUndelivered: () => (reports += 1),
    })
    for (let index = 0; index < 600; index += 1) traces.onEvent(passedEvent({ id: `request-${index}` }))
    await traces.close()
    expect({ reports, arrived: receiver.bodies.length > 1 }).toEqual({ reports: 1, arrived: true })
  })

  test('does not delay a shutdown if the collector is unreachable', async () => {
    const receiver = await receive()
    await receiver.close()
    const traces = await createGatewayTraces({ endpoint: receiver.endpoint, version: '1', now, closeMilliseconds: 50 })
    traces.onEvent(passedEvent())
    await traces.close()
  })
})

test('OpenTelemetry is loaded only if spans are enabled', () => {
  const loaded = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (url.includes('@opentelemetry') && console.log(url), next(url, context)) })
    await import(${JSON.stringify(new URL('./traces.ts', import.meta.url).href)})`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', loaded], { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
})

describe('traceparent', () => {
  test.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 1],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', 0],
    ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-later', 1],
  ])('is read: %s', (header, traceFlags) =>
    expect(traceParent(header)).toEqual({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags }),
  )

  test.each([
    undefined,
    '',
    'secret',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  ])('is rejected: %s', (header) => expect(traceParent(header)).toBeNull())
})
