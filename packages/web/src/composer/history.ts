/** Where somebody is among what they said before, and what stood in the field when they went there. */
export interface HistoryPlace {
  readonly index: number
  readonly draft: string
}

/** What stands in the field, and where that is from; null where it was typed. */
export interface Recalled {
  readonly text: string
  readonly place: HistoryPlace | null
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
