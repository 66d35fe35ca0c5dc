/** A list of values in whichever of three forms is the shortest as JSON. */
export type Column<Value> =
  | { readonly list: readonly Value[] }
  /** Whole numbers: the first, then what each is more than the one before it. */
  | { readonly steps: readonly number[] }
  /** Values that stand several times in a row, and how often each does. */
  | { readonly runs: readonly Value[]; readonly times: readonly number[] }

/** Writes a list down as a column. */
export function packColumn<Value>(values: readonly Value[]): Column<Value> {
  const { list, runs, steps } = measure(values)
  if (steps < Math.min(list, runs)) return { steps: stepsOf(values as readonly number[]) }
  return runs < list ? runsOf(values) : { list: values }
}

/** The values of a column. */
export function unpackColumn<Value>(column: Column<Value>): readonly Value[] {
  if ('list' in column) return column.list
  if ('runs' in column) return repeated(column.runs, column.times)
  let sum = 0
  // Only numbers are ever written down in steps.
  return column.steps.map((step) => (sum += step)) as Value[]
}

function runsOf<Value>(values: readonly Value[]): { readonly runs: readonly Value[]; readonly times: readonly number[] } {
  const runs: Value[] = []
  const times: number[] = []
  for (const value of values) {
    const last = runs.length - 1
    if (last >= 0 && runs[last] === value) times[last] = (times[last] as number) + 1
    else {
      runs.push(value)
      times.push(1)
    }
  }
  return { runs, times }
}

function repeated<Value>(runs: readonly Value[], times: readonly number[]): readonly Value[] {
  const values: Value[] = []
  for (const [index, value] of runs.entries()) {
    for (let time = times[index] ?? 0; time > 0; time -= 1) values.push(value)
  }
  return values
}

function stepsOf(values: readonly number[]): readonly number[] {
  let before = 0
  return values.map((value) => {
    const step = value - before
    before = value
    return step
  })
}

/** About how many characters each form would take as JSON; no number at all of steps where they would not give the values back. */
function measure(values: readonly unknown[]): { readonly list: number; readonly runs: number; readonly steps: number } {
  let list = 0
  let runs = 0
  let steps = 0
  let before: unknown
  let beforeLength = 0
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    const isRepeated = index > 0 && value === before
    if (!isRepeated) beforeLength = charactersOf(value)
    list += beforeLength
    // The count of a run is mostly short.
    if (!isRepeated) runs += beforeLength + 3
    if (!isWhole(value)) steps = Number.POSITIVE_INFINITY
    else steps += isRepeated ? 2 : charactersOf(value - (typeof before === 'number' ? before : 0))
    before = value
  }
  return { list, runs, steps }
}

/** What is larger might not be had back by adding up. */
function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value <= largest && value >= -largest
}

const largest = Number.MAX_SAFE_INTEGER / 2

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'number') return value === null || typeof value === 'boolean' ? 5 : 40
  if (!Number.isInteger(value)) return 12
  const sign = value < 0 ? 1 : 0
  const size = Math.abs(value)
  if (size < 1000) return sign + (size < 10 ? 2 : size < 100 ? 3 : 4)
  if (size < 1_000_000) return sign + (size < 10_000 ? 5 : size < 100_000 ? 6 : 7)
  return sign + 8 + Math.floor(Math.log10(size) - 6)
}
