import { type Edit, isSameDecision } from '../edit.ts'

/** What was in force at the last request. */
export interface EditsInForce {
  /** Whether the same decision was: the same object, or the same content after a restart. Cheapest when asked in their order. */
  readonly has: (edit: Edit) => boolean
  /** Whether a message was put in under this name, whatever it said. */
  readonly hasInsert: (id: string) => boolean
}

/** The edits of the last request, for looking them up. */
export function createEditsInForce(inForce: readonly Edit[]): EditsInForce {
  let next = 0
  let places: ReadonlyMap<string, number> | undefined
  let all: ReadonlySet<Edit> | undefined
  return {
    has,
    hasInsert: (id) => inForce.some((edit) => edit.kind === 'insert' && edit.id === id),
  }

  function has(edit: Edit): boolean {
    if (inForce[next] === edit) {
      next += 1
      return true
    }
    places ??= placesOf(inForce)
    const place = places.get(edit.id)
    if (place === undefined) return false
    const known = inForce[place] as Edit
    if (known === edit || isSameDecision(known, edit)) {
      next = place + 1
      return true
    }
    // Nobody keeps a policy from calling two of its edits the same.
    if (places.size === inForce.length) return false
    all ??= new Set(inForce)
    return all.has(edit)
  }
}

function placesOf(inForce: readonly Edit[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (let index = 0; index < inForce.length; index += 1) places.set((inForce[index] as Edit).id, index)
  return places
}
