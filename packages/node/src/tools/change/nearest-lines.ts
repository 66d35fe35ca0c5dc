/**
 * The lines of a file that come nearest to a text which is not in it, with their numbers: where most of its lines stand together,
 * else the lines that share the most words with its longest one. Both end their lines with `\n`.
 */
export function nearestLines(text: string, wanted: string): string {
  const lines = text.split('\n')
  const sought = wanted.split('\n').map((line) => line.trim())
  return sameLines(lines, sought) ?? similarLines(lines, sought) ?? 'No line of it is similar. Read the file again.'
}

/** Lines with their numbers, as reading the file shows them; long ones and many are cut. */
export function numbered(lines: readonly string[], first: number): string {
  const shown = lines.slice(0, mostLines).map((line, index) => `${String(first + index).padStart(6)}\t${clipped(line)}`)
  return [...shown, ...(lines.length > mostLines ? [`(and ${lines.length - mostLines} more lines)`] : [])].join('\n')
}

const mostLines = 12
const mostSimilar = 3
/** Comparing words is slow; further down than this nobody looks. */
const mostCompared = 50_000
const longestLine = 300

function clipped(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine).toWellFormed()}…`
}

function sameLines(lines: readonly string[], sought: readonly string[]): string | null {
  const indexes = new Map<string, number>()
  // Of equal lines the first counts; very short ones, such as braces, are everywhere.
  for (const [index, line] of sought.entries()) if (line.length > 3 && !indexes.has(line)) indexes.set(line, index)
  const votes = new Map<number, number>()
  let best: number | null = null
  for (const [index, line] of lines.entries()) {
    const position = indexes.get(line.trim())
    if (position === undefined) continue
    const start = index - position
    const count = (votes.get(start) ?? 0) + 1
    votes.set(start, count)
    if (best === null || count > (votes.get(best) as number)) best = start
  }
  if (best === null) return null
  const start = Math.max(0, best)
  const before = start - best
  const there = lines.slice(start, best + sought.length)
  const differs = there.findIndex((line, index) => line.trim() !== sought[index + before])
  const from = Math.max(0, differs - 3)
  const at = start + Math.max(differs, 0) + 1
  return `It comes nearest at line ${start + 1} and differs at line ${at}:\n${numbered(there.slice(from), start + from + 1)}`
}

function similarLines(lines: readonly string[], sought: readonly string[]): string | null {
  const longest = sought.reduce((best, line) => (line.length > best.length ? line : best), '')
  const words = wordsOf(longest)
  if (words.size === 0) return null
  const found: { readonly index: number; readonly likeness: number }[] = []
  for (const [index, line] of lines.slice(0, mostCompared).entries()) {
    const likeness = likenessOf(words, wordsOf(line))
    if (likeness >= 0.5) found.push({ index, likeness })
  }
  if (found.length === 0) return null
  const best = found.sort((a, b) => b.likeness - a.likeness || a.index - b.index).slice(0, mostSimilar)
  return `Similar lines:\n${best
    .sort((a, b) => a.index - b.index)
    .map(({ index }) => numbered([lines[index] as string], index + 1))
    .join('\n')}`
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(
    line
      .slice(0, longestLine)
      .toLowerCase()
      .match(/[\p{L}\p{N}_$]+/gu) ?? [],
  )
}

/** How many of all words are in both, from 0 to 1. */
function likenessOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (others.size === 0) return 0
  let both = 0
  for (const word of others) if (words.has(word)) both += 1
  return (2 * both) / (words.size + others.size)
}
