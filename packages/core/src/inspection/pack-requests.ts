import type { Usage } from '../usage.ts'
import { type Column, packColumn, unpackColumn } from './column.ts'
import {
  type CategoryTokens,
  type InspectedRequest,
  type WindowCategory,
  type WindowFill,
  windowCategories,
} from './inspection.ts'
import { createCostPacker, type PackedCosts, unpackCosts } from './pack-costs.ts'

/** Requests as columns, a tenth as long as the requests themselves. Every column has one value for each request. */
export interface PackedRequests extends Columns<Omit<InspectedRequest, 'fill' | 'usage' | 'cost'>> {
  readonly fill: Columns<Omit<WindowFill, 'categories' | 'results' | 'tokens'>> & {
    /** What it is more than its categories together. */
    readonly tokens: Column<number>
    /** A column for each category that is somewhere, null where it is not; of `results` what they are more than the tools' together. */
    readonly categories: { readonly [Name in WindowCategory]?: Column<number | null> }
    readonly results: PackedResults
  }
  /** Null in all of them where nothing was reported. */
  readonly usage: { readonly [Name in keyof Usage]: Column<number | null> }
  readonly cost: PackedCosts
}

type Columns<Row> = { readonly [Name in keyof Row]-?: Column<Row[Name]> }

/** Results by tool: the lists of tools there are, which of them each request has, and the tokens of all of them one after the other. */
interface PackedResults {
  readonly tools: readonly string[]
  readonly lists: readonly (readonly number[])[]
  readonly list: Column<number>
  readonly tokens: Column<number>
}

/** Requests as columns, to be sent or stored. */
export function packRequests(requests: readonly InspectedRequest[]): PackedRequests {
  const column = <Value>(of: (request: InspectedRequest) => Value) => packColumn(requests.map(of))
  const costs = createCostPacker()
  for (const { usage, cost } of requests) costs.add(usage, cost)
  return {
    id: column(({ id }) => id),
    at: column(({ at }) => at),
    model: column(({ model }) => model),
    fill: {
      tokens: column(({ fill }) => fill.tokens - sumOf(fill.categories)),
      categories: packCategories(requests),
      results: packResults(requests),
      source: column(({ fill }) => fill.source),
      window: column(({ fill }) => fill.window),
      reserve: column(({ fill }) => fill.reserve),
    },
    last: column(({ last }) => last),
    usage: {
      input: column(({ usage }) => usage?.input ?? null),
      cacheRead: column(({ usage }) => usage?.cacheRead ?? null),
      cacheWrite: column(({ usage }) => usage?.cacheWrite ?? null),
      output: column(({ usage }) => usage?.output ?? null),
    },
    cost: costs.packed(),
    edits: column(({ edits }) => edits),
    saved: column(({ saved }) => saved),
    waiting: column(({ waiting }) => waiting),
    isCompacted: column(({ isCompacted }) => isCompacted),
    broken: column(({ broken }) => broken),
  }
}

/** The requests that were packed. */
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
  const fills = unpackFills(packed.fill, ids.length)
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

function packCategories(requests: readonly InspectedRequest[]): PackedRequests['fill']['categories'] {
  const packed: { [Name in WindowCategory]?: Column<number | null> } = {}
  for (const name of windowCategories) {
    if (!requests.some(({ fill }) => fill.categories[name] !== undefined)) continue
    packed[name] = packColumn(
      requests.map(({ fill }) => {
        const tokens = fill.categories[name]
        return tokens === undefined ? null : name === 'results' ? tokens - resultsOf(fill.results) : tokens
      }),
    )
  }
  return packed
}

function packResults(requests: readonly InspectedRequest[]): PackedResults {
  const tools = new Map<string, number>()
  const lists = new Map<string, { readonly place: number; readonly list: readonly number[] }>()
  const places: number[] = []
  const tokens: number[] = []
  for (const { fill } of requests) {
    const list = fill.results.map(({ tool }) => {
      const place = tools.get(tool) ?? tools.size
      tools.set(tool, place)
      return place
    })
    const key = list.join()
    let known = lists.get(key)
    if (known === undefined) {
      known = { place: lists.size, list }
      lists.set(key, known)
    }
    places.push(known.place)
    for (const row of fill.results) tokens.push(row.tokens)
  }
  return {
    tools: [...tools.keys()],
    lists: [...lists.values()].map(({ list }) => list),
    list: packColumn(places),
    tokens: packColumn(tokens),
  }
}

function unpackFills(packed: PackedRequests['fill'], count: number): readonly WindowFill[] {
  const rests = unpackColumn(packed.tokens)
  const sources = unpackColumn(packed.source)
  const windows = unpackColumn(packed.window)
  const reserves = unpackColumn(packed.reserve)
  const results = unpackResults(packed.results)
  const columns: { readonly name: WindowCategory; readonly tokens: readonly (number | null)[] }[] = []
  for (const name of windowCategories) {
    const column = packed.categories[name]
    if (column !== undefined) columns.push({ name, tokens: unpackColumn(column) })
  }
  const fills: WindowFill[] = []
  for (let index = 0; index < count; index += 1) {
    const rows = results[index] as WindowFill['results']
    const categories: Partial<Record<WindowCategory, number>> = {}
    for (const { name, tokens } of columns) {
      const amount = tokens[index]
      if (typeof amount === 'number') categories[name] = name === 'results' ? amount + resultsOf(rows) : amount
    }
    fills.push({
      tokens: (rests[index] as number) + sumOf(categories),
      categories,
      results: rows,
      source: sources[index] as WindowFill['source'],
      window: windows[index] as number,
      reserve: reserves[index] as number,
    })
  }
  return fills
}

function unpackResults({ tools, lists, list, tokens }: PackedResults): readonly WindowFill['results'][] {
  const amounts = unpackColumn(tokens)
  let next = 0
  return unpackColumn(list).map((place) =>
    (lists[place] ?? []).map((tool) => ({ tool: tools[tool] ?? '', tokens: amounts[next++] as number })),
  )
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

function sumOf(categories: CategoryTokens): number {
  let sum = 0
  for (const name of windowCategories) sum += categories[name] ?? 0
  return sum
}

function resultsOf(results: WindowFill['results']): number {
  let sum = 0
  for (const { tokens } of results) sum += tokens
  return sum
}
