import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTarget } from './find-route.ts'

describe('readTarget', () => {
  test.each([
    ['/', { path: '/', query: '', tag: null }],
    ['/v1/messages?beta=true', { path: '/v1/messages', query: '?beta=true', tag: null }],
    ['/v1/messages/', { path: '/v1/messages/', query: '', tag: null }],
    [
      '/v1beta/models/gemini-2.5-pro:generateContent?key=a/../b',
      {
        path: '/v1beta/models/gemini-2.5-pro:generateContent',
        query: '?key=a/../b',
        tag: null,
      },
    ],
    ['/v1/models/meta%2FLlama-3..1', { path: '/v1/models/meta%2FLlama-3..1', query: '', tag: null }],
    ['/t/my%20work/v1/messages', { path: '/v1/messages', query: '', tag: 'my work' }],
    ['/t/lonely', { path: '/t/lonely', query: '', tag: null }],
  ])('reads %s', (target, read) => {
    expect(readTarget(target)).toEqual(read)
  })

  test.each([
    'http://evil.example/v1/messages',
    'https://127.0.0.1/v1/messages',
    '*',
    '',
    'evil.example:80',
    '//evil.example/v1',
    '/v1//messages',
    '/%2Fevil.example/',
    '/v1/../admin',
    '/v1/..',
    '/./v1',
    '/v1/%2e%2E/admin',
    '/v1/.%2e/admin',
    '/v1/%252e%252e/admin',
    '/v1/%25252e%25252e%25252fadmin',
    '/v1/%2525252525252e',
    '/v1/a%2f..%2f..%2fadmin',
    '/v1\\..\\admin',
    '/v1/a%5c..%5cadmin',
    '/v1/..;/admin',
    '/v1/%00',
    '/v1/a%0d%0aHost:%20b',
    '/v1/\u00e9',
    '/v1/a#b',
    '/v1?a#b',
    '/t/../v1/messages',
    '/t/a/../../x',
  ])('refuses %s', (target) => {
    expect(readTarget(target)).toBeNull()
  })

  test('what is let through stays below any base path, for whoever resolves it', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2f',
      '%5C',
      '\\',
      '%25',
      '2e',
      'a',
      'v1',
      ';',
      ':',
      't',
      '%',
      '?',
    )
    let passed = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const read = readTarget(`/${pieces.join('')}`)
        if (read === null) return
        passed++
        let path = read.path
        for (let times = 0; times < 4; times++) {
          const resolved = new URL(`http://upstream.example/base${path.replaceAll('\\', '/')}`)
          expect(resolved.host).toBe('upstream.example')
          expect(resolved.pathname.startsWith('/base/')).toBe(true)
          path = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        }
      }),
      { seed: 7, numRuns: 3000 },
    )
    expect(passed).toBeGreaterThan(300)
  })
})
