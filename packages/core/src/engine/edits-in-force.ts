import { once, perKey } from '../derive.ts'
import { type Edit, isSameDecision } from '../edit.ts'

/** Valid until the active edits of another request are asked about. */
export interface EditsInForce {
  /** Matches by content too, as after a restart. Cheapest if asked in their order. */
  readonly has: (edit: Edit) => boolean
  /** Whether a message was inserted under this name, with any content. */
  readonly hasInsert: (id: string) => boolean
}

export function createEditsInForce(inForce: readonly Edit[]): EditsInForce {
  let next = 0
  const known = once(() => byId(inForce))
  // A policy may give two of its edits the same name.
  const all = once(() => new Set(inForce))
  const last = once(() => new Map(inForce.map((edit) => [edit.id, edit])))
  const inserts = once(() => new Set(inForce.flatMap((edit) => (edit.kind === 'insert' ? [edit.id] : []))))
  return { has, hasInsert: (id) => inserts().has(id) }

  function has(edit: Edit): boolean {
    for (let at = next; at <= next + maxGone; at += 1) {
      if (inForce[at] !== edit) continue
      next = at + 1
      return true
    }
    const named = known().get(edit.id)
    if (named === undefined) return false
    if (named.only !== null) return isSameDecision(named.only, edit)
    return all().has(edit) || isSameDecision(last().get(edit.id) as Edit, edit)
  }
}

/** Few are gone in one place, and looking for the next one is cheaper than asking for its name. */
const maxGone = 4

const byId = perKey(({ id }: Edit) => id)
