import { isMapping } from '../config/mapping.ts'
import { findJsonExcess } from '../files/json-excess.ts'
import type { Fields } from './log-reader.ts'

/** A mapping that a log holds as text; an empty one for anything else. */
export function parseFields(text: string): Fields {
  if (!text.trimStart().startsWith('{') || findJsonExcess(text, { depth: 200, values: 1_000_000 }) !== null) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isMapping(value) ? value : {}
  } catch {
    return {}
  }
}
