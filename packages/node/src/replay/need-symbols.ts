import { isGuessable } from './guessable.ts'

/**
 * The names of code in a text: words of six and more characters that are written as only a name is (`parse_line`, `parseLine`,
 * `utf16`), or that stand where a name stands (`parser.`, `validate(`, `"validate"`). A word of prose could have been thought of
 * by anybody, and a piece of a path belongs to the path.
 */
export function symbolsIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(names)) {
    const [name] = match
    const start = match.index
    const end = start + name.length
    if (name.length > longestName || found.has(name) || isGuessable(name) || isHash(name)) continue
    const before = text[start - 1] ?? '\n'
    const after = text[end] ?? '\n'
    if (pathLike.test(before) || pathLike.test(after)) {
      if (!(after === '-' && text[end + 1] === '>') && !(before === '>' && text[start - 2] === '-')) continue
    }
    if (isWrittenAsName(name) || standsAsName(text, start, end, before, after)) found.add(name)
  }
  return [...found]
}

const names = /(?<![0-9A-Za-z_\u00c0-\u024f])[A-Za-z_][0-9A-Za-z_]{5,}(?![\u00c0-\u024f])/g
const longestName = 120
const pathLike = /[/\\-]/
const introduced =
  /\b(?:def|class|function|fn|func|import|from|const|let|var|type|interface|struct|enum|trait|impl|new|extends) $/

function isWrittenAsName(name: string): boolean {
  return /[A-Za-z0-9]_+[A-Za-z0-9]|\d|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(name)
}

function standsAsName(text: string, start: number, end: number, before: string, after: string): boolean {
  if (after === '(' || after === '[' || before === '@' || before === '$') return true
  if ((after === '.' || after === ':') && /[\w:]/.test(text[end + 1] ?? '')) return true
  if ((before === '.' || before === ':') && /[\w:)\]]/.test(text[start - 2] ?? '')) return true
  if (before === '>' && text[start - 2] === '-') return true
  if ((before === '"' || before === "'" || before === '`') && after === before) return true
  if (before === '\n' && after === '\n' && text.length === end - start) return true
  return introduced.test(text.slice(Math.max(0, start - 12), start))
}

/** Hashes are no names; they count as ids. */
function isHash(name: string): boolean {
  return name.length >= 7 && /^[0-9a-f]+$/.test(name) && /\d/.test(name)
}
