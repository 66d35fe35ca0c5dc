import { type RefObject, useEffect } from 'react'

/** Lets `/` go to a field of search, wherever nothing is being typed. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const { target } = event
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))) return
      // On a narrow screen the list may be put away.
      if (
        document.querySelector('dialog[open]') !== null ||
        field.current?.checkVisibility({ visibilityProperty: true }) !== true
      )
        return
      event.preventDefault()
      field.current.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [field])
}
