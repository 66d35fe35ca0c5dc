/** Sentences for people, at most so many that somebody would read them; the last one says that there are more. */
export function troubleSentences(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= mostShown) return sentences
  return [...sentences.slice(0, mostShown), `… +${sentences.length - mostShown}`]
}

const mostShown = 100
