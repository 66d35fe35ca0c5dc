import { type CategoryTokens, scaleFill, type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'

/** A counted fill in the provider's tokens. */
export function recordedFill(counted: WindowFill, scale: number, isReported: boolean): WindowFill {
  return scaleFill(counted, Math.round(counted.tokens * scale), isReported ? 'usage' : 'estimate')
}

/**
 * The fill of what a policy set shows, in the same tokens: that of the recorded request minus the scaled difference of the counted
 * fills. So a category or tool that is not trimmed is equal, without a rest of rounding.
 */
export function shownFill(
  recorded: WindowFill,
  counted: { readonly recorded: WindowFill; readonly shown: WindowFill },
  scale: number,
): WindowFill {
  const after = (amount: number, before: number, now: number) => Math.max(0, amount - Math.round((before - now) * scale))
  const tools = new Set([...recorded.results, ...counted.shown.results].map(({ tool }) => tool))
  const toolsOf = ({ results: all }: WindowFill) => new Map(all.map(({ tool, tokens }) => [tool, tokens]))
  const [whole, before, now] = [toolsOf(recorded), toolsOf(counted.recorded), toolsOf(counted.shown)]
  const results = [...tools]
    .map((tool) => ({ tool, tokens: after(whole.get(tool) ?? 0, before.get(tool) ?? 0, now.get(tool) ?? 0) }))
    .filter(({ tokens }) => tokens > 0)
    .toSorted((one, other) => other.tokens - one.tokens || (one.tool < other.tool ? -1 : 1))
  const categories: Partial<Record<WindowCategory, number>> = {}
  let tokens = 0
  for (const category of windowCategories) {
    const of = ({ categories: all }: { readonly categories: CategoryTokens }) => all[category] ?? 0
    const amount =
      category === 'results'
        ? results.reduce((sum, result) => sum + result.tokens, 0)
        : after(of(recorded), of(counted.recorded), of(counted.shown))
    if (amount <= 0) continue
    categories[category] = amount
    tokens += amount
  }
  return { ...recorded, tokens, categories, results }
}
