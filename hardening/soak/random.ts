/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number
  /** A whole number from 0 up to, but not including, this one. */
  readonly below: (count: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value
  /** Creates an independent generator, which is not affected by other draws. */
  readonly split: (name: string) => Random
}

/** Creates a generator from a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: small, fast, and good enough for choosing faults.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (values) => values[below(values.length)] ?? values[0],
    split: (name) =>
      createRandom([...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), seed | 1)),
  }
}
