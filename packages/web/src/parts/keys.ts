import type { KeyboardEvent } from 'react'

/** Which row of a list a key leads to from another one; null where it leads to none. */
export function nextRow(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  const last = count - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: last,
  }
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (next === undefined) return null
  const bounded = Math.min(last, Math.max(0, next))
  return bounded === at ? null : bounded
}

/** Whether a key belongs to the input method, with which a word is being put together from keys; Safari tells so by the code alone. */
export function isComposing({ nativeEvent, keyCode }: Pick<KeyboardEvent, 'nativeEvent' | 'keyCode'>): boolean {
  return nativeEvent.isComposing || keyCode === 229
}

/** Puts the keyboard on an element inside another one. A long list may draw it only after it has moved there, so that takes some tries. */
export function focusLater(inside: { readonly current: HTMLElement | null }, selector: string, tries = 20): void {
  const found = inside.current?.querySelector<HTMLElement>(selector) ?? null
  if (found !== null) found.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusLater(inside, selector, tries - 1))
}
