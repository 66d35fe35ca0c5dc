/** The candidate that a mistyped word most likely meant, or null when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  // Longer words are never near a key, and the distance takes time in the product of the lengths.
  if (word.length > 60) return null
  const plain = simplify(word)
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(plain, simplify(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `maxChars`, `max-chars` and `MAX_CHARS` are all but `max_chars`. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Letters to add, remove, change or swap with the next one. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      let distance = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        distance = Math.min(distance, (beforeLast[column - 2] as number) + 1)
      }
      current.push(distance)
    }
    beforeLast = last
    last = current
  }
  return last[to.length] as number
}
