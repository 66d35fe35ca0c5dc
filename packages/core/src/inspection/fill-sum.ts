import { type WindowCategory, type WindowFill, windowCategories } from './inspection.ts'
import type { SizedMessage } from './sized-message.ts'

/** Tokens by category and by tool, to which messages are added and from which they are taken away. */
export interface FillSum {
  readonly add: (message: SizedMessage, times?: 1 | -1) => void
  /** All of it. */
  readonly total: () => number
  /** What fills a window with this and so much more of some categories. */
  readonly fill: (options: FillSumOptions) => WindowFill
}

/** What a fill is worked out with besides the messages. */
export interface FillSumOptions {
  readonly window: number
  readonly reserve: number
  /** Tokens beside the messages, such as those of the tool definitions. Default: none. */
  readonly more?: WindowFill['categories']
  /** What the whole request was counted at, by the provider or otherwise; the parts are scaled to it. Default: what they add up to. */
  readonly whole?: { readonly tokens: number; readonly source: WindowFill['source'] } | null
}

/** A sum of nothing. */
export function createFillSum(): FillSum {
  const categories = new Map<WindowCategory, number>()
  const results = new Map<string, number>()
  let total = 0

  const count = (category: WindowCategory, tool: string | null, tokens: number) => {
    if (tokens === 0) return
    total += tokens
    if (category === 'results') results.set(tool ?? '', (results.get(tool ?? '') ?? 0) + tokens)
    else categories.set(category, (categories.get(category) ?? 0) + tokens)
  }

  return {
    add(message, times = 1) {
      count(message.category, message.tool, times * message.frame)
      for (const { category, tool, tokens, images } of message.parts) {
        count(category, tool, times * tokens)
        if (images > 0) count('images', null, times * images)
      }
    },
    total: () => total,
    fill({ window, reserve, more = {}, whole = null }) {
      const names: (WindowCategory | null)[] = []
      const tools: string[] = []
      const tokens: number[] = []
      let sum = 0
      for (const category of windowCategories) {
        const amount = (categories.get(category) ?? 0) + (more[category] ?? 0)
        if (amount <= 0) continue
        names.push(category)
        tools.push('')
        tokens.push(amount)
        sum += amount
      }
      for (const [tool, amount] of results) {
        if (amount <= 0) continue
        names.push(null)
        tools.push(tool)
        tokens.push(amount)
        sum += amount
      }
      const wanted = whole === null || sum === 0 ? sum : whole.tokens
      const scaled = wanted === sum ? tokens : scaleTo(tokens, sum, wanted)
      return assemble(names, tools, scaled, { tokens: wanted, source: whole?.source ?? 'estimate', window, reserve })
    },
  }
}

function assemble(
  names: readonly (WindowCategory | null)[],
  tools: readonly string[],
  tokens: readonly number[],
  rest: Pick<WindowFill, 'tokens' | 'source' | 'window' | 'reserve'>,
): WindowFill {
  const categories: Partial<Record<WindowCategory, number>> = {}
  const results: { readonly tool: string; readonly tokens: number }[] = []
  let all = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const name = names[index] ?? null
    const amount = tokens[index] as number
    if (amount === 0) continue
    if (name !== null) {
      categories[name] = amount
      continue
    }
    results.push({ tool: tools[index] as string, tokens: amount })
    all += amount
  }
  if (all > 0) categories.results = all
  results.sort((one, other) => other.tokens - one.tokens || (one.tool < other.tool ? -1 : 1))
  return { tokens: rest.tokens, categories, results, source: rest.source, window: rest.window, reserve: rest.reserve }
}

/** Whole numbers in the same proportions that add up to exactly so many: what rounding leaves goes where it was cut off most. */
export function scaleTo(amounts: readonly number[], sum: number, wanted: number): readonly number[] {
  const exact = amounts.map((amount) => (amount * wanted) / sum)
  const scaled = exact.map(Math.floor)
  let left = wanted - scaled.reduce((total, amount) => total + amount, 0)
  const order = exact.map((_, index) => index).sort((one, other) => fraction(exact, other) - fraction(exact, one) || one - other)
  for (let at = 0; left > 0 && order.length > 0; at = (at + 1) % order.length, left -= 1) {
    const index = order[at] as number
    scaled[index] = (scaled[index] as number) + 1
  }
  return scaled
}

function fraction(values: readonly number[], index: number): number {
  const value = values[index] as number
  return value - Math.floor(value)
}
