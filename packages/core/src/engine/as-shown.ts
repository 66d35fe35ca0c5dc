import { applyEdits, partKey, type ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import type { Message } from '../message.ts'
import { readReferences, settleReferences } from '../results/references.ts'

/** What is known of the last request, for `asShown`. */
export interface LastRequest {
  /** The place of its last message. */
  readonly last: number
  /** The parts of which it did not show these edits, by `message.part`. */
  readonly behind: ReadonlyMap<string, number>
}

/**
 * Edits from a store of decisions, as the last request showed them. A reference that is set right is not a new decision, so the store has
 * it as it was first decided; taken from there, it would be announced as a change with every request. Returns the same list if all hold.
 */
export function asShown(
  edits: readonly ReplaceEdit[],
  messages: readonly Message[],
  { last, behind }: LastRequest,
  facts: Pick<Facts, 'config'>,
): readonly ReplaceEdit[] {
  const read = readReferences(edits, messages) as readonly ReplaceEdit[]
  if (!read.some(({ refers }) => refers !== undefined)) return edits
  const sent = messages.slice(0, last + 1)
  const isSent = new Set(sent.map(({ id }) => id))
  const shown = read.filter((edit) => isSent.has(edit.message) && !behind.has(partKey(edit)))
  const why = reasonsOf(facts).economy.notShown
  const settled = settleReferences(shown, applyEdits(sent, shown), messages, { onFalse: () => 'restate', why })
  if (settled === shown) return edits
  const byId = new Map(settled.map((edit) => [edit.id, edit as ReplaceEdit]))
  return read.map((edit) => (isSent.has(edit.message) ? (byId.get(edit.id) ?? edit) : edit))
}
