import type { Tokenizer } from '@plimsoll/core'

/** The same counter, which counts no text twice: a replay shows the same results hundreds of times, in objects of their own. */
export function countedOnce(tokens: Tokenizer): Tokenizer {
  const counts = new Map<string, number>()
  return {
    ...tokens,
    count(text) {
      const known = counts.get(text)
      if (known !== undefined) return known
      const count = tokens.count(text)
      counts.set(text, count)
      return count
    },
  }
}
