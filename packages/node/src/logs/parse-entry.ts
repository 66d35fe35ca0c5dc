import { isMapping } from '../config/mapping.ts'
import { findJsonExcess } from '../files/json-excess.ts'
import type { SkipReason } from '../strings/english/view.ts'
import type { LogLine } from './log-lines.ts'
import type { Fields } from './log-reader.ts'

/** An entry of a log with its place, or why it cannot be read. */
export type ParsedEntry =
  | { readonly line: number; readonly entry: Fields; readonly reason?: never }
  | { readonly line: number; readonly reason: SkipReason; readonly entry?: never }

/** No entry nests like this, and what does could not be walked safely; more values would not fit into memory. */
const limits = { depth: 1000, values: 5_000_000 }

/** Reads one line as a JSON object. */
export function parseEntry({ line, text, reason }: LogLine): ParsedEntry {
  if (text === undefined) return { line, reason }
  const excess = findJsonExcess(text, limits)
  if (excess !== null) return { line, reason: excess.kind === 'depth' ? 'too-deep' : 'too-long' }
  try {
    return entryOf(JSON.parse(text), line)
  } catch {
    return { line, reason: 'not-json' }
  }
}

/** Takes a parsed value as an entry, if it is one. */
export function entryOf(value: unknown, line: number): ParsedEntry {
  return isMapping(value) ? { line, entry: value } : { line, reason: 'not-an-object' }
}
