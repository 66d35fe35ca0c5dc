import { describe, expect, it } from 'vitest'
import { TimeLimitError, within } from './work-limits.ts'

const never = () => new Promise<never>(() => {})
const calm = new AbortController().signal

describe('within', () => {
  it('gives what the work gives', async () => {
    expect(await within(60_000, calm, () => Promise.resolve('done'))).toBe('done')
  })

  it('lets the work’s own failure through', async () => {
    await expect(within(60_000, calm, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('does not wait for work that does not listen', async () => {
    await expect(within(10, calm, never)).rejects.toThrow(new TimeLimitError('not done within 0.01 seconds'))
  })

  it('signals the work that time is up, and reports that reason regardless of the work’s own error', async () => {
    let told: AbortSignal | undefined
    const work = (signal: AbortSignal) => {
      told = signal
      return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    }
    await expect(within(10, calm, work)).rejects.toThrow(TimeLimitError)
    expect(told?.reason).toBeInstanceOf(TimeLimitError)
  })

  it('rejects with the reason of the cancelling signal, before or during the work', async () => {
    const cancel = new AbortController()
    const waiting = within(60_000, cancel.signal, never)
    cancel.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(within(60_000, cancel.signal, () => Promise.resolve('late'))).rejects.toThrow('enough')
  })

  it('takes a limit longer than any timer for a long one, not for none', async () => {
    const soon = () => new Promise<string>((resolve) => setTimeout(() => resolve('done'), 20))
    expect(await within(1e15, calm, soon)).toBe('done')
  })
})
