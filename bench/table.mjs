import { missedLines } from './missed.mjs'

const head = ['', 'value', 'spread', 'target', '']

/**
 * Prints the rows of one topic: name, value, target, and whether it was met, then why targets were missed. A topic may define its own `columns`, each with a
 * heading and a function from a row to a cell; a third entry, `left`, is for words instead of numbers.
 */
export function printTable(title, { rows, columns, note }) {
  const lines = linesOf(rows, columns)
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const isNumber = (column) => isAlignedRight(column, columns)
  console.log(`\n${title}\n`)
  if (note !== undefined) console.log(`  ${note}\n`)
  for (const line of lines) {
    const cells = line.map((cell, column) => (isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
    console.log(`  ${cells.join('  ')}`.trimEnd())
  }
  for (const line of missedLines(lines)) console.log(`\n  ${line}`)
}

/** The same rows for a page. */
export function markdownTable(title, { rows, columns, note }) {
  const [first, ...rest] = linesOf(rows, columns)
  const under = first.map((_, column) => (isAlignedRight(column, columns) ? '---:' : '---'))
  const lines = [first, under, ...rest].map((line) => `| ${line.join(' | ')} |`)
  return `## ${title}\n\n${note === undefined ? '' : `${note}\n\n`}${lines.join('\n')}\n`
}

function isAlignedRight(column, columns) {
  return columns === undefined ? column === 1 : column > 0 && columns[column - 1][2] !== 'left'
}

function linesOf(rows, columns) {
  if (columns === undefined) return [head, ...rows.map(cellsOf)]
  return [['', ...columns.map(([title]) => title)], ...rows.map((row) => [row.name, ...columns.map(([, cell]) => cell(row))])]
}

function cellsOf(row) {
  const spread = row.spread === undefined ? '' : `±${Math.round(row.spread * 50)} %`
  return [row.name, formatValue(row.value, row.unit), spread, row.bound ?? '', verdictOf(row) ?? '']
}

/** `met` or `missed`, or null for a row without a numeric target. */
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
