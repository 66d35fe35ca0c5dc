import { join } from 'node:path'
import { clock, type Line, write } from './write-log.ts'

export const categories = ['input', 'cacheRead', 'cacheWrite', 'output'] as const
export type Category = (typeof categories)[number]

/** Models of several makers, as agents name them. */
export const pricedModels = [
  'claude-3-5-haiku-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-sonnet-4-20250514',
  'claude-sonnet-4-5',
  'claude-haiku-4-5',
  'claude-opus-4-1-20250805',
  'claude-opus-4-5',
  'claude-opus-4-6',
  'claude-opus-4-7',
  'claude-sonnet-4-6',
  'claude-opus-5',
  'gpt-4.1',
  'gpt-4o',
  'o3',
  'o4-mini',
  'gpt-5',
  'gpt-5-mini',
  'gpt-5-nano',
  'gpt-5-codex',
  'gpt-5.1',
  'gpt-5.1-codex-mini',
  'gpt-5.2',
  'gpt-5.4',
  'gpt-5.5',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'gemini-3-pro-preview',
  'gemini-3.1-pro-preview',
  'grok-4',
  'grok-code-fast-1',
  'deepseek-chat',
  'deepseek-v4-pro',
  'kimi-k2.6',
  'kimi-k2-thinking',
  'glm-4.6',
  'glm-5.1',
  'qwen3-coder-plus',
  'minimax-m2',
]

export const pricedDay = '2026-06-01'

type Prices = Readonly<Record<Category, number>>

/**
 * Models whose price differs by more than a percent, with both prices in dollars per million tokens. Only Anthropic takes a price for
 * writing to the cache here, so it is compared for its models alone.
 */
export function differentPrices(
  theirs: Readonly<Record<string, Prices>>,
  ours: (model: string) => Prices,
): readonly { readonly model: string; readonly ours: Partial<Prices>; readonly theirs: Partial<Prices> }[] {
  return Object.entries(theirs).flatMap(([model, price]) => {
    const own = ours(model)
    const compared = categories.filter((name) => name !== 'cacheWrite' || model.startsWith('claude'))
    if (compared.every((name) => Math.abs(own[name] - price[name]) <= price[name] / 100)) return []
    const shown = (prices: Prices) => Object.fromEntries(compared.map((name) => [name, prices[name]]))
    return [{ model, ours: shown(own), theirs: shown(price) }]
  })
}

/** The tokens of each answer: too few for prices of long prompts. */
export const pricedTokens = 100_000

/** Models with another price for long prompts, and a prompt of that kind: `longTokens` read from the cache, and as many that were not. */
export const longModels = [
  'claude-sonnet-4-20250514',
  'claude-sonnet-4-5',
  'gpt-5.4',
  'gpt-5.5',
  'gemini-2.5-pro',
  'gemini-3-pro-preview',
]
export const longTokens = 150_000

/** Models whose long prompt has another cost with ccusage, with both costs in dollars. */
export function differentLongPrompts(
  theirs: Readonly<Record<string, number>>,
  ours: (model: string) => number,
): readonly { readonly model: string; readonly ours: number; readonly theirs: number }[] {
  return Object.entries(theirs).flatMap(([model, dollars]) => {
    const own = Number(ours(model).toFixed(6))
    return Math.abs(own - dollars) <= dollars / 100 ? [] : [{ model, ours: own, theirs: dollars }]
  })
}

/** Writes a log of pi with one answer of each model, all tokens of one category, and no costs. */
export function writePriceLogs(home: string, category: Category): void {
  writeModels(home, pricedModels, { [category]: pricedTokens })
}

export function writeLongPrompts(home: string): void {
  writeModels(home, longModels, { input: longTokens, cacheRead: longTokens })
}

function writeModels(home: string, models: readonly string[], counts: Partial<Record<Category, number>>): void {
  const at = clock(Date.parse(pricedDay))
  const lines: Line[] = [{ type: 'session', version: 3, id: 'prices', timestamp: at(), cwd: '/home/dev/shop' }]
  lines.push({ type: 'message', id: 'u', parentId: null, timestamp: at(), message: { role: 'user', content: 'Go' } })
  for (const [index, model] of models.entries()) {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...counts }
    const message = { role: 'assistant', content: [{ type: 'text', text: 'Yes' }], model, usage }
    lines.push({ type: 'message', id: `a${index}`, parentId: 'u', timestamp: at(), message })
  }
  write(join(home, '.pi', 'agent', 'sessions', '--home-dev-shop--', 'prices.jsonl'), lines)
}
