import type { TimelineColumn } from './timeline-columns.ts'
import { barPaths } from './timeline-layout.ts'

/** The money of a timeline, drawn. */
export interface MoneyLayout {
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
