import { useCallback, useEffect, useRef, useState } from 'react'

/** The text in the field, and its place in the history; null if it was typed. */
export interface Recalled {
  readonly text: string
  readonly place: { readonly index: number; readonly draft: string } | null
}

/** The text in a session's field, kept in the tab's storage as it changes. */
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

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The text that was typed in a session and not sent. */
export function readDraft(storage: DraftStorage, session: string): string {
  try {
    return storage.getItem(keyOf(session)) ?? ''
  } catch {
    // A browser may forbid storage; a draft is then kept as long as its field.
    return ''
  }
}

/** Keeps it until it is sent, or the tab is closed. */
export function keepDraft(storage: DraftStorage, session: string, text: string): void {
  try {
    if (text === '') storage.removeItem(keyOf(session))
    else storage.setItem(keyOf(session), text)
  } catch {
    // Forbidden, or too long for it.
  }
}

/** The text in the field when texts come back into it: they go before what was typed since. */
export function withReturned(returned: readonly string[], typed: string): string {
  return [...returned, typed].filter((text) => text.trim() !== '').join('\n\n')
}

/** The same for a text that is filled in, such as after a rewind: it replaces only what was filled in before. */
export function withFilled(text: string, typed: string, filledBefore: string): string {
  return withReturned([text], typed === filledBefore ? '' : typed)
}

function keyOf(session: string): string {
  return `plimsoll-draft-${session}`
}

/**
 * The message before the shown one; null if there is none, or if the field has something that was typed and would be lost. Repeated
 * messages are shown once.
 */
export function olderSaid(history: readonly string[], { text, place }: Recalled): Recalled | null {
  if (place === null ? text !== '' : text !== history[place.index]) return null
  const index = history.slice(0, place?.index ?? history.length).findLastIndex((said) => said !== text && said !== '')
  return index < 0 ? null : { text: history[index] ?? '', place: { index, draft: place?.draft ?? text } }
}

/** The message after the shown one, and at the end the text that was in the field before; null if none was recalled. */
export function newerSaid(history: readonly string[], { text, place }: Recalled): Recalled | null {
  if (place === null || text !== history[place.index]) return null
  const index = history.findIndex((said, at) => at > place.index && said !== text && said !== '')
  return index < 0 ? { text: place.draft, place: null } : { text: history[index] ?? '', place: { ...place, index } }
}
