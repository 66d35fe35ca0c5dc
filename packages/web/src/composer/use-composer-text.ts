import { useCallback, useEffect, useState } from 'react'
import { keepDraft, readDraft } from './draft.ts'
import type { Recalled } from './history.ts'

/** What stands in a session's field: what was typed there before, kept as it changes. */
export function useComposerText(session: string, fill: { readonly text: string } | null) {
  const [shown, setShown] = useState<Recalled>(() => ({ text: readDraft(sessionStorage, session), place: null }))
  const change = useCallback((next: string | ((before: string) => string)) => {
    setShown((before) => ({ text: typeof next === 'string' ? next : next(before.text), place: null }))
  }, [])
  useEffect(() => keepDraft(sessionStorage, session, shown.text), [session, shown.text])
  useEffect(() => {
    if (fill !== null) change(fill.text)
  }, [fill, change])
  return { shown, change, recall: setShown }
}
