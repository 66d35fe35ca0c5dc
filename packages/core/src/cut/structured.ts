import { countCodePoints, countLines } from '../text/code-points.ts'
import type { CutLimit } from './cut.ts'
import { shortCsv } from './short-csv.ts'
import { shortDiff } from './short-diff.ts'
import { shortJson } from './short-json.ts'

/**
 * A text cut so that what reads it still can: JSON stays JSON, a table keeps its header and whole rows, a unified diff keeps
 * whole hunks under their file headers. Null when it is none of these, or too large for its limit even so.
 */
export function cutStructured(text: string, limit: CutLimit): string | null {
  const chars = countCodePoints(text)
  for (const shorten of [shortJson, shortDiff, shortCsv]) {
    for (const candidate of shorten(text, limit)) {
      const size = countCodePoints(candidate)
      const fits = size <= limit.maxChars && size < chars && (limit.maxLines === null || countLines(candidate) <= limit.maxLines)
      if (fits) return candidate
    }
  }
  return null
}
