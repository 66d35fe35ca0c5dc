import { describe, expect, it } from 'vitest'
import { isComposing, nextRow } from './browser.ts'

it.each([
  ['Enter alone', false, 13, false],
  ['Enter that ends a word of an input method', true, 13, true],
  ['the same in Safari, which has ended the word already', false, 229, true],
])('%s', (_name, composing, keyCode, expected) => {
  const nativeEvent = { isComposing: composing } as KeyboardEvent
  expect(isComposing({ nativeEvent, keyCode })).toBe(expected)
})

describe('nextRow', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 29, null],
    ['ArrowUp', 5, 4],
    ['ArrowUp', 0, null],
    ['PageDown', 25, 29],
    ['PageUp', 25, 15],
    ['Home', 7, 0],
    ['End', 7, 29],
    ['Enter', 7, null],
    ['constructor', 7, null],
  ])('%s from %i of 30', (key, at, next) => {
    expect(nextRow(key, at, 30)).toBe(next)
  })

  it('returns null for an empty list', () => {
    expect(nextRow('End', -1, 0)).toBeNull()
  })
})
