/** A table about a replay, for a terminal or a page. */
export interface ReportTable {
  readonly title: string
  /** The head of the first column, which names the rows. */
  readonly first: string
  readonly columns: readonly ReportColumn[]
  readonly rows: readonly ReportRow[]
  /** What stands under it. */
  readonly notes: readonly string[]
}

/** A column of figures. */
export interface ReportColumn {
  readonly head: string
  /** The head over this column and those of the same beside it; empty for none. */
  readonly over: string
  /** Columns of a terminal, the blank before it included. */
  readonly width: number
  /** Left out where there is no room. */
  readonly isExtra?: true
}

/** A row of figures. */
export interface ReportRow {
  readonly name: string
  readonly cells: readonly string[]
  /** Bounds are no policies that anybody could run; what is invalid does not count. */
  readonly kind: 'plain' | 'bound' | 'invalid'
}
