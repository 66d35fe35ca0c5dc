/** The members with the largest sizes, the largest first, those of equal size in their order. Does not sort what it leaves out. */
export function largest(members: readonly number[], sizeOf: (member: number) => number, most: number): readonly number[] {
  if (most <= 0) return []
  const bySize = (one: number, other: number) => sizeOf(other) - sizeOf(one) || one - other
  if (members.length <= most * 2) return members.toSorted(bySize).slice(0, most)
  let kept: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const member of members) {
    if (sizeOf(member) < least) continue
    kept.push(member)
    if (kept.length < most * 2) continue
    kept = kept.sort(bySize).slice(0, most)
    least = sizeOf(kept[kept.length - 1] as number)
  }
  return kept.sort(bySize).slice(0, most)
}
