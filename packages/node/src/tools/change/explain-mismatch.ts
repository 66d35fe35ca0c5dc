import { counted } from '../tool.ts'
import { lineAt, numberedLine, occurrencesOf } from './find-text.ts'

/** Names pasted line numbers, other blanks, quotes or escapes, else the nearest lines. Both texts have `\n` ends. */
export function explainMismatch(text: string, wanted: string): string {
  if (text === '') return 'old_string is not there: the file is empty'
  const known =
    withLineNumbers(text, wanted) ?? withOtherBlanks(text, wanted) ?? withOtherMarks(text, wanted) ?? withEscapes(text, wanted)
  if (known !== null) return known
  const lines = text.split('\n')
  const sought = wanted.split('\n').map((line) => line.trim())
  const near = sameLines(lines, sought) ?? similarLines(lines, sought) ?? 'No line of it is similar. Read the file again.'
  return `old_string is not in the file. ${near}`
}

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
  const { first, last, lines: theirs } = place
  const started = wanted.replace(/^\n+/, '')
  const end = started.indexOf('\n', started.trimEnd().length)
  const trimmed = end === -1 ? started : started.slice(0, end)
  const ours = trimmed.split('\n')
  if (ours.length !== theirs.length)
    return `old_string differs only in blanks or line breaks from lines ${first}-${last}. Copy them exactly:\n${numbered(theirs, first)}`
  const index = ours.findIndex((line, number) => !agrees(line, theirs[number] as string, number, ours.length))
  const at = Math.max(index, 0)
  const difference = differenceOf(ours[at] as string, theirs[at] as string)
  return `old_string differs only in ${difference} at line ${first + at}. Copy it exactly:\n${numbered(theirs, first)}`
}

/** The text may start in the middle of its first line and end in the middle of its last. */
function agrees(ours: string, theirs: string, index: number, count: number): boolean {
  if (count === 1) return theirs.includes(ours)
  if (index === 0) return theirs.endsWith(ours)
  return index === count - 1 ? theirs.startsWith(ours) : theirs === ours
}

function differenceOf(ours: string, theirs: string): string {
  if (ours.trimStart() === theirs.trimStart()) return `indentation (${indent(theirs)} in the file, ${indent(ours)} in old_string)`
  return ours.trim() === theirs.trim() ? 'blanks at the end of the line' : 'blanks'
}

function indent(line: string): string {
  const blanks = line.slice(0, line.length - line.trimStart().length)
  const tabs = blanks.replaceAll(/[^\t]/g, '').length
  const spaces = blanks.length - tabs
  if (tabs === 0) return counted(spaces, 'space')
  return spaces === 0 ? counted(tabs, 'tab') : `${counted(tabs, 'tab')} and ${counted(spaces, 'space')}`
}

function withOtherMarks(text: string, wanted: string): string | null {
  const place = placeOf(text, wanted, plainMark)
  if (place === null) return null
  const { first, last, lines } = place
  return `old_string differs only in quotation marks or dashes from lines ${first}-${last}. Copy them exactly:\n${numbered(lines, first)}`
}

/** Models tend to turn typographic quotation marks and dashes into plain ones and back. */
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

/** Blanks do not count. Returns null if the text does not occur, or holds only blanks. */
function placeOf(text: string, wanted: string, alike: (unit: number) => number) {
  const needle = withoutBlanks(wanted, alike)
  const hay = withoutBlanks(text, alike)
  const [place] = occurrencesOf(hay.text, needle.text, 'apart')
  if (place === undefined) return null
  const first = lineAt(text, hay.places[place] as number)
  const last = lineAt(text, hay.places[place + needle.text.length - 1] as number)
  return { first, last, lines: text.split('\n').slice(first - 1, last) }
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

const maxLines = 12
const maxLineLength = 300
const maxSimilar = 3
const maxCompared = 50_000

function numbered(lines: readonly string[], first: number): string {
  const shown = lines.slice(0, maxLines).map((line, index) => numberedLine(line, first + index, maxLineLength))
  return [...shown, ...(lines.length > maxLines ? [`(and ${lines.length - maxLines} more lines)`] : [])].join('\n')
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
  const words = wordsOf(sought.reduce((best, line) => (line.length > best.length ? line : best), ''))
  if (words.size === 0) return null
  const compared = lines.slice(0, maxCompared).map((line, index) => {
    const others = wordsOf(line)
    const both = [...others].filter((word) => words.has(word)).length
    // The share of all words that are in both, from 0 to 1.
    return { line, index, likeness: others.size === 0 ? 0 : (2 * both) / (words.size + others.size) }
  })
  const found = compared.filter(({ likeness }) => likeness >= 0.5)
  if (found.length === 0) return null
  const best = found.sort((a, b) => b.likeness - a.likeness || a.index - b.index).slice(0, maxSimilar)
  const shown = best.sort((a, b) => a.index - b.index).map(({ line, index }) => numbered([line], index + 1))
  return `Similar lines:\n${shown.join('\n')}`
}

function wordsOf(line: string): ReadonlySet<string> {
  const text = line.slice(0, maxLineLength).toLowerCase()
  return new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? [])
}
