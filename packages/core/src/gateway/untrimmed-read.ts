import type { PromptBlock } from './counterfactual.ts'

/** A prompt as it went out and as the client sent it, block for block, with what of each was to be read from the cache. */
export interface ReadComparison {
  readonly trimmed: readonly PromptBlock[]
  readonly untrimmed: readonly PromptBlock[]
  readonly foretold: { readonly trimmed: number; readonly untrimmed: number }
  /** What of the trimmed one really was. */
  readonly real: number
}

/**
 * How much of an untrimmed prompt would have been read, given how much of the trimmed one was. Where that is about what was foretold,
 * the other is believed as well. Where the provider had lost the prompt, it had lost both; where it had more than anybody knew, it had
 * that of both, up to the same block.
 */
export function untrimmedRead({ trimmed, untrimmed, foretold, real }: ReadComparison): number {
  const place = placeFinder(trimmed, untrimmed)
  const same = place(real)
  const off = real - foretold.trimmed
  if (Math.abs(off) <= foretold.trimmed * looseness + slack) return within(foretold.untrimmed + same - place(foretold.trimmed))
  return within(off < 0 ? Math.min(foretold.untrimmed, same) : Math.max(foretold.untrimmed, same))

  function within(tokens: number): number {
    return Math.min(Math.max(tokens, 0), place(Number.POSITIVE_INFINITY))
  }
}

/** Two vocabularies differ by so much along a prompt, and providers round. */
const looseness = 0.1
const slack = 1024

/** How many tokens of the untrimmed blocks stand before the place that so many of the trimmed ones reach. */
function placeFinder(trimmed: readonly PromptBlock[], untrimmed: readonly PromptBlock[]): (tokens: number) => number {
  return (tokens) => {
    let left = tokens
    let sum = 0
    for (const [index, { tokens: whole }] of untrimmed.entries()) {
      const size = trimmed[index]?.tokens ?? 0
      if (left < size) return sum + (whole * left) / size
      left -= size
      sum += whole
    }
    return sum
  }
}
