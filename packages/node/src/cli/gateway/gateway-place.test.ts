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
