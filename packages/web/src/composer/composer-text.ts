import { useCallback, useEffect, useRef, useState } from 'react'

/** What stands in the field, and where that is from; null where it was typed. */
export interface Recalled {
  readonly text: string
  readonly place: { readonly index: number; readonly draft: string } | null
}

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

/** Where drafts are kept: the storage of a tab. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What was typed in a session and not sent. */
export function readDraft(storage: DraftStorage, session: string): string {
  try {
    return storage.getItem(keyOf(session)) ?? ''
  } catch {
    // A browser may forbid storage altogether; a draft is then kept as long as its field.
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

/** What stands in the field when texts come back into it: they go before what was typed since. */
export function withReturned(returned: readonly string[], typed: string): string {
  return [...returned, typed].filter((text) => text.trim() !== '').join('\n\n')
}

/** The same for a text that is put there, such as what was said before a rewind: it replaces only what was put there before. */
export function withFilled(text: string, typed: string, filledBefore: string): string {
  return withReturned([text], typed === filledBefore ? '' : typed)
}

function keyOf(session: string): string {
  return `plimsoll-draft-${session}`
}

/**
 * What was said before that which is shown; null where there is nothing, or where the field holds something that was typed and would
 * be lost. What was said several times in a row is met once.
 */
export function olderSaid(history: readonly string[], { text, place }: Recalled): Recalled | null {
  if (place === null ? text !== '' : text !== history[place.index]) return null
  for (let index = (place?.index ?? history.length) - 1; index >= 0; index -= 1) {
    const said = history[index]
    if (said !== undefined && said !== text && said !== '') return { text: said, place: { index, draft: place?.draft ?? text } }
  }
  return null
}

/** What was said after that which is shown, and at the end what stood in the field before; null where nothing was gone back to. */
export function newerSaid(history: readonly string[], { text, place }: Recalled): Recalled | null {
  if (place === null || text !== history[place.index]) return null
  for (let index = place.index + 1; index < history.length; index += 1) {
    const said = history[index]
    if (said !== undefined && said !== text && said !== '') return { text: said, place: { ...place, index } }
  }
  return { text: place.draft, place: null }
}
