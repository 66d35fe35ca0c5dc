import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { strikingIn } from './segments.ts'

describe('strikingIn', () => {
  it('finds each segment of a long line with a salient word once', () => {
    const words = ['one', 'two', 'three', 'four', 'five']
    const text = words.map((word) => `{"message":"Error: ${word} broke"},${'{"message":"fine"},'.repeat(300)}`).join('')
    const found = [...strikingIn(text, 0, text.length, 1)]
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(
      words.map((word) => expect.stringContaining(`"Error: ${word} broke"`)),
    )
    expect(new Set(found.map(({ line }) => line))).toEqual(new Set([1]))
  })

  it('searches a long line for its end a few times, however many errors it has', () => {
    const text = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, message: `Error: ${'it broke '.repeat(20)}` })))
    const search = vi.spyOn(String.prototype, 'indexOf')
    onTestFinished(() => search.mockRestore())
    expect([...strikingIn(text, 0, text.length, 1)].length).toBeGreaterThan(0)
    expect(search.mock.calls.filter(([wanted]) => wanted === '\n').length).toBeLessThan(10)
  })
})
