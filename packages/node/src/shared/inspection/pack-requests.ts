import type { Cost, CostParts, Usage, WindowFill } from '@plimsoll/core/bill'
import { type Column, packColumn, unpackColumn } from './column.ts'
import type { InspectedRequest } from './inspection.ts'
import { createFillPacker, type PackedFills, unpackFills } from './pack-fills.ts'

/** Requests as columns with one value for each request, a tenth as long as the requests themselves. */
export interface PackedRequests extends Columns<Omit<InspectedRequest, 'fill' | 'usage' | 'cost'>> {
  readonly count: number
  readonly fill: PackedFills
  /** Null if nothing was reported. */
  readonly usage: { readonly [Name in keyof Usage]: Column<number | null> }
  readonly cost: PackedCosts
}

type Columns<Row> = { readonly [Name in keyof Row]-?: Column<Row[Name]> }

/** Requests as columns, to be sent or stored. */
export function packRequests(requests: readonly InspectedRequest[]): PackedRequests {
  const ids: string[] = []
  const ats: (number | null)[] = []
  const models: (string | null)[] = []
  const lasts: number[] = []
  const edits: number[] = []
  const saved: number[] = []
  const waiting: number[] = []
  const compacted: boolean[] = []
  const broken: InspectedRequest['broken'][] = []
  const fills = createFillPacker()
  const usages = createUsagePacker()
  const costs = createCostPacker()
  // All columns in one go: there may be many thousand requests, and somebody waits.
  for (const request of requests) {
    ids.push(request.id)
    ats.push(request.at)
    models.push(request.model)
    fills.add(request.fill)
    lasts.push(request.last)
    usages.add(request.usage)
    costs.add(request.usage, request.cost)
    edits.push(request.edits)
    saved.push(request.saved)
    waiting.push(request.waiting)
    compacted.push(request.isCompacted)
    broken.push(request.broken)
  }
  return {
    count: requests.length,
    id: packColumn(ids),
    at: packColumn(ats),
    model: packColumn(models),
    fill: fills.packed(),
    last: packColumn(lasts),
    usage: usages.packed(),
    cost: costs.packed(),
    edits: packColumn(edits),
    saved: packColumn(saved),
    waiting: packColumn(waiting),
    isCompacted: packColumn(compacted),
    broken: packColumn(broken),
  }
}

/** Unpacks the requests. */
export function unpackRequests(packed: PackedRequests): readonly InspectedRequest[] {
  const ids = unpackColumn(packed.id)
  const ats = unpackColumn(packed.at)
  const models = unpackColumn(packed.model)
  const lasts = unpackColumn(packed.last)
  const edits = unpackColumn(packed.edits)
  const saved = unpackColumn(packed.saved)
  const waiting = unpackColumn(packed.waiting)
  const compacted = unpackColumn(packed.isCompacted)
  const broken = unpackColumn(packed.broken)
  const usages = unpackUsages(packed.usage)
  const costs = unpackCosts(packed.cost, usages)
  const fills = unpackFills(packed.fill)
  return ids.map((id, index) => ({
    id,
    at: ats[index] as number | null,
    model: models[index] as string | null,
    fill: fills[index] as WindowFill,
    last: lasts[index] as number,
    usage: usages[index] as Usage | null,
    cost: costs[index] as InspectedRequest['cost'],
    edits: edits[index] as number,
    saved: saved[index] as number,
    waiting: waiting[index] as number,
    isCompacted: compacted[index] as boolean,
    broken: broken[index] as InspectedRequest['broken'],
  }))
}

function createUsagePacker() {
  const input: (number | null)[] = []
  const cacheRead: (number | null)[] = []
  const cacheWrite: (number | null)[] = []
  const output: (number | null)[] = []
  return {
    add(usage: Usage | null): void {
      input.push(usage === null ? null : usage.input)
      cacheRead.push(usage === null ? null : usage.cacheRead)
      cacheWrite.push(usage === null ? null : usage.cacheWrite)
      output.push(usage === null ? null : usage.output)
    },
    packed: (): PackedRequests['usage'] => ({
      input: packColumn(input),
      cacheRead: packColumn(cacheRead),
      cacheWrite: packColumn(cacheWrite),
      output: packColumn(output),
    }),
  }
}

function unpackUsages({ input, cacheRead, cacheWrite, output }: PackedRequests['usage']): readonly (Usage | null)[] {
  const reads = unpackColumn(cacheRead)
  const writes = unpackColumn(cacheWrite)
  const outputs = unpackColumn(output)
  return unpackColumn(input).map((tokens, index) =>
    tokens === null
      ? null
      : {
          input: tokens,
          cacheRead: reads[index] as number,
          cacheWrite: writes[index] as number,
          output: outputs[index] as number,
        },
  )
}

/** Costs as the prices for a million tokens that they were computed with: those are few, and the tokens are known. */
interface PackedCosts {
  /** Input, cache read, cache write, output. */
  readonly rates: readonly Rates[]
  /** The place of the rates; the cost itself if no rates give exactly that. */
  readonly each: Column<number | Cost | null>
}

type Rates = readonly [input: number, cacheRead: number, cacheWrite: number, output: number]

interface CostPacker {
  readonly add: (usage: Usage | null, cost: Cost | null) => void
  readonly packed: () => PackedCosts
}

function createCostPacker(): CostPacker {
  const rates: Rates[] = []
  const each: (number | Cost | null)[] = []
  let latest = 0

  /** Returns -1 if no rates give exactly this cost. */
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

function unpackCosts({ rates, each }: PackedCosts, usages: readonly (Usage | null)[]): readonly (Cost | null)[] {
  return unpackColumn(each).map((value, index) => {
    if (typeof value !== 'number') return value
    const usage = usages[index]
    const row = rates[value]
    return usage === null || usage === undefined || row === undefined ? null : costAt(usage, row)
  })
}

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

/** A price has few digits; the result of a division has many. */
function rateOf(tokens: number, dollars: number): number {
  return tokens === 0 ? 0 : Number(((dollars * million) / tokens).toPrecision(9))
}
