export interface ReportTable {
  readonly title: string
  readonly first: string
  readonly columns: readonly ReportColumn[]
  readonly rows: readonly ReportRow[]
  readonly notes: readonly string[]
}

export interface ReportColumn {
  readonly head: string
  /** The head over this column and its neighbours with the same; empty for none. */
  readonly over: string
  /** The minimum width in a terminal, including the blank before it. */
  readonly width: number
  readonly isExtra?: true
}

export interface ReportRow {
  readonly name: string
  readonly cells: readonly string[]
  /** Bounds are not policies that could be used; invalid rows do not count. */
  readonly kind: 'plain' | 'bound' | 'invalid'
}

/** A change as a percentage without the percent sign: -18.6, +812, 0. */
export function changeFigure(change: number): string {
  const percent = change * 100
  const digits = Math.abs(percent) >= 99.95 ? 0 : 1
  const text = percent.toFixed(digits)
  if (Number(text) === 0) return '0'
  return percent > 0 ? `+${text}` : text
}

/** A share from 0 to 1 in three digits: .963. Only exact values are 1 and 0. */
export function shareFigure(share: number): string {
  if (share >= 1) return '1'
  if (share <= 0) return '0'
  const thousandths = Math.min(999, Math.max(1, Math.round(share * 1000)))
  return `.${String(thousandths).padStart(3, '0')}`
}

/** A share as a percentage without the percent sign: 12.3. */
export function percentFigure(share: number): string {
  return (share * 100).toFixed(1)
}

/** A number in at most four characters: 0, .04, 1.2, 15, 1204. */
export function shortFigure(value: number): string {
  if (value === 0) return '0'
  if (value < 0.995) return value.toFixed(2).replace(/^0/, '')
  return value.toFixed(value < 9.95 ? 1 : 0)
}
