import type { Message } from '@plimsoll/core'

/** The views of many requests, each held as what differs from the one before it. */
export interface ViewHistory {
  readonly add: (view: readonly Message[]) => void
  /** The view of a request, by its place from 0; null where there is none. */
  readonly at: (request: number) => readonly Message[] | null
}

/** A history without views. Messages of two views are the same where they are the same objects. */
export function createViewHistory(): ViewHistory {
  const views: { readonly kept: number; readonly added: readonly Message[] }[] = []
  let last: readonly Message[] = []
  return {
    add(view) {
      let kept = 0
      while (kept < view.length && kept < last.length && view[kept] === last[kept]) kept += 1
      views.push({ kept, added: view.slice(kept) })
      last = view
    },
    at(request) {
      if (views[request] === undefined) return null
      const pieces: (readonly Message[])[] = []
      // Backwards, and of each view only what none after it has replaced.
      let length = Number.POSITIVE_INFINITY
      for (let index = request; index >= 0 && length > 0; index -= 1) {
        const { kept, added } = views[index] as (typeof views)[number]
        if (kept >= length) continue
        pieces.push(added.slice(0, length - kept))
        length = kept
      }
      return pieces.reverse().flat()
    },
  }
}
