import { grouped, overflowStrings } from '@plimsoll/core/text'
import type { Emit, NoticeCode } from '../shared/event.ts'
import { stringsFor } from '../strings/strings-for.ts'

/** Tells a person something, with what there is to say about it besides. Interfaces find their own words by the code. */
export function notify(emit: Emit, code: NoticeCode, details: string | null): void {
  // One of them is fixed to the letter.
  const message = code === 'history_compressed' ? overflowStrings.historyCompressed : stringsFor('en').notices[code]
  emit({ type: 'notification', data: { code, message, details } })
}

/** Tokens before and after, as the details of a notice have them: `12,345 → 6,789`. */
export function sizes(before: number, after: number): string {
  return `${grouped(before)} → ${grouped(after)}`
}
