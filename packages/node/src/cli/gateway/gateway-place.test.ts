import { defaultGatewaySettings } from '@plimsoll/core/policies'
import { expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { gatewayPlace } from './gateway-place.ts'

it.each([
  ['http://10.0.0.7:8000', true, 'http://10.0.0.7:8000'],
  ['http://127.0.0.1:8000', false, 'http://127.0.0.1:8000'],
  ['https://llm.example.com/v1', false, 'https://llm.example.com'],
])('sends requests to %s (unencrypted: %s)', (url, unencrypted, root) => {
  const io = { folder: '/', environment: { HOME: '/nonexistent' } }
  const { upstreams } = gatewayPlace({ upstream: [url], unencrypted }, defaultGatewaySettings, io, stringsFor('en'))
  expect(upstreams.anthropic).toBe(root)
})

it('keeps no prompt cached by itself, and never for clients on other machines', () => {
  const io = { folder: '/', environment: { HOME: '/nonexistent' } }
  const place = (options: object, settings = {}) =>
    gatewayPlace(options, { ...defaultGatewaySettings, ...settings }, io, stringsFor('en')).keepsCacheAlive
  expect([place({}), place({ keepCacheAlive: true }), place({}, { keep_cache_alive: true })]).toEqual([false, true, true])
  const options = { host: '0.0.0.0', public: true, token: 'a-long-access-token-of-the-gateway', keepCacheAlive: true }
  expect(() => place(options)).toThrow('money of their keys')
})
