import { isNestedDeeper, isPlainObject, parseJson } from '../../text/json.ts'
import { brokenList, jsonIn, largeLists, maxAround, maxDepth, valueStart } from './json-lists.ts'
import { readBlocks } from './read-blocks.ts'
import { readXml } from './read-xml.ts'
import { readYaml } from './read-yaml.ts'

/** A list of like records inside a text. Everything outside `start` and `end` of the list is not part of any record. */
export interface RecordList {
  /** `map`: entries of an object, from their keys on. `broken`: a JSON list that does not parse. `blocks`: one field to a line, blank lines between records. */
  readonly form: 'json' | 'map' | 'broken' | 'lines' | 'rows' | 'blocks' | 'xml' | 'yaml'
  readonly records: readonly ListedRecord[]
  /** Where the list starts and ends: the brackets of a JSON list or object, else the first record and the last. */
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

/** The largest list of like records in JSON, lines of JSON, XML, YAML, CSV or a table in columns; null for other texts. */
export function readRecords(text: string): RecordList | null {
  if (text.length > maxLength) return null
  const found = jsonIn(text)
  const json = found === null || parseJson(text.slice(...found)) === undefined ? null : found
  // Commas of JSON are no columns.
  if (json !== null) return readJsonList(text, json) ?? readJsonLines(text)
  return (
    readJsonLines(text) ??
    readBrokenList(text) ??
    listOf('xml', readXml(text)) ??
    readPairs(text) ??
    readRows(text) ??
    listOf('yaml', readYaml(text)) ??
    listOf('blocks', readBlocks(text))
  )
}

/** The only field of a line among records that is none. */
export const otherLine = '(other line)'

function otherFields(line: string): ListedRecord['fields'] {
  return new Map([[otherLine, line]])
}

const maxLength = 1_000_000
const minRecords = 6
/** Of texts, numbers and lists without names. */
const minItems = 20

function readJsonList(text: string, whole: RecordList['whole']): RecordList | null {
  for (const { isMap, start, end, items } of largeLists(text, whole, minRecords).slice(0, maxTried)) {
    const records = items.map(([from, to]) => readItem(text, from, to, isMap))
    if (isMap ? isLikeRecords(records, end - start) : isList(text, items))
      return { form: isMap ? 'map' : 'json', records, start, end, whole }
  }
  return null
}

const maxTried = 4

/** The largest lists of like records in a valid JSON text that are not inside each other, each a thirtieth of it or more, in order. */
export function listsBeside(text: string, whole: RecordList['whole']): readonly (readonly [start: number, end: number])[] {
  const found: (readonly [start: number, end: number])[] = []
  for (const { isMap, start, end, items } of largeLists(text, whole, minRecords, 30).slice(0, maxBeside)) {
    if (found.some(([from, to]) => start > from && end < to)) continue
    const isRecords = isMap
      ? isLikeRecords(
          items.map(([from, to]) => readItem(text, from, to, isMap)),
          end - start,
        )
      : isList(text, items)
    if (isRecords) found.push([start, end])
  }
  return found.toSorted(([one], [other]) => one - other)
}

const maxBeside = 20

function readItem(text: string, start: number, end: number, isEntry: boolean): ListedRecord {
  return { start, end, fields: fieldsOf(parseJson(text.slice(isEntry ? valueStart(text, start) : start, end))) }
}

/** Nearly all of its items are objects, or there are many. */
function isList(text: string, items: readonly (readonly [start: number, end: number])[]): boolean {
  return items.length >= minItems || items.filter(([start]) => text[start] === '{').length * 10 >= items.length * 9
}

/** An object is a list of records if nearly all of its values have a field in common, or are many texts or numbers, and none is most of it. */
function isLikeRecords(records: readonly ListedRecord[], length: number): boolean {
  if (records.some(({ start, end }) => (end - start) * 2 > length)) return false
  const counts = new Map<string, number>()
  for (const { fields } of records) for (const path of fields.keys()) counts.set(path, (counts.get(path) ?? 0) + 1)
  // Many texts or numbers are alike, too.
  if (records.length < minItems) counts.delete('')
  return [...counts.values()].some((count) => count * 10 >= records.length * 9)
}

/** A list that is cut off, or from which something was cut out, as harnesses do with long output. */
function readBrokenList(text: string): RecordList | null {
  const parts = brokenList(text)
  if (parts === null || parts.length < minRecords) return null
  const records = parts.map(({ start, end, value }) => ({ start, end, fields: fieldsOf(value ?? text.slice(start, end)) }))
  const list = listOf('broken', records)
  const isMost =
    list !== null && (list.end - list.start) * 2 > text.length && text.length - list.end + list.start <= maxAround * 2
  return isMost && parts.filter(({ value }) => value === null).length * 10 <= parts.length ? list : null
}

/** Lines between records that are none have one field; half a last one is text around them. */
function readJsonLines(text: string): RecordList | null {
  if (text.trimStart()[0] !== '{') return null
  const records: ListedRecord[] = []
  const between: ListedRecord[] = []
  let others = 0
  for (const [start, end] of linesOf(text)) {
    const value =
      text[start] === '{' && !isNestedDeeper(text.slice(start, end), maxDepth) ? parseJson(text.slice(start, end)) : undefined
    if (isPlainObject(value)) {
      records.push(...between.splice(0), { start, end, fields: fieldsOf(value) })
    } else if (text.slice(start, end).trim() !== '') {
      others += 1
      if (records.length > 0) between.push({ start, end, fields: otherFields(text.slice(start, end)) })
    }
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

/**
 * CSV and its relatives, or columns that at least two blanks separate, or one if the heading is in capitals: a heading, perhaps below a title or a rule, and rows with as many
 * cells. Many rows with delimiters need no heading.
 */
function readRows(text: string): RecordList | null {
  const lines = [...linesOf(text)].filter(([start, end]) => end > start)
  for (let index = 0; index <= maxAbove && lines.length - index > minRecords; index += 1) {
    const [heading, ...rows] = lines.slice(index)
    const found = heading === undefined ? null : rowsBelow(text, heading, rows)
    if (found !== null) return found
  }
  return null
}

/** Lines above a heading. */
const maxAbove = 4

function rowsBelow(
  text: string,
  heading: readonly [number, number],
  rows: readonly (readonly [number, number])[],
): RecordList | null {
  const line = text.slice(...heading)
  const delimited = delimiters.map(cellsBy).find((cells) => cells(line).length >= 3)
  for (const split of delimited === undefined ? [columns, wordsUpTo(line)] : [delimited]) {
    const names = split(line)
    if (names.length < 3 || isRule(names)) continue
    if (names.slice(1, -1).some((name) => name === '') || names.some((name) => name.length > 60)) continue
    const places = names.map((name, index) => (name === '' ? `column ${index + 1}` : name))
    const isHeading = !names.some((name) => /^[\d.:-]+$/.test(name))
    if (!isHeading && (delimited === undefined || rows.length + 1 < minItems)) continue
    const found = isHeading
      ? rowsOf(text, rows, places, split)
      : rowsOf(text, [heading, ...rows], names.map((_, index) => `column ${index + 1}`), split) // biome-ignore format: one line
    if (found !== null) return found
  }
  return null
}

const delimiters = [',', '\t', ';', '|', '│']

/** `--- | --- | ---` */
function isRule(names: readonly string[]): boolean {
  return names.every((name) => /^[-=+:]*$/.test(name))
}

/** Of a heading in capitals, as `USER PID %CPU COMMAND`, each word is a column, and the last has the rest of the line. */
function wordsUpTo(heading: string): (line: string) => readonly string[] {
  const words = heading.trim().split(/\s+/)
  if (words.length < 4 || words.length > 30 || !words.every((word) => /^[%A-Z][A-Z%/_-]*$/.test(word))) return (line) => [line]
  const cell = new RegExp(`^\\s*${'(\\S+)\\s+'.repeat(words.length - 1)}(.*)$`)
  return (line) => (line === heading ? words : (cell.exec(line)?.slice(1) ?? [line]))
}

function rowsOf(
  text: string,
  rows: readonly (readonly [number, number])[],
  names: readonly string[],
  split: (line: string) => readonly string[],
): RecordList | null {
  const read = rows.map(([start, end]) => ({ start, end, cells: split(text.slice(start, end)) }))
  const isEven = ({ cells }: { readonly cells: readonly string[] }) => cells.length === names.length
  if (read.filter(isEven).length * 10 < rows.length * 9) return null
  const records = read.map(({ start, end, cells }) => ({
    start,
    end,
    fields:
      cells.length < names.length / 2
        ? otherFields(text.slice(start, end))
        : new Map(cells.flatMap((cell, index) => valuesOf(names[index] ?? `column ${index + 1}`, cell))),
  }))
  return listOf('rows', records)
}

/** Lines of a log in which every part has a name: `level=info msg="order paid" ms=12`. */
function readPairs(text: string): RecordList | null {
  if (!/^\s{0,9}[A-Za-z_][\w.-]{0,40}=/.test(text)) return null
  const records = [...linesOf(text)]
    .filter(([start, end]) => text.slice(start, end).trim() !== '')
    .map(([start, end]) => ({ start, end, fields: pairsIn(text.slice(start, end)) ?? otherFields(text.slice(start, end)) }))
  const others = records.filter(({ fields }) => fields.has(otherLine)).length
  return records.length < minItems || others * 10 > records.length ? null : listOf('rows', records)
}

function pairsIn(line: string): ListedRecord['fields'] | null {
  if (!/^[A-Za-z_][\w.-]{0,40}=/.test(line)) return null
  const pairs = [
    ...line.slice(0, maxPairsLength).matchAll(/(?<!\S)([A-Za-z_][\w.-]{0,40})=("(?:[^"\\]|\\.){0,1000}"|\S{0,1000})/g),
  ]
  return pairs.length < 3 ? null : new Map(pairs.map(([, name = '', value = '']) => [name, valueOf(value)]))
}

const maxPairsLength = 10_000

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

/** A number with its unit is a number, and the unit, which may be another one than usual. */
function valuesOf(name: string, cell: string): readonly (readonly [string, unknown])[] {
  const [, number, unit] = measured.exec(cell) ?? []
  return number === undefined
    ? [[name, valueOf(cell)]]
    : [
        [name, Number(number)],
        [`${name} unit`, unit],
      ]
}

const measured =
  /^(-?\d{1,15}(?:\.\d{1,15})?) ?([nuµm]?s|sec|min|[mhd]|%|[kKMGT]?i?B|[KMGT]i?|(?:ns|[kMG]?B|allocs|ops?)\/(?:op|s|sec)|ops)$/

function* linesOf(text: string): Generator<readonly [number, number], void> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield [start, text[end - 1] === '\r' && end > start ? end - 1 : end]
    start = end + 1
  }
}

const maxFieldDepth = 5
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
  visit(Array.isArray(value) ? { ...(value as readonly unknown[]) } : value, '', 0)
  return fields
}

/** Different values of a field that several items of a list have, one to a line. */
function withValue(known: string, more: string): string {
  return known.length > maxValuesLength || known.split('\n').includes(more) ? known : `${known}\n${more}`
}

const maxValuesLength = 500
