/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `limit - 1`; 0 if the limit is less than 1. */
  readonly below: (limit: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  /** True once in this many times. */
  readonly oneIn: (times: number) => boolean
}

/** Creates a generator for a seed and a name, so that one target's numbers do not depend on what ran before it. */
export function createRandom(seed: number, name: string): Random {
  let state = seed | 0
  for (let index = 0; index < name.length; index += 1) state = (Math.imul(state, 31) + name.charCodeAt(index)) | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number) => (limit < 1 ? 0 : next() % limit)
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number], oneIn: (times) => below(times) === 0 }
}
