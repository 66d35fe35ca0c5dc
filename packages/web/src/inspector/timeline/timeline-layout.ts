import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import type { TimelineColumn, TimelineReads } from './timeline-columns.ts'

interface ChartBand<Name extends string> {
  readonly name: Name
  readonly y: number
  readonly height: number
}

/** The height of a chart in tokens: all of the window, or only as much as the largest request needs. */
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

/** The categories of a window one on the other, the first at the bottom, in a chart of `top` tokens and `height` pixels. */
export function fillBands({ categories }: WindowFill, top: number, height: number): readonly ChartBand<WindowCategory>[] {
  return stack(windowCategories, (name) => categories[name] ?? 0, top, height)
}

/** Where a prompt is read from, in the order it is drawn from below. */
export const readKinds = ['read', 'write', 'fresh'] as const satisfies readonly (keyof TimelineReads)[]

/** Where a prompt was read from, as shares of the whole height. */
export function readBands(reads: TimelineReads, height: number): readonly ChartBand<keyof TimelineReads>[] {
  return stack(readKinds, (name) => reads[name], reads.read + reads.write + reads.fresh, height)
}

/** Bars of all columns as one SVG path for each name: a page with a few paths stays quick, one with thousands of bars does not. */
export function barPaths<Name extends string>(
  columns: readonly TimelineColumn[],
  bandsOf: (column: TimelineColumn) => readonly ChartBand<Name>[],
): ReadonlyMap<Name, string> {
  const paths = new Map<Name, string>()
  for (const column of columns) {
    // Between wide columns there is a gap; narrow ones would be lost to it.
    const width = column.width >= 5 ? column.width - 1 : column.width
    for (const { name, y, height } of bandsOf(column)) {
      const bar = `M${round(column.x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`
      paths.set(name, (paths.get(name) ?? '') + bar)
    }
  }
  return paths
}

/** A line that runs level over each column and steps between them, as an SVG path, except above the chart. */
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

/** Marks of events by column, at least `apart` pixels from each other: a closer one is counted with the one before it. */
export function timelineMarks(
  columns: readonly TimelineColumn[],
  count: (column: TimelineColumn) => number,
  apart: number,
): readonly { readonly x: number; readonly count: number; readonly request: number }[] {
  const marks: { x: number; count: number; request: number }[] = []
  for (const column of columns) {
    const happened = count(column)
    if (happened === 0) continue
    const x = column.x + column.width / 2
    const last = marks.at(-1)
    if (last !== undefined && x - last.x < apart) last.count += happened
    else marks.push({ x, count: happened, request: column.from })
  }
  return marks
}

/** About as many round numbers as asked for, from 0 up to the top of a chart. */
export function chartTicks(top: number, about: number): readonly number[] {
  if (!(top > 0) || !Number.isFinite(top)) return [0]
  const rough = top / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step)
}

function stack<Name extends string>(
  names: readonly Name[],
  amountOf: (name: Name) => number,
  top: number,
  height: number,
): readonly ChartBand<Name>[] {
  const bands: ChartBand<Name>[] = []
  let below = 0
  for (const name of names) {
    const size = (amountOf(name) / top) * height
    if (!(size > 0) || top <= 0) continue
    below += size
    bands.push({ name, y: height - below, height: size })
  }
  return bands
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Lays out costs: bars for what each column cost, and lines on another scale for what the session, and the one as recorded, had cost by then. */
export function moneyLayout(
  columns: readonly TimelineColumn[],
  spent: readonly number[],
  before: readonly number[],
  height: number,
) {
  const max = columns.reduce((top, { dollars }) => Math.max(top, dollars ?? 0), 0)
  const last = (columns.at(-1)?.to ?? 0) - 1
  const total = Math.max(spent[last] ?? 0, before[last] ?? 0)
  const bars = barPaths(columns, ({ dollars }) => stack(['money'], () => dollars ?? 0, max, height))
  const line = (sums: readonly number[]) => {
    let path = ''
    if (total <= 0 || sums.length === 0) return path
    for (const { x, width, to } of columns) {
      const y = height - ((sums[to - 1] ?? 0) / total) * height
      path += `${path === '' ? 'M' : 'L'}${Math.round((x + width / 2) * 10) / 10} ${Math.round(y * 10) / 10}`
    }
    return path
  }
  return { bars: bars.get('money') ?? '', line: line(spent), before: line(before), max, total }
}

/** Requests to be named below the charts, in round steps, with the middle of their columns. */
export function axisTicks(
  columns: readonly TimelineColumn[],
  width: number,
): readonly { readonly request: number; readonly x: number }[] {
  const first = columns[0]?.from ?? 0
  const count = (columns.at(-1)?.to ?? 0) - first
  const used = (columns.at(-1)?.x ?? 0) + (columns.at(-1)?.width ?? 0)
  const [, step = 1] = chartTicks(Math.max(1, count), Math.max(1, Math.min(width, used) / tickRoom))
  const every = Math.max(1, Math.ceil(step))
  const ticks: { request: number; x: number }[] = []
  for (const { from, to, x, width: wide } of columns) {
    // Named from 1: the first, and those with a round name.
    const named = from === first ? first : Math.ceil((from + 1) / every) * every - 1
    if (named < to && (ticks.length === 0 || x - (ticks.at(-1)?.x ?? 0) > tickRoom * 0.75))
      ticks.push({ request: named, x: x + wide / 2 })
  }
  return ticks
}

/** The width of a time. */
const tickRoom = 84

/** The places of the parts of the timeline, from the top. */
export type TimelinePlaces = Readonly<ReturnType<typeof timelinePlaces>>

/** One chart: the places of its title and of its top. An empty chart has its title only. */
export interface ChartPlace {
  readonly title: number
  readonly top: number
  readonly height: number
}

export type TimelineContents = Readonly<Record<'hits' | 'edits' | 'compactions' | 'breaks' | 'money' | 'usage', boolean>>

const titleRoom = 34
const markRoom = 16
const top = 10
/** Below the charts: the numbers of requests, and their times. */
const axisRoom = 34

/** Lays out the timeline. Parts without data take no room. */
export function timelinePlaces(width: number, contents: TimelineContents) {
  const left = width < 520 ? 50 : 56
  // For the scale of what was spent in all.
  const right = contents.money ? 58 : 6
  const edits = top + (contents.hits ? markRoom : 0)
  const compactions = edits + (contents.edits ? markRoom : 0)
  const breaks = compactions + (contents.compactions ? markRoom : 0)
  const tokens = placeBelow(breaks + (contents.breaks ? markRoom : 0), 200)
  const money = placeBelow(tokens.top + tokens.height, contents.money ? 64 : 0)
  const cache = placeBelow(money.top + money.height, contents.usage ? 48 : 0)
  return {
    /** Room for the numbers at the left; the rest is for the columns. */
    left,
    width: Math.max(0, width - left - right),
    /** The top of each row of marks. */
    marks: { hits: top, edits, compactions, breaks },
    tokens,
    money,
    cache,
    axis: cache.top + cache.height,
    height: cache.top + cache.height + axisRoom,
  }
}

function placeBelow(end: number, height: number): ChartPlace {
  return { title: end + titleRoom - 13, top: height === 0 ? end + titleRoom - 8 : end + titleRoom, height }
}
