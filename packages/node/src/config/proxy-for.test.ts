import { describe, expect, it } from 'vitest'
import { proxyFor } from './upstream-address.ts'

const proxies = { HTTPS_PROXY: 'http://proxy:3128', HTTP_PROXY: 'plain:8080' }

describe('the proxy for an address', () => {
  it.each([
    ['https://api.anthropic.com', proxies, 'http://proxy:3128'],
    ['http://models.example', proxies, 'http://plain:8080'],
    ['https://api.anthropic.com', { ...proxies, https_proxy: 'https://other' }, 'https://other'],
    ['https://api.anthropic.com', { ...proxies, NO_PROXY: 'anthropic.com' }, null],
    ['https://api.anthropic.com', { ...proxies, NO_PROXY: 'localhost, .anthropic.com' }, null],
    ['https://api.anthropic.com', { ...proxies, NO_PROXY: 'thropic.com' }, 'http://proxy:3128'],
    ['https://api.anthropic.com', { ...proxies, NO_PROXY: 'api.anthropic.com:444' }, 'http://proxy:3128'],
    ['https://api.anthropic.com', { ...proxies, NO_PROXY: 'api.anthropic.com:443' }, null],
    ['https://api.anthropic.com', { ...proxies, no_proxy: '*' }, null],
    ['http://127.0.0.1:11434', proxies, null],
    ['https://api.anthropic.com', {}, null],
    ['https://api.anthropic.com', { HTTPS_PROXY: 'socks5://proxy' }, null],
    ['no address', proxies, null],
  ])('for %s with %j is %s', (address, environment, expected) => expect(proxyFor(address, environment)).toBe(expected))
})
