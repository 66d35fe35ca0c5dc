import type { Cost, CostParts, Usage } from '@plimsoll/core/bill'
import { type Column, packColumn, unpackColumn } from './column.ts'

/** Costs as the dollars for a million tokens that they were worked out with: those are few, and the tokens are known. */
export interface PackedCosts {
  /** Input, read from a cache, written to one, output. */
  readonly rates: readonly Rates[]
  /** The place of the rates; the cost itself where no rates give exactly that; null where there is none. */
  readonly each: Column<number | Cost | null>
}

type Rates = readonly [input: number, cacheRead: number, cacheWrite: number, output: number]

/** Takes the costs of requests one by one. */
export interface CostPacker {
  readonly add: (usage: Usage | null, cost: Cost | null) => void
  readonly packed: () => PackedCosts
}

/** No costs. */
export function createCostPacker(): CostPacker {
  const rates: Rates[] = []
  const each: (number | Cost | null)[] = []
  let latest = 0

  /** The place of rates that give exactly this cost; -1 where there are none. */
  const placeOf = (usage: Usage, cost: Cost): number => {
    if (isCost(usage, rates[latest], cost)) return latest
    const known = rates.findIndex((row) => isCost(usage, row, cost))
    if (known >= 0 || rates.length >= mostRates) return known
    const made = ratesOf(usage, cost.parts)
    return isCost(usage, made, cost) ? rates.push(made) - 1 : -1
  }

  return {
    add(usage, cost) {
      const place = usage === null || cost === null ? -1 : placeOf(usage, cost)
      if (place >= 0) latest = place
      each.push(place >= 0 ? place : cost)
    },
    packed: () => ({ rates, each: packColumn(each) }),
  }
}

/** The costs that were packed, for the same tokens. */
export function unpackCosts({ rates, each }: PackedCosts, usages: readonly (Usage | null)[]): readonly (Cost | null)[] {
  return unpackColumn(each).map((value, index) => {
    if (typeof value !== 'number') return value
    const usage = usages[index]
    const row = rates[value]
    return usage === null || usage === undefined || row === undefined ? null : costAt(usage, row)
  })
}

/** A session has had a few models with a few prices each. */
const mostRates = 64

const million = 1_000_000

function costAt(usage: Usage, [input, cacheRead, cacheWrite, output]: Rates): Cost {
  const parts: CostParts = {
    input: (usage.input * input) / million,
    cacheRead: (usage.cacheRead * cacheRead) / million,
    cacheWrite: (usage.cacheWrite * cacheWrite) / million,
    output: (usage.output * output) / million,
  }
  return { dollars: parts.input + parts.cacheRead + parts.cacheWrite + parts.output, parts }
}

function isCost(usage: Usage, rates: Rates | undefined, { dollars, parts }: Cost): boolean {
  if (rates === undefined) return false
  const made = costAt(usage, rates)
  return (
    made.dollars === dollars &&
    made.parts.input === parts.input &&
    made.parts.cacheRead === parts.cacheRead &&
    made.parts.cacheWrite === parts.cacheWrite &&
    made.parts.output === parts.output
  )
}

function ratesOf(usage: Usage, parts: CostParts): Rates {
  return [
    rateOf(usage.input, parts.input),
    rateOf(usage.cacheRead, parts.cacheRead),
    rateOf(usage.cacheWrite, parts.cacheWrite),
    rateOf(usage.output, parts.output),
  ]
}

/** A price has few digits; what is left of dividing has many. */
function rateOf(tokens: number, dollars: number): number {
  return tokens === 0 ? 0 : Number(((dollars * million) / tokens).toPrecision(9))
}
