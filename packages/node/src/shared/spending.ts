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
