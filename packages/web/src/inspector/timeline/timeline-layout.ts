import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import type { TimelineColumn, TimelineReads } from './timeline-columns.ts'

interface ChartBand<Name extends string> {
  readonly name: Name
  readonly y: number
  readonly height: number
}

/** Something that happened, at the place of a column; what happened close by is counted with it. */
interface TimelineMark {
  readonly x: number
  readonly count: number
  /** The first of the requests it stands for. */
  readonly request: number
}

/** The height of a chart in tokens: all of the window, or no more than what is needed to show the largest request. */
export function chartTop(
  columns: readonly TimelineColumn[],
  requests: readonly InspectedRequest[],
  scale: 'window' | 'fill',
): number {
  let window = 1
  let tokens = 1
  for (const { shown } of columns) {
    const fill = requests[shown]?.fill
    if (fill === undefined) continue
    window = Math.max(window, fill.window, fill.tokens)
    tokens = Math.max(tokens, fill.tokens)
  }
  return scale === 'window' ? window : Math.min(window, Math.ceil(tokens * 1.1))
}

/** The categories of a window one on the other, the first at the bottom, in a chart so high that stands for so many tokens. */
export function fillBands(fill: WindowFill, top: number, height: number): readonly ChartBand<WindowCategory>[] {
  return stack(
    windowCategories.map((name) => ({ name, amount: fill.categories[name] ?? 0 })),
    top,
    height,
  )
}

/** Where a prompt was had from, as shares of the whole height. */
export function readBands({ read, write, fresh }: TimelineReads, height: number): readonly ChartBand<keyof TimelineReads>[] {
  const parts = [
    { name: 'read' as const, amount: read },
    { name: 'write' as const, amount: write },
    { name: 'fresh' as const, amount: fresh },
  ]
  return stack(parts, read + write + fresh, height)
}

/** Bars of all columns as one SVG path for each name: a page with a few paths stays quick where one with thousands of bars does not. */
export function barPaths<Name extends string>(
  columns: readonly TimelineColumn[],
  bandsOf: (column: TimelineColumn) => readonly ChartBand<Name>[],
): ReadonlyMap<Name, string> {
  const paths = new Map<Name, string>()
  for (const column of columns) {
    // Between wide columns there is a gap; narrow ones would be lost to it.
    const width = column.width >= 5 ? column.width - 1 : column.width
    for (const { name, y, height } of bandsOf(column))
      paths.set(
        name,
        `${paths.get(name) ?? ''}M${round(column.x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`,
      )
  }
  return paths
}

/** A line that runs level over each column and steps between them, as an SVG path; what is above the chart is left out. */
export function stepPath(
  columns: readonly TimelineColumn[],
  value: (column: TimelineColumn) => number,
  top: number,
  height: number,
) {
  let path = ''
  let isDrawing = false
  for (const column of columns) {
    const amount = value(column)
    if (amount > top) {
      isDrawing = false
      continue
    }
    const y = round(height - (amount / top) * height)
    path += `${isDrawing ? 'L' : 'M'}${round(column.x)} ${y}H${round(column.x + column.width)}`
    isDrawing = true
  }
  return path
}

/** What happened, by column, with marks at least so many pixels apart: a closer one is counted with the one before it. */
export function timelineMarks(
  columns: readonly TimelineColumn[],
  count: (column: TimelineColumn) => number,
  apart: number,
): readonly TimelineMark[] {
  const marks: TimelineMark[] = []
  for (const column of columns) {
    const happened = count(column)
    if (happened === 0) continue
    const x = column.x + column.width / 2
    const last = marks.at(-1)
    if (last !== undefined && x - last.x < apart) marks[marks.length - 1] = { ...last, count: last.count + happened }
    else marks.push({ x, count: happened, request: column.from })
  }
  return marks
}

/** Round numbers from 0 up to the top of a chart, about so many. */
export function chartTicks(top: number, about: number): readonly number[] {
  if (!(top > 0) || !Number.isFinite(top)) return [0]
  const rough = top / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step)
}

function stack<Name extends string>(
  parts: readonly { readonly name: Name; readonly amount: number }[],
  top: number,
  height: number,
): readonly ChartBand<Name>[] {
  const bands: ChartBand<Name>[] = []
  let below = 0
  for (const { name, amount } of parts) {
    if (amount <= 0 || top <= 0) continue
    const size = (amount / top) * height
    below += size
    bands.push({ name, y: height - below, height: size })
  }
  return bands
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

interface MoneyLayout {
  /** Dollars of each column, as one SVG path. */
  readonly bars: string
  /** Dollars of the session up to the end of each column, as a line over the bars with a scale of its own. */
  readonly line: string
  /** The dearest column, and all of the session up to the last column. */
  readonly most: number
  readonly total: number
}

/** Lays out money: bars for what each column cost, and a line for what the session had cost by then. */
export function moneyLayout(columns: readonly TimelineColumn[], spent: readonly number[], height: number): MoneyLayout {
  const most = columns.reduce((dearest, { dollars }) => Math.max(dearest, dollars ?? 0), 0)
  const total = spent[(columns.at(-1)?.to ?? 0) - 1] ?? 0
  const bars = barPaths(columns, ({ dollars }) => {
    const size = most > 0 ? ((dollars ?? 0) / most) * height : 0
    return size > 0 ? [{ name: 'money', y: height - size, height: size }] : []
  })
  let line = ''
  if (total > 0)
    for (const { x, width, to } of columns) {
      const y = height - ((spent[to - 1] ?? 0) / total) * height
      line += `${line === '' ? 'M' : 'L'}${Math.round((x + width / 2) * 10) / 10} ${Math.round(y * 10) / 10}`
    }
  return { bars: bars.get('money') ?? '', line, most, total }
}

/** Where the parts of the timeline stand, from the top. */
export interface TimelinePlaces {
  /** Room for the numbers at the left. */
  readonly left: number
  /** What is left for the columns. */
  readonly width: number
  /** The rows of marks: where each begins. */
  readonly marks: Readonly<Record<TimelineMarkKind, number>>
  readonly tokens: ChartPlace
  readonly money: ChartPlace
  readonly cache: ChartPlace
  readonly height: number
}

/** What is marked above the columns, from the top. */
type TimelineMarkKind = 'edits' | 'compactions' | 'breaks'

/** One chart: its title's place, and where it begins below it. A chart of nothing has its title only. */
export interface ChartPlace {
  readonly title: number
  readonly top: number
  readonly height: number
}

/** What there is to be drawn. */
export interface TimelineContents extends Readonly<Record<TimelineMarkKind, boolean>> {
  readonly money: boolean
  readonly usage: boolean
}

const titleRoom = 34
const markRoom = 16
const top = 10

/** The places in a picture so wide. What nothing is known of takes up no room. */
export function timelinePlaces(width: number, contents: TimelineContents): TimelinePlaces {
  const left = width < 520 ? 50 : 56
  const compactions = top + (contents.edits ? markRoom : 0)
  const breaks = compactions + (contents.compactions ? markRoom : 0)
  const tokens = placeBelow(breaks + (contents.breaks ? markRoom : 0), 200)
  const money = placeBelow(tokens.top + tokens.height, contents.money ? 64 : 0)
  const cache = placeBelow(money.top + money.height, contents.usage ? 48 : 0)
  return {
    left,
    width: Math.max(0, width - left - 6),
    marks: { edits: top, compactions, breaks },
    tokens,
    money,
    cache,
    height: cache.top + cache.height + 6,
  }
}

function placeBelow(end: number, height: number): ChartPlace {
  return { title: end + titleRoom - 13, top: height === 0 ? end + titleRoom - 8 : end + titleRoom, height }
}
