/** A small deterministic random generator, so that every run measures the same conversations. */
export function createRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    // A linear congruential step; its low bits are poor, so only the high ones are used.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
  const below = (limit) => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    pick: (list) => list[below(list.length)],
    chance: (share) => next() < share,
    /** Mostly small, sometimes several times the mean, like the sizes of tool results. */
    longTailed: (mean) => Math.max(1, Math.round(-Math.log(1 - next()) * mean)),
  }
}
