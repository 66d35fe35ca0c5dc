import { ranks, salienceOf } from '../salient.ts'
import { farFrom } from './far-numbers.ts'
import { type ListedRecord, otherLine } from './read-records.ts'

export interface NotableRecord {
  readonly index: number
  readonly isFailure: boolean
  /** How far it differs from the others: the sum over its fields. */
  readonly weight: number
  /** What makes it differ. Records that differ in the same way are alike. */
  readonly way: string
  /** The fields that make it differ. */
  readonly paths: readonly string[]
  /** Whether it is the first that differs in this way. */
  readonly isFirst: boolean
}

/** Records that are failures, have rare fields or values, or numbers far from the others; the most different first, then the first of each way. */
export function notableRecords(records: readonly ListedRecord[], columns = columnsOf(records)): readonly NotableRecord[] {
  const seen = new Set<string>()
  const found = records.flatMap(({ fields }, index) => {
    const ways: string[] = []
    const paths: string[] = []
    let weight = 0
    let isFailure = false
    for (const [path, value] of fields) {
      if (isFailureValue(path, value)) {
        isFailure = true
        weight += 4
        ways.push(`${path}!${maskOf(value)}`)
        paths.push(path)
      }
      const rarity = columns.get(path)?.rarity(value) ?? 0
      if (rarity === 0) continue
      weight += rarity
      paths.push(path)
      ways.push(`${path}:${typeof value === 'number' ? 'number' : maskOf(value)}`)
    }
    for (const [path, column] of columns) {
      if (column.isMissedIn(fields)) {
        weight += 2
        ways.push(`${path}?`)
      }
    }
    return weight === 0 ? [] : [{ index, isFailure, weight, way: ways.join('\n'), paths }]
  })
  const counted = found.map((record) => {
    const isFirst = !seen.has(record.way)
    seen.add(record.way)
    return { ...record, isFirst }
  })
  return counted.toSorted(
    (one, other) => Number(other.isFirst) - Number(one.isFirst) || other.weight - one.weight || one.index - other.index,
  )
}

export interface Column {
  /** The value of the first record that has one. */
  readonly first: unknown
  readonly present: number
  readonly numbers: readonly number[]
  /** By value with digits masked, the most frequent first; null if there are too many to count. */
  readonly values: ReadonlyMap<string, number> | null
  /** The names in it, each once: of files, codes and whatever else is said of several records. Empty if its texts are none. */
  readonly names: readonly string[]
  readonly areFiles: boolean
  /** Whether the names are codes of a compiler, a linter or the like. */
  readonly areCodes: boolean
  readonly rarity: (value: unknown) => number
  readonly isMissedIn: (fields: ReadonlyMap<string, unknown>) => boolean
}

/** What is usual in every field of the records. */
export function columnsOf(records: readonly ListedRecord[]): ReadonlyMap<string, Column> {
  const collected = new Map<string, Collected>()
  for (const { fields } of records) {
    for (const [path, value] of fields) {
      const column = collected.get(path) ?? {
        first: value,
        present: 0,
        numbers: [],
        lengths: [],
        values: new Map<string, number>(),
        names: new Set<string>(),
        texts: 0,
        named: 0,
        paths: 0,
      }
      if (collected.size >= maxColumns && !collected.has(path)) continue
      collected.set(path, column)
      column.present += 1
      if (typeof value === 'number') column.numbers.push(value)
      if (typeof value === 'string') {
        column.lengths.push(value.length)
        addNames(column, path.includes('[]') ? value.split('\n') : [value])
      }
      const mask = typeof value === 'number' ? '0' : maskOf(value)
      if (column.values.size <= maxValues || column.values.has(mask)) column.values.set(mask, (column.values.get(mask) ?? 0) + 1)
    }
  }
  return new Map([...collected].map(([path, column]) => [path, createColumn(path, column, records.length)]))
}

const maxColumns = 200
const maxValues = 400

interface Collected {
  readonly first: unknown
  present: number
  readonly numbers: number[]
  readonly lengths: number[]
  readonly values: Map<string, number>
  readonly names: Set<string>
  texts: number
  named: number
  paths: number
}

function addNames(column: Collected, texts: readonly string[]): void {
  for (const text of texts) {
    column.texts += 1
    if (!nameForm.test(text)) continue
    column.named += 1
    if (pathForm.test(text)) column.paths += 1
    if (column.names.size < maxNames) column.names.add(text)
  }
}

const maxNames = 500
/** Starts with a letter or as a path, has no blanks, and is no address, hash or time. */
const nameForm = /^(?![0-9a-f]{7,}$)(?!https?:|mailto:)(?=[A-Za-z@~./_<])[^\s"'`{};,]{1,150}$/
/** A file with its folder, or with an ending. */
const pathForm = /[\\/].{0,150}\.\w{1,8}$|^[\w.@-]{1,80}\.[A-Za-z]{1,5}$/

/** Names of files count if each is there once; others only if they repeat. */
function namesOf({ names, texts, named, paths, present }: Collected): Pick<Column, 'names' | 'areFiles' | 'areCodes'> {
  const areFiles = named > 0 && paths * 10 >= named * 9
  const areNames = named * 10 >= texts * 9 && texts * 2 > present && (areFiles || names.size * 2 <= named)
  const list = areNames ? [...names] : []
  return {
    names: list,
    areFiles,
    areCodes: list.length > 0 && list.filter((name) => codeForm.test(name)).length * 4 >= list.length * 3,
  }
}

/** F401, no-unused-vars, lint/style/useConst, eslint(no-undef). */
const codeForm =
  /^[A-Z]{1,8}[-_]?\d{1,6}$|^@?[a-z][a-z\d]{0,40}(?:[-/][A-Za-z\d]{1,40}){1,6}$|^[a-z][\w-]{0,40}\([a-z][\w/-]{1,60}\)$/

function createColumn(path: string, column: Collected, total: number): Column {
  const { first, present, numbers, lengths, values } = column
  const few = Math.max(1, Math.floor(total * 0.02))
  const counts = [...values.values()].toSorted((one, other) => other - one)
  const usual = counts[0] ?? 0
  // Names and sentences are all different; only what repeats can have exceptions.
  const repeats = values.size <= maxValues && (usual * 2 >= present || present >= values.size * 8)
  const isRareCount = (count: number) => count <= few && (usual * 2 >= present || count * 8 * values.size <= present)
  const rareValues = counts.filter(isRareCount).length
  const isFar = farFrom(numbers, few, 0)
  const isLong = farFrom(lengths, few, minSpreadOfLengths)
  return {
    first,
    present,
    numbers,
    values: repeats ? values : null,
    ...namesOf(column),
    rarity(value) {
      if (path === otherLine) return 3
      if (present <= few && present * 4 <= total) return 3
      if (typeof value === 'number') return isFar(value) || (numbers.length < present && isRareCount(numbers.length)) ? 2 : 0
      if (!repeats) return typeof value === 'string' && isLong(value.length) ? 1 : 0
      return rareValues <= Math.max(4, few) && isRareCount(values.get(maskOf(value)) ?? present) ? 2 : 0
    },
    isMissedIn: (fields) => present < total && total - present <= few && present >= 6 && !fields.has(path),
  }
}

/** Whether the records are what a compiler, a linter or the like found: they have codes. */
export function areFindings(columns: ReadonlyMap<string, Column>): boolean {
  return [...columns].some(([path, { areCodes }]) => areCodes && codeKey.test(path))
}

const codeKey = /(?:code|rule|check|symbol|lint|source|category|test_?id|message-?id)\w{0,30}$/i
const minSpreadOfLengths = 20

export function isFailureValue(path: string, value: unknown): boolean {
  if (typeof value === 'string') {
    if (value === '') return false
    const near = value.slice(0, 2000)
    // Items of a list inside the record have their values one to a line.
    const values = path.includes('[]') ? near.split('\n') : [near]
    return values.some(
      (one) =>
        failing.test(one) ||
        placed.test(one) ||
        salienceOf(one)?.rank === ranks.failure ||
        (failureKey.test(path) && !harmless.test(one)),
    )
  }
  return failureKey.test(path) && (value === true || (typeof value === 'number' && value !== 0))
}

// What a compiler or an assertion prints: `a_test.go:14: sum is 524`.
const placed = /^\s{0,12}[^\s:'"]{1,300}\.[a-z]{1,5}:\d{1,7}:(?:\d{1,7}:)? \S/
const failing = /^(?:err|error|fail|failed|failure|fatal|critical|panic|emergency|alert|crashed|timeout)$/i
const failureKey =
  /(?:^|[._])(?:err|error|errors|exception|failure|fail|failed|fault|panic|stderr|traceback)(?:$|[._])|(?:Error|Exception|Failure)$/
const harmless = /^(?:none|no|ok|n\/a|null|false|0|-)$/i

/** A value by which others count as the same: digits and long codes do not matter. */
function maskOf(value: unknown): string {
  if (typeof value === 'number') return '0'
  const text = String(value).slice(0, 80)
  return /\d/.test(text) ? text.replaceAll(/[0-9a-f]{8,}/gi, '#').replaceAll(/\d+/g, '0') : text
}
