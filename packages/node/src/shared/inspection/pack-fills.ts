import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import { type Column, packColumn, unpackColumn } from './column.ts'

/** The fills of the windows of requests, as columns with one value for each request. */
export interface PackedFills {
  /** The tokens beyond the sum of its categories. */
  readonly tokens: Column<number>
  /** A column for each category that occurs, null if a request lacks it; for `results` the tokens beyond the sum of the tools. */
  readonly categories: { readonly [Name in WindowCategory]?: Column<number | null> }
  readonly results: PackedResults
  readonly source: Column<WindowFill['source']>
  readonly window: Column<number>
  readonly reserve: Column<number>
}

/** Results by tool: the lists of tools, which of them each request has, and the tokens of all of them one after the other. */
export interface PackedResults {
  readonly tools: readonly string[]
  readonly lists: readonly (readonly number[])[]
  readonly list: Column<number>
  readonly tokens: Column<number>
}

export function packFills(fills: readonly WindowFill[]): PackedFills {
  const columns = windowCategories.map((name) => ({ name, amounts: [] as (number | null)[], isThere: false }))
  // All columns in one pass, because there may be many thousand requests.
  const rests = fills.map((fill) => {
    let rest = fill.tokens
    for (const column of columns) {
      const amount = fill.categories[column.name]
      column.isThere ||= amount !== undefined
      column.amounts.push(amount === undefined ? null : column.name === 'results' ? amount - sumOf(fill.results) : amount)
      rest -= amount ?? 0
    }
    return rest
  })
  return {
    tokens: packColumn(rests),
    categories: Object.fromEntries(
      columns.flatMap(({ name, amounts, isThere }) => (isThere ? [[name, packColumn(amounts)]] : [])),
    ),
    results: packResults(fills.map(({ results }) => results)),
    source: packColumn(fills.map(({ source }) => source)),
    window: packColumn(fills.map(({ window }) => window)),
    reserve: packColumn(fills.map(({ reserve }) => reserve)),
  }
}

export function unpackFills(packed: PackedFills): readonly WindowFill[] {
  const sources = unpackColumn(packed.source)
  const windows = unpackColumn(packed.window)
  const reserves = unpackColumn(packed.reserve)
  const results = unpackResults(packed.results)
  const columns: { readonly name: WindowCategory; readonly amounts: readonly (number | null)[] }[] = []
  for (const name of windowCategories) {
    const column = packed.categories[name]
    if (column !== undefined) columns.push({ name, amounts: unpackColumn(column) })
  }
  return unpackColumn(packed.tokens).map((rest, index) => {
    const rows = results[index] as WindowFill['results']
    const categories: Partial<Record<WindowCategory, number>> = {}
    let tokens = rest
    for (const { name, amounts } of columns) {
      const packedAmount = amounts[index]
      if (typeof packedAmount !== 'number') continue
      const amount = name === 'results' ? packedAmount + sumOf(rows) : packedAmount
      categories[name] = amount
      tokens += amount
    }
    return {
      tokens,
      categories,
      results: rows,
      source: sources[index] as WindowFill['source'],
      window: windows[index] as number,
      reserve: reserves[index] as number,
    }
  })
}

function packResults(all: readonly WindowFill['results'][]): PackedResults {
  const tools = new Map<string, number>()
  const lists: (readonly number[])[] = []
  const places = new Map<string, number>()
  const placeOf = (tool: string): number => {
    const place = tools.get(tool) ?? tools.size
    tools.set(tool, place)
    return place
  }
  let latest = -1
  const each = all.map((results, index) => {
    // A request nearly always has the tools of the one before it.
    if (index > 0 && haveSameTools(results, all[index - 1] ?? [])) return latest
    const list = results.map(({ tool }) => placeOf(tool))
    const key = list.join()
    latest = places.get(key) ?? lists.push(list) - 1
    places.set(key, latest)
    return latest
  })
  const tokens: number[] = []
  for (const results of all) for (const row of results) tokens.push(row.tokens)
  return { tools: [...tools.keys()], lists, list: packColumn(each), tokens: packColumn(tokens) }
}

function haveSameTools(one: WindowFill['results'], other: WindowFill['results']): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) if (one[index]?.tool !== other[index]?.tool) return false
  return true
}

function unpackResults({ tools, lists, list, tokens }: PackedResults): readonly WindowFill['results'][] {
  const amounts = unpackColumn(tokens)
  const named = lists.map((places) => places.map((place) => tools[place] ?? ''))
  let next = 0
  return unpackColumn(list).map((place) =>
    (named[place] ?? []).map((tool) => {
      const amount = amounts[next] as number
      next += 1
      return { tool, tokens: amount }
    }),
  )
}

function sumOf(results: WindowFill['results']): number {
  let sum = 0
  for (const { tokens } of results) sum += tokens
  return sum
}
