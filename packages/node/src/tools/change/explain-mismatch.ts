import { occurrencesOf } from './find-text.ts'

/**
 * Why a text is not in a file, in words that help to mend it: what was pasted with it, where only blanks, quotes or escapes are
 * other ones, else which lines come nearest. Both texts end their lines with `\n`.
 */
export function explainMismatch(text: string, wanted: string): string {
  if (text === '') return 'old_string is not there: the file is empty'
  return (
    withLineNumbers(text, wanted) ??
    withOtherBlanks(text, wanted) ??
    withOtherMarks(text, wanted) ??
    withEscapes(text, wanted) ??
    `old_string is not in the file. ${nearestLines(text, wanted)}`
  )
}

/** The numbers that reading a file puts before its lines. */
const lineNumber = /^[ \t]{0,12}\d{1,9}(?:\t|→)/

function withLineNumbers(text: string, wanted: string): string | null {
  const lines = wanted.split('\n')
  const withNumbers = lines.filter((line) => lineNumber.test(line)).length
  if (withNumbers === 0 || withNumbers < lines.filter((line) => line.trim() !== '').length) return null
  const without = lines.map((line) => line.replace(lineNumber, '')).join('\n')
  const isThere = occurrencesOf(text, without, 'apart').length > 0
  return `old_string holds the line numbers that Read shows${isThere ? '; without them it is there' : ''}. Leave them out.`
}

function withOtherBlanks(text: string, wanted: string): string | null {
  const place = placeOf(text, wanted, (unit) => unit)
  if (place === null) return null
  const [first, last] = [lineAt(text, place.start), lineAt(text, place.end)]
  const theirs = text.split('\n').slice(first - 1, last)
  const ours = wanted
    .replace(/^\n+/, '')
    .replace(/\n\s*$/, '')
    .split('\n')
  if (ours.length !== theirs.length)
    return `old_string differs only in blanks or line breaks from lines ${first}-${last}. Copy them exactly:\n${numbered(theirs, first)}`
  const index = ours.findIndex((line, number) => !agrees(line, theirs[number] as string, number, ours.length))
  const at = first + Math.max(index, 0)
  const [our, their] = [ours[Math.max(index, 0)] as string, theirs[Math.max(index, 0)] as string]
  return `old_string differs only in ${difference(our, their)} at line ${at}. Copy it exactly:\n${numbered(theirs, first)}`
}

/** The text may begin in the middle of its first line and end in the middle of its last. */
function agrees(ours: string, theirs: string, index: number, count: number): boolean {
  if (count === 1) return theirs.includes(ours)
  if (index === 0) return theirs.endsWith(ours)
  return index === count - 1 ? theirs.startsWith(ours) : theirs === ours
}

function difference(ours: string, theirs: string): string {
  if (ours.trimStart() === theirs.trimStart()) return `indentation (${indent(theirs)} in the file, ${indent(ours)} in old_string)`
  return ours.trim() === theirs.trim() ? 'blanks at the end of the line' : 'blanks'
}

function indent(line: string): string {
  const blanks = line.slice(0, line.length - line.trimStart().length)
  const tabs = blanks.replaceAll(/[^\t]/g, '').length
  const spaces = blanks.length - tabs
  return [...(tabs > 0 ? [counted(tabs, 'tab')] : []), ...(spaces > 0 || tabs === 0 ? [counted(spaces, 'space')] : [])].join(
    ' and ',
  )
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function withOtherMarks(text: string, wanted: string): string | null {
  const place = placeOf(text, wanted, plainMark)
  if (place === null) return null
  const [first, last] = [lineAt(text, place.start), lineAt(text, place.end)]
  const lines = text.split('\n').slice(first - 1, last)
  return `old_string differs only in quotation marks or dashes from lines ${first}-${last}. Copy them exactly:\n${numbered(lines, first)}`
}

/** Typographic quotation marks and dashes, which models like to turn into plain ones and back. */
function plainMark(unit: number): number {
  if (unit < 0x2010) return unit
  if (unit === 0x2018 || unit === 0x2019) return 0x27
  if (unit === 0x201c || unit === 0x201d) return 0x22
  return unit <= 0x2015 ? 0x2d : unit
}

function withEscapes(text: string, wanted: string): string | null {
  if (!wanted.includes('\\')) return null
  const plain = wanted.replaceAll(/\\([nt"'\\`])/g, (_, character: string) => escapes[character] ?? character)
  if (occurrencesOf(text, plain, 'apart').length === 0) return null
  return 'old_string has a backslash too many: without the escapes (such as \\n for a new line) it is there.'
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

interface Place {
  readonly start: number
  readonly end: number
}

/** Where a text occurs when blanks do not count; null where it does not, or holds nothing but blanks. */
function placeOf(text: string, wanted: string, alike: (unit: number) => number): Place | null {
  const needle = withoutBlanks(wanted, alike)
  const hay = withoutBlanks(text, alike)
  const [place] = occurrencesOf(hay.text, needle.text, 'apart')
  if (place === undefined) return null
  return { start: hay.places[place] as number, end: hay.places[place + needle.text.length - 1] as number }
}

function withoutBlanks(text: string, alike: (unit: number) => number): { readonly text: string; readonly places: Int32Array } {
  const units = new Uint16Array(text.length)
  const places = new Int32Array(text.length)
  let count = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (isBlank(unit)) continue
    units[count] = alike(unit)
    places[count] = index
    count += 1
  }
  return { text: Buffer.from(units.buffer, 0, count * 2).toString('utf16le'), places }
}

function isBlank(unit: number): boolean {
  return unit <= 0x20 || unit === 0xa0 || (unit >= 0x2000 && unit <= 0x200b) || unit === 0x3000 || unit === 0xfeff
}

function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/**
 * The lines of a file that come nearest to a text which is not in it, with their numbers: where most of its lines stand together,
 * else the lines that share the most words with its longest one. Both end their lines with `\n`.
 */
function nearestLines(text: string, wanted: string): string {
  const lines = text.split('\n')
  const sought = wanted.split('\n').map((line) => line.trim())
  return sameLines(lines, sought) ?? similarLines(lines, sought) ?? 'No line of it is similar. Read the file again.'
}

/** Lines with their numbers, as reading the file shows them; long ones and many are cut. */
function numbered(lines: readonly string[], first: number): string {
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
