import { type CategoryTokens, type WindowCategory, type WindowFill, windowCategories } from './inspection.ts'
import type { SizedMessage } from './sized-message.ts'

/** Tokens by category and by tool, to which messages are added and from which they are taken away. */
export interface FillSum {
  readonly add: (message: SizedMessage, times?: 1 | -1) => void
  /** All of it. */
  readonly total: () => number
  /** What fills a window with this, and with so much more of some categories. */
  readonly toFill: (limits: WindowLimits, more?: CategoryTokens) => WindowFill
}

/** The size of a window, and what of it is kept free for the answer. */
export type WindowLimits = Pick<WindowFill, 'window' | 'reserve'>

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
    toFill({ window, reserve }, more = {}) {
      const shown: Partial<Record<WindowCategory, number>> = {}
      let tokens = 0
      let all = 0
      const tools: { readonly tool: string; readonly tokens: number }[] = []
      for (const [tool, amount] of results) {
        if (amount <= 0) continue
        tools.push({ tool, tokens: amount })
        all += amount
      }
      for (const category of windowCategories) {
        const amount = (category === 'results' ? all : (categories.get(category) ?? 0)) + (more[category] ?? 0)
        if (amount <= 0) continue
        shown[category] = amount
        tokens += amount
      }
      return { tokens, categories: shown, results: tools.sort(largestFirst), source: 'estimate', window, reserve }
    },
  }
}

/** The same fill in proportions that add up to exactly so many tokens: what was counted of the whole. */
export function scaleFill(fill: WindowFill, tokens: number, source: WindowFill['source']): WindowFill {
  if (fill.tokens === 0 || fill.tokens === tokens) return { ...fill, source }
  const names = (Object.keys(fill.categories) as WindowCategory[]).filter((name) => name !== 'results')
  const amounts = [...names.map((name) => fill.categories[name] ?? 0), ...fill.results.map((row) => row.tokens)]
  const scaled = scaleTo(amounts, fill.tokens, tokens)
  const results = fill.results
    .map(({ tool }, index) => ({ tool, tokens: scaled[names.length + index] as number }))
    .filter((row) => row.tokens > 0)
    .sort(largestFirst)
  const all = results.reduce((sum, row) => sum + row.tokens, 0)
  const categories: Partial<Record<WindowCategory, number>> = {}
  for (const category of windowCategories) {
    const amount = category === 'results' ? all : (scaled[names.indexOf(category)] ?? 0)
    if (amount > 0) categories[category] = amount
  }
  return { ...fill, tokens, categories, results, source }
}

function largestFirst(one: { tool: string; tokens: number }, other: { tool: string; tokens: number }): number {
  return other.tokens - one.tokens || (one.tool < other.tool ? -1 : 1)
}

/** Whole numbers in the same proportions that add up to exactly so many: what rounding leaves goes where it was cut off most. */
function scaleTo(amounts: readonly number[], sum: number, wanted: number): readonly number[] {
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
