import type { BriefFigures, BriefGroup, BriefSummary } from '../../replay/brief-summary.ts'
import type { ReplaySummary } from '../../replay/replay-summary.ts'
import { changeFigure, type ReportColumn, type ReportRow, type ReportTable } from '../../replay/report-table.ts'
import { headlineOf, reportTables } from '../../replay/report-tables.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth, fitWidth, grouped, moneyText, percent, shortNumber, wrapText } from '../terminal/text.ts'

/** Every policy set, price and length of session. */
export function replayScreen(summary: ReplaySummary, strings: Strings['replay'], screen: TextScreen): string {
  const headline = headlineOf(summary, strings)
  return screenOf(summary, headline === null ? [] : [headline], reportTables(summary, strings), strings, screen)
}

/** What was paid, what it would have been, and what would have been lost. */
export function briefScreen(summary: BriefSummary, strings: Strings['replay'], screen: TextScreen): string {
  return screenOf(summary, briefAnswer(summary, strings), [briefTable(summary, strings)], strings, screen)
}

function screenOf(
  summary: Pick<ReplaySummary, 'sessions' | 'requests' | 'pricesFrom' | 'configuration'>,
  answer: readonly string[],
  tables: readonly ReportTable[],
  strings: Strings['replay'],
  screen: TextScreen,
): string {
  const { paint } = screen
  // A wider line of figures is hard to follow.
  const columns = Math.min(120, screen.columns)
  const title = strings.title(summary.sessions, grouped(summary.sessions), grouped(summary.requests))
  const lines = [
    ...wrapText(title, columns).map((line) => paint('bold', line)),
    ...answer.flatMap((text) => wrapText(text, columns)),
    ...wrapText(strings.basis(summary.pricesFrom, summary.configuration), columns).map((line) => paint('dim', line)),
  ]
  for (const table of tables) {
    lines.push('')
    for (const line of tableLines(table, { ...screen, columns })) lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

function briefAnswer({ dollars, reported, groups, retention }: BriefSummary, { brief }: Strings['replay']): readonly string[] {
  const unpriced = groups.filter(({ isPriced }) => !isPriced)
  const { needs, inView, lost } = retention
  return [
    ...(dollars === null
      ? []
      : [brief.paid(moneyText(dollars.recorded), moneyText(dollars.effective), changeFigure(dollars.effectiveChange))]),
    ...(reported === null ? [] : [brief.reported(moneyText(reported))]),
    ...(unpriced.length === 0 ? [] : [brief.unpriced(unpriced.reduce((sum, { sessions }) => sum + sessions, 0))]),
    needs === 0 ? brief.noUses : brief.uses(grouped(needs), percent(inView), grouped(Math.round(lost * needs))),
  ]
}

function briefTable(summary: BriefSummary, strings: Strings['replay']): ReportTable {
  const { brief } = strings
  const { groups } = summary
  const figure = (head: string, width: number, over = ''): ReportColumn => ({ head, over, width })
  return {
    title: brief.table,
    first: brief.agent,
    columns: [
      { ...figure(strings.priceRow, 14), isExtra: true },
      { ...figure(brief.sessions, 9), isExtra: true },
      figure(brief.requests, 9),
      figure(brief.recorded, 9),
      figure(brief.economy, 9),
      figure(brief.change, 9),
      figure(brief.count, 6, strings.needs),
      figure(strings.inView, 8, strings.needs),
      figure(strings.lost, 5, strings.needs),
    ],
    rows: groups.map((group) => briefRow(group, strings)),
    notes: [
      strings.tier(grouped(summary.calibrated), grouped(summary.timed), grouped(summary.sessions)),
      brief.assumption,
      brief.legend,
      ...(summary.invalid.length === 0 ? [] : [invalidNote(summary, strings)]),
      brief.full,
    ],
  }
}

function briefRow(group: BriefGroup, { brief }: Strings['replay']): ReportRow {
  const { agent, entry, prices, isPriced, dollars, tokens, retention, invalid } = group
  const name = `${agent} · ${brief.entries[entry]}`
  return {
    name: invalid.length > 0 ? `${name} !` : name,
    kind: invalid.length > 0 ? 'invalid' : 'plain',
    cells: [
      isPriced ? (prices.length === 1 ? (prices[0] ?? '') : brief.models(prices.length)) : brief.unknownPrice,
      grouped(group.sessions),
      grouped(group.requests),
      dollars === null ? shortNumber(tokens.recorded) : moneyText(dollars.recorded),
      dollars === null ? shortNumber(tokens.economy) : moneyText(dollars.effective),
      changeFigure(group.effectiveChange),
      grouped(retention.needs),
      percent(retention.inView),
      grouped(Math.round(retention.lost * retention.needs)),
    ],
  }
}

function invalidNote({ invalid }: BriefFigures, { invalid: text, gates }: Strings['replay']): string {
  const broken = new Set(invalid.flatMap((session) => session.gates))
  return text('economy', invalid.length, [...broken].map((gate) => gates[gate]).join(', '))
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
