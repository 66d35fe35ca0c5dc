/** A list of values in whichever of three forms is the shortest as JSON. */
export type Column<Value> =
  | { readonly list: readonly Value[] }
  /** Whole numbers: the first, then what each is more than the one before it. */
  | { readonly steps: readonly number[] }
  /** Values that stand several times in a row, and how often each does. */
  | { readonly runs: readonly Value[]; readonly times: readonly number[] }

/** Writes a list down as a column. */
export function packColumn<Value>(values: readonly Value[]): Column<Value> {
  const inRuns = runsOf(values)
  const steps = stepsOf(values)
  const listLength = lengthOf(values)
  const runsLength = lengthOf(inRuns.runs) + lengthOf(inRuns.times)
  const stepsLength = steps === null ? Number.POSITIVE_INFINITY : lengthOf(steps)
  if (steps !== null && stepsLength < Math.min(listLength, runsLength)) return { steps }
  return runsLength < listLength ? inRuns : { list: values }
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

/** Null where something is no whole number, or so large that adding up would not give it back. */
function stepsOf(values: readonly unknown[]): readonly number[] | null {
  const steps: number[] = []
  let before = 0
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > largest) return null
    steps.push(value - before)
    before = value
  }
  return steps
}

const largest = Number.MAX_SAFE_INTEGER / 2

/** About how many characters a list has as JSON. */
function lengthOf(values: readonly unknown[]): number {
  let length = 0
  for (const value of values) length += 1 + charactersOf(value)
  return length
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'number') return value === null || typeof value === 'boolean' ? 4 : 40
  if (!Number.isInteger(value)) return 12
  let digits = value < 0 ? 2 : 1
  for (let rest = Math.abs(value); rest >= 10; rest /= 10) digits += 1
  return digits
}
