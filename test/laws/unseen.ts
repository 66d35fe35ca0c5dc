import { type Message, resultText } from '@plimsoll/core'
import { commonStart, isSame, originsOf, type ShownRequest } from './request.ts'

/** A result that was trimmed before any model has seen it. */
export interface TrimmedUnseen {
  /** Its index in the originals. */
  readonly at: number
  readonly part: number
  /** The policy that trimmed it; null if the report does not say. */
  readonly policy: string | null
}

/** The policies that may trim unseen results, and the last resort. */
const allowed: ReadonlySet<string> = new Set([
  'filter-binary',
  'limit-tool-output',
  'cut-long-output',
  'shorten-losslessly',
  'thin-line-numbers',
  'skip-shown-lines',
  'fit-window',
])

/** The trimmed results of a request that no model has seen, and how many no model has seen. `accepted` is the last accepted request. */
export function trimmedUnseen(
  accepted: readonly Message[] | null,
  request: ShownRequest,
  by: 'id' | 'content',
): { readonly unseen: number; readonly trimmed: readonly TrimmedUnseen[] } {
  const { originals, view, report, place } = request
  const from = firstUnseen(accepted, originals)
  const trimmed: TrimmedUnseen[] = []
  let unseen = 0
  let origins: ReadonlyMap<number, Message> | null = null
  for (let at = from; at < originals.length; at += 1) {
    const message = originals[at] as Message
    for (const [part, original] of message.parts.entries()) {
      if (original.type !== 'tool-result') continue
      unseen += 1
      const { message: name, part: block } = place(at, part)
      const rows = report.edits.filter((row) => row.kind === 'replace' && row.message === name && row.part === block)
      for (const { policy } of rows) if (!allowed.has(policy)) trimmed.push({ at, part, policy })
      // The row of a result that was moved to its call names another place.
      if (rows.length > 0 || report.edits.some(({ kind }) => kind === 'insert')) continue
      origins ??= shownBy(originals, view, by)
      const shown = origins.get(at)?.parts[part]
      if (shown?.type === 'tool-result' && resultText(shown) !== resultText(original)) trimmed.push({ at, part, policy: null })
    }
  }
  return { unseen, trimmed }
}

/** The index from which no model has seen anything. */
function firstUnseen(accepted: readonly Message[] | null, originals: readonly Message[]): number {
  const answered = originals.findLastIndex(({ role }) => role === 'assistant') + 1
  if (accepted === null) return answered
  const last = accepted.at(-1)
  return Math.max(answered, commonStart(accepted, originals), originals.findLastIndex((message) => isSame(message, last)) + 1)
}

function shownBy(originals: readonly Message[], view: readonly Message[], by: 'id' | 'content'): ReadonlyMap<number, Message> {
  return new Map(
    originsOf(originals, view, by).flatMap((origin, index) =>
      origin === null ? [] : [[origin, view[index] as Message] as const],
    ),
  )
}
