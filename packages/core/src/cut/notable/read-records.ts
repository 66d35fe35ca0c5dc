import { endOfString, isNestedDeeper, isPlainObject, parseJson } from '../../text/json.ts'

/** A list of like records inside a text. Everything outside `start` and `end` of the list is not part of any record. */
export interface RecordList {
  readonly form: 'json' | 'lines' | 'rows'
  readonly records: readonly ListedRecord[]
  /** Where the list starts and ends: the brackets of a JSON list, else the first record and the last. */
  readonly start: number
  readonly end: number
  /** Where the JSON starts and ends that has the list in it; there may be other text around it. */
  readonly whole: readonly [start: number, end: number]
}

export interface ListedRecord {
  readonly start: number
  readonly end: number
  /** By path, such as `tags.region`. Of a list inside a record its length, and at `items[].name` the different values of all items, one to a line. */
  readonly fields: ReadonlyMap<string, unknown>
}

/** The largest list of like records in JSON, lines of JSON, CSV or a table in columns; null for other texts and for broken ones. */
export function readRecords(text: string): RecordList | null {
  if (text.length > maxLength) return null
  return readJsonList(text) ?? readJsonLines(text) ?? readRows(text)
}

const maxLength = 1_000_000
const minRecords = 6
const maxDepth = 100

function readJsonList(text: string): RecordList | null {
  const whole = jsonIn(text)
  if (whole === null) return null
  if (parseJson(text.slice(...whole)) === undefined) return null
  let largest: Omit<OpenList, 'itemStart'> | null = null
  for (const list of listsIn(text, whole)) {
    if (list.items.length < minRecords || !list.areObjects) continue
    if (largest === null || list.end - list.start > largest.end - largest.start) largest = list
  }
  if (largest === null || (largest.end - largest.start) * 2 < text.length) return null
  const records = largest.items.map(([start, end]) => ({ start, end, fields: fieldsOf(parseJson(text.slice(start, end))) }))
  return { form: 'json', records, start: largest.start, end: largest.end, whole }
}

/** The JSON that starts at a line, with little around it: headers, an exit code. */
function jsonIn(text: string): readonly [number, number] | null {
  const start = /^[[{]/m.exec(text.slice(0, maxAround))?.index
  if (start === undefined) return null
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > maxDepth) return null
    if (depth === 0) return text.length - at > maxAround ? null : [start, at + 1]
  }
  return null
}

const maxAround = 2000

interface OpenList {
  readonly start: number
  end: number
  itemStart: number
  areObjects: boolean
  readonly items: (readonly [start: number, end: number])[]
}

/** The lists of a valid JSON text, with the place of every item. */
function* listsIn(text: string, [from, to]: readonly [number, number]): Generator<OpenList, void> {
  const open: (OpenList | null)[] = []
  const finishItem = (list: OpenList, end: number) => {
    const [start, last] = trimmed(text, list.itemStart, end)
    if (last <= start) return
    list.areObjects &&= text[start] === '{'
    list.items.push([start, last])
  }
  for (let index = from; index < to; index += 1) {
    const list = open.at(-1)
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index)
        break
      case 0x5b: // [
        open.push({ start: index, end: index, itemStart: index + 1, areObjects: true, items: [] })
        break
      case 0x7b: // {
        open.push(null)
        break
      case 0x7d: // }
        open.pop()
        break
      case 0x2c: // ,
        if (list == null) break
        finishItem(list, index)
        list.itemStart = index + 1
        break
      case 0x5d: // ]
        open.pop()
        if (list == null) break
        finishItem(list, index)
        list.end = index + 1
        yield list
    }
  }
}

function trimmed(text: string, from: number, to: number): readonly [number, number] {
  let [start, end] = [from, to]
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1
  return [start, end]
}

/** Lines that are no records, such as half a last one, are text around them. */
function readJsonLines(text: string): RecordList | null {
  if (text.trimStart()[0] !== '{') return null
  const records: ListedRecord[] = []
  let others = 0
  for (const [start, end] of linesOf(text)) {
    const value =
      text[start] === '{' && !isNestedDeeper(text.slice(start, end), maxDepth) ? parseJson(text.slice(start, end)) : undefined
    if (isPlainObject(value)) records.push({ start, end, fields: fieldsOf(value) })
    else if (text.slice(start, end).trim() !== '') others += 1
    if (others > 4 && others > records.length) return null
  }
  return others * 10 > records.length ? null : listOf('lines', records)
}

function listOf(form: RecordList['form'], records: readonly ListedRecord[]): RecordList | null {
  const [first, last] = [records[0], records.at(-1)]
  return first === undefined || last === undefined || records.length < minRecords
    ? null
    : { form, records, start: first.start, end: last.end, whole: [first.start, last.end] }
}

/** CSV and its relatives, or columns that at least two blanks separate: a heading and rows with as many cells. */
function readRows(text: string): RecordList | null {
  const [heading, ...rows] = [...linesOf(text)].filter(([start, end]) => end > start)
  if (heading === undefined || rows.length < minRecords) return null
  const line = text.slice(...heading)
  const split = [',', '\t', ';', '|'].map(cellsBy).find((cells) => cells(line).length >= 3) ?? columns
  const names = split(line)
  if (names.length < 3 || names.some((name) => name === '' || name.length > 60 || /^[\d.:-]+$/.test(name))) return null
  const read = rows.map(([start, end]) => ({ start, end, cells: split(text.slice(start, end)) }))
  const isEven = ({ cells }: { readonly cells: readonly string[] }) => cells.length === names.length
  if (read.filter(isEven).length * 10 < rows.length * 9) return null
  const records = read.map(({ start, end, cells }) => ({
    start,
    end,
    fields: new Map(cells.map((cell, index) => [names[index] ?? `column ${index + 1}`, valueOf(cell)])),
  }))
  return listOf('rows', records)
}

function cellsBy(delimiter: string): (line: string) => readonly string[] {
  return (line) => {
    if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim())
    const cells: string[] = []
    let start = 0
    let isQuoted = false
    for (let at = 0; at <= line.length; at += 1) {
      if (line[at] === '"') isQuoted = !isQuoted
      if (at < line.length && (isQuoted || line[at] !== delimiter)) continue
      cells.push(line.slice(start, at).trim())
      start = at + 1
    }
    return cells
  }
}

function columns(line: string): readonly string[] {
  return line.trim().split(/ {2,}|\t+/)
}

function valueOf(cell: string): unknown {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(cell) ? Number(cell) : cell
}

function* linesOf(text: string): Generator<readonly [number, number], void> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield [start, text[end - 1] === '\r' && end > start ? end - 1 : end]
    start = end + 1
  }
}

const maxFieldDepth = 3
const maxFields = 60
const maxItems = 100

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  const visit = (part: unknown, path: string, depth: number): void => {
    if (fields.size >= maxFields) return
    if (Array.isArray(part)) visitItems(part, path, depth)
    else if (!isPlainObject(part)) set(path, part)
    else if (depth < maxFieldDepth)
      for (const [key, child] of Object.entries(part)) visit(child, path === '' ? key : `${path}.${key}`, depth + 1)
  }
  const visitItems = (items: readonly unknown[], path: string, depth: number): void => {
    fields.set(`${path}.length`, items.length)
    // Numbers of a list are measurements; what it says of its items are their texts and flags.
    for (const item of items.slice(0, maxItems)) if (typeof item !== 'number') visit(item, `${path}[]`, depth)
  }
  const set = (path: string, part: unknown): void => {
    const known = fields.get(path)
    if (!path.includes('[]') || !fields.has(path)) fields.set(path, part)
    else if (typeof part !== 'number') fields.set(path, withValue(String(known), String(part)))
  }
  visit(value, '', 0)
  return fields
}

/** Different values of a field that several items of a list have, one to a line. */
function withValue(known: string, more: string): string {
  return known.length > maxValuesLength || known.split('\n').includes(more) ? known : `${known}\n${more}`
}

const maxValuesLength = 500
