import type { DigestFields, DigestSource } from '../../facts.ts'
import { clipLine, lineWidth } from './clip.ts'

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
