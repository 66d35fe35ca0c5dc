import { describe, expect, it } from 'vitest'
import { logFileProblem, maxLogBytes } from './logs-screen.tsx'

describe('logFileProblem', () => {
  it.each([
    [[{ size: 1 }], null],
    [[{ size: maxLogBytes }], null],
    [[{ size: maxLogBytes + 1 }], 'too-large'],
    [[{ size: 0 }], 'empty'],
    [[{ size: 1 }, { size: 1 }], 'several'],
    [[], 'several'],
  ])('%j', (files, trouble) => {
    expect(logFileProblem(files)).toBe(trouble)
  })
})
