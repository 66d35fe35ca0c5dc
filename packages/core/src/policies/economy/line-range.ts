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
  // The pages of a document are told apart like lines.
  const list = input['view_range'] ?? input['line_range'] ?? input['lines'] ?? input['pages']
  if (Array.isArray(list)) return rangeOf(numberIn(list[0]), endIn(list[1]))
  if (typeof list === 'string') return writtenRange(list)
  if (list !== undefined && list !== null) return null
  const first = firstNumber(input, ['start_line', 'startLine', 'line_start', 'start', 'offset', 'start_line_one_indexed'])
  const last = firstNumber(input, ['end_line', 'endLine', 'line_end', 'end', 'end_line_one_indexed'])
  const count = firstNumber(input, ['limit', 'line_count', 'num_lines', 'max_lines'])
  const from = first || 1
  return rangeOf(from, last ?? from + (count ?? Number.POSITIVE_INFINITY) - 1)
}

/** Some tools count from 0. Below that they count from the end, and where that is cannot be told. */
function rangeOf(first: number | undefined, last: number | undefined): LineRange | null {
  if (first === undefined || last === undefined || first < 0) return null
  const from = Math.max(1, first)
  return last < from ? null : { first: from, last }
}

function writtenRange(text: string): LineRange | null {
  const found = /^\s{0,9}(\d{1,9})\s{0,3}[-,:]\s{0,3}(\d{1,9})\s{0,9}$/.exec(text)
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
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.floor(number) : undefined
}

/** -1 means to the end. */
function endIn(value: unknown): number | undefined {
  return value === -1 ? Number.POSITIVE_INFINITY : numberIn(value)
}
