import type { DigestFields, DigestSource } from '../../facts.ts'
import { isRecord } from '../../message.ts'
import { jsonText } from '../../text/json.ts'
import { countCodePoints, firstLines } from '../../text/lines.ts'
import { cutText } from '../cut-text.ts'

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

export function digestGlob(text: string, { about, settings }: DigestSource): DigestFields {
  const lines = entriesOf(text)
  return {
    ...subject('pattern', about),
    hits: lines.length,
    paths: firstOf(lines, settings.glob_entries),
    ...truncatedFlag(text),
  }
}

export function subject(name: string, about: readonly string[]): DigestFields {
  const text = about.join(', ')
  return text.trim() === '' ? {} : { [name]: clipLine(text, lineWidth) }
}

/** Whether the tool reported at the end of a list that it was truncated. */
export function truncatedFlag(text: string): DigestFields {
  return /^[([].{0,300}truncated.{0,300}[)\]]\s{0,40}$/im.test(text.slice(-1000)) ? { truncated: true } : {}
}

export function entriesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !remark.test(line))
}

// "Found 12 files", "total 48" as ls prints it, "(Results are truncated …)", "NOTE: …" and separator lines.
const remark =
  /^(?:│?-{2,9}\s{0,40}$|note: |found \d|no (?:files|matches|results)|directory listing|contents of|total \d{1,15}\s{0,40}$|[([].{0,300}truncated)/i

function firstOf(lines: readonly string[], count: number): readonly string[] {
  return lines.slice(0, count).map((line) => clipLine(line.trimEnd(), lineWidth))
}

function isFolder(line: string): boolean {
  const entry = line.trim()
  return /[/\\]$/.test(entry) || /^(?:\[DIR\]|📁|d[r-][w-][xsStT-])/.test(entry)
}

/** Keeps head and tail, with `…` between them. */
export function clip(text: string, characters: number): string {
  if (text.length <= characters || countCodePoints(text) <= characters) return text
  if (characters < 1) return ''
  const head = Math.ceil((characters - 1) / 2)
  return cutText(text, { head, tail: Math.floor(characters) - 1 - head, in: 'characters' }, () => '…')
}

export function clipLine(line: string, characters: number): string {
  if (line.length <= characters || countCodePoints(line) <= characters) return line
  return characters < 1 ? '' : cutText(line, { head: Math.floor(characters) - 1, in: 'characters' }, () => '…')
}

export function clipLines(text: string, lines: number, width: number): readonly string[] {
  const head = firstLines(text, lines)
  return head === '' ? [] : head.split('\n').map((line) => clipLine(line.trimEnd(), width))
}

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

export const lineWidth = 200

interface Shape {
  readonly items: number
  /** Shortens a text. Default: `clip` to the line width. */
  readonly text?: (text: string) => string
}

/** Clips texts, and keeps the first items of each list with the total under `<name>_total`. Idempotent. */
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
