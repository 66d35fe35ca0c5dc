/** Lines of a file, counted from 1 and both inclusive; null where they cannot be told. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** All lines there are. */
export const allLines: LineRange = { first: 1, last: Number.POSITIVE_INFINITY }

/** Whether every line of one range is in another. Of what cannot be told, only everything is known to have it. */
export function coversRange(newer: LineRange | null, older: LineRange | null): boolean {
  if (newer === null) return false
  if (newer.first <= 1 && newer.last === Number.POSITIVE_INFINITY) return true
  return older !== null && newer.first <= older.first && newer.last >= older.last
}

/** The lines that the arguments of a read ask for, in any of the ways in which agents write it. */
export function rangeAsked(input: Readonly<Record<string, unknown>>): LineRange | null {
  const list = input['view_range'] ?? input['line_range'] ?? input['lines']
  if (Array.isArray(list)) return rangeOf(numberIn(list[0]), endIn(list[1]))
  if (typeof list === 'string') return writtenRange(list)
  const first = firstNumber(input, ['start_line', 'startLine', 'line_start', 'start', 'offset', 'start_line_one_indexed'])
  const last = firstNumber(input, ['end_line', 'endLine', 'line_end', 'end', 'end_line_one_indexed'])
  const count = firstNumber(input, ['limit', 'line_count', 'num_lines', 'max_lines'])
  if (first === undefined && last === undefined && count === undefined) return allLines
  const from = Math.max(1, first ?? 1)
  return rangeOf(from, last ?? (count === undefined ? Number.POSITIVE_INFINITY : from + count - 1))
}

function rangeOf(first: number | undefined, last: number | undefined): LineRange | null {
  return first === undefined || last === undefined || last < first ? null : { first: Math.max(1, first), last }
}

function writtenRange(text: string): LineRange | null {
  const found = /^\s{0,9}(\d{1,9})\s{0,3}[-,:]\s{0,3}(\d{1,9})\s{0,9}$/.exec(text.slice(0, 60))
  return found === null ? null : rangeOf(Number(found[1]), Number(found[2]))
}

function firstNumber(input: Readonly<Record<string, unknown>>, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = numberIn(input[key])
    if (value !== undefined) return value
  }
  return undefined
}

function numberIn(value: unknown): number | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined
  return number !== undefined && Number.isFinite(number) ? Math.floor(number) : undefined
}

/** -1 means to the end. */
function endIn(value: unknown): number | undefined {
  return value === -1 ? Number.POSITIVE_INFINITY : numberIn(value)
}
