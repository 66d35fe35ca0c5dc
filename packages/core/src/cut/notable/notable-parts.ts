import { escapeMarks } from '../../text/labels.ts'
import { countNewlines, shorten } from '../../text/lines.ts'
import { terminalText } from '../../text/terminal-text.ts'
import { type Candidate, ranks, salienceOf } from '../salient.ts'
import { lineWidth, type Scan } from '../scan.ts'
import { compactJson } from './compact-json.ts'
import { diagnosticOf, isFileHeading } from './diagnostics.ts'
import { notableRecords } from './notable-records.ts'
import { oddLines } from './odd-lines.ts'
import { type RecordList, readRecords } from './read-records.ts'

/** Adds to the lines with salient words what differs from the rest of a text: records, lines of another kind, and what diagnostics name. */
export function withNotable(scan: Scan, text: string, maxChars: number): Scan {
  if (text.length > maxRead) return scan
  const width = lineWidth(maxChars)
  const list = readRecords(text)
  const parts = list === null ? [...oddParts(text, width), ...diagnosticParts(text, width)] : recordParts(text, list, width * 2)
  // A list is shown by its records, not by lines of them.
  const salient = scan.candidates.filter(({ start, end }) => list === null || end <= list.start || start >= list.end)
  const starts = new Set(salient.map(({ start }) => start))
  const added = parts.filter(({ start, rank }) => rank === ranks.name || !starts.has(start))
  return { ...scan, candidates: [...salient, ...added.map((part) => ({ ...part, text: escapeMarks(part.text) }))] }
}

/** Longer texts are read in pieces, for lines with salient words only. */
export const maxRead = 1_000_000
const maxDiagnostics = 500
const maxLineLength = 2000

function recordParts(text: string, { form, records }: RecordList, width: number): readonly Candidate[] {
  const chosen = notableRecords(records).slice(0, maxDiagnostics)
  const inOrder = chosen.toSorted((one, other) => one.index - other.index)
  const lines = new Map<number, number>()
  let [line, at] = [1, 0]
  for (const { index } of inOrder) {
    const { start } = records[index] as { readonly start: number }
    line += countNewlines(text.slice(at, start))
    at = start
    lines.set(index, line)
  }
  return chosen.flatMap(({ index, isFailure, way }) => {
    const { start, end } = records[index] as { readonly start: number; readonly end: number }
    const shown = form === 'rows' ? text.slice(start, end) : compactJson(text.slice(start, end), width)
    const rank = isFailure ? ranks.failure : ranks.odd
    return shown.length > width * 2
      ? []
      : [{ rank, start, end, line: lines.get(index) ?? 1, text: shown, count: 1, alike: 0, kind: `record ${way}` }]
  })
}

function oddParts(text: string, width: number): readonly Candidate[] {
  return oddLines(text).flatMap(({ start, end, line }) => {
    const shown = terminalText(text.slice(start, end))
    // Salient lines are found by their words.
    if (shown.trim().length < 2 || salienceOf(shown) !== null) return []
    return [{ rank: ranks.odd, start, end, line, text: shorten(shown, { at: 0, length: 0 }, width), count: 1, alike: 0 }]
  })
}

/** The name of each file, at its first line, and the first line of each code. */
function diagnosticParts(text: string, width: number): readonly Candidate[] {
  const parts: Candidate[] = []
  const known = new Set<string>()
  let heading: { readonly start: number; readonly end: number; readonly line: number } | null = null
  let line = 1
  for (let start = 0; start < text.length && parts.length < maxDiagnostics; line += 1) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const near = end - start > maxLineLength ? '' : terminalText(text.slice(start, end))
    const found = diagnosticOf(near)
    if (found === null) heading = isFileHeading(near) ? { start, end, line } : near.trim() === '' ? null : heading
    else {
      const place = found.file === null && found.code !== null ? heading : null
      const name = place === null ? found.file : text.slice(place.start, place.end).trim()
      if (name !== null && !known.has(name)) {
        known.add(name)
        parts.push({ ...(place ?? { start, end, line }), rank: ranks.name, text: name, kind: `file ${name}`, count: 1, alike: 0 })
      }
      if (found.code !== null && !known.has(`code ${found.code}`)) {
        known.add(`code ${found.code}`)
        parts.push({
          start,
          end,
          line,
          rank: ranks.failure,
          text: shorten(near, { at: 0, length: 0 }, width),
          count: 1,
          alike: 0,
        })
      }
    }
    start = end + 1
  }
  return parts
}
