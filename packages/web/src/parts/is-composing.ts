import type { KeyboardEvent } from 'react'

/** Whether a key belongs to the input method, with which a word is being put together from keys; Safari tells so by the code alone. */
export function isComposing({ nativeEvent, keyCode }: Pick<KeyboardEvent, 'nativeEvent' | 'keyCode'>): boolean {
  return nativeEvent.isComposing || keyCode === 229
}
