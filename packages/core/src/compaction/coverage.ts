/** Tells whether a text says what a sentence says, in whatever order and words between. */
export interface Coverage {
  readonly covers: (sentence: string) => boolean
}

/** A sentence is covered when most of its words stand in the text: seven of ten, of those with three letters or more. */
export function createCoverage(text: string): Coverage {
  const known = new Set(wordsOf(text))
  return {
    covers(sentence) {
      const words = wordsOf(sentence)
      if (words.length === 0) return text.includes(sentence.trim())
      return words.filter((word) => known.has(word)).length >= words.length * 0.7
    },
  }
}

/** Words, and pairs of characters where a language has no blanks. */
function wordsOf(text: string): readonly string[] {
  return (
    text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,40}|[\p{L}\p{N}_]{3,60}/gu) ?? []
  ).flatMap((word) => (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word) ? pairsOf(word) : [word]))
}

function pairsOf(word: string): readonly string[] {
  const characters = [...word]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
