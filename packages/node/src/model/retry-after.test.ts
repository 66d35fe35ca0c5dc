import { describe, expect, it } from 'vitest'
import { retryAfter } from './call-failure.ts'

const now = Date.UTC(2026, 0, 5, 9, 0, 0)

describe('retryAfter', () => {
  it.each([
    ['seconds', { 'retry-after': ' 2.5 ' }, '', 2500],
    ['a date', { 'retry-after': 'Mon, 05 Jan 2026 09:01:00 GMT' }, '', 60_000],
    ['a date that has passed', { 'retry-after': 'Mon, 05 Jan 2026 08:00:00 GMT' }, '', 0],
    ['milliseconds', { 'retry-after-ms': '20' }, '', 20],
    ['a moment in milliseconds', { 'x-ratelimit-reset': String(now + 4000) }, '', 4000],
    ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 4) }, '', 4000],
    ['seconds from now', { 'x-ratelimit-reset': '12' }, '', 12_000],
    ['lengths of time', { 'x-ratelimit-reset-requests': '1h2m3s', 'x-ratelimit-reset-tokens': '850ms' }, '', 3_723_000],
    ['words', {}, 'Rate limit reached. Please try again in 6m0s. Visit us.', 360_000],
    ['longer words', {}, 'Please retry after 20 seconds', 20_000],
    ['a field', {}, '{"error":{"details":[{"retryDelay":"34.07s"}]}}', 34_070],
    ['nothing', {}, 'slow down', null],
    ['nonsense', { 'retry-after': '-5', 'x-ratelimit-reset': 'soon' }, '', null],
    ['a year', { 'retry-after': '31536000' }, '', null],
    ['more than there is', { 'retry-after': '9'.repeat(400) }, '', null],
  ])('reads %s', (_name, headers, text, expected) =>
    expect(retryAfter(headers as Readonly<Record<string, string>>, text, now)).toBe(expected),
  )

  it('is done with a long text at once', () => {
    for (const text of ['try again in '.repeat(100_000), `retryDelay${' '.repeat(500_000)}`, `retry in ${'1'.repeat(500_000)}`])
      expect(retryAfter({}, text, now)).toBeNull()
  })
})
