/** Prints the rows of one topic: what was measured, what it came to, what was wanted, and whether it was reached. */
export function printTable(title, rows) {
  const lines = rows.map((row) => [
    row.name,
    formatValue(row.value, row.unit),
    row.spread === undefined ? '' : `±${Math.round(row.spread * 50)} %`,
    row.bound ?? '',
    verdictOf(row) ?? '',
  ])
  const head = ['', 'value', 'spread', 'target', '']
  const widths = head.map((cell, column) => Math.max(cell.length, ...lines.map((line) => line[column].length)))
  console.log(`\n${title}\n`)
  for (const line of [head, ...lines]) {
    console.log(
      `  ${line.map((cell, column) => (column === 1 ? cell.padStart(widths[1]) : cell.padEnd(widths[column]))).join('  ')}`.trimEnd(),
    )
  }
}

/** `met` or `missed`, or null for a row without a target that a number can be held against. */
export function verdictOf({ value, bound }) {
  const [, sign, number] = /^(<=|>=|<|>|within ±)\s*([\d.]+)/.exec(bound ?? '') ?? []
  if (sign === undefined) return null
  const limit = Number(number)
  const met = {
    '<': value < limit,
    '<=': value <= limit,
    '>': value > limit,
    '>=': value >= limit,
    'within ±': Math.abs(value) <= limit,
  }[sign]
  return met ? 'met' : 'missed'
}

function formatValue(value, unit) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return `${value.toFixed(digits)} ${unit}`
}
