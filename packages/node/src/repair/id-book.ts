/** What became of an entry's id. */
export type TakenId =
  | { readonly kind: 'own' }
  /** The very entry was there before. */
  | { readonly kind: 'repeated' }
  /** Another entry has it: this one gets a new one, and what names it from now on means this one. */
  | { readonly kind: 'renamed'; readonly id: string }

/** Who has which id in a log. */
export interface IdBook {
  /** Takes an entry's id, with something that is equal for equal entries. */
  readonly take: (id: string, sameness: string) => TakenId
  /** The id that is meant where an entry names this one. */
  readonly meant: (id: string) => string
}

/** A book in which no id is taken yet. */
export function createIdBook(newId: (about: string) => string): IdBook {
  const taken = new Map<string, Set<string>>()
  const renamed = new Map<string, string>()
  return {
    take(id, sameness) {
      const known = taken.get(id)
      if (known === undefined) {
        taken.set(id, new Set([sameness]))
        return { kind: 'own' }
      }
      if (known.has(sameness)) return { kind: 'repeated' }
      known.add(sameness)
      let free = newId(`${id} ${known.size}`)
      for (let number = 2; taken.has(free); number += 1) free = newId(`${id} ${known.size} ${number}`)
      taken.set(free, new Set([sameness]))
      renamed.set(id, free)
      return { kind: 'renamed', id: free }
    },
    meant: (id) => renamed.get(id) ?? id,
  }
}
