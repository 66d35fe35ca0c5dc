import { compactJson } from '../cut/notable/compact-json.ts'
import { readRecords } from '../cut/notable/read-records.ts'
import { countNewlines } from '../text/lines.ts'
import type { Matches } from './cut-to-room.ts'
import type { RecallSource } from './recall.ts'

/**
 * The records of a JSON list or object that match a pattern, by a key or a value, whole and written as a cut shows them. Null if the text has no such list or none
 * matches: then its lines are searched.
 */
export function recordMatches(pattern: string, text: string, source: RecallSource): Matches | null {
  const list = readRecords(text)
  if (list === null || list.form === 'lines' || list.form === 'rows') return null
  const records = list.records.map(({ start, end }) => compactJson(text.slice(start, end), Number.POSITIVE_INFINITY))
  const matched = source.findLines(pattern, records)
  if ('trouble' in matched || matched.found.length === 0) return null
  let [line, at] = [1, 0]
  const matches = matched.found.map((index) => {
    const start = list.records[index]?.start ?? at
    line += countNewlines(text.slice(at, start))
    at = start
    return { line, text: records[index] ?? '' }
  })
  return { matches, isCutShort: false, last: line }
}
