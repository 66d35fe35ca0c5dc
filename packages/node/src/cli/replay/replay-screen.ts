import type { ReplaySummary } from '../../replay/replay-summary.ts'
import type { ReportColumn, ReportRow, ReportTable } from '../../replay/report-table.ts'
import { headlineOf, reportTables } from '../../replay/report-tables.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth, fitWidth, grouped, wrapText } from '../terminal/text.ts'

/** Every policy set, price and length of session, after a verdict on the sessions. */
export function replayScreen(
  summary: ReplaySummary,
  strings: Strings['replay'],
  screen: TextScreen,
  verdict: readonly string[] = [],
): string {
  const headline = headlineOf(summary, strings)
  const { paint } = screen
  // A wider line of figures is hard to follow.
  const columns = Math.min(120, screen.columns)
  const title = strings.title(summary.sessions, grouped(summary.sessions), grouped(summary.requests))
  const lines = [
    ...verdict.flatMap((text) => wrapText(text, columns)),
    ...(verdict.length === 0 ? [] : ['']),
    ...wrapText(title, columns).map((line) => paint('bold', line)),
    ...(headline === null ? [] : wrapText(headline, columns)),
    ...wrapText(strings.basis(summary.pricesFrom, summary.configuration), columns).map((line) => paint('dim', line)),
  ]
  for (const table of reportTables(summary, strings)) {
    lines.push('')
    for (const line of tableLines(table, { ...screen, columns })) lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

function tableLines(given: ReportTable, { paint, columns }: TextScreen): readonly string[] {
  const wide = (column: ReportColumn) => ({ ...column, width: Math.max(column.width, displayWidth(column.head) + 1) })
  const table = { ...given, columns: given.columns.map(wide) }
  const least = Math.max(displayWidth(table.first), ...table.rows.map(({ name }) => displayWidth(name)))
  const shown = columnsShown(table, columns, least)
  const figures = shown.reduce((sum, index) => sum + (table.columns[index] as ReportColumn).width, 0)
  const first = Math.max(12, Math.min(least, columns - figures))
  const heads = shown.map((index) => table.columns[index] as ReportColumn)
  const over = `${' '.repeat(first)}${overLine(heads)}`.trimEnd()
  return [
    ...wrapText(table.title, columns).map((line) => paint('bold', line)),
    ...(over === '' ? [] : [paint('dim', over)]),
    paint('dim', `${fitWidth(table.first, first)}${heads.map(({ head, width }) => fitWidth(head, width, 'right')).join('')}`),
    ...table.rows.map((row) => {
      const cells = shown.map((index, place) => fitWidth(row.cells[index] ?? '', (heads[place] as ReportColumn).width, 'right'))
      return painted(row, `${fitWidth(row.name, first)}${cells.join('')}`.trimEnd(), paint)
    }),
    ...table.notes.flatMap((note) => wrapText(note, columns)).map((line) => paint('dim', line)),
  ]
}

/** Drops extra columns that do not fit next to uncut names. */
function columnsShown({ columns }: ReportTable, room: number, first: number): readonly number[] {
  let left = room - first
  for (const { width, isExtra } of columns) if (isExtra !== true) left -= width
  return columns.flatMap(({ width, isExtra }, index) => {
    if (isExtra !== true) return [index]
    left -= width
    return left >= 0 ? [index] : []
  })
}

/** Centers heads over several columns. */
function overLine(heads: readonly ReportColumn[]): string {
  let line = ''
  for (let start = 0; start < heads.length; ) {
    const { over } = heads[start] as ReportColumn
    let end = start
    let width = 0
    while (end < heads.length && heads[end]?.over === over) {
      width += heads[end]?.width ?? 0
      end += 1
      if (over === '') break
    }
    const right = Math.floor(Math.max(0, width - 1 - displayWidth(over)) / 2)
    line += fitWidth(fitWidth(over, width - right, 'right'), width)
    start = end
  }
  return line
}

function painted({ kind }: ReportRow, line: string, paint: TextScreen['paint']): string {
  return kind === 'plain' ? line : paint(kind === 'bound' ? 'dim' : 'error', line)
}
