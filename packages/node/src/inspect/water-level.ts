/**
 * The limit that each of many sizes has to keep so that all of them together stay within a budget: those below it stay whole. Never
 * above `most`, and never below `least`, whatever that takes.
 */
export function waterLevel(
  sizes: readonly number[],
  budget: number,
  { most, least }: { readonly most: number; readonly least: number },
): number {
  const sorted = sizes.toSorted((one, other) => one - other)
  let rest = budget
  for (const [index, size] of sorted.entries()) {
    const share = rest / (sorted.length - index)
    if (size > share) return Math.max(least, Math.min(most, Math.floor(share)))
    rest -= size
  }
  return most
}
