import type { LogRecord } from '@plimsoll/core/hosts'
import { expect, test } from 'vitest'
import { createGatewayOperations } from './gateway-operations.ts'
import { answeredEvent, measuredRequest, passedEvent } from './testing/gateway-events.ts'
import { startOtlpReceiver } from './testing/otlp-receiver.ts'

test('one request appears in the log, the metrics and the traces', async () => {
  const receiver = await startOtlpReceiver()
  const records: LogRecord[] = []
  const operations = await createGatewayOperations({
    log: (record) => records.push(record),
    tracesEndpoint: receiver.endpoint,
    version: '1',
    now: () => 0,
  })
  operations.onEvent(answeredEvent())
  operations.onMeasured(measuredRequest())
  await operations.close()
  await receiver.close()
  expect(records.map(({ event }) => event)).toEqual(['gateway_request', 'gateway_measured'])
  expect(receiver.spans.map(({ name }) => name)).toEqual(['chat claude-sonnet-4.5'])
  expect((await operations.operations('/metrics'))?.body).toContain('plimsoll_passthrough_total 1\n')
})

test('traces that cannot be delivered are reported as an error', async () => {
  const receiver = await startOtlpReceiver({ status: 400 })
  const records: LogRecord[] = []
  const operations = await createGatewayOperations({
    log: (record) => records.push(record),
    tracesEndpoint: receiver.endpoint,
    version: '1',
    now: () => 0,
  })
  operations.onEvent(passedEvent())
  await operations.close()
  await receiver.close()
  expect(records.map(({ event, data }) => [event, data?.['code']])).toEqual([
    ['gateway_request', undefined],
    ['gateway_fault', 'traces-not-delivered'],
  ])
  expect((await operations.operations('/metrics'))?.body).toContain('plimsoll_faults_total{code="traces-not-delivered"} 1\n')
})

test('without an address there are no traces, and closing does nothing', async () => {
  const operations = await createGatewayOperations({ log: () => undefined, tracesEndpoint: null, version: '1', now: () => 0 })
  operations.onEvent(answeredEvent())
  await operations.close()
  expect(await operations.operations('/livez')).toBeNull()
})
