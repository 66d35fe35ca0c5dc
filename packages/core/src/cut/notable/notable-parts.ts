import { countNewlines, shorten } from '../../text/lines.ts'
import { terminalText } from '../../text/terminal-text.ts'
import { type Candidate, ranks, salienceOf } from '../salient.ts'
import { lineWidth, type Scan } from '../scan.ts'
import { writeEntry } from './cut-records.ts'
import { diagnosticOf, fileOfDiff, hasMessageBelow, isFileHeading, messageKind } from './diagnostics.ts'
import { fileOfMatch, isMatchBelow, looksLikeSearch } from './file-names.ts'
import { areFindings, type Column, columnsOf, notableRecords } from './notable-records.ts'
import { type OddLine, oddLines } from './odd-lines.ts'
import { type ListedRecord, type RecordList, readRecords } from './read-records.ts'
import { briefXml } from './read-xml.ts'
import { briefYaml } from './read-yaml.ts'

/** Adds to the lines with salient words what differs from the rest of a text: records, lines of another kind, and what diagnostics name. */
export function withNotable(scan: Scan, text: string, maxChars: number): Scan {
  if (text.length > maxRead) return withOdd(scan, oddLines(text), maxChars)
  const width = lineWidth(maxChars)
  const list = readRecords(text)
  const { parts: named, messages } = list === null ? diagnosticParts(text, width) : nothing
  const parts = list === null ? [...oddParts(oddLines(text), width), ...named] : recordParts(text, list, width * 2)
  // A list is shown by its records, not by lines of them.
  const salient = scan.candidates
    .filter(({ start, end }) => list === null || end <= list.start || start >= list.end)
    .map((candidate) => ({ ...candidate, ...kindOf(messages.get(candidate.start)) }))
  const starts = new Set(salient.map(({ start }) => start))
  const added = parts.filter(({ start, rank }) => rank === ranks.name || !starts.has(start))
  return { ...scan, candidates: [...salient, ...added] }
}

/** Adds what diagnostics in the complete lines of a part of the text name. `at` and `line`: where the part starts. */
export function withNames(
  scan: Scan,
  part: string,
  { at, line }: { readonly at: number; readonly line: number },
  maxChars: number,
): Scan {
  const starts = new Set(scan.candidates.map(({ start }) => start))
  const known = new Set(scan.candidates.flatMap(({ kind }) => kind ?? []))
  const parts = diagnosticParts(part, lineWidth(maxChars))
    .parts.map((one) => ({ ...one, start: one.start + at, end: one.end + at, line: one.line + line - 1 }))
    .filter(({ rank, start, kind }) => (rank === ranks.name ? kind === undefined || !known.has(kind) : !starts.has(start)))
  return parts.length === 0 ? scan : { ...scan, candidates: [...scan.candidates, ...parts] }
}

/** Adds lines unlike all others. */
export function withOdd(scan: Scan, odd: readonly OddLine[], maxChars: number): Scan {
  const starts = new Set(scan.candidates.map(({ start }) => start))
  const parts = oddParts(odd, lineWidth(maxChars)).filter(({ start }) => !starts.has(start))
  return { ...scan, candidates: [...scan.candidates, ...parts] }
}

const nothing = { parts: [], messages: new Map<number, string>() }

function kindOf(kind: string | undefined): Pick<Candidate, 'kind'> {
  return kind === undefined ? {} : { kind }
}

/** Longer texts are read in pieces, for lines with salient words and odd ones. */
export const maxRead = 1_000_000
const maxDiagnostics = 2000
const maxRecords = 500
const maxLineLength = 2000

function recordParts(text: string, { form, records }: RecordList, width: number): readonly Candidate[] {
  const columns = columnsOf(records)
  const isReport = areFindings(columns)
  const parts: Candidate[] = []
  for (const { index, isFailure, way, paths } of notableRecords(records, columns).slice(0, maxRecords)) {
    const { start, end } = records[index] as ListedRecord
    const shown = inLine(form, text.slice(start, end), isReport ? width >> 1 : width, paths)
    const rank = isFailure ? ranks.failure : ranks.odd
    if (shown.length <= width * 2)
      parts.push({ rank, start, end, line: 1, text: shown, count: 1, alike: 0, kind: `record ${way}` })
  }
  // A report of findings names every file, mostly more than once; elsewhere a file is a value like others.
  const isListed = ({ areFiles, names, present }: Column) =>
    areFiles && names.length > 0 && (isReport || names.length * 3 <= present * 2)
  const path = [...columns].find(([, column]) => isListed(column))?.[0]
  const known = new Set<string>()
  for (const { start, end, fields } of path === undefined ? [] : records) {
    const value = fields.get(path as string)
    for (const name of typeof value === 'string' ? value.split('\n') : []) {
      if (known.size >= maxDiagnostics || known.has(name) || name === '' || name.includes(' ')) continue
      known.add(name)
      parts.push({ rank: ranks.name, start, end, line: 1, text: name, kind: `file ${name}`, count: 1, alike: 0 })
    }
  }
  let [line, at] = [1, 0]
  return parts
    .toSorted((one, other) => one.start - other.start)
    .map((part) => {
      line += countNewlines(text.slice(at, part.start))
      at = part.start
      return { ...part, line }
    })
}

/** A record in one line. */
function inLine(form: RecordList['form'], record: string, width: number, paths: readonly string[]): string {
  switch (form) {
    case 'rows':
    case 'blocks':
      return record
    case 'xml':
      return briefXml(record, width).replaceAll(/\s+/g, ' ')
    case 'yaml':
      return briefYaml(record, width, paths).replaceAll(/\s+/g, ' ')
    case 'json':
    case 'map':
    case 'broken':
    case 'lines':
      return writeEntry(record, width, paths).replaceAll('\n', '')
  }
}

function oddParts(odd: readonly OddLine[], width: number): readonly Candidate[] {
  return odd.flatMap(({ start, end, line, text }) => {
    const shown = terminalText(text)
    // Salient lines are found by their words.
    if (shown.trim().length < 2 || salienceOf(shown) !== null) return []
    return [{ rank: ranks.odd, start, end, line, text: shorten(shown, { at: 0, length: 0 }, width), count: 1, alike: 0 }]
  })
}

/** The name of each file, at its first line, every line with a code, and which lines are messages of a code above them. */
function diagnosticParts(
  text: string,
  width: number,
): { readonly parts: readonly Candidate[]; readonly messages: ReadonlyMap<number, string> } {
  const parts: Candidate[] = []
  const messages = new Map<number, string>()
  const known = new Set<string>()
  const isSearch = looksLikeSearch(text)
  let heading: Place | null = null
  let above: { readonly code: string; readonly line: number } | null = null
  const addName = (name: string, place: Place) => {
    if (known.has(name)) return
    known.add(name)
    parts.push({ ...place, rank: ranks.name, text: name, kind: `file ${name}`, count: 1, alike: 0 })
  }
  let line = 1
  for (let start = 0; start < text.length && parts.length < maxDiagnostics; line += 1) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const near = end - start > maxLineLength ? '' : terminalText(text.slice(start, end))
    const found = diagnosticOf(near)
    if (above !== null && line <= above.line + maxLinesBelow && found?.code == null) messages.set(start, messageKind(above.code))
    if (found === null) {
      const file = isSearch ? fileOfMatch(near) : fileOfDiff(near)
      if (file !== null) addName(file, { start, end, line })
      else if (isFileHeading(near)) heading = { start, end, line }
      else if (near.trim() === '') heading = null
      else if (heading !== null && isMatchBelow(near)) addName(text.slice(heading.start, heading.end).trim(), heading)
    } else {
      const place = found.file === null && found.code !== null ? heading : null
      const name = place === null ? found.file : text.slice(place.start, place.end).trim()
      if (name !== null) addName(name, place ?? { start, end, line })
      if (found.code !== null) above = hasMessageBelow(near) ? { code: found.code, line } : null
      // Failing tests without salient words are found by their form.
      if (found.code !== null || (found.test !== null && salienceOf(near) === null))
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
    start = end + 1
  }
  return { parts, messages }
}

interface Place {
  readonly start: number
  readonly end: number
  readonly line: number
}

/** Lines from a diagnostic to what it says. */
const maxLinesBelow = 3
