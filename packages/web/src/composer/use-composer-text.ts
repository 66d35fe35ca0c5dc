import { useCallback, useEffect, useRef, useState } from 'react'
import { keepDraft, readDraft, withFilled } from './draft.ts'
import type { Recalled } from './history.ts'

/** What stands in a session's field: what was typed there before, kept as it changes. */
export function useComposerText(session: string, fill: { readonly text: string } | null) {
  const [shown, setShown] = useState<Recalled>(() => ({ text: readDraft(sessionStorage, session), place: null }))
  const change = useCallback((next: string | ((before: string) => string)) => {
    setShown((before) => ({ text: typeof next === 'string' ? next : next(before.text), place: null }))
  }, [])
  useEffect(() => keepDraft(sessionStorage, session, shown.text), [session, shown.text])
  const filled = useRef('')
  const put = useCallback(
    (text: string) => {
      const before = filled.current
      filled.current = text
      change((typed) => withFilled(text, typed, before))
    },
    [change],
  )
  useEffect(() => {
    if (fill !== null) put(fill.text)
  }, [fill, put])
  return { shown, change, put, recall: setShown }
}
