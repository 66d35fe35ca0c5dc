/**
 * Search results with the name of each file once, as `rg --heading` prints them: the file, below it `12:text` for each line, and a blank line. Other
 * lines stay where they are. Null if no file has two lines in a row, or if the result could not be unfolded to the same text.
 */
export function foldMatches(text: string): string | null {
  if (text.length > maxLength) return null
  const lines = text.split('\n')
  const isNumbered = lines.some((line) => fileIn(line, numbered) !== null)
  const files = filesOf(lines, isNumbered)
  const segments: string[] = []
  let hasBlock = false
  for (let at = 0, plain = 0; at <= lines.length; ) {
    const file = files[at] ?? null
    let end = at + 1
    if (file !== null) while (files[end] === file) end += 1
    const isBlock = file !== null && lines.slice(at, end).filter((line) => line !== groupMark).length > 1
    if ((isBlock || at === lines.length) && plain < at) segments.push(lines.slice(plain, at).join('\n'))
    if (isBlock) {
      const found = lines.slice(at, end).map((line) => (line === groupMark ? line : line.slice(file.length + 1)))
      segments.push([isNumbered ? file : `${file}:`, ...found].join('\n'))
      plain = end
      hasBlock = true
    }
    at = end
  }
  const folded = segments.join('\n\n')
  return hasBlock && unfoldMatches(folded) === text ? folded : null
}

/** The text that `foldMatches` made `folded` of. */
export function unfoldMatches(folded: string): string {
  const lines = folded.split('\n')
  const unfolded: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const heading = headingAt(lines, at)
    if (heading === null) {
      // The blank line before a heading was added with it.
      if (lines[at] !== '' || headingAt(lines, at + 1) === null) unfolded.push(lines[at] as string)
      continue
    }
    for (at += 1; at < lines.length && lines[at] !== ''; at += 1) {
      const line = lines[at] as string
      const isMark = line === groupMark
      unfolded.push(
        isMark ? line : `${heading.file}${heading.isNumbered ? '' : ':'}${heading.isNumbered ? markOf(line) : ''}${line}`,
      )
    }
  }
  return unfolded.join('\n')
}

const maxLength = 200_000
/** Printed between groups of lines that do not follow each other. */
const groupMark = '--'
const numbered = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,300}?):\d{1,9}:/
const named = /^((?:[A-Za-z]:[\\/])?[^:\s]{1,300}):(?!\d)/

/** The file of each line; null for a line that is not of a file. Lines around a match are those of the match's file. */
function filesOf(lines: readonly string[], isNumbered: boolean): readonly (string | null)[] {
  const files = lines.map((line) => fileIn(line, isNumbered ? numbered : named))
  if (!isNumbered) return files
  let next: string | null = null
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    next = files[at] ?? next
    if (files[at] === null && isAround(lines[at] as string, next)) files[at] = next
  }
  let last: string | null = null
  for (const [at, line] of lines.entries()) {
    if (files[at] === null && (line === groupMark || isAround(line, last))) files[at] = last
    last = files[at] ?? null
  }
  return files
}

function fileIn(line: string, pattern: RegExp): string | null {
  const file = pattern.exec(line)?.[1] ?? null
  return file !== null && isPath(file) ? file : null
}

/** A time or a word before a colon is not a file. */
function isPath(text: string): boolean {
  return (/[\\/]/.test(text) || /[\w-]\.[A-Za-z]\w{0,9}$/.test(text)) && !text.includes('://') && text.trim() === text
}

function isAround(line: string, file: string | null): boolean {
  return file !== null && line.startsWith(file) && /^-\d{1,9}-/.test(line.slice(file.length, file.length + 12))
}

function markOf(line: string): string {
  return /^\d{1,9}-/.test(line) ? '-' : ':'
}

function headingAt(lines: readonly string[], at: number): { readonly file: string; readonly isNumbered: boolean } | null {
  const line = lines[at] ?? ''
  const next = lines[at + 1] ?? ''
  if (at > 0 && lines[at - 1] !== '') return null
  const isNumbered = !line.endsWith(':')
  const file = isNumbered ? line : line.slice(0, -1)
  return isPath(file) && (isNumbered ? /^\d{1,9}[:-]/.test(next) : next !== '') ? { file, isNumbered } : null
}
