/**
 * Divides a length among amounts in proportion, so that all of it is used and no amount above nothing gets less than `smallest`, or an
 * equal share where there is not room for that. Amounts that are no number, or below nothing, get nothing.
 */
export function shares(amounts: readonly number[], length: number, smallest: number): readonly number[] {
  const usable = amounts.map((amount) => (Number.isFinite(amount) && amount > 0 ? amount : 0))
  const there = usable.filter((amount) => amount > 0).length
  if (there === 0 || !(length > 0)) return usable.map(() => 0)
  const least = Math.max(0, Math.min(smallest, length / there))
  const raised = new Set<number>()
  let sum = usable.reduce((total, amount) => total + amount, 0)
  let left = length
  // Whoever is raised to the least takes from the others, which may bring another one below it.
  for (let changed = true; changed; ) {
    changed = false
    for (const [index, amount] of usable.entries()) {
      if (amount === 0 || raised.has(index) || (amount / sum) * left >= least) continue
      raised.add(index)
      sum -= amount
      left -= least
      changed = true
    }
  }
  return usable.map((amount, index) => (amount === 0 ? 0 : raised.has(index) ? least : (amount / sum) * left))
}
