import type { Cost, CostParts, Usage, WindowFill } from '@plimsoll/core/bill'
import { type Column, packColumn, unpackColumn } from './column.ts'
import type { InspectedRequest } from './inspection.ts'
import { type PackedFills, packFills, unpackFills } from './pack-fills.ts'

/** Requests as columns with one value for each request, a tenth as long as the requests themselves. */
export interface PackedRequests extends Columns<Omit<InspectedRequest, 'fill' | 'usage' | 'cost'>> {
  readonly count: number
  readonly fill: PackedFills
  /** Null if nothing was reported. */
  readonly usage: { readonly [Name in CountName]-?: Column<number | null> }
  readonly cost: PackedCosts
}

type CountName = Exclude<keyof Usage, 'times'>

/** Usages and costs of requests. */
export type PackedSide = Pick<PackedRequests, 'usage' | 'cost'>

type Columns<Row> = { readonly [Name in keyof Row]-?: Column<Row[Name]> }

/** Packs requests to be sent or stored. */
export function packRequests(requests: readonly InspectedRequest[]): PackedRequests {
  return {
    count: requests.length,
    id: packColumn(requests.map(({ id }) => id)),
    at: packColumn(requests.map(({ at }) => at)),
    model: packColumn(requests.map(({ model }) => model)),
    fill: packFills(requests.map(({ fill }) => fill)),
    last: packColumn(requests.map(({ last }) => last)),
    ...packSide(requests),
    edits: packColumn(requests.map(({ edits }) => edits)),
    saved: packColumn(requests.map(({ saved }) => saved)),
    waiting: packColumn(requests.map(({ waiting }) => waiting)),
    isCompacted: packColumn(requests.map(({ isCompacted }) => isCompacted)),
    broken: packColumn(requests.map(({ broken }) => broken)),
  }
}

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
  const { usages, costs } = unpackSide(packed)
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

export function packSide(requests: readonly Pick<InspectedRequest, 'usage' | 'cost'>[]): PackedSide {
  const column = (name: CountName) => packColumn(requests.map(({ usage }) => usage?.[name] ?? null))
  return {
    usage: {
      input: column('input'),
      cacheRead: column('cacheRead'),
      cacheWrite: column('cacheWrite'),
      cacheWriteHour: column('cacheWriteHour'),
      output: column('output'),
    },
    cost: packCosts(requests),
  }
}

export function unpackSide({ usage, cost }: PackedSide) {
  const usages = unpackUsages(usage)
  return { usages, costs: unpackCosts(cost, usages) }
}

function unpackUsages(packed: PackedRequests['usage']): readonly (Usage | null)[] {
  const { input, cacheRead, cacheWrite, cacheWriteHour, output } = packed
  const reads = unpackColumn(cacheRead)
  const writes = unpackColumn(cacheWrite)
  const hours = unpackColumn(cacheWriteHour)
  const outputs = unpackColumn(output)
  return unpackColumn(input).map((tokens, index) =>
    tokens === null
      ? null
      : {
          input: tokens,
          cacheRead: reads[index] as number,
          cacheWrite: writes[index] as number,
          ...(hours[index] === null ? {} : { cacheWriteHour: hours[index] as number }),
          output: outputs[index] as number,
        },
  )
}

/**
 * Costs as the rates for a million tokens that they were computed with: those are few, and the tokens are known. A cost is the place
 * of its rates, or the cost itself if no rates give exactly that.
 */
type PackedCosts = Readonly<ReturnType<typeof packCosts>>

type Rates = readonly [input: number, cacheRead: number, cacheWrite: number, output: number, cacheWriteHour?: number]

function packCosts(requests: readonly Pick<InspectedRequest, 'usage' | 'cost'>[]) {
  const rates: Rates[] = []
  let latest = 0

  /** Returns -1 if no rates give exactly this cost. */
  const placeOf = (usage: Usage, cost: Cost): number => {
    if (isCost(usage, rates[latest], cost)) return latest
    const known = rates.findIndex((row) => isCost(usage, row, cost))
    if (known >= 0 || rates.length >= maxRates) return known
    const made = ratesOf(usage, cost)
    return isCost(usage, made, cost) ? rates.push(made) - 1 : -1
  }

  const each = requests.map(({ usage, cost }): number | Cost | null => {
    const place = usage === null || cost === null ? -1 : placeOf(usage, cost)
    if (place < 0) return cost
    latest = place
    return place
  })
  return { rates, each: packColumn(each) }
}

function unpackCosts({ rates, each }: PackedCosts, usages: readonly (Usage | null)[]): readonly (Cost | null)[] {
  return unpackColumn(each).map((value, index) => {
    if (typeof value !== 'number') return value
    const usage = usages[index]
    const row = rates[value]
    return usage === null || usage === undefined || row === undefined ? null : costAt(usage, row)
  })
}

const maxRates = 64

const million = 1_000_000

function costAt(usage: Usage, [input, cacheRead, cacheWrite, output, cacheWriteHour = 0]: Rates): Cost {
  const hour = usage.cacheWriteHour ?? 0
  const parts: CostParts = {
    input: (usage.input * input) / million,
    cacheRead: (usage.cacheRead * cacheRead) / million,
    cacheWrite: ((usage.cacheWrite - hour) * cacheWrite + hour * cacheWriteHour) / million,
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

/** One request shows the price of writing for the usual time or for an hour, not both. */
function ratesOf(usage: Usage, { parts }: Cost): Rates {
  const { cacheWriteHour: hour = 0 } = usage
  const [input, cacheRead, output] = (['input', 'cacheRead', 'output'] as const).map((kind) =>
    rateOf(usage[kind], parts[kind]),
  ) as [number, number, number]
  const write = rateOf(usage.cacheWrite, parts.cacheWrite)
  return hour === 0 ? [input, cacheRead, write, output] : [input, cacheRead, 0, output, write]
}

/** A price has few digits; the result of a division has many. */
function rateOf(tokens: number, dollars: number): number {
  return tokens === 0 ? 0 : Number(((dollars * million) / tokens).toPrecision(9))
}
