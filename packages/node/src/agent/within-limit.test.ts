import { describe, expect, it } from 'vitest'
import { TimeLimitError, withinLimit } from './within-limit.ts'

const never = () => new Promise<never>(() => {})

describe('withinLimit', () => {
  it('gives what the work gives', async () => {
    expect(await withinLimit(() => Promise.resolve('done'), 60, null)).toBe('done')
  })

  it('lets the work’s own failure through', async () => {
    await expect(withinLimit(() => Promise.reject(new Error('broken')), 60, null)).rejects.toThrow('broken')
  })

  it('does not wait for work that does not listen', async () => {
    await expect(withinLimit(never, 0.01, null)).rejects.toThrow(new TimeLimitError('not done within 0.01 s'))
  })

  it('tells the work that time is up', async () => {
    let told: AbortSignal | undefined
    const work = (signal: AbortSignal) => {
      told = signal
      return never()
    }
    await expect(withinLimit(work, 0.01, null)).rejects.toThrow(TimeLimitError)
    expect(told?.reason).toBeInstanceOf(TimeLimitError)
  })

  it('ends with the reason of whoever cancelled it, before or during the work', async () => {
    const cancel = new AbortController()
    const waiting = withinLimit(never, 60, cancel.signal)
    cancel.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(withinLimit(() => Promise.resolve('late'), 60, cancel.signal)).rejects.toThrow('enough')
  })

  it('takes a limit longer than any timer for a long one, not for none', async () => {
    const soon = () => new Promise<string>((resolve) => setTimeout(() => resolve('done'), 20))
    expect(await withinLimit(soon, 1e12, null)).toBe('done')
  })
})
