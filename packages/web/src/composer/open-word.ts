/** The name of a file that is being typed behind `@`. */
export interface OpenWord {
  /** What of the name stands there so far. */
  readonly search: string
  /** The part of the text that a file's mention takes the place of: from the `@` to the cursor. */
  readonly start: number
  readonly end: number
}

/** More than this before the cursor is no name of a file. */
const longestWord = 300

/**
 * The file's name that is being typed at the cursor; null where there is none. The `@` of an address such as `me@example.org` begins
 * none, and behind Chinese text no blank is needed.
 */
export function openWord(text: string, cursor: number): OpenWord | null {
  const from = Math.max(0, cursor - longestWord)
  const found = /(?:^|[^\w@])@(?:"([^"\n]*)|([^\s"@]*))$/.exec(text.slice(from, cursor))
  if (found === null || (found[0].startsWith('@') && from > 0)) return null
  const search = found[1] ?? found[2] ?? ''
  const marks = found[1] === undefined ? 1 : 2
  return { search, start: cursor - search.length - marks, end: cursor }
}

/** The text with a file's mention in the place of the open word, and where the cursor stands then: behind one blank. */
export function acceptMention(text: string, word: OpenWord, mention: string): { readonly text: string; readonly cursor: number } {
  const behind = text.slice(word.end)
  const wanted = mention.endsWith(' ') ? mention : `${mention} `
  const put = /^\s/.test(behind) ? wanted.trimEnd() : wanted
  const before = text.slice(0, word.start) + put
  return { text: before + behind, cursor: before.length + wanted.length - put.length }
}
