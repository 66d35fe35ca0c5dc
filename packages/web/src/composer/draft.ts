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
