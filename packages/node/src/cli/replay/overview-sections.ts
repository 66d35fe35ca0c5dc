import type { InSession, Overview } from '../../logs/measure/overview.ts'
import type { Spending, SpentPeriod } from '../../shared/spending.ts'
import type { OverviewCategory } from '../../strings/english/replay.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import {
  cleanText,
  cutToWidth,
  displayWidth,
  fitWidth,
  grouped,
  moneyText,
  percent,
  shortNumber,
  wrapText,
} from '../terminal/text.ts'

type Texts = Strings['overview']

/** What was spent today, this week and this month, with budgets, and the current block; nothing if that is all zero. */
export function spendingLines(
  { today, week, month, lastHour, block }: Spending,
  strings: Texts,
  screen: TextScreen,
): readonly string[] {
  const { paint, columns } = screen
  const periods: readonly (readonly [SpentPeriod, string])[] = [
    [today, strings.today],
    [week, strings.week],
    [month, strings.month],
  ]
  if (periods.every(([{ requests, budget }]) => requests === 0 && budget === null)) return []
  const texts = periods.map(([period, name]) => {
    const cost = `${period.unpriced > 0 ? '≥ ' : ''}${moneyText(period.dollars)}`
    if (period.budget === null || period.share === null) return strings.spent(name, cost)
    return strings.spentOf(name, cost, moneyText(period.budget), percentOf(period.share))
  })
  const hour = lastHour > 0 ? [strings.lastHour(moneyText(lastHour))] : []
  const warnings = periods.flatMap(([{ state, budget }, name]) =>
    budget !== null && (state === 'near' || state === 'over')
      ? [paint(state === 'over' ? 'error' : 'warning', `  ! ${strings.budget[state](name, moneyText(budget))}`)]
      : [],
  )
  return [
    paint('bold', strings.spending),
    ...wrapText([...texts, ...hour].join(' · '), columns - 2).map((line) => `  ${line}`),
    ...warnings,
    ...blockLines(block, strings, screen),
    '',
  ]
}

function blockLines(block: Spending['block'], strings: Texts, { columns }: TextScreen): readonly string[] {
  if (block === null) return []
  const minutes = Math.ceil(block.secondsLeft / 60)
  const text = strings.block({
    dollars: `${block.unpriced > 0 ? '≥ ' : ''}${moneyText(block.dollars)}`,
    tokens: shortNumber(block.tokens),
    left: strings.left(Math.floor(minutes / 60), minutes % 60),
    dollarsPerHour: moneyText(block.dollarsPerHour),
    tokensPerHour: shortNumber(block.tokensPerHour),
  })
  return wrapText(text, columns - 2).map((line) => `  ${line}`)
}

function percentOf(share: number): string {
  return share > 99 ? '> 9900 %' : `${Math.round(share * 100)} %`
}

const shownKinds = 4

/** What conversations hold and what carrying it cost, the most expensive first. */
export function fillLines(
  { tokens, dollars, results }: Overview,
  strings: Texts,
  { paint, columns }: TextScreen,
): readonly string[] {
  const isPriced = Object.keys(dollars).length > 0
  const known = results.filter(({ kind }) => kind !== 'other')
  const named = known.slice(0, results.length <= shownKinds + 1 ? shownKinds + 1 : shownKinds)
  const rest = results.filter((kind) => !named.includes(kind))
  const sum = (of: (kind: (typeof results)[number]) => number) => rest.reduce((total, kind) => total + of(kind), 0)
  const kinds = [
    ...named.map(({ kind, tokens: own, dollars: cost }) => ({
      name: `  ${strings.kinds[kind]}`,
      tokens: own,
      dollars: cost,
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            name: `  ${strings.otherKinds}`,
            tokens: sum((kind) => kind.tokens),
            dollars: isPriced ? sum((kind) => kind.dollars ?? 0) : null,
          },
        ]),
  ]
  const rows = (Object.keys(strings.categories) as OverviewCategory[])
    .filter((category) => tokens[category] > 0)
    .toSorted((a, b) => (dollars[b] ?? 0) - (dollars[a] ?? 0) || tokens[b] - tokens[a])
    .flatMap((category) => [
      { name: strings.categories[category], tokens: tokens[category], dollars: dollars[category] ?? null },
      ...(category === 'results' && kinds.length > 1 ? kinds : []),
    ])
  const width = rows.reduce((widest, row) => Math.max(widest, displayWidth(row.name)), 0)
  const barWidth = Math.max(8, Math.min(36, columns - width - (isPriced ? 33 : 24)))
  const total = Math.max(1, tokens.total)
  const headings = [
    fitWidth(strings.tokens, 8, 'right'),
    fitWidth(strings.share, 9, 'right'),
    isPriced ? fitWidth(strings.cost, 9, 'right') : '',
  ].join('')
  return [
    paint('bold', strings.holds),
    ...wrapText(isPriced ? strings.holdsNote : strings.holdsTokens, columns - 2).map((line) => paint('dim', `  ${line}`)),
    paint('dim', `  ${fitWidth('', width)}  ${fitWidth('', barWidth)}${headings}`),
    ...rows.map(({ name, tokens: own, dollars: cost }) => {
      const share = own / total
      const bar = fitWidth(share * barWidth < 0.5 ? '▏' : '█'.repeat(Math.round(share * barWidth)), barWidth)
      const amounts = `${fitWidth(shortNumber(own), 8, 'right')}${fitWidth(percent(share), 9, 'right')}`
      const price = isPriced ? fitWidth(cost === null ? '' : moneyText(cost), 9, 'right') : ''
      return `  ${fitWidth(name, width)}  ${name.startsWith(' ') ? paint('dim', bar) : bar}${amounts}${price}`.trimEnd()
    }),
  ]
}

const shownRows = 5

/** Files that were read again although the conversation still had them. */
export function readLines({ reads }: Overview, strings: Texts, screen: TextScreen): readonly string[] {
  const { again, same } = reads
  if (again.count === 0) return titled(strings.readsTitle, [strings.noReads], [], screen)
  const cost = again.dollars === null ? '' : strings.costing(moneyText(again.dollars))
  const sentences = [
    `${strings.reads(grouped(again.count), grouped(reads.reads), shortNumber(again.tokens))}${cost}`,
    ...(same.count === 0 ? [] : [strings.sameReads(grouped(same.count), shortNumber(same.tokens))]),
  ]
  const rows = reads.files.slice(0, shownRows).map((row) => ({
    ...row,
    note: strings.readTimes(grouped(row.repeats), grouped(row.reads)),
    about: cleanText(row.path),
  }))
  return titled(strings.readsTitle, sentences, rows, screen)
}

/** The results that cost most. */
export function biggestLines({ biggest }: Overview, strings: Texts, screen: TextScreen): readonly string[] {
  const rows = biggest.slice(0, shownRows).map((row) => ({
    ...row,
    note: `${fitWidth(shortNumber(row.tokens), 5, 'right')} ${row.tool === null ? strings.unnamedTool : cutToWidth(cleanText(row.tool), 12)}`,
    about: cleanText(row.about ?? ''),
  }))
  const title = rows.some(({ dollars }) => dollars !== null) ? strings.biggest : strings.largest
  return rows.length === 0 ? [] : ['', ...titled(title, [], rows, screen)]
}

/** Where conversations lost the provider's cache. */
export function lossLines({ cacheLosses }: Overview, strings: Texts, screen: TextScreen): readonly string[] {
  const { pause, model, change, rows: losses } = cacheLosses
  const all = [pause, model, change]
  const count = all.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return []
  const dollars = all.reduce((sum, one) => sum + (one.dollars ?? 0), 0)
  const after = pause.count === 0 ? '' : strings.afterPauses(grouped(pause.count), moneyText(pause.dollars ?? 0))
  const rows = losses.slice(0, shownRows).map((row) => ({
    ...row,
    note: shortNumber(row.tokens),
    about: row.cause === 'pause' ? strings.lost.pause(pauseText(row.pauseSeconds ?? 0, strings)) : strings.lost[row.cause],
  }))
  return [
    '',
    ...titled(strings.losses, [`${strings.lossCount(count, grouped(count), moneyText(dollars))}${after}`], rows, screen),
  ]
}

function pauseText(seconds: number, strings: Texts): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return strings.minutes(grouped(minutes))
  return minutes < 48 * 60 ? strings.hours(grouped(Math.round(minutes / 60))) : strings.days(grouped(Math.round(minutes / 1440)))
}

interface CostRow extends InSession {
  readonly dollars: number | null
  readonly note: string
  readonly about: string
}

/** A heading, sentences, and rows of cost, note, what it is about, and session. */
function titled(title: string, sentences: readonly string[], rows: readonly CostRow[], screen: TextScreen): readonly string[] {
  const { paint, columns, endless } = screen
  const cells = rows.map((row) => ({
    ...row,
    cost: row.dollars === null ? '' : moneyText(row.dollars),
    name: cleanText(row.title ?? row.session ?? row.file.replace(/^.*[/\\]/s, '')),
  }))
  const widest = (of: (row: (typeof cells)[number]) => string) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(of(row))), 0)
  const [costWidth, noteWidth] = [widest(({ cost }) => cost), widest(({ note }) => note)]
  const room = columns - 2 - (costWidth === 0 ? 0 : costWidth + 2) - noteWidth - 2
  const aboutWidth = Math.min(
    widest(({ about }) => about),
    Math.floor(room * 0.6) - 2,
  )
  return [
    paint('bold', title),
    ...sentences.flatMap((text) => wrapText(text, columns - 2)).map((line) => `  ${line}`),
    ...cells.map(({ cost, note, about, name }) => {
      const start = `  ${costWidth === 0 ? '' : `${fitWidth(cost, costWidth, 'right')}  `}${fitWidth(note, noteWidth)}  `
      if (endless) return `${start}${about}  ${name}`
      // The end of a path says more, the beginning of a command.
      const shown = displayWidth(about) > aboutWidth && /^\S+$/.test(about) ? cutStart(about, aboutWidth) : about
      return `${start}${fitWidth(shown, aboutWidth)}  ${paint('dim', cutToWidth(name, room - aboutWidth - 2))}`.trimEnd()
    }),
  ]
}

export function cutStart(text: string, columns: number): string {
  let rest = [...text].slice(-columns)
  while (rest.length > 0 && displayWidth(rest.join('')) > columns - 1) rest = rest.slice(1)
  return `…${rest.join('')}`
}
