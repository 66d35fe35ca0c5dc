import type { Price } from '@plimsoll/core/bill'

/** Tokens that requests carried: once when they were new, and again with every later request until they were compacted. */
export interface Carried {
  /** Sent for the first time. */
  readonly written: number
  /** Sent again, added up over the requests. */
  readonly read: number
}

/**
 * The price of carrying tokens in a conversation: the first request writes them to the cache, each later one reads them from it.
 * A lower bound: it assumes that the cache was never lost. Null without a price.
 */
export function carryingCost({ written, read }: Carried, price: Pick<Price, 'cacheWrite' | 'cacheRead'> | null): number | null {
  return price === null ? null : (written * price.cacheWrite + read * price.cacheRead) / 1_000_000
}

/** Orders what a session carried by its price, at the usual prices: a cache write costs 12.5 times as much as a read. */
export function carryingWeight({ written, read }: Carried): number {
  return 12.5 * written + read
}

/** A sum that a carrier adds to. */
export interface CarriedSum {
  written: number
  read: number
}

/** Follows what each message added to the context and for how many requests it stayed there, and adds it to sums when it leaves. */
export function createCarrier() {
  const inContext = new Map<
    string,
    { readonly from: number; readonly loads: { readonly tokens: number; readonly sum: CarriedSum }[] }
  >()
  let requests = 0
  function leave(message: string): void {
    const { from, loads } = inContext.get(message) ?? { from: requests, loads: [] }
    inContext.delete(message)
    const times = requests - from
    for (const { tokens, sum } of loads) {
      sum.written += times > 0 ? tokens : 0
      sum.read += Math.max(0, times - 1) * tokens
    }
  }
  return {
    request: () => {
      requests += 1
    },
    /** Tokens of a message that requests carry from the next one on. */
    add(message: string, tokens: number, ...sums: readonly CarriedSum[]): void {
      const stay = inContext.get(message) ?? { from: requests, loads: [] }
      inContext.set(message, stay)
      for (const sum of sums) stay.loads.push({ tokens, sum })
    },
    /** All other messages leave the context. */
    keepOnly(messages: ReadonlySet<string>): void {
      for (const message of inContext.keys()) if (!messages.has(message)) leave(message)
    },
    finish(): void {
      for (const message of inContext.keys()) leave(message)
    },
  }
}
