import { describe, expect, test } from 'vitest'
import { upstreamFailure } from './upstream-line.ts'

describe('upstreamFailure', () => {
  const failing = (code: string) => Object.assign(new Error('secret.example 10.0.0.1'), { code })

  test.each([
    [failing('ENOTFOUND'), 502, 'upstream_not_found'],
    [failing('EAI_AGAIN'), 502, 'upstream_not_found'],
    [failing('ECONNREFUSED'), 502, 'upstream_unreachable'],
    [Object.assign(new AggregateError([failing('ECONNREFUSED')]), {}), 502, 'upstream_unreachable'],
    [Object.assign(failing('ECONNREFUSED'), { isProxied: true }), 502, 'proxy_failed'],
    [Object.assign(failing('ECONNRESET'), { isProxied: true }), 502, 'upstream_closed'],
    [failing('UND_ERR_CONNECT_TIMEOUT'), 504, 'upstream_timeout'],
    [failing('DEPTH_ZERO_SELF_SIGNED_CERT'), 502, 'upstream_not_trusted'],
    [failing('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 502, 'upstream_not_trusted'],
    [Object.assign(new Error('secret'), { name: 'HTTPParserError' }), 502, 'upstream_malformed'],
    [failing('UND_ERR_SOCKET'), 502, 'upstream_closed'],
    [failing('ECONNRESET'), 502, 'upstream_closed'],
    [failing('UND_ERR_DESTROYED'), 502, 'not_sent'],
    [new Error('x'), 502, 'upstream_closed'],
  ])('%s', (error, status, code) => {
    const failure = upstreamFailure(error)
    expect([failure.status, failure.code]).toEqual([status, code])
    expect(failure.message).not.toMatch(/secret|10\.0/)
  })
})
