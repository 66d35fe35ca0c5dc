import type { Limit } from '../cut/truncate.ts'
import { modelStrings } from '../strings/specification.ts'

/** The global cap. */
export function cap(maxChars: number, maxLines: number | null = null): Limit {
  return { maxChars, maxLines, by: 'cap', strategy: 'head_tail', strings: modelStrings }
}

/** A tool's own limit. */
export function tool(maxChars: number, maxLines: number | null = null): Limit {
  return { ...cap(maxChars, maxLines), by: 'tool' }
}

/** This many numbered lines. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}`)
}
