import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ToolProgress } from '../../shared/event.ts'

import { createImageProgress } from './image-tool.ts'

afterEach(() => void vi.useRealTimers())

describe('the progress of an image', () => {
  it('Q-37 never decreases, even if the clock goes back', () => {
    vi.useFakeTimers()
    const times = [100_000, 130_000, 90_000]
    const told: ToolProgress[] = []
    const progress = createImageProgress(
      (one) => void told.push(one),
      () => times.shift() ?? 0,
    )
    progress.generating()
    vi.advanceTimersByTime(10_000)
    progress.stop()
    expect(told.map(({ message, progress: share }) => [message, share])).toEqual([
      ['生成中（约 30-60 秒）...', 30],
      ['生成中... 30s', 55],
      ['生成中... 0s', 55],
    ])
  })

  it.each([
    ['black-forest-labs/flux-1.1-pro', 'FLUX Pro'],
    ['FLUX.1-schnell', 'FLUX Schnell'],
    ['flux-dev', 'flux-dev'],
    ['gemini-3-pro-image', 'gemini-3-pro-image'],
  ])('R002-23 calls %s by the name that people know', (model, name) => {
    const told: ToolProgress[] = []
    createImageProgress(
      (one) => void told.push(one),
      () => 0,
    ).begin(model)
    expect(told).toEqual([{ stage: 'init', message: `使用模型: ${name}`, progress: 5 }])
  })

  it('R002-25 stops telling once it is stopped, and once it is complete', () => {
    vi.useFakeTimers()
    for (const way of ['stop', 'complete'] as const) {
      const progress = createImageProgress(undefined, () => 0)
      progress.generating()
      expect(vi.getTimerCount()).toBe(1)
      progress[way]()
      expect(vi.getTimerCount()).toBe(0)
    }
  })
})
