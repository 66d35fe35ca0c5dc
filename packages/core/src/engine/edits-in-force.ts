import { type Edit, isSameDecision } from '../edit.ts'

export interface EditsInForce {
  /** Matches by content too, as after a restart. Cheapest if asked in their order. */
  readonly has: (edit: Edit) => boolean
  /** Whether a message was inserted under this name, with any content. */
  readonly hasInsert: (id: string) => boolean
}

export function createEditsInForce(inForce: readonly Edit[]): EditsInForce {
  let next = 0
  let places: ReadonlyMap<string, number> | undefined
  let all: ReadonlySet<Edit> | undefined
  let inserts: ReadonlySet<string> | undefined
  return { has, hasInsert }

  function hasInsert(id: string): boolean {
    inserts ??= new Set(inForce.flatMap((edit) => (edit.kind === 'insert' ? [edit.id] : [])))
    return inserts.has(id)
  }

  function has(edit: Edit): boolean {
    if (inForce[next] === edit) {
      next += 1
      return true
    }
    places ??= new Map(inForce.map(({ id }, index) => [id, index]))
    const place = places.get(edit.id)
    if (place === undefined) return false
    const known = inForce[place] as Edit
    if (known === edit || isSameDecision(known, edit)) {
      next = place + 1
      return true
    }
    // A policy may give two of its edits the same name.
    if (places.size === inForce.length) return false
    all ??= new Set(inForce)
    return all.has(edit)
  }
}
