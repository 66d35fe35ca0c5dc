import { describe, expect, test } from 'vitest'
import { readHead } from './request-head.ts'

describe('readHead', () => {
  test('forwards all headers unchanged, except those about the connection or the gateway', () => {
    const head = readHead([
      ...[
        'Host',
        'a',
        'X-Custom',
        '1',
        'x-custom',
        '2',
        'Connection',
        'keep-alive, X-Secret',
        'X-Secret',
        '3',
        'Keep-Alive',
        '4',
      ],
      ...[
        'TE',
        'trailers',
        'Trailer',
        'x',
        'Transfer-Encoding',
        'chunked',
        'Upgrade',
        'h2c',
        'Proxy-Authorization',
        '5',
        'Expect',
        '100-continue',
      ],
      ...[
        'X-Plimsoll-Trim',
        'safe',
        'x-plimsoll-token',
        't',
        'Cookie',
        '6',
        'Content-Length',
        '7',
        'ANTHROPIC-Beta',
        '8',
        'User-Agent',
        '',
      ],
    ])
    expect(head.forward).toEqual(['X-Custom', '1', 'x-custom', '2', 'Cookie', '6', 'ANTHROPIC-Beta', '8', 'User-Agent', ''])
    expect([head.host, head.trim, head.token, head.expectsContinue, head.contentLength]).toEqual(['a', 'safe', 't', true, 7])
  })

  test('picks the credential by rank, in any order', () => {
    expect(readHead(['api-key', 'd', 'x-goog-api-key', 'c', 'X-Api-Key', 'b', 'Authorization', 'a']).credential).toBe('a')
    expect(readHead(['api-key', 'd', 'x-goog-api-key', 'c']).credential).toBe('c')
    expect(readHead(['authorization', '', 'api-key', 'd']).credential).toBe('d')
  })
})
