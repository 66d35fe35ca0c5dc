import { jsonText } from '../../text/json.ts'
import { detached, grouped, shorten } from '../../text/lines.ts'
import { compactJson } from './compact-json.ts'
import { valueStart } from './json-lists.ts'
import { type Column, columnsOf, notableRecords } from './notable-records.ts'
import { type ListedRecord, otherLine, type RecordList, readRecords } from './read-records.ts'

/**
 * Cuts a list of like records to `characters`: the first and the last, all that differ from the rest while there is room, and of the rest what its fields
 * hold. What was JSON or CSV stays so. Every gap is counted. A list inside a record of another one has no handle. Null for other texts, and if not even that fits.
 */
export function cutRecords(text: string, characters: number, handle: string | null): string | null {
  const list = readRecords(text)
  if (list === null) return null
  const { records } = list
  const form = forms[list.form](text, list, handle)
  const columns = columnsOf(records)
  const frame = form.frame(summaryOf(columns, Math.floor(characters / 5)))
  const gapLength = form.gap(records.length, records.length).length + 2
  let left = characters - frame.before.length - frame.after.length - gapLength * 2
  const shown = new Map<number, string>()
  const show = (index: number, spare: number): void => {
    const record = records[index]
    if (record === undefined || shown.has(index) || left < spare) return
    const written = form.write(record, Math.floor(characters / 4))
    const size = written.length + 2 + gapLength
    if (size > left - spare) return
    left -= shown.has(index - 1) || shown.has(index + 1) ? size - gapLength : size
    shown.set(index, written)
  }
  const notable = notableRecords(records, columns).slice(0, maxTried)
  const ends = [0, records.length - 1]
  const different = notable.map(({ index }) => index)
  // In a small room the first record of each way to differ says more than the ends.
  for (const index of characters < smallRoom ? [...different, ...ends] : [...different.slice(0, 1), ...ends, ...different])
    show(index, 0)
  if (shown.size === 0) return null
  const spare = Math.floor(characters * forNotable)
  for (let index = 1; index * 2 < records.length; index += 1) {
    if (left <= spare) break
    show(index, spare)
    show(records.length - 1 - index, spare)
  }
  if (shown.size === records.length) return null
  const cut = frame.before + withGaps(records.length, shown, form).join(form.between) + frame.after
  return cut.length <= characters ? detached(cut) : null
}

const smallRoom = 1000

/** Notable records that are written to see whether they fit. */
const maxTried = 500

/** Share of the room that ordinary records leave free. */
const forNotable = 0.3

/** A record without blanks. Over `max`, a list inside it is cut as a list, and long texts are shortened. */
function writeRecord(json: string, max: number): string {
  const compact = compactJson(json, max)
  const cut = compact.length > max ? cutRecords(compact, max, null) : null
  return cut === null ? compact : compactJson(cut, max)
}

/** A record with or without a key before it, or the text between records of a broken list. */
export function writeEntry(text: string, max: number): string {
  if (text.startsWith('"')) {
    const at = valueStart(text, 0)
    return compactJson(text.slice(0, at), max) + writeRecord(text.slice(at), max)
  }
  return text.startsWith('{') ? writeRecord(text, max) : shorten(text, { at: 0, length: 0 }, Math.min(max, maxBetween))
}

const maxBetween = 200

interface Form {
  readonly write: (record: ListedRecord, max: number) => string
  /** `from`: the index of the first that is omitted. */
  readonly gap: (omitted: number, from: number) => string
  readonly between: string
  readonly frame: (summary: Summary) => { readonly before: string; readonly after: string }
}

const forms: Readonly<Record<RecordList['form'], (text: string, list: RecordList, handle: string | null) => Form>> = {
  json: (text, { records, start, end, whole: [first, last] }, handle) => ({
    write: (record, max) => writeRecord(text.slice(record.start, record.end), max),
    gap: (omitted) => `"... ${grouped(omitted)} records omitted ..."`,
    between: ',\n',
    frame: (summary) => ({
      before: `${text.slice(0, first)}${compactJson(text.slice(first, start), 400)}[\n`,
      after: `,\n${summaryLine(records, summary, handle)}\n]${compactJson(text.slice(end, last), 400)}${text.slice(last)}`,
    }),
  }),
  map: (text, { records, start, end, whole: [first, last] }, handle) => ({
    write: (record, max) => writeEntry(text.slice(record.start, record.end), max),
    // Keys of an object are different.
    gap: (omitted, from) => `"... ${from + 1} to ${from + omitted} ...":"${grouped(omitted)} records omitted"`,
    between: ',\n',
    frame: (summary) => ({
      before: `${text.slice(0, first)}${compactJson(text.slice(first, start), 400)}{\n`,
      after: `,\n"...":${summaryLine(records, summary, handle)}\n}${compactJson(text.slice(end, last), 400)}${text.slice(last)}`,
    }),
  }),
  broken: (text, list, handle) => ({
    ...forms.lines(text, list, handle),
    write: (record, max) => writeEntry(text.slice(record.start, record.end), max),
  }),
  lines: (text, { records, start, end }, handle) => ({
    write: ({ start: from, end: to, fields }, max) =>
      fields.has(otherLine)
        ? shorten(text.slice(from, to), { at: 0, length: 0 }, maxBetween)
        : writeRecord(text.slice(from, to), max),
    gap: (omitted) => `{"omitted":${omitted}}`,
    between: '\n',
    frame: (summary) => ({
      before: text.slice(0, start),
      after: `\n${summaryLine(records, summary, handle)}\n${text.slice(end).trim()}`,
    }),
  }),
  rows: (text, { records, start, end }, handle) => {
    const [first] = records
    const delimiter = [',', '\t', ';', '|'].find((mark) => text.slice(0, start).split(mark).length >= 3)
    const row = (cell: string) =>
      delimiter === undefined ? cell : `"${cell.replaceAll('"', "'")}"${delimiter.repeat((first?.fields.size ?? 1) - 1)}`
    return {
      write: (record) => text.slice(record.start, record.end),
      gap: (omitted) => row(`... ${grouped(omitted)} rows omitted ...`),
      between: '\n',
      frame: (summary) => ({
        before: text.slice(0, start),
        after: `\n${row(`[${grouped(records.length)} rows; ${jsonText(summary.fields)}${handle === null ? '' : `; recall ${handle}`}]`)}\n${text.slice(end).trim()}`,
      }),
    }
  },
}

function summaryLine({ length }: RecordList['records'], summary: Summary, handle: string | null): string {
  return jsonText({ records: length, ...summary, ...(handle === null ? {} : { recall: handle }) })
}

function withGaps(total: number, shown: ReadonlyMap<number, string>, { gap }: Form): readonly string[] {
  const items: string[] = []
  let next = 0
  for (const [index, text] of [...shown].toSorted(([one], [other]) => one - other)) {
    if (index > next) items.push(gap(index - next, next))
    items.push(text)
    next = index + 1
  }
  return next < total ? [...items, gap(total - next, next)] : items
}

type Summary = { readonly fields: Readonly<Record<string, string>> }

/** Of each field the range of its numbers, the counts of its values, or how many there are. */
function summaryOf(columns: ReadonlyMap<string, Column>, max: number): Summary {
  const fields: Record<string, string> = {}
  let left = max
  for (const [path, column] of columns) {
    const text = describe(column)
    left -= path.length + text.length + 6
    if (left < 0) break
    fields[path] = text
  }
  return { fields }
}

function describe({ first, numbers, values, present }: Column): string {
  if (numbers.length * 2 > present) return `${numbers[0]} to ${numbers.at(-1)}, median ${numbers[numbers.length >> 1]}`
  if (values === null) return `${grouped(present)} texts`
  if (values.size === 1 && typeof first === 'string' && /\d/.test(first)) return `like ${first.slice(0, 40)}`
  const counted = [...values].toSorted(([, one], [, other]) => other - one)
  const named = counted.slice(0, 6).map(([value, count]) => `${value.slice(0, 30)} x${count}`)
  return `${named.join(', ')}${counted.length > 6 ? `, ${counted.length - 6} others` : ''}`
}
