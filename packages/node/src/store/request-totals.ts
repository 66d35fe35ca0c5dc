import type { GatewayRequest } from './gateway-record.ts'

/** What one request adds to the sums of its conversation. */
export interface RequestTotals {
  readonly dollars: number
  readonly untrimmedDollars: number
  readonly unpriced: number
}

/**
 * What one request adds to the sums of its conversation. Where nobody knows what it would have cost untrimmed, nothing was saved; where
 * nobody knows what it cost at all, it counts as unpriced, if an upstream took it.
 */
export function requestTotals({ cost, untrimmed, status }: GatewayRequest): RequestTotals {
  const dollars = cost?.dollars ?? Number.NaN
  if (!Number.isFinite(dollars)) {
    const isTaken = status !== null && status >= 200 && status < 300
    return { dollars: 0, untrimmedDollars: 0, unpriced: isTaken ? 1 : 0 }
  }
  const compared = untrimmed?.dollars ?? dollars
  return { dollars, untrimmedDollars: Number.isFinite(compared) ? compared : dollars, unpriced: 0 }
}
