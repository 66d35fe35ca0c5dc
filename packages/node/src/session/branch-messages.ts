import type { EntryHead } from '@plimsoll/core'
import { branchHeads } from './branch-heads.ts'
import type { StoredSession } from './session.ts'

/** A message entry of a branch. Its number counts the messages of the branch from 1, folded ones too, so that it stays what it is. */
export interface NumberedHead {
  readonly number: number
  readonly head: EntryHead
}

/** The messages of the active branch, or of the one that ends at an entry, by their heads alone. */
export function branchMessages(session: StoredSession, leaf?: string): readonly NumberedHead[] {
  const messages = branchHeads(session, leaf).filter(({ type }) => type === 'message')
  return messages.map((head, index) => ({ number: index + 1, head }))
}
