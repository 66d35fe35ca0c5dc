import { completeConfig } from '@plimsoll/core/policies'
import type { NewEntry } from '@plimsoll/core/session'
import { afterEach, describe, expect, it } from 'vitest'
import { endAll, start } from '../testing/asking.ts'
import { learnedLimits, learnLimits, noLimits, withLearnedLimits } from './learned-limits.ts'

afterEach(endAll)

const note = (data: Readonly<Record<string, unknown>>): NewEntry => ({ type: 'note', code: 'limits', data })

describe('learnedLimits', () => {
  it('adds up what was learned about each model', async () => {
    const session = await start()
    expect(learnedLimits(session, 'a')).toBe(noLimits)
    await learnLimits(session, 'a', { window: 1000 })
    await learnLimits(session, 'a', { maxImages: 0 })
    await learnLimits(session, 'b', { maxBytes: 5 })
    expect(learnedLimits(session, 'a')).toEqual({ ...noLimits, window: 1000, maxImages: 0 })
    expect(learnedLimits(session, 'b')).toEqual({ ...noLimits, maxBytes: 5 })
  })

  it('takes nothing from a note that is none', async () => {
    const session = await start()
    const wrong = { model: 'a', window: -5, maxBytes: '7', maxImages: 1.5, maxOutput: 0, isGuessed: 'no', refused: 7 }
    await session.append([note(wrong), note({ model: 7, window: 1 }), note({}), { type: 'note', code: 'limits' }])
    expect(learnedLimits(session, 'a')).toEqual(noLimits)
  })

  it('does not break on a refused request that is nonsense', async () => {
    const session = await start()
    await session.append([note({ model: 'a', refused: { usage: 'x', estimate: {} } })])
    expect(learnedLimits(session, 'a').refused).not.toBeNull()
  })
})

describe('withLearnedLimits', () => {
  it.each<[name: string, learned: Partial<typeof noLimits>, expected: readonly (number | null)[]]>([
    ['nothing', {}, [200_000, 30_000_000, 100]],
    ['less', { window: 1000, maxBytes: 7, maxImages: 0 }, [1000, 7, 0]],
    ['more', { window: 9e9, maxBytes: 9e9, maxImages: 900 }, [200_000, 30_000_000, 100]],
  ])('takes the smaller where %s was learned', (_name, learned, expected) => {
    const { context_window, request_limits } = withLearnedLimits(completeConfig({}), { ...noLimits, ...learned })
    expect([context_window, request_limits.max_bytes, request_limits.max_images]).toEqual(expected)
  })

  it('returns the same configuration object if nothing was learned, so that caches stay valid', () => {
    const config = completeConfig({ context_window: 5000 })
    expect(withLearnedLimits(config, noLimits)).toBe(config)
  })

  it('sets a limit if there was none', () => {
    const config = completeConfig({ request_limits: { max_bytes: null, max_images: null } })
    expect(withLearnedLimits(config, { ...noLimits, maxImages: 3 }).request_limits).toEqual({ max_bytes: null, max_images: 3 })
  })
})
