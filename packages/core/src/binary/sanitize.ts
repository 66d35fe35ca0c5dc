import { modelStrings } from '../strings/specification.ts'
import { parseJson } from '../text/parse-json.ts'
import { filterBinaryText, filterBinaryValue } from './filter.ts'

/**
 * A tool's result as a history should keep it: binary data replaced by placeholders wherever it stands, paths and small metadata
 * untouched. A new value; the very same one when there is nothing to replace.
 */
export function sanitizeToolResultForHistory<Result>(result: Result): Result {
  // Fields that hold binary data become strings; everything else keeps its type.
  return filterBinaryValue(result, modelStrings) as Result
}

/** The same for results that a history already holds as JSON text. What is not JSON comes back unchanged. */
export function sanitizeToolResultsJson(content: string): string {
  return isJson(content) ? filterBinaryText(content, modelStrings) : content
}

function isJson(text: string): boolean {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null
}
