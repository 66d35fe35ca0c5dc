import { defaultConfig } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { modelWindows } from './hello-routes.ts'

const models = ['anthropic/claude-sonnet-4-5', 'offline', 'openai/nobody-knows-it', 'mine']

describe('modelWindows', () => {
  it('returns the windows from settings and catalogue, and omits unknown models', () => {
    const config = { ...defaultConfig, models: { mine: { window: 12_345 } } }
    expect(modelWindows({ models, config, isWindowSet: false })).toStrictEqual({
      'anthropic/claude-sonnet-4-5': 200_000,
      offline: 200_000,
      mine: 12_345,
    })
  })

  it('returns the one window that was set for all models', () => {
    const config = { ...defaultConfig, context_window: 9000 }
    expect(modelWindows({ models: ['offline', 'mine'], config, isWindowSet: true })).toStrictEqual({ offline: 9000, mine: 9000 })
  })
})
