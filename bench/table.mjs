const head = ['', 'value', 'spread', 'target', '']

/** Prints the rows of one topic: what was measured, what it came to, what was wanted, and whether it was reached. */
export function printTable(title, rows) {
  const lines = rows.map(cellsOf)
  const widths = head.map((cell, column) => Math.max(cell.length, ...lines.map((line) => line[column].length)))
  console.log(`\n${title}\n`)
  for (const line of [head, ...lines]) {
    const cells = line.map((cell, column) => (column === 1 ? cell.padStart(widths[1]) : cell.padEnd(widths[column])))
    console.log(`  ${cells.join('  ')}`.trimEnd())
  }
}

/** The same rows for a page. */
export function markdownTable(title, rows) {
  const lines = [head, ['---', '---:', '---', '---', '---'], ...rows.map(cellsOf)]
  return `## ${title}\n\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}

function cellsOf(row) {
  const spread = row.spread === undefined ? '' : `±${Math.round(row.spread * 50)} %`
  return [row.name, formatValue(row.value, row.unit), spread, row.bound ?? '', verdictOf(row) ?? '']
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
  if (Number.isInteger(value)) return `${value} ${unit}`
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return `${value.toFixed(digits)} ${unit}`
}
