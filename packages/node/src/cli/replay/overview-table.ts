import { promptTotal } from '@plimsoll/core/bill'
import type { AgentRow, Overview } from '../../logs/measure/overview.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped, moneyText, percent, shortNumber } from '../terminal/format.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth, fitWidth, wrapText } from '../terminal/text-width.ts'

/** A row for each agent and one for all, with what is not known said below. */
export function overviewTable(overview: Overview, strings: Strings['overview'], screen: TextScreen): readonly string[] {
  const { paint, columns } = screen
  const { agents, usage, money } = overview
  const whole: AgentRow = {
    agent: strings.total,
    sessions: overview.sessions,
    requests: overview.requests,
    tokens: overview.tokens.total,
    usage,
    dollars: money.dollars,
    unpriced: money.unpriced,
  }
  const rows = agents.length === 1 ? agents : [...agents, whole]
  const cells = rows.map(cellsOf)
  const headings = [
    strings.agent,
    strings.sessions,
    strings.requests,
    strings.held,
    strings.sent,
    strings.fromCache,
    strings.cost,
  ]
  const widths = headings.map((heading, index) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? '')), displayWidth(heading)),
  )
  const shown = columnsIn(widths, columns)
  const line = (row: readonly string[]) =>
    `  ${shown.map((index) => fitWidth(row[index] ?? '', widths[index] ?? 0, index === 0 ? 'left' : 'right')).join('  ')}`
  return [
    paint('dim', line(headings)),
    ...cells.map((row, index) => (rows[index] === whole ? paint('bold', line(row)) : line(row))),
    ...notes(overview, strings).flatMap((note) => wrapText(note, columns - 2).map((text) => paint('dim', `  ${text}`))),
  ]
}

/** Where not all columns have room, those go first that the rest of the overview tells too. */
function columnsIn(widths: readonly number[], room: number): readonly number[] {
  let shown = widths.map((_, index) => index)
  const width = () => shown.reduce((sum, index) => sum + 2 + (widths[index] ?? 0), 0)
  for (const index of dispensable) if (width() > room) shown = shown.filter((one) => one !== index)
  return shown
}

/** Tokens held, tokens sent, sessions. */
const dispensable = [3, 4, 1]

function cellsOf({ agent, sessions, requests, tokens, usage, dollars, unpriced }: AgentRow): readonly string[] {
  return [
    agent,
    grouped(sessions),
    grouped(requests),
    shortNumber(tokens),
    usage === null ? '-' : shortNumber(promptTotal(usage)),
    usage?.hitRatio == null ? '-' : percent(usage.hitRatio),
    dollars === null ? '-' : unpriced > 0 ? `≥ ${moneyText(dollars)}` : moneyText(dollars),
  ]
}

/** Models that are named; the others are counted. */
const namedModels = 3

function notes({ usage, requests, money, repeatedAnswers }: Overview, strings: Strings['overview']): readonly string[] {
  if (usage === null) return [strings.noUsage]
  const unpriced = money.models.filter(({ dollars }) => dollars === null)
  const names = unpriced
    .slice(0, namedModels)
    .map((row) =>
      strings.unpricedModel(row.model === null ? strings.noModel : cleanText(row.model).slice(0, 60), grouped(row.requests)),
    )
  const more = unpriced.length - names.length
  return [
    ...(usage.requests < requests ? [strings.someUsage(grouped(usage.requests), grouped(requests))] : []),
    ...(repeatedAnswers > 0 ? [strings.repeated(grouped(repeatedAnswers))] : []),
    ...(money.dollars === null ? [] : [strings.priceDate(money.priceDate)]),
    ...(names.length === 0
      ? []
      : [strings.unpriced([...names, ...(more > 0 ? [strings.moreModels(more)] : [])].join(strings.between))]),
  ]
}
