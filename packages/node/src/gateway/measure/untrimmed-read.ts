/** A prompt as it went out and as the client sent it, in tokens block for block, with what the cache model predicts to be read of each. */
export interface ReadComparison {
  readonly trimmed: readonly number[]
  readonly untrimmed: readonly number[]
  readonly predicted: { readonly trimmed: number; readonly untrimmed: number }
  /** What the provider read of the trimmed one. */
  readonly real: number
}

/**
 * How much of an untrimmed prompt would have been read, given how much of the trimmed one was. If that is about what was predicted, the
 * prediction for the other is used as well. If the provider had lost the prompt, it had lost both. If it had more than predicted, it had
 * that of both, up to the same block.
 */
export function untrimmedRead({ trimmed, untrimmed, predicted, real }: ReadComparison): number {
  const place = placeFinder(trimmed, untrimmed)
  const same = place(real)
  const off = real - predicted.trimmed
  if (Math.abs(off) <= predicted.trimmed * looseness + slack) return within(predicted.untrimmed + same - place(predicted.trimmed))
  return within(off < 0 ? Math.min(predicted.untrimmed, same) : Math.max(predicted.untrimmed, same))

  function within(tokens: number): number {
    return Math.min(Math.max(tokens, 0), place(Number.POSITIVE_INFINITY))
  }
}

/** Sizes of blocks differ by this much along a prompt, and providers round. */
const looseness = 0.1
const slack = 1024

/** Finds how many tokens of the untrimmed blocks come before the place that this many tokens of the trimmed ones reach. */
function placeFinder(trimmed: readonly number[], untrimmed: readonly number[]): (tokens: number) => number {
  return (tokens) => {
    let left = tokens
    let sum = 0
    for (const [index, whole] of untrimmed.entries()) {
      const size = trimmed[index] ?? 0
      if (left < size) return sum + (whole * left) / size
      left -= size
      sum += whole
    }
    return sum
  }
}
