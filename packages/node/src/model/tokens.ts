import type { Tokenizer } from '@plimsoll/core'
import { cutRuns } from './cut-runs.ts'

/**
 * The exact o200k tokenizer, loaded when first asked for (its vocabulary takes about 150 ms to read). Control words such as
 * `<|endoftext|>` are counted as the text they are. Letters, blanks or symbols that run on for more than 256 characters are
 * counted in pieces, because the algorithm takes time in the square of such a run; there the count may be off by a token a piece.
 */
export function createO200kTokenizer(): Promise<Tokenizer> {
  loading ??= load()
  return loading
}

/** No word, indentation or rule in ordinary text is longer. */
const longestRun = 256

let loading: Promise<Tokenizer> | undefined

async function load(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // An empty set allows no control word, and forbids none either.
  const options = { disallowedSpecial: new Set<string>() }
  return {
    name: 'o200k',
    count(text) {
      let total = 0
      for (const piece of cutRuns(text, longestRun)) total += countTokens(piece, options)
      return total
    },
  }
}
