/** The candidate that a mistyped word most likely meant; null if none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  // Takes time in the product of the lengths.
  if (word.length > 60) return null
  const plain = simplify(word)
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const other = simplify(candidate)
    if (Math.abs(other.length - plain.length) >= bestDistance) continue
    const distance = editDistance(plain, other)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `maxChars`, `max-chars` and `MAX_CHARS` are equal. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Counts letters to add, remove, change or swap with the next one. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const [above, left, corner] = [last[column], current[column - 1], last[column - 1]] as [number, number, number]
      const swapped = isSwapped ? (beforeLast[column - 2] as number) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(above + 1, left + 1, corner + (same ? 0 : 1), swapped))
    }
    beforeLast = last
    last = current
  }
  return last[to.length] as number
}
