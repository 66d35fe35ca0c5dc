import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in pixels, as it changes; 0 before it is known. */
export function useWidth<Element extends HTMLElement>(): readonly [element: RefObject<Element | null>, width: number] {
  const element = useRef<Element>(null)
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
