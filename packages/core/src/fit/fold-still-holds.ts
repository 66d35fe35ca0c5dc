import { foldedHandles } from '../compaction/summary-template.ts'
import type { FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { transcriptHandle } from '../results/transcript.ts'

/**
 * Whether the messages a fold of the last resort stands for are still those it was made of. Some dialects number their messages,
 * so that after a rewind other messages have the same ids; hidden behind a summary of the old ones they would be lost. `places`
 * tells where the messages stand.
 */
export function foldStillHolds(fold: FoldEdit, messages: readonly Message[], places: ReadonlyMap<string, number>): boolean {
  const from = places.get(fold.first)
  // A fold of summaries: their ids come from what they stand for.
  if (from === undefined) return true
  const to = places.get(fold.last) ?? -1
  if (to < from || fold.into === null) return false
  const known = verified.get(fold)
  if (known !== undefined && isAt(known, messages, from, to)) return true
  const [part] = fold.into.parts
  const named = part?.type === 'text' ? foldedHandles(part.text) : []
  const folded = messages.slice(from, to + 1)
  if (!named.includes(transcriptHandle(folded))) return false
  verified.set(fold, folded)
  return true
}

// The same fold and the same messages come back at every request.
const verified = new WeakMap<FoldEdit, readonly Message[]>()

/** Whether the very same messages are there: a client may have changed one in their midst. */
function isAt(known: readonly Message[], messages: readonly Message[], from: number, to: number): boolean {
  if (known.length !== to - from + 1) return false
  for (let index = 0; index < known.length; index += 1) if (known[index] !== messages[from + index]) return false
  return true
}
