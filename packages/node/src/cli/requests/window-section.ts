import { grouped, percent } from '../terminal/format-number.ts'
import type { CellTint } from '../terminal/paint.ts'
import type { Screen } from '../terminal/screen.ts'
import { fitWidth, wrapText } from '../terminal/text-width.ts'
import type { Category } from './window-categories.ts'
import { shareCells } from './window-grid.ts'
import { type WindowInForce, windowSource } from './window-in-force.ts'

const cellsInRow = 20
const rowsOfCells = 5
const freeSymbol = '·'
const reserveSymbol = '░'

/** Draws the window before and after as grids of cells, with what each symbol stands for beside them. */
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
    ...[before, after].flatMap((used, index) =>
      used > usable
        ? [
            paint(
              'warning',
              ` ! ${index === 0 ? strings.before : strings.after}: ${strings.overLine(grouped(used - usable), grouped(usable))}`,
            ),
          ]
        : [],
    ),
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
const leastNameWidth = 8

function drawLegend(
  categories: readonly Category[],
  { tokens: window, reserve }: WindowInForce,
  width: number,
  screen: Screen,
): readonly string[] {
  const { strings, paint } = screen
  // Where both do not fit, the numbers say more than the shares.
  const shareWidth = width < 2 + leastNameWidth + 2 * (numberWidth + percentWidth) ? 0 : percentWidth
  const nameWidth = Math.min(30, Math.max(leastNameWidth, width - 2 - 2 * (numberWidth + shareWidth)))
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
