import type { CoveredFiles } from './coverage.ts'

/** The branches of some files that were reached so far. */
export interface Frontier {
  /** Checks the counters of one execution: whether a branch was taken for the first time, or more often than before, in powers of two. */
  readonly look: () => { readonly isNew: boolean; readonly steps: number }
  /** The number of branches the last execution took, counting repetitions. */
  readonly steps: () => number
  /** The number of different branches taken so far. */
  readonly reached: () => number
}

/** Creates an empty frontier. */
export function createFrontier(counters: Uint32Array, { ranges }: CoveredFiles): Frontier {
  const seen = new Uint32Array(counters.length)
  let reached = 0
  return {
    look() {
      let isNew = false
      let steps = 0
      for (const [from, to] of ranges)
        for (let index = from; index < to; index += 1) {
          const count = counters[index] as number
          if (count === 0) continue
          steps += count
          const before = seen[index] as number
          const now = before | (1 << (31 - Math.clz32(count)))
          if (now === before) continue
          if (before === 0) reached += 1
          seen[index] = now
          isNew = true
        }
      return { isNew, steps }
    },
    steps() {
      let steps = 0
      for (const [from, to] of ranges) for (let index = from; index < to; index += 1) steps += counters[index] as number
      return steps
    },
    reached: () => reached,
  }
}
