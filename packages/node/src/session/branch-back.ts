import { type EntryHead, parentOf } from '@plimsoll/core'
import type { StoredSession } from './session.ts'

/** The heads of a branch from its last entry back to the first, found one by one: whoever looks for something recent reads no more. */
export function* branchBack(session: StoredSession, leaf: string): Generator<EntryHead> {
  const heads = session.heads()
  let places: ReadonlyMap<string, number> | null = null
  const indexOf = (id: string, before: number): number => {
    const near = Math.max(0, before - nearby)
    for (let index = before; index >= near; index -= 1) if (heads[index]?.id === id) return index
    places ??= new Map(heads.map((head, index) => [head.id, index]))
    return places.get(id) ?? -1
  }
  for (let index = indexOf(leaf, heads.length - 1); index >= 0; ) {
    yield heads[index] as EntryHead
    const at = index
    index = parentOf({ heads, indexOf: (id) => indexOf(id, at - 1) }, at).index
  }
}

/** An entry almost always continues the one before it. */
const nearby = 50
