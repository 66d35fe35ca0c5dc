import type { Facts, Message } from '@plimsoll/core'
import { type WindowCategory, type WindowFill, windowFill } from '@plimsoll/core/bill'
import type { Strings } from '../../strings/strings-for.ts'
import type { CellTint, Screen } from '../terminal/screen.ts'
import { cleanText, fitWidth, grouped, percent, wrapText } from '../terminal/text.ts'
import { type WindowInForce, windowSource } from './view-options.ts'

const cellsInRow = 20
const rowsOfCells = 5
const freeSymbol = '·'
const reserveSymbol = '░'

/** Draws the window before and after as grids of cells, with a legend. */
export function windowSection(categories: readonly Category[], size: WindowInForce, screen: Screen): readonly string[] {
  const { strings, paint, columns } = screen
  const gap = columns >= 100 ? ' ' : ''
  const gridWidth = gap === '' ? cellsInRow : cellsInRow * 2 - 1
  const before = sumOf(categories, 'before')
  const after = sumOf(categories, 'after')
  const grids = [
    paint('bold', fitWidth(strings.before, gridWidth)),
    ...drawGrid(categories, 'before', size, gap, screen),
    ' '.repeat(gridWidth),
    paint('bold', fitWidth(strings.after, gridWidth)),
    ...drawGrid(categories, 'after', size, gap, screen),
  ]
  const beside = columns >= 70
  const legend = drawLegend(categories, size, beside ? columns - gridWidth - 5 : columns - 2, screen)
  const cell = Math.max(size.tokens, before + size.reserve, after + size.reserve) / (cellsInRow * rowsOfCells)
  const usable = size.tokens - size.reserve
  const sentences = [strings.window(grouped(size.tokens), grouped(size.reserve), grouped(cell)), windowSource(size, strings)]
  return [
    ...sentences.flatMap((sentence) => wrapText(sentence, columns - 2)).map((line) => paint('dim', ` ${line}`)),
    ...[before, after].flatMap((used, index) => {
      const when = index === 0 ? strings.before : strings.after
      const text = ` ! ${strings.overLine(when, grouped(used - usable), grouped(usable))}`
      return used > usable ? [paint('warning', text)] : []
    }),
    '',
    ...(beside
      ? zip(grids, legend, ' '.repeat(gridWidth))
      : [...grids.map((line) => `  ${line}`), '', ...legend.map((line) => `  ${line}`)]),
  ]
}

function zip(left: readonly string[], right: readonly string[], blank: string): readonly string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    `  ${left[index] ?? blank}   ${right[index] ?? ''}`.trimEnd(),
  )
}

function drawGrid(
  categories: readonly Category[],
  when: 'before' | 'after',
  size: WindowInForce,
  gap: string,
  { paint }: Screen,
): readonly string[] {
  const tints = new Map<string, CellTint>(categories.map(({ symbol, tint }) => [symbol, tint]))
  const used = sumOf(categories, when)
  const shares = [
    ...categories.map((category) => ({ symbol: category.symbol, tokens: category[when] })),
    { symbol: freeSymbol, tokens: Math.max(0, size.tokens - size.reserve - used) },
    { symbol: reserveSymbol, tokens: size.reserve },
  ]
  const cells = shareCells(shares, cellsInRow * rowsOfCells)
  return Array.from({ length: rowsOfCells }, (_, row) =>
    cells
      .slice(row * cellsInRow, (row + 1) * cellsInRow)
      .map((symbol) => paint(tints.get(symbol) ?? 'dim', symbol))
      .join(gap),
  )
}

const numberWidth = 9
const percentWidth = 8
const minNameWidth = 8

function drawLegend(categories: readonly Category[], { tokens: window, reserve }: WindowInForce, width: number, screen: Screen) {
  const { strings, paint } = screen
  // If both do not fit, the numbers say more than the shares.
  const shareWidth = width < 2 + minNameWidth + 2 * (numberWidth + percentWidth) ? 0 : percentWidth
  const nameWidth = Math.min(30, Math.max(minNameWidth, width - 2 - 2 * (numberWidth + shareWidth)))
  const amounts = (before: number, after: number) =>
    [before, after]
      .map((tokens) => fitWidth(grouped(tokens), numberWidth, 'right') + fitWidth(percent(tokens / window), shareWidth, 'right'))
      .join('')
  const row = (symbol: string, tint: CellTint | 'dim', name: string, before: number, after: number) =>
    `${paint(tint, symbol)} ${fitWidth(name, nameWidth)}${amounts(before, after)}`
  const heading = [strings.before, strings.after].map((text) => fitWidth(text, numberWidth + shareWidth, 'right')).join('')
  const results = categories.filter(({ isResult }) => isResult)
  const used = { before: sumOf(categories, 'before'), after: sumOf(categories, 'after') }
  const free = (tokens: number) => Math.max(0, window - reserve - tokens)
  return [
    paint('bold', `${' '.repeat(nameWidth + 2)}${heading}`),
    ...categories.flatMap((category) => {
      const { symbol, tint, name, before, after, isResult } = category
      const line = row(symbol, tint, isResult ? `  ${name}` : name, before, after)
      // One line for all tools together, above the first of several.
      return category === results[0] && results.length > 1
        ? [row(' ', 'dim', strings.results, sumOf(results, 'before'), sumOf(results, 'after')), line]
        : [line]
    }),
    row(freeSymbol, 'dim', strings.free, free(used.before), free(used.after)),
    row(reserveSymbol, 'dim', strings.reserve, reserve, reserve),
  ]
}

function sumOf(categories: readonly Category[], when: 'before' | 'after'): number {
  return categories.reduce((tokens, category) => tokens + category[when], 0)
}

export interface Category {
  readonly name: string
  readonly symbol: string
  readonly tint: CellTint
  /** Set on a tool's results, which are shown together. */
  readonly isResult?: true
  readonly before: number
  readonly after: number
}

const namedTools = 4

const toolCells = [
  { symbol: '1', tint: 'yellow' },
  { symbol: '2', tint: 'magenta' },
  { symbol: '3', tint: 'bright-green' },
  { symbol: '4', tint: 'bright-magenta' },
] as const

/** Divides the tokens of a conversation and of its view into categories that add up to the total. Empty ones are omitted. */
export function categorise(
  messages: readonly Message[],
  view: readonly Message[],
  facts: Facts,
  strings: Strings['view'],
): readonly Category[] {
  const before = fillOf(messages, facts)
  const after = fillOf(view, facts)
  const row = (name: string, symbol: string, tint: CellTint, ...names: readonly WindowCategory[]): Category => {
    const total = ({ categories }: WindowFill) => names.reduce((tokens, category) => tokens + (categories[category] ?? 0), 0)
    return { name, symbol, tint, before: total(before), after: total(after) }
  }
  const resultRow = (name: string, symbol: string, tint: CellTint, ...names: readonly string[]): Category => {
    const total = ({ results }: WindowFill) =>
      results.reduce((sum, { tool, tokens }) => (names.includes(tool) ? sum + tokens : sum), 0)
    return { name, symbol, tint, isResult: true, before: total(before), after: total(after) }
  }
  const tools = [...new Set([...before.results, ...after.results].map(({ tool }) => tool))]
  // A separate row takes no more room than a row for "one other tool".
  const named = tools.length <= toolCells.length ? tools : tools.slice(0, namedTools)
  const others = tools.slice(named.length)
  const rows = [
    row(strings.system, 'S', 'grey', 'system', 'rules', 'summaries'),
    row(strings.user, 'U', 'green', 'user'),
    row(strings.assistant, 'A', 'blue', 'assistant'),
    row(strings.reasoning, 'R', 'bright-blue', 'reasoning'),
    row(strings.calls, 'C', 'cyan', 'calls'),
    ...named.map((tool, index) => {
      const { symbol, tint } = toolCells[index] as (typeof toolCells)[number]
      return resultRow(tool === '' ? strings.unnamedTool : cleanText(tool), symbol, tint, tool)
    }),
    ...(others.length === 0 ? [] : [resultRow(strings.otherTools(others.length), 'T', 'bright-cyan', ...others)]),
    row(strings.media, 'M', 'red', 'images'),
  ]
  return rows.filter((category) => category.before > 0 || category.after > 0)
}

/** The same sums as in the inspector. */
function fillOf(messages: readonly Message[], facts: Facts): WindowFill {
  return windowFill(messages, { window: 0, reserve: 0, ...(facts.tokens === undefined ? {} : { tokens: facts.tokens }) })
}

/**
 * Shares cells among amounts by size, at least one for each amount, so that nothing present is invisible. The excess of the small
 * ones comes from the largest.
 */
export function shareCells(
  shares: readonly { readonly symbol: string; readonly tokens: number }[],
  cells: number,
): readonly string[] {
  const whole = shares.reduce((tokens, share) => tokens + share.tokens, 0)
  if (whole <= 0) return []
  const counts = shares.map(({ tokens }) => (tokens <= 0 ? 0 : Math.max(1, Math.floor((tokens / whole) * cells))))
  let missing = cells - counts.reduce((taken, count) => taken + count, 0)
  // Cells left by rounding down go to the amounts that lost most.
  const losses = shares
    .map(({ tokens }, index) => ({ index, loss: (tokens / whole) * cells - (counts[index] as number) }))
    .filter(({ loss }) => loss > 0)
    .sort((one, other) => other.loss - one.loss)
  for (const { index } of losses) {
    if (missing <= 0) break
    counts[index] = (counts[index] as number) + 1
    missing -= 1
  }
  while (missing < 0) {
    const largest = counts.indexOf(Math.max(...counts))
    counts[largest] = (counts[largest] as number) - 1
    missing += 1
  }
  return shares.flatMap(({ symbol }, index) => Array<string>(counts[index] as number).fill(symbol))
}
