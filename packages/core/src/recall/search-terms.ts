/** A word to look for, in lower case. */
export interface Term {
  readonly text: string
  /** 1 for a word that was asked for, less for a piece of one. */
  readonly weight: number
  /** Whether it has to begin where a word or a hump of an identifier begins; writing without spaces has no such place. */
  readonly isWord: boolean
}

/**
 * What a query looks for: words, identifiers whole and in their humps, and pairs of characters where a script has no spaces.
 * Words that say nothing are left out unless there are no others.
 */
export function termsOf(query: string): readonly Term[] {
  const terms = new Map<string, Term>()
  const add = (text: string, weight: number, isWord: boolean) => {
    const known = terms.get(text)
    if (known === undefined ? terms.size < mostTerms : known.weight < weight) terms.set(text, { text, weight, isWord })
  }
  const words = [...query.slice(0, longestQuery).matchAll(wordPattern)].map(([word]) => word)
  const telling = words.filter((word) => !isEmptyWord(word))
  for (const word of telling.length === 0 ? words : telling) {
    if (spaceless.test(word)) for (const pair of pairsOf(word)) add(pair, 1, false)
    else {
      add(stem(word.toLowerCase()), 1, true)
      const humps = humpsOf(word)
      if (humps.length > 1) for (const hump of humps) if (hump.length > 2) add(stem(hump.toLowerCase()), humpWeight, true)
    }
  }
  return [...terms.values()]
}

/** A pattern that finds any of the terms, longest first. */
export function patternOf(terms: readonly Term[]): RegExp {
  const longestFirst = terms.toSorted((a, b) => b.text.length - a.text.length)
  return new RegExp(longestFirst.map(({ text }) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi')
}

/** How much an occurrence counts: a whole word more than the beginning of a longer one; inside a word not at all. */
export function hitWeight(text: string, start: number, end: number, term: Term): number {
  if (!term.isWord) return 1
  const first = text.charCodeAt(start)
  const before = start === 0 ? 0 : text.charCodeAt(start - 1)
  const isHump = isCapital(first) && !isCapital(before)
  if (isLetter(before) && !isHump) return 0
  let after = end
  while (after < text.length && after - end < 4 && isSmall(text.charCodeAt(after))) after += 1
  return after === end ? 1 : after - end < 4 ? 0.8 : 0.4
}

const longestQuery = 1000
const mostTerms = 48
const humpWeight = 0.4

// Chinese, Japanese and Korean, and what is written between spaces in everything else.
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
const wordPattern = new RegExp(`[${cjk}]+|(?:(?![${cjk}])[\\p{L}\\p{N}_])+`, 'gu')
const spaceless = new RegExp(`[${cjk}]`, 'u')

function pairsOf(run: string): readonly string[] {
  const points = [...run]
  return points.length === 1 ? points : points.slice(1).map((point, index) => `${points[index]}${point}`)
}

function humpsOf(word: string): readonly string[] {
  return word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
}

/** Enough of a word to find its other forms, which begin alike. */
function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 5 && word.endsWith('ed')) return word.slice(0, -2)
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function isEmptyWord(word: string): boolean {
  return emptyWords.has(word.toLowerCase()) || (word.length === 1 && /[\w]/.test(word))
}

const emptyWords = new Set(
  'a an and any are as at be been but by can could did do does for from get got had has have how i if in into is it its me my no not of on or our out shall should so that the their them then there these they this to up us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

function isLetter(code: number): boolean {
  return isSmall(code) || isCapital(code) || (code >= 0xc0 && code < 0x2000)
}
