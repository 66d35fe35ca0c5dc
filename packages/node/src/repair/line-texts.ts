import { isUtf8 } from 'node:buffer'
import { parseEntry, type RawLine } from '../logs/log-lines.ts'
import type { Fields } from '../logs/log-reader.ts'
import type { MendKind } from '../shared/mend.ts'
import { type LineRules, mendLine } from './mend-line.ts'

/** The entries of one line as texts, and what was done to get them. */
export interface LineTexts {
  readonly texts: readonly string[]
  readonly kinds: readonly MendKind[]
}

/** Reads what can be read of a line. The same line gives the same answer whenever it is asked. */
export function lineTexts({ line, bytes, isEnded }: RawLine, isEntry: (value: Fields) => boolean): LineTexts {
  if (bytes === null) return { texts: [], kinds: ['cut-line'] }
  const isText = isUtf8(bytes)
  const text = bytes.toString('utf8')
  const rules: LineRules = { parse: (piece) => parseEntry({ line, text: piece }).entry, isEntry }
  const { texts, kinds } = mendLine(line > 1 && text.startsWith('\ufeff') ? text.slice(1) : text, rules)
  // Whoever was writing when the end came has written no newline either.
  const named = kinds.map((kind) => (kind === 'cut-line' && !isEnded ? 'cut-end' : kind))
  return { texts, kinds: isText || named.includes('cut-line') || named.includes('cut-end') ? named : ['not-utf8', ...named] }
}
