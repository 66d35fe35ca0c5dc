import { useEffect } from 'react'

/** Lets Esc stop what runs, wherever the keyboard is, unless something that is open takes it to be closed. */
export function useStopKey(isOn: boolean, stop: () => Promise<void>): void {
  useEffect(() => {
    if (!isOn) return undefined
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (document.querySelector('dialog[open], :popover-open') !== null) return
      const { target } = event
      // In another field, such as that of a search, Esc is about that field.
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
      event.preventDefault()
      void stop()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn, stop])
}
