import { promptTotal } from '@plimsoll/core/bill'
import type { FoundLogs } from '../../logs/find-logs.ts'
import type { Breakdown } from '../../logs/measure/breakdown.ts'
import type { AgentRow, BiggestRow, Overview, UnreadableRow } from '../../logs/measure/overview.ts'
import type { OverviewCategory } from '../../strings/english/replay.ts'
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
  shortNumber,
  sizeText,
  tildePath,
  wrapText,
} from '../terminal/text.ts'

interface ShownOverview {
  readonly overview: Overview
  readonly places: FoundLogs['places']
  /** Set for the bundled example: the agents whose logs were looked for, and its tokens as stored and as sent. */
  readonly example: { readonly agents: readonly string[]; readonly before: number; readonly after: number } | null
  readonly home: string | null
}

type ReasonText = (row: UnreadableRow, name: string) => string

/** Draws the overview: requests and cost by agent, the content of the conversations, and what to try next. */
export function overviewScreen(
  { overview, places, example, home }: ShownOverview,
  reason: ReasonText,
  strings: Strings['overview'],
  screen: TextScreen,
): string {
  const { paint, columns } = screen
  const sentences = (text: string) => wrapText(text, columns - 2).map((line) => ` ${line}`)
  const name = (path: string) => cleanText(tildePath(path, home))
  const lines = [
    paint('bold', cutToWidth(['Plimsoll', ...titleOf(overview, example !== null, strings)].join(' · '), columns)),
    ...(example === null ? [] : sentences(strings.noLogs(example.agents.join(strings.between)))),
  ]
  if (overview.sessions > 0) {
    lines.push(
      ...sentences(strings.estimated).map((line) => paint('dim', line)),
      '',
      ...overviewTable(overview, strings, screen),
      '',
      ...(overview.breakdown === null ? [] : [...breakdownLines(overview.breakdown, name, strings, screen), '']),
      ...holdsLines(overview, strings, screen),
      '',
      ...readLines(overview, strings, screen),
      '',
      ...biggestLines(overview.biggest, strings, screen),
    )
  }
  if (example !== null) {
    const { before, after } = example
    const trimmed = wrapText(strings.exampleTrimmed(grouped(after), grouped(before)), columns)
    lines.push('', ...trimmed.map((line) => paint('bold', line)))
  }
  lines.push(...unreadableLines(overview, name, reason, strings, screen))
  const [most] = places.toSorted((a, b) => b.logs - a.logs)
  const replay = most === undefined || example !== null ? null : `plimsoll replay ${quoted(name(most.folder))}`
  if (!screen.endless && overview.sessions > 0) lines.push('', ...nextLines(replay, strings, screen))
  return `${lines.join('\n')}\n`
}

function titleOf({ sessions, first, last, bytes }: Overview, isExample: boolean, strings: Strings['overview']) {
  if (isExample) return [strings.exampleTitle]
  const span = first === null || last === null ? [] : [strings.span(first.slice(0, 10), last.slice(0, 10))]
  return [strings.title(sessions, grouped(sessions)), ...span, sizeText(bytes)]
}

/** Results of tools first, then the model's text, then its instructions. */
const categories: readonly OverviewCategory[] = [
  'results',
  'calls',
  'assistant',
  'reasoning',
  'user',
  'system',
  'summaries',
  'images',
]
const shownKinds = 4

function holdsLines({ tokens, results }: Overview, strings: Strings['overview'], screen: TextScreen): readonly string[] {
  const { paint, columns } = screen
  const known = results.filter(({ kind }) => kind !== 'other')
  const named = known.slice(0, results.length <= shownKinds + 1 ? shownKinds + 1 : shownKinds)
  const rest = results.filter((kind) => !named.includes(kind))
  const restTokens = rest.reduce((sum, kind) => sum + kind.tokens, 0)
  const kinds = [
    ...named.map(({ kind, tokens: own }) => ({ name: `  ${strings.kinds[kind]}`, tokens: own })),
    ...(rest.length === 0 ? [] : [{ name: `  ${strings.otherKinds}`, tokens: restTokens }]),
  ]
  const rows = categories
    .filter((category) => tokens[category] > 0)
    .flatMap((category) => [
      { name: strings.categories[category], tokens: tokens[category] },
      ...(category === 'results' && kinds.length > 1 ? kinds : []),
    ])
  const width = rows.reduce((widest, row) => Math.max(widest, displayWidth(row.name)), 0)
  const barWidth = Math.max(10, Math.min(40, columns - width - 24))
  const total = Math.max(1, tokens.total)
  return [
    paint('bold', strings.holds),
    ...rows.map(({ name, tokens: own }) => {
      const share = own / total
      const isKind = name.startsWith(' ')
      const bar = fitWidth(share * barWidth < 0.5 ? '▏' : '█'.repeat(Math.round(share * barWidth)), barWidth)
      const amounts = `${fitWidth(shortNumber(own), 8, 'right')}${fitWidth(percent(share), 9, 'right')}`
      return `  ${fitWidth(name, width)}  ${isKind ? paint('dim', bar) : bar}${amounts}`
    }),
  ]
}

function readLines({ reads }: Overview, strings: Strings['overview'], { paint, columns }: TextScreen): readonly string[] {
  const { again, same } = reads
  const sentences =
    again.count === 0
      ? [strings.noReads]
      : [
          strings.reads(grouped(again.count), grouped(reads.reads), shortNumber(again.tokens)),
          ...(same.count === 0 ? [] : [strings.sameReads(grouped(same.count), shortNumber(same.tokens))]),
        ]
  return [
    paint('bold', strings.readsTitle),
    ...sentences.flatMap((text) => wrapText(text, columns - 2)).map((line) => `  ${line}`),
  ]
}

const shownBiggest = 5

function biggestLines(biggest: readonly BiggestRow[], strings: Strings['overview'], screen: TextScreen): readonly string[] {
  const { paint, columns, endless } = screen
  const rows = biggest.slice(0, shownBiggest).map((row) => ({
    tokens: shortNumber(row.tokens),
    tool: row.tool === null ? strings.unnamedTool : cleanText(row.tool),
    about: cleanText(row.about ?? ''),
    session: cleanText(row.title ?? row.session ?? row.file.replace(/^.*[/\\]/s, '')),
  }))
  const toolWidth = Math.min(16, Math.max(0, ...rows.map(({ tool }) => displayWidth(tool))))
  const room = columns - 2 - 7 - 2 - toolWidth - 2
  const aboutWidth = Math.floor(room * 0.6) - 2
  if (rows.length === 0) return []
  return [
    paint('bold', strings.biggest),
    ...rows.map(({ tokens, tool, about, session }) => {
      const start = `  ${fitWidth(tokens, 7, 'right')}  ${fitWidth(tool, toolWidth)}  `
      if (endless) return `${start}${about}  ${session}`
      // The end of a path says more, the beginning of a command.
      const shown = displayWidth(about) > aboutWidth && /^\S+$/.test(about) ? cutStart(about, aboutWidth) : about
      return `${start}${fitWidth(shown, aboutWidth)}  ${paint('dim', cutToWidth(session, room - aboutWidth - 2))}`.trimEnd()
    }),
  ]
}

function cutStart(text: string, columns: number): string {
  let rest = [...text].slice(-columns)
  while (rest.length > 0 && displayWidth(rest.join('')) > columns - 1) rest = rest.slice(1)
  return `…${rest.join('')}`
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

function nextLines(replay: string | null, strings: Strings['overview'], { paint, columns }: TextScreen): readonly string[] {
  const rows = [
    ...(replay === null
      ? ([
          ['plimsoll view', strings.tryExample],
          ['plimsoll serve', strings.tryServe],
          ['plimsoll chat', strings.tryChat],
        ] as const)
      : [[replay, strings.tryReplay] as const]),
    ['plimsoll view FILE', strings.tryView] as const,
  ]
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

/** A folder with a blank in its name needs quotes in a shell, and `~` works only outside of them. */
function quoted(path: string): string {
  return /^[\w./~+:@-]+$/.test(path)
    ? path
    : path.startsWith('~/')
      ? `~/'${path.slice(2).replaceAll("'", "'\\''")}'`
      : `'${path.replaceAll("'", "'\\''")}'`
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
