import { describe, expect, it } from 'vitest'
import { logFileTrouble, mostLogBytes } from './log-drop.tsx'

describe('logFileTrouble', () => {
  it.each([
    [[{ size: 1 }], null],
    [[{ size: mostLogBytes }], null],
    [[{ size: mostLogBytes + 1 }], 'too-large'],
    [[{ size: 0 }], 'empty'],
    [[{ size: 1 }, { size: 1 }], 'several'],
    [[], 'several'],
  ])('%j', (files, trouble) => {
    expect(logFileTrouble(files)).toBe(trouble)
  })
})
