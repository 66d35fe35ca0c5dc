/** The tokens of one category, or of what is free or reserved. */
export interface GridShare {
  readonly symbol: string
  readonly tokens: number
}

/**
 * Shares a number of cells among amounts, in their order: each by its size, and at least one cell for whatever is there at all, so
 * that nothing present is invisible. What the small ones take beyond their size comes from the largest.
 */
export function shareCells(shares: readonly GridShare[], cells: number): readonly string[] {
  const whole = shares.reduce((tokens, share) => tokens + share.tokens, 0)
  if (whole <= 0) return []
  const counts = shares.map(({ tokens }) => (tokens <= 0 ? 0 : Math.max(1, Math.floor((tokens / whole) * cells))))
  let missing = cells - counts.reduce((taken, count) => taken + count, 0)
  // Cells left over by rounding down go to those who lost most by it.
  const losses = shares
    .map(({ tokens }, index) => ({ index, loss: (tokens / whole) * cells - (counts[index] as number) }))
    .filter(({ loss }) => loss > 0)
    .sort((one, other) => other.loss - one.loss)
  for (const { index } of losses) {
    if (missing <= 0) break
    counts[index] = (counts[index] as number) + 1
    missing -= 1
  }
  while (missing < 0) {
    const largest = counts.indexOf(Math.max(...counts))
    counts[largest] = (counts[largest] as number) - 1
    missing += 1
  }
  return shares.flatMap(({ symbol }, index) => Array<string>(counts[index] as number).fill(symbol))
}
