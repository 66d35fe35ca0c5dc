import { promptTotal, usageTotal } from '@plimsoll/core/bill'
import type { Breakdown } from '../../logs/measure/breakdown.ts'
import { localDay } from '../../logs/measure/local-day.ts'
import type { AgentRow, Overview, UnreadableRow } from '../../logs/measure/overview.ts'
import type { Spending } from '../../shared/spending.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import {
  cleanLine,
  cleanText,
  cutToWidth,
  displayWidth,
  fitWidth,
  grouped,
  moneyText,
  percent,
  shellWord,
  shortNumber,
  sizeText,
  tildePath,
  wrapText,
} from '../terminal/text.ts'
import { biggestLines, cutStart, fillLines, lossLines, readLines, spendingLines } from './overview-sections.ts'
import type { Saving } from './saving.ts'

interface ShownOverview {
  readonly overview: Overview
  readonly spending: Spending
  /** Set for the bundled example: the agents whose logs were looked for, and its tokens as stored and as sent. */
  readonly example: { readonly agents: readonly string[]; readonly before: number; readonly after: number } | null
  readonly home: string | null
}

type ReasonText = (row: UnreadableRow, name: string) => string

/** Draws the overview: requests and cost by agent, the content of the conversations, and what to try next. */
export function overviewScreen(
  { overview, spending, example, home }: ShownOverview,
  reason: ReasonText,
  strings: Strings['overview'],
  screen: TextScreen,
): string {
  const { paint, columns } = screen
  const sentences = (text: string) => wrapText(text, columns - 2).map((line) => ` ${line}`)
  const name = (path: string) => cleanText(tildePath(path, home))
  const lines = [
    ...wrapText(['Plimsoll', ...titleOf(overview, example !== null, strings)].join(' · '), columns).map((line) =>
      paint('bold', line),
    ),
    ...(example === null ? [] : sentences(strings.noLogs(example.agents.join(strings.between)))),
  ]
  if (overview.sessions > 0) {
    lines.push(
      ...notes(overview, strings)
        .flatMap(sentences)
        .map((line) => paint('dim', line)),
      '',
      ...(overview.agents.length < 2 ? [] : [...overviewTable(overview, strings, screen), '']),
      ...(overview.breakdown === null ? [] : [...breakdownLines(overview.breakdown, name, strings, screen), '']),
      ...spendingLines(spending, strings, screen),
      ...fillLines(overview, strings, screen),
      '',
      ...readLines(overview, strings, screen),
      ...biggestLines(overview, strings, screen),
      ...lossLines(overview, strings, screen),
    )
  }
  if (example !== null) {
    const { before, after } = example
    const trimmed = wrapText(strings.exampleTrimmed(grouped(after), grouped(before)), columns)
    lines.push('', ...trimmed.map((line) => paint('bold', line)))
  }
  lines.push(...unreadableLines(overview, name, reason, strings, screen))
  if (example !== null && !screen.endless) lines.push('', ...nextLines(strings, screen))
  return `${lines.join('\n')}\n`
}

function titleOf({ sessions, requests, usage, money }: Overview, isExample: boolean, strings: Strings['overview']) {
  if (isExample) return [strings.exampleTitle]
  return [
    strings.title(sessions, grouped(sessions)),
    strings.titleRequests(requests, grouped(requests)),
    ...(usage === null ? [] : [strings.titleTokens(shortNumber(usageTotal(usage)))]),
    ...(money.dollars === null ? [] : [titleCost(costText(money), money.basis, strings)]),
  ]
}

function titleCost(cost: string, basis: Overview['money']['basis'], strings: Strings['overview']): string {
  return basis === 'mixed' ? cost : basis === 'recorded' ? strings.asRecorded(cost) : strings.atPrices(cost)
}

/** The period, and what the figures are made of. */
function aboutOf({ first, last, bytes, usage }: Overview, strings: Strings['overview']): string {
  const day = (time: string) => localDay(Date.parse(time))
  return [
    ...(first === null || last === null ? [] : [strings.span(day(first), day(last))]),
    strings.logs(sizeText(bytes)),
    ...(usage?.hitRatio == null ? [] : [strings.cachedInput(percent(usage.hitRatio))]),
  ].join(' · ')
}

const shownUnreadable = 3

function unreadableLines(
  { unreadable, skipped }: Overview,
  name: (path: string) => string,
  reason: ReasonText,
  strings: Strings['overview'],
  { paint, columns, endless }: TextScreen,
): readonly string[] {
  const lines: string[] = []
  if (skipped.lines > 0) {
    const text = strings.skippedLines(skipped.lines, grouped(skipped.lines), grouped(skipped.files))
    lines.push('', ...wrapText(text, columns).map((line) => paint('dim', line)))
  }
  if (unreadable.length === 0) return lines
  const shown = endless ? unreadable : unreadable.slice(0, shownUnreadable)
  lines.push('', paint('warning', strings.unreadable(unreadable.length)))
  for (const row of shown)
    for (const [index, line] of wrapText(reason(row, name(row.file)), columns - 4).entries())
      lines.push(`  ${index === 0 ? '!' : ' '} ${line}`)
  if (shown.length < unreadable.length) lines.push(paint('dim', `  ${strings.moreUnreadable(unreadable.length - shown.length)}`))
  return lines
}

/** The last line for logs: what Plimsoll would have saved, and the command to have it. */
export function savingLines(
  saving: Saving | null,
  replay: string | null,
  strings: Strings['overview'],
  screen: TextScreen,
): string {
  const { paint, columns } = screen
  const lines = saving === null ? [] : savingSentence(saving, strings)
  const command = replay === null ? [] : [paint('dim', `  ${strings.compare} ${replay}`)]
  return ['', ...lines.flatMap((line) => wrapText(line, columns)).map((line) => paint('bold', line)), ...command, ''].join('\n')
}

function savingSentence(saving: Saving, strings: Strings['overview']): readonly string[] {
  const { sessions, isAll, dollars, tokens, command } = saving
  const which = strings.savedIn(sessions, grouped(sessions), isAll)
  const [before, after] = dollars === null ? [tokens.recorded, tokens.economy] : [dollars.recorded, dollars.effective]
  if (before - after < (dollars === null ? 1 : 0.005)) return [strings.noSaving(which)]
  const amount = dollars === null ? (count: number) => strings.titleTokens(shortNumber(count)) : moneyText
  return [strings.saved(amount(before - after), amount(before), percent((before - after) / before), which, command)]
}

function nextLines(strings: Strings['overview'], { paint, columns }: TextScreen): readonly string[] {
  const rows = [
    ['plimsoll view', strings.tryExample],
    ['plimsoll serve', strings.tryServe],
    ['plimsoll chat', strings.tryChat],
    ['plimsoll view FILE', strings.tryView],
  ] as const
  const width = rows.reduce((widest, [command]) => Math.max(widest, displayWidth(command)), 0)
  const beside = rows.every(([, what]) => width + displayWidth(what) + 6 <= columns)
  return [
    paint('bold', strings.next),
    ...rows.flatMap(([command, what]) =>
      beside
        ? [`  ${fitWidth(command, width)}  ${paint('dim', what)}`]
        : [`  ${command}`, ...wrapText(what, columns - 6).map((line) => paint('dim', `      ${line}`))],
    ),
  ]
}

function overviewTable(overview: Overview, strings: Strings['overview'], screen: TextScreen): readonly string[] {
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
    basis: money.basis,
    recordedDollars: money.recordedDollars,
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
  ]
}

/** The rows of days, models and the like: as many as fit a screen or two, the last days or the most expensive ones. */
function breakdownLines(
  { by, rows }: Breakdown,
  name: (path: string) => string,
  strings: Strings['overview'],
  { paint, columns, endless }: TextScreen,
): readonly string[] {
  const inOrder = by === 'day' || by === 'week' || by === 'month'
  const count = endless ? rows.length : Math.min(rows.length, maxRows)
  const shown = inOrder ? rows.slice(rows.length - count) : rows.slice(0, count)
  const keyText = ({ key, title }: Breakdown['rows'][number]) =>
    key === null ? strings.noKey : by === 'project' ? name(key) : cleanLine(by === 'session' ? (title ?? key) : key)
  const cells = shown.map((row) => [
    keyText(row),
    grouped(row.usage.requests),
    shortNumber(promptTotal(row.usage)),
    row.usage.hitRatio === null ? '-' : percent(row.usage.hitRatio),
    shortNumber(row.usage.output),
    costText(row),
  ])
  const headings = [strings.byHead[by], strings.requests, strings.sent, strings.fromCache, strings.output, strings.cost]
  const widths = headings.map((heading, index) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? '')), displayWidth(heading)),
  )
  const others = widths.slice(1).reduce((sum, width) => sum + 2 + width, 2)
  const first = Math.min(widths[0] ?? 0, Math.max(12, columns - others))
  const line = (row: readonly string[]) => {
    const [key = '', ...figures] = row
    const right = figures.map((cell, index) => fitWidth(cell, widths[index + 1] ?? 0, 'right'))
    const fitting = by === 'project' && displayWidth(key) > first ? cutStart(key, first) : cutToWidth(key, first)
    return `  ${[fitWidth(fitting, first), ...right].join('  ')}`
  }
  const left = rows.length - shown.length
  return [
    paint('bold', strings.byTitle[by]),
    paint('dim', line(headings)),
    ...cells.map(line),
    ...(left > 0 ? [paint('dim', `  ${strings.moreRows(grouped(left))}`)] : []),
  ]
}

const maxRows = 40

/** Drops first the columns that the rest of the overview covers too. */
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
    costText({ dollars, unpriced }),
  ]
}

function costText({ dollars, unpriced }: Pick<AgentRow, 'dollars' | 'unpriced'>): string {
  return dollars === null ? '-' : unpriced > 0 ? `≥ ${moneyText(dollars)}` : moneyText(dollars)
}

const namedModels = 3

function notes(overview: Overview, strings: Strings['overview']): readonly string[] {
  const { usage, requests, money, repeatedAnswers, badUsages } = overview
  const bad = badUsages.answers === 0 ? [] : [strings.badUsage(grouped(badUsages.answers), grouped(badUsages.sessions))]
  if (usage === null) return [aboutOf(overview, strings), strings.noUsage, ...bad]
  const unpriced = money.models.filter(({ dollars }) => dollars === null)
  const names = unpriced
    .slice(0, namedModels)
    .map((row) =>
      strings.unpricedModel(row.model === null ? strings.noModel : cleanText(row.model).slice(0, 60), grouped(row.requests)),
    )
  const more = unpriced.length - names.length
  return [
    aboutOf(overview, strings),
    ...(usage.requests < requests ? [strings.someUsage(grouped(usage.requests), grouped(requests))] : []),
    ...(repeatedAnswers > 0 ? [strings.repeated(grouped(repeatedAnswers))] : []),
    ...bad,
    ...originNote(overview, strings),
    ...(money.searchDollars === 0 ? [] : [strings.searches(grouped(usage.webSearches), moneyText(money.searchDollars))]),
    ...(names.length === 0
      ? []
      : [
          strings.unpriced(
            [...names, ...(more > 0 ? [strings.moreModels(more)] : [])].join(strings.between),
            pricesCommandFor(unpriced[0]?.model),
          ),
        ]),
  ]
}

/** The command that shows the price of a model, whose name comes from a log. */
export function pricesCommandFor(model: string | null | undefined): string {
  return `plimsoll prices ${(model ?? '') === '' ? '' : shellWord(model ?? '')}`.trim()
}

/** The command that replays a folder. One with a blank in its name needs quotes in a shell, and `~` works only outside of them. */
export function replayCommandFor(folder: string, home: string | null): string {
  const path = cleanText(tildePath(folder, home))
  const safe = path === '~' ? path : path.startsWith('~/') ? `~/${shellWord(path.slice(2))}` : shellWord(path)
  return `plimsoll replay ${safe}`
}

/** Whether costs are those that agents recorded, or estimates at API prices. */
function originNote({ money, agents }: Overview, strings: Strings['overview']): readonly string[] {
  const recording = agents.filter(({ basis }) => basis === 'recorded' || basis === 'mixed').map(({ agent }) => agent)
  if (money.basis === null) return []
  if (money.basis === 'estimated') return [strings.priceDate(money.priceDate)]
  const names = recording.join(strings.between)
  return [money.basis === 'recorded' ? strings.recorded(names) : strings.partlyRecorded(names, money.priceDate)]
}
