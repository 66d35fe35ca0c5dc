/** Tells whether a text says what a sentence says, in whatever words between. */
export interface Coverage {
  readonly covers: (sentence: string) => boolean
}

/**
 * A sentence is covered when it stands there to the letter, or when a single line has most of its words, seven of ten of those with
 * three letters or more, says no where the sentence says no, and prefers what the sentence prefers. Words that lie about in several
 * lines say nothing.
 */
export function createCoverage(text: string): Coverage {
  const lines = text.split('\n').map((line) => ({ line, words: new Set(wordsOf(line)), denies: denial.test(line) }))
  return {
    covers(sentence) {
      if (text.includes(sentence.trim())) return true
      const words = wordsOf(sentence)
      if (words.length === 0) return false
      const denies = denial.test(sentence)
      const preferred = preferredIn(sentence)
      return lines.some(
        ({ line, words: known, denies: lineDenies }) =>
          words.filter((word) => known.has(word)).length >= words.length * 0.7 &&
          lineDenies === denies &&
          (preferred === null || standsBefore(line, preferred)),
      )
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

const denial = /\b(?:not|never|cannot|no longer|without|avoid)\b|n't\b|不|勿|禁止/i

/** What a sentence prefers, and to what: the words on either side of `instead of` and its like. */
function preferredIn(sentence: string): readonly [string, string] | null {
  const found =
    /([\p{L}\p{N}_]{2,60})[^\p{L}\p{N}_]{1,9}(?:instead of|rather than)[^\p{L}\p{N}_]{1,9}(?:(?:a|an|the)\s)?([\p{L}\p{N}_]{2,60})/iu.exec(
      sentence,
    )
  return found === null ? null : [(found[1] as string).toLowerCase(), (found[2] as string).toLowerCase()]
}

function standsBefore(line: string, [one, other]: readonly [string, string]): boolean {
  const lower = line.toLowerCase()
  const at = lower.indexOf(one)
  return at >= 0 && lower.includes(other, at + one.length)
}
