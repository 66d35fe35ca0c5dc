import { branchOf, type EntryHead } from '@plimsoll/core'
import type { StoredSession } from './session.ts'

/** The heads of the active branch in order, or of the one that ends at an entry; none where there is no such entry. */
export function branchHeads(session: StoredSession, leaf?: string): readonly EntryHead[] {
  const heads = session.heads()
  const places = new Map(heads.map(({ id }, index) => [id, index]))
  const indexOf = (id: string) => places.get(id) ?? -1
  return branchOf({ heads, indexOf }, leaf === undefined ? heads.length - 1 : indexOf(leaf))
}
