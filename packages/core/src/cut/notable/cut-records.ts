import { jsonText } from '../../text/json.ts'
import { detached, grouped, shorten } from '../../text/lines.ts'
import { briefBeside, briefJson, nothingKept } from './brief-json.ts'
import { compactJson } from './compact-json.ts'
import { valueStart } from './json-lists.ts'
import { areFindings, type Column, columnsOf, type NotableRecord, notableRecords } from './notable-records.ts'
import { type ListedRecord, otherLine, type RecordList, readRecords } from './read-records.ts'
import { briefXml } from './read-xml.ts'
import { briefYaml } from './read-yaml.ts'

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
  const notable = notableRecords(records, columns).slice(0, maxTried)
  const bare = form.frame(null)
  const roomIn = ({ before, after }: { readonly before: string; readonly after: string }) =>
    characters - before.length - after.length
  // If most records say that something failed, the first of each way are examples of all.
  const failures = notable.filter(({ isFailure }) => isFailure).length <= Math.max(maxFailures, records.length / 4)
  const missing = (shown: ReadonlyMap<number, string>) =>
    notable.filter(({ index, isFirst, isFailure }) => (isFirst || (isFailure && failures)) && !shown.has(index))
  const most = missing(new Map()).length
  const choose = (room: number, isFirst = false): Chosen => {
    // Of a list inside a record each that differs gets its share. In a list shorter forms are tried until all of them fit.
    const share = Math.floor(room / (most + 1))
    const parts = [...(characters < smallRoom ? [2] : []), 4, 8, 16, maxParts].map((part) => Math.floor(characters / part))
    const sizes =
      handle === null ? [Math.max(share, characters / maxParts)] : [...parts, share].toSorted((one, other) => other - one)
    let best: Chosen = { shown: new Map(), left: room }
    for (const max of sizes) {
      const chosen = chooseRecords(list, notable, form, { characters, room, max, isFirst })
      if (best.shown.size === 0 || missing(chosen.shown).length < missing(best.shown).length) best = chosen
      if (missing(best.shown).length === 0 || max < characters / maxParts) break
    }
    return best
  }
  const frameFor = (): { readonly before: string; readonly after: string } => {
    const room = roomIn(bare)
    if (characters >= smallRoom || areFindings(columns)) return form.frame(summaryOf(columns, room))
    // The records that differ say more than what all have in common.
    const { left } = choose(roomIn(form.frame({ fields: {} })), true)
    return form.frame(summaryOf(columns, Math.min(room, left / forFields)))
  }
  // The gaps say how many records a list inside another has.
  const frame = handle === null && characters < smallRoom ? bare : frameFor()
  const { shown } = choose(roomIn(frame))
  if (shown.size === 0) return null
  const cut = frame.before + withGaps(records.length, shown, form).join(form.between) + frame.after
  return cut.length <= characters ? detached(cut) : null
}

const maxParts = 24
const maxFailures = 12

interface Room {
  readonly characters: number
  /** What the frame leaves. */
  readonly room: number
  /** Characters of one record. */
  readonly max: number
  /** Only the first record of each way to differ, or else the first of all. */
  readonly isFirst: boolean
}

interface Chosen {
  readonly shown: ReadonlyMap<number, string>
  /** Characters. */
  readonly left: number
}

function chooseRecords(
  { records }: RecordList,
  notable: readonly NotableRecord[],
  form: Form,
  { characters, room, max, isFirst }: Room,
): Chosen {
  const gapLength = form.gap(records.length, records.length).length + 2
  let left = room - gapLength * 2
  const shown = new Map<number, string>()
  const differs = new Map(notable.map(({ index, paths }) => [index, paths]))
  const show = (index: number, spare: number): void => {
    const record = records[index]
    if (record === undefined || shown.has(index) || left < spare) return
    const written = form.write(record, max, differs.get(index) ?? [])
    const size = written.length + 2 + gapLength
    if (size > left - spare || written.startsWith(nothingKept)) return
    left -= shown.has(index - 1) || shown.has(index + 1) ? size - gapLength : size
    shown.set(index, written)
  }
  // The first record of each way to differ says more than the ends.
  const ends = [0, records.length - 1]
  const firsts = notable.filter((one) => one.isFirst)
  for (const { index } of firsts) show(index, 0)
  if (isFirst && shown.size === 0) show(0, 0)
  if (isFirst) return { shown, left }
  for (const index of [...ends, ...notable.map((one) => one.index)]) show(index, 0)
  if (shown.size === 0) return { shown, left }
  const spare = Math.floor(characters * forNotable)
  for (let index = 1; index * 2 < records.length; index += 1) {
    if (left <= spare) break
    show(index, spare)
    show(records.length - 1 - index, spare)
  }
  return { shown, left }
}

const smallRoom = 1000

/** Notable records that are written to see whether they fit. */
const maxTried = 500

/** Share of the room that ordinary records leave free. */
const forNotable = 0.3

/** What is before or behind a list. */
function edgesOf(fragment: string): string {
  const half = maxAround >> 1
  return fragment.length <= maxAround + 40
    ? fragment
    : `${fragment.slice(0, half)}\n... ${grouped(fragment.length - maxAround)} characters omitted ...\n${fragment.slice(-half)}`.toWellFormed()
}

/** What is in the same JSON as a list. */
function around(fragment: string): string {
  return briefBeside(fragment, maxAround, { cutList: cutInside })
}

const maxAround = 400
const cutInside = (list: string, max: number) => cutRecords(list, max, null)

/** A record without blanks. Over `max`, a list inside it is cut as a list, long texts are shortened, and then fields omitted. */
function writeRecord(json: string, max: number, differs: readonly string[]): string {
  const compact = compactJson(json, max)
  if (compact.length <= max) return compact
  const cut = cutRecords(compact, max, null)
  const written = cut === null ? null : compactJson(cut, max)
  return written !== null && written.length <= max ? written : briefJson(json, max, { cutList: cutInside, differs })
}

/** A record with or without a key before it, or the text between records of a broken list. */
export function writeEntry(text: string, max: number, differs: readonly string[]): string {
  if (text.startsWith('"')) {
    const at = valueStart(text, 0)
    return compactJson(text.slice(0, at), max) + writeRecord(text.slice(at), max, differs)
  }
  return text.startsWith('{') ? writeRecord(text, max, differs) : shorten(text, { at: 0, length: 0 }, Math.min(max, maxBetween))
}

const maxBetween = 200

interface Form {
  /** `differs`: the fields that make it differ. */
  readonly write: (record: ListedRecord, max: number, differs: readonly string[]) => string
  /** `from`: the index of the first that is omitted. */
  readonly gap: (omitted: number, from: number) => string
  readonly between: string
  readonly frame: (summary: Summary | null) => { readonly before: string; readonly after: string }
}

const forms: Readonly<Record<RecordList['form'], (text: string, list: RecordList, handle: string | null) => Form>> = {
  json: (text, { records, start, end, whole: [first, last] }, handle) => ({
    write: (record, max, differs) => writeRecord(text.slice(record.start, record.end), max, differs),
    gap: (omitted) => `"... ${grouped(omitted)} records omitted ..."`,
    between: ',\n',
    frame: (summary) => ({
      before: `${text.slice(0, first)}${around(text.slice(first, start))}[\n`,
      after: `${summaryLine(records, summary, handle, ',\n')}\n]${around(text.slice(end, last))}${text.slice(last)}`,
    }),
  }),
  map: (text, { records, start, end, whole: [first, last] }, handle) => ({
    write: (record, max, differs) => writeEntry(text.slice(record.start, record.end), max, differs),
    // Keys of an object are different.
    gap: (omitted, from) => `"... ${from + 1} to ${from + omitted} ...":"${grouped(omitted)} records omitted"`,
    between: ',\n',
    frame: (summary) => ({
      before: `${text.slice(0, first)}${around(text.slice(first, start))}{\n`,
      after: `${summaryLine(records, summary, handle, ',\n"...":')}\n}${around(text.slice(end, last))}${text.slice(last)}`,
    }),
  }),
  broken: (text, list, handle) => ({
    ...forms.lines(text, list, handle),
    write: (record, max, differs) => writeEntry(text.slice(record.start, record.end), max, differs),
  }),
  lines: (text, { records, start, end }, handle) => ({
    write: ({ start: from, end: to, fields }, max, differs) =>
      fields.has(otherLine)
        ? shorten(text.slice(from, to), { at: 0, length: 0 }, maxBetween)
        : writeRecord(text.slice(from, to), max, differs),
    gap: (omitted) => `{"omitted":${omitted}}`,
    between: '\n',
    frame: (summary) => ({
      before: text.slice(0, start),
      after: `${summaryLine(records, summary, handle, '\n')}\n${text.slice(end).trim()}`,
    }),
  }),
  blocks: (text, list, handle) => {
    const rows = forms.rows(text, list, handle)
    return {
      ...rows,
      gap: (omitted) => `... ${grouped(omitted)} records omitted ...`,
      between: '\n\n',
      frame: (summary) => ({ ...rows.frame(summary), after: `\n${rows.frame(summary).after}` }),
    }
  },
  xml: (text, { records, start, end }, handle) => ({
    write: (record, max) => briefXml(text.slice(record.start, record.end), max),
    gap: (omitted) => `<!-- ${grouped(omitted)} records omitted -->`,
    between: '\n',
    frame: (summary) => ({
      before: edgesOf(text.slice(0, start)),
      after: `\n<!-- ${summaryLine(records, summary, handle, '').replaceAll('--', '- -')} -->${edgesOf(text.slice(end))}`,
    }),
  }),
  yaml: (text, { records, start, end }, handle) => ({
    write: (record, max, differs) => briefYaml(text.slice(record.start, record.end), max, differs),
    gap: (omitted) => `# ${grouped(omitted)} records omitted`,
    between: '\n',
    frame: (summary) => ({
      before: edgesOf(text.slice(0, start)),
      after: `\n# ${summaryLine(records, summary, handle, '')}${edgesOf(text.slice(end))}`,
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
        after: `\n${row(`[${grouped(records.length)} rows; ${jsonText(summary?.fields ?? {})}${handle === null ? '' : `; recall ${handle}`}]`)}\n${text.slice(end).trim()}`,
      }),
    }
  },
}

function summaryLine({ length }: RecordList['records'], summary: Summary | null, handle: string | null, before: string): string {
  return summary === null
    ? ''
    : before + jsonText({ records: length, ...summary, ...(handle === null ? {} : { recall: handle }) })
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

/** Of each field the range of its numbers, the counts of its values, or how many there are; of files, codes and the like every name, as far as there is room. */
function summaryOf(columns: ReadonlyMap<string, Column>, characters: number): Summary {
  const fields = new Map<string, string>()
  let left = Math.floor(characters * forFields)
  for (const [path, column] of columns) {
    // How long each list is says something only if they differ.
    if (path.endsWith('.length') && column.numbers[0] === column.numbers.at(-1)) continue
    const text = describe(column)
    left -= path.length + text.length + 6
    if (left < 0) break
    fields.set(path, text)
  }
  const named = [...columns]
    .filter(([, { names }]) => names.length > maxCounted)
    .toSorted(([, one], [, other]) => lengthOf(one.names) - lengthOf(other.names))
  const codes = named.find(([, { areCodes }]) => areCodes)
  named.sort(([, one], [, other]) => Number(other.areFiles) - Number(one.areFiles))
  if (codes !== undefined) named.unshift(codes)
  // One of several lists shows its records first.
  left = Math.floor(characters * (areFindings(columns) ? forNames : characters < largeRoom ? 0 : forFiles))
  for (const [path, { names, areFiles, areCodes }] of new Set(named)) {
    // What else has a name, such as a test, is told by its record if it failed.
    const listed = listNames(names, areFiles || areCodes ? left : Math.min(left, Math.floor(characters * forOtherNames)))
    if (listed === null) continue
    left -= listed.length
    fields.set(path, listed)
  }
  return { fields: Object.fromEntries(fields) }
}

const forFields = 0.25
const forNames = 0.65
const forFiles = 0.3
const largeRoom = 2000
const forOtherNames = 0.1
const maxCounted = 6

function lengthOf(names: readonly string[]): number {
  return names.reduce((sum, { length }) => sum + length + 2, 0)
}

function listNames(names: readonly string[], max: number): string | null {
  let length = 30
  let count = 0
  while (count < names.length && length + (names[count] as string).length + 2 <= max) {
    length += (names[count] as string).length + 2
    count += 1
  }
  if (count === names.length) return `${count}: ${names.join(', ')}`
  return count < maxCounted
    ? null
    : `${grouped(names.length)}: ${names.slice(0, count).join(', ')} and ${grouped(names.length - count)} more`
}

function describe({ first, numbers, values, present }: Column): string {
  if (numbers.length * 2 > present) return `${numbers[0]} to ${numbers.at(-1)}, median ${numbers[numbers.length >> 1]}`
  if (values === null) return `${grouped(present)} texts`
  if (values.size === 1 && typeof first === 'string' && /\d/.test(first)) return `like ${first.slice(0, 40)}`
  const counted = [...values].toSorted(([, one], [, other]) => other - one)
  const named = counted.slice(0, maxCounted).map(([value, count]) => `${value.slice(0, 30)} x${count}`)
  return `${named.join(', ')}${counted.length > maxCounted ? `, ${counted.length - maxCounted} others` : ''}`
}
