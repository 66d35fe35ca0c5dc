import { nearest } from '../config/nearest.ts'

/** Those that were named, or the first name that means nothing. */
export type ChosenNames<Named> =
  | { readonly chosen: readonly Named[]; readonly unknown?: never }
  | { readonly unknown: string; readonly known: readonly string[]; readonly near: string | null; readonly chosen?: never }

/** Those of the named, in the order of the list; all where none is named. */
export function chooseNamed<Named extends { readonly name: string }>(
  all: readonly Named[],
  names: readonly string[],
): ChosenNames<Named> {
  const known = all.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return { unknown, known, near: nearest(unknown, known) }
  return { chosen: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)) }
}
