import type { Inspection } from '@plimsoll/core'

/** What has happened to a message. */
export interface MessageMarks {
  readonly isEdited: (number: number) => boolean
  /** Stands behind a summary. */
  readonly isFolded: (number: number) => boolean
  readonly isPinned: (number: number) => boolean
  /** The last request went without it. */
  readonly isLeftOut: (number: number) => boolean
}

/** What has happened to each message of a session, worked out once. */
export function messageMarks({ messages, edits, session, requests }: Inspection): MessageMarks {
  const edited = new Uint8Array(messages.ids.length)
  const foldsBegin = new Int32Array(messages.ids.length + 1)
  for (const { state, kind, number, lastNumber } of edits) {
    if (state !== 'in-force' || !(number >= 0 && number < messages.ids.length)) continue
    if (kind === 'replace') edited[number] = 1
    else if (kind === 'fold' && lastNumber >= number) {
      foldsBegin[number] = (foldsBegin[number] as number) + 1
      const behind = Math.min(lastNumber + 1, messages.ids.length)
      foldsBegin[behind] = (foldsBegin[behind] as number) - 1
    }
  }
  const folded = new Uint8Array(messages.ids.length)
  let open = 0
  for (let number = 0; number < messages.ids.length; number += 1) {
    open += foldsBegin[number] as number
    if (open > 0) folded[number] = 1
  }
  const pins = new Set(session.pins)
  // What came after the last request was not left out by it.
  const sent = requests.at(-1)?.last ?? -1
  return {
    isEdited: (number) => edited[number] === 1,
    isFolded: (number) => folded[number] === 1,
    isPinned: (number) => pins.size > 0 && pins.has(messages.ids[number] as string),
    isLeftOut: (number) => number <= sent && messages.shown[number] === 0 && (messages.tokens[number] as number) > 0,
  }
}
