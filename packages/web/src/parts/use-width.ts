import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** How wide an element is, and again whenever that changes; 0 before it is there. */
export function useWidth<Shown extends Element>(): readonly [element: RefObject<Shown | null>, width: number] {
  const element = useRef<Shown>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const shown = element.current
    if (shown === null) return
    setWidth(Math.floor(shown.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(shown)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
