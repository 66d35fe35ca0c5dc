import { applyEdits, partKey, type ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import type { Message } from '../message.ts'
import { readReferences, settleReferences } from '../results/references.ts'

export interface LastRequest {
  /** The index of its last message. */
  readonly last: number
  /** The parts that it showed without these edits, by `message.part`. */
  readonly behind: ReadonlyMap<string, number>
}

/**
 * Stored decisions as the last request showed them. The store keeps a reference as first decided; without this, a corrected one would count as a
 * change in every request. Returns the same list if all hold.
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
