import type { DigestFields, DigestSource } from '../../facts.ts'
import { isRecord } from '../../message.ts'
import { jsonText } from '../../text/json.ts'
import { countCodePoints, firstLines } from '../../text/lines.ts'
import { cutText } from '../cut-text.ts'

/** A listing: the folder, how many entries it has of which sort, and the first of them. */
export function digestList(text: string, { about, settings }: DigestSource): DigestFields {
  const lines = entriesOf(text)
  const folders = lines.filter(isFolder).length
  return {
    ...subject('path', about),
    entries: firstOf(lines, settings.list_entries),
    total: lines.length,
    folders,
    files: lines.length - folders,
    ...truncatedFlag(text),
  }
}

/** Files found by a pattern: the pattern, how many there are, and the first of them. */
export function digestGlob(text: string, { about, settings }: DigestSource): DigestFields {
  const lines = entriesOf(text)
  return {
    ...subject('pattern', about),
    hits: lines.length,
    paths: firstOf(lines, settings.glob_entries),
    ...truncatedFlag(text),
  }
}

/** What a call was about, under the name it has in a digest; nothing where nobody knows. */
export function subject(name: string, about: readonly string[]): DigestFields {
  const text = about.join(', ')
  return text.trim() === '' ? {} : { [name]: clipLine(text, lineWidth) }
}

/** Whether a tool said at the end of a list that it left out the rest. */
export function truncatedFlag(text: string): DigestFields {
  return /^[([].{0,300}truncated.{0,300}[)\]]\s*$/im.test(text.slice(-1000)) ? { truncated: true } : {}
}

/** The lines of a list that are entries, without headings and remarks. */
export function entriesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !remark.test(line))
}

// "Found 12 files", "total 48" as ls writes it, "(Results are truncated …)", "NOTE: …" and lines that only part others.
const remark =
  /^(?:│?-{2,9}\s*$|note: |found \d+|no (?:files|matches|results)|directory listing|contents of|total \d+\s*$|[([].{0,300}truncated)/i

function firstOf(lines: readonly string[], count: number): readonly string[] {
  return lines.slice(0, count).map((line) => clipLine(line.trimEnd(), lineWidth))
}

function isFolder(line: string): boolean {
  const entry = line.trim()
  return /[/\\]$/.test(entry) || /^(?:\[DIR\]|📁|d[r-][w-][xsStT-])/.test(entry)
}

/** A text of at most so many characters: its head and its tail with `…` between them where something is left out. */
export function clip(text: string, characters: number): string {
  if (text.length <= characters || countCodePoints(text) <= characters) return text
  if (characters < 1) return ''
  const head = Math.ceil((characters - 1) / 2)
  return cutText(text, { head, tail: Math.floor(characters) - 1 - head, in: 'characters' }, () => '…')
}

/** A line of at most so many characters, cut at its end. */
export function clipLine(line: string, characters: number): string {
  if (line.length <= characters || countCodePoints(line) <= characters) return line
  return characters < 1 ? '' : cutText(line, { head: Math.floor(characters) - 1, in: 'characters' }, () => '…')
}

/** The first lines of a text, each cut to a width. */
export function clipLines(text: string, lines: number, width: number): readonly string[] {
  const head = firstLines(text, lines)
  return head === '' ? [] : head.split('\n').map((line) => clipLine(line.trimEnd(), width))
}

/** Lines that together, with a newline between them, have at most so many characters: the longest give way first. */
export function clipTogether(lines: readonly string[], characters: number): string {
  const sizes = lines.map(countCodePoints).sort((a, b) => a - b)
  let left = Math.max(0, characters - (lines.length - 1))
  let width = Number.POSITIVE_INFINITY
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index))
    if (size > share) {
      width = share
      break
    }
    left -= size
  }
  return lines.map((line) => clipLine(line, width)).join('\n')
}

/** How wide a line may be that stands in a digest. */
export const lineWidth = 200

interface Shape {
  readonly items: number
  /** What is shown of a text. Default: its head and tail, as much as fits a line. */
  readonly text?: (text: string) => string
}

/** Clips texts, and keeps the first items of each list with their number under `<name>_total`. A second time changes nothing. */
export function shortFields(fields: DigestFields, shape: Shape, depth = 0): DigestFields {
  const entries: [string, unknown][] = []
  for (const key of Object.keys(fields).slice(0, maxFields)) {
    const value = fields[key]
    entries.push([key, shortValue(value, shape, depth)])
    const total = `${key}_total`
    if (Array.isArray(value) && value.length > shape.items && !Object.hasOwn(fields, total)) entries.push([total, value.length])
  }
  return Object.fromEntries(entries)
}

const maxFields = 40
/** Deeper than this, a value is shown as the beginning and end of its JSON. */
const maxLevels = 3

function shortValue(value: unknown, shape: Shape, depth: number): unknown {
  if (typeof value === 'string') return shape.text === undefined ? clip(value, lineWidth) : shape.text(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxLevels) {
    const text = jsonText(value)
    return text.length <= lineWidth ? value : clip(text, lineWidth)
  }
  if (Array.isArray(value)) return value.slice(0, shape.items).map((item) => shortValue(item, shape, depth + 1))
  return isRecord(value) ? shortFields(value, shape, depth + 1) : value
}
