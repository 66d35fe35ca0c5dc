/** A line whose words are not those that the other lines of its kind have in the same places. */
export interface OddLine {
  readonly start: number
  readonly end: number
  /** Counted from 1. */
  readonly line: number
}

/**
 * The lines of a text that differ from the others, in order: what an installation says once, a log's rare message. Empty if too many differ, as in prose.
 * Reads the beginning and the end of very long texts. Linear in the text.
 */
export function oddLines(text: string): readonly OddLine[] {
  const lines = readLines(text)
  if (lines.length < minLines) return []
  const kinds = groupBy(lines, ({ words }) => words.length)
  const odd: Line[] = []
  for (const sameLength of kinds.values()) {
    const first = countWords(sameLength, 0)
    for (const group of groupBy(sameLength, ({ words }) => first(words[0] as number)).values()) {
      // Few lines of a kind are odd among many of others.
      if (group.length <= maxAlike) odd.push(...group)
      else odd.push(...oddAmong(group))
    }
  }
  const max = Math.max(maxFew, Math.floor(lines.length * maxShare))
  return odd.length > max
    ? []
    : odd.toSorted((one, other) => one.start - other.start).map(({ start, end, line }) => ({ start, end, line }))
}

const minLines = 20
const maxAlike = 2
/** More odd lines than this mean that there is no usual line. */
const maxFew = 12
const maxShare = 0.08
const maxRead = 500_000
const maxWords = 14
const maxLineLength = 4096

interface Line extends OddLine {
  /** A hash of each word, the same for words that differ only in numbers. */
  readonly words: readonly number[]
}

function readLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let line = 1
  for (let start = 0; start < text.length; line += 1) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const isNear = start < maxRead || start >= text.length - maxRead
    if (isNear && end - start <= maxLineLength) {
      const words = wordsIn(text, start, end)
      if (words.length > 0) lines.push({ start, end, line, words })
    }
    start = end + 1
  }
  return lines
}

/** Numbers and long codes say which one it is, not what kind of line. */
function wordsIn(text: string, start: number, end: number): readonly number[] {
  const words: number[] = []
  let at = start
  while (words.length < maxWords) {
    while (at < end && text.charCodeAt(at) <= 0x20) at += 1
    if (at >= end) break
    let hash = 0
    let isHex = true
    let last = 0
    const from = at
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at)
      if (code <= 0x20) break
      const isDigit = code >= 0x30 && code <= 0x39
      const sign = isDigit ? 0x30 : code
      isHex &&= isDigit || (code >= 0x61 && code <= 0x66)
      // Runs of digits, and of signs as in progress bars, count once.
      if (sign !== last || isLetter(sign)) hash = (Math.imul(hash, 31) + sign) | 0
      last = sign
    }
    words.push(isHex && at - from >= minHexLength ? -1 : hash)
  }
  return words
}

const minHexLength = 7

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0x7f
}

function groupBy(lines: readonly Line[], keyOf: (line: Line) => number): ReadonlyMap<number, Line[]> {
  const groups = new Map<number, Line[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return groups
}

/** Lines that have a new word where nearly all others have one of a few. */
function oddAmong(group: readonly Line[]): readonly Line[] {
  const places = (group[0] as Line).words.map((_, place) => countWords(group, place))
  return group.filter(({ words }) => words.some((word, place) => places[place]?.(word) === unusual))
}

const unusual = 1
const varying = 2

/** What a word is at a place: itself if it recurs, unusual among words that do, or one of many that vary. */
function countWords(lines: readonly Line[], place: number): (word: number) => number {
  const counts = new Map<number, number>()
  for (const { words } of lines) counts.set(words[place] as number, (counts.get(words[place] as number) ?? 0) + 1)
  let recurring = 0
  for (const count of counts.values()) if (count > maxAlike) recurring += count
  const varies = recurring < lines.length * 0.9 || counts.size > Math.max(8, lines.length * 0.05)
  return (word) => (varies ? varying : (counts.get(word) ?? 0) > maxAlike ? word : unusual)
}
