/** A list of values in the shortest of three forms as JSON. */
export type Column<Value> =
  | { readonly list: readonly Value[] }
  /** Whole numbers: the first one, then the difference of each to the one before it. */
  | { readonly steps: readonly number[] }
  /** Values that repeat in a row, and how often each does. */
  | { readonly runs: readonly Value[]; readonly times: readonly number[] }

export function packColumn<Value>(values: readonly Value[]): Column<Value> {
  const { list, runs, steps } = measure(values)
  const inSteps = steps < Math.min(list, runs) ? stepsOf(values) : null
  if (inSteps !== null) return { steps: inSteps }
  return runs < list ? runsOf(values) : { list: values }
}

export function unpackColumn<Value>(column: Column<Value>): readonly Value[] {
  if ('list' in column) return column.list
  if ('runs' in column) return repeated(column.runs, column.times)
  let sum = 0
  // Only numbers are ever packed as steps.
  return column.steps.map((step) => (sum += step)) as Value[]
}

function runsOf<Value>(values: readonly Value[]): { readonly runs: readonly Value[]; readonly times: readonly number[] } {
  const runs: Value[] = []
  const times: number[] = []
  for (let from = 0; from < values.length; ) {
    const value = values[from] as Value
    let to = from + 1
    while (to < values.length && values[to] === value) to += 1
    runs.push(value)
    times.push(to - from)
    from = to
  }
  return { runs, times }
}

function repeated<Value>(runs: readonly Value[], times: readonly number[]): readonly Value[] {
  const values: Value[] = []
  for (const [index, value] of runs.entries()) {
    for (let left = times[index] ?? 0; left > 0; left -= 1) values.push(value)
  }
  return values
}

/** Null if a value is not a whole number, or so large that adding up might not restore it. */
function stepsOf(values: readonly unknown[]): readonly number[] | null {
  const steps: number[] = []
  let before = 0
  for (const value of values) {
    if (!isWhole(value)) return null
    steps.push(value - before)
    before = value
  }
  return steps
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value <= largest && value >= -largest
}

const largest = Number.MAX_SAFE_INTEGER / 2

/** Estimates from a few hundred samples how many characters each form takes as JSON. */
function measure(values: readonly unknown[]): { readonly list: number; readonly runs: number; readonly steps: number } {
  let list = 0
  let runs = 0
  let steps = 0
  const stride = Math.max(1, Math.floor(values.length / maxScanned))
  for (let index = 0; index < values.length; index += stride) {
    const value = values[index]
    const before = values[index - 1]
    const length = charactersOf(value)
    list += length
    if (index === 0 || value !== before) runs += length + 3
    steps += isWhole(value) ? charactersOf(value - (isWhole(before) ? before : 0)) : Number.POSITIVE_INFINITY
  }
  return { list, runs, steps }
}

const maxScanned = 500

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value === 'number') return String(value).length + 1
  return value === null || typeof value === 'boolean' ? 5 : 40
}
