import { expect, it } from 'vitest'
import { isComposing } from './is-composing.ts'

it.each([
  ['Enter alone', false, 13, false],
  ['Enter that ends a word of an input method', true, 13, true],
  ['the same in Safari, which has ended the word already', false, 229, true],
])('%s', (_name, composing, keyCode, expected) => {
  const nativeEvent = { isComposing: composing } as KeyboardEvent
  expect(isComposing({ nativeEvent, keyCode })).toBe(expected)
})
