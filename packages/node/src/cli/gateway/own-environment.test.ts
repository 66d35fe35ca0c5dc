import { defaultGatewaySettings } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { ownUpstreams } from './own-environment.ts'

const { upstreams } = defaultGatewaySettings

describe('upstreams', () => {
  it('are those of the settings where the user has set no variable', () => {
    expect(ownUpstreams(upstreams, {})).toEqual({
      anthropic: { url: upstreams.anthropic, path: '', variable: null },
      openai: { url: upstreams.openai, path: '/v1', variable: null },
      gemini: { url: upstreams.gemini, path: '', variable: null },
    })
  })

  it.each([
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api', '/v1'],
    ['https://openrouter.ai/api/v1/', 'https://openrouter.ai/api', '/v1'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434', ''],
    ['https://host.example/openai', 'https://host.example/openai', ''],
  ])('are what the user has set, so that a client that adds the same paths arrives at the same place: %s', (given, url, path) => {
    const { openai } = ownUpstreams(upstreams, { OPENAI_BASE_URL: given })
    expect(openai).toEqual({ url, path, variable: 'OPENAI_BASE_URL' })
  })

  it.each(['', '  ', 'no address', 'file:///etc/passwd', 'https://user:word@host', 'https://host/?key=1'])(
    'are not what is no address: %s',
    (given) => {
      expect(ownUpstreams(upstreams, { ANTHROPIC_BASE_URL: given }).anthropic.variable).toBeNull()
    },
  )

  it('are taken from the first variable that says anything', () => {
    const environment = {
      ANTHROPIC_BASE_URL: '',
      ANTHROPIC_API_BASE: 'https://one.example',
      GOOGLE_GEMINI_BASE_URL: 'https://two.example/v1beta',
    }
    const { anthropic, gemini } = ownUpstreams(upstreams, environment)
    expect([anthropic, gemini]).toEqual([
      { url: 'https://one.example', path: '', variable: 'ANTHROPIC_API_BASE' },
      { url: 'https://two.example', path: '/v1beta', variable: 'GOOGLE_GEMINI_BASE_URL' },
    ])
  })
})
