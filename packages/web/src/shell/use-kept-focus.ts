import { type RefObject, useEffect, useRef } from 'react'

/** Puts the keyboard on the new screen where the old one took with it what the keyboard was on. */
export function useKeptFocus(place: string, main: RefObject<HTMLElement | null>): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    const { activeElement: focused } = document
    // A screen that waits for its code hides the one before it, and only then takes it away.
    const isLost = focused === null || focused === document.body || !focused.checkVisibility()
    if (isLost) main.current?.focus({ preventScroll: true })
  }, [place, main])
}
