import type { DigestFields, DigestSource } from '../../facts.ts'
import { clipLine, lineWidth } from './clip.ts'
import { entriesOf, subject, truncatedFlag } from './digest-entries.ts'

/** A search: what was looked for, how many matches in how many files, and the first matches with file and line. */
export function digestSearch(text: string, { about, settings }: DigestSource): DigestFields {
  const { matches, files, first } = readMatches(text, settings.search_matches)
  const found = matches > 0 ? { matches, ...(files > 0 ? { files } : {}), first } : digestLines(text, settings.search_matches)
  return { ...subject('pattern', about), ...found, ...truncatedFlag(text) }
}

/** A search that names only files, or writes its matches in a way of its own: every line is one. */
function digestLines(text: string, count: number): DigestFields {
  const lines = entriesOf(text)
  return { matches: lines.length, first: lines.slice(0, count).map(shown) }
}

interface Matches {
  readonly matches: number
  readonly files: number
  readonly first: readonly string[]
}

// `a.ts:12:text`, and under a heading with the file's name `12:text`, `L12: text`, `Line 12: text`, `12 | text`.
const withFile = /^(.{1,400}?):(\d{1,9}):/
const underHeading = /^\s{0,40}(?:L|Line )?(\d{1,9})(?::| \|)/
// Lines around a match: `a.ts-12-text`, `12-text`.
const context = /^(?:.{1,400}?-)?\d{1,9}-/
const longestPrefix = 420

function readMatches(text: string, count: number): Matches {
  const files = new Set<string>()
  const first: string[] = []
  let heading = ''
  let matches = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const prefix = text.slice(start, Math.min(end, start + longestPrefix))
    const under = underHeading.exec(prefix)
    const file = under === null ? withFile.exec(prefix)?.[1] : heading
    if (file === undefined) {
      if (prefix.trim() !== '' && !/^-{2,9}\s*$/.test(prefix) && !context.test(prefix)) heading = headingOf(prefix)
    } else {
      matches += 1
      if (file !== '') files.add(file)
      if (first.length < count)
        first.push(
          shown(under === null || heading === '' ? line(text, start, end) : `${heading}:${line(text, start, end).trimStart()}`),
        )
    }
    start = end + 1
  }
  return { matches, files: files.size, first }
}

function line(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + lineWidth * 2 + longestPrefix))
}

function headingOf(prefix: string): string {
  return prefix
    .trim()
    .replace(/^(?:File:|#) /, '')
    .replace(/:$/, '')
}

function shown(text: string): string {
  return clipLine(text.trimEnd(), lineWidth)
}
