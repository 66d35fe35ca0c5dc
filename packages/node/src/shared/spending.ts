export interface Spent {
  /** A lower bound if some answers have no price. */
  readonly dollars: number
  readonly requests: number
  readonly unpriced: number
}

export interface SpentPeriod extends Spent {
  readonly budget: number | null
  /** Spending as a share of the budget. */
  readonly share: number | null
  readonly state: 'no-budget' | 'ok' | 'near' | 'over'
}

export interface Spending {
  readonly today: SpentPeriod
  readonly week: SpentPeriod
  readonly month: SpentPeriod
  /** Dollars of the last 60 minutes. */
  readonly lastHour: number
  readonly block: SpendingBlock | null
}

/** A block of Claude Code's limits: five hours from the hour of its first request. */
export interface SpendingBlock extends Spent {
  readonly start: string
  readonly end: string
  readonly tokens: number
  readonly secondsLeft: number
  readonly dollarsPerHour: number
  readonly tokensPerHour: number
}

/** What is known of a log once it was read. */
export interface LogFigures {
  readonly agent: string
  readonly title: string | null
  readonly project: string | null
  /** The model that cost most. */
  readonly model: string | null
  readonly requests: number
  /** Input, cached or not, and output. */
  readonly tokens: number
  /** Null if no price is known; a lower bound if some answers have none. */
  readonly dollars: number | null
  readonly unpriced: number
  /** Times of the first and the last message. */
  readonly first: number | null
  readonly last: number | null
}

/** What cost money without need: caches lost in a pause, by another model or a changed prompt, and repeated reads of files. */
export interface Finding {
  readonly kind: 'pause' | 'model' | 'change' | 'reads'
  /** How often, in all logs. */
  readonly count: number
  readonly dollars: number
  /** The most expensive of them; null if it is not among those that were kept. */
  readonly worst: {
    /** The log, and the title of the session in it. The server sends the log's id instead of its path. */
    readonly file: string
    readonly title: string | null
    readonly dollars: number
    /** Tokens that were sent again, or repeated reads of the file. */
    readonly amount: number
    /** The file that was read. */
    readonly about: string
  } | null
}

/** What the first screen shows: `GET /api/spending`. The last two are missing until logs were looked at. */
export interface HomeFigures extends Spending {
  /** Dollars of the last two weeks, day by day. */
  readonly days: readonly { readonly day: string; readonly dollars: number }[]
  /** The sessions of the last two weeks that cost most, or of all time if there are none; by the ids of their logs. */
  readonly sessions?: readonly (LogFigures & { readonly id: string })[]
  readonly findings?: readonly Finding[]
}
