import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** The row of a list that a key leads to from another one; null if it leads to none. */
export function nextRow(key: string, at: number, count: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: count - 1,
  }
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (next === undefined || count === 0) return null
  const bounded = Math.min(count - 1, Math.max(0, next))
  return bounded === at ? null : bounded
}

/** Whether a key belongs to an input method that is composing a word; Safari reports it only by the key code. */
export function isComposing({ nativeEvent, keyCode }: Pick<KeyboardEvent, 'nativeEvent' | 'keyCode'>): boolean {
  return nativeEvent.isComposing || keyCode === 229
}

/** Listens to keys on the whole page while it is on. */
export function usePageKey(press: (event: globalThis.KeyboardEvent) => void, isOn = true): void {
  const listen = useEffectEvent(press)
  useEffect(() => {
    if (!isOn) return undefined
    const pressed = (event: globalThis.KeyboardEvent) => listen(event)
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [isOn])
}

/** Focuses an element inside another one. A long list may render it only after scrolling there, so it retries. */
export function focusLater(inside: { readonly current: HTMLElement | null }, selector: string, tries = 20): void {
  const found = inside.current?.querySelector<HTMLElement>(selector) ?? null
  if (found !== null) found.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusLater(inside, selector, tries - 1))
}

/** Lets the browser save the content of an address as a file of that name. */
export function saveAs(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read it only after the click was handled.
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export type Theme = 'system' | 'light' | 'dark'

/** Shows the page in a theme, and follows the system if that is the theme. */
export function useShownTheme(theme: Theme): void {
  // Before anything is painted: half of a page in another theme cannot be read.
  useLayoutEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      document.documentElement.dataset['theme'] = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [theme])
}

/** The width of an element in pixels, as it changes; 0 before it is known. */
export function useWidth(): readonly [element: RefObject<HTMLDivElement | null>, width: number] {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const current = element.current
    if (current === null) return
    setWidth(Math.floor(current.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => entry !== undefined && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
