import { perList } from '../derive.ts'
import type { Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { estimator } from './count-tokens.ts'
import { type PartCounter, rememberedCounts, type SizedMessage, sizeMessage, type ToolOfCall } from './sized-message.ts'

export interface WindowFillOptions extends WindowLimits {
  /** Tokens of the tool definitions, which are not messages. Default: none. */
  readonly toolTokens?: number
  /** The count of the full request; the parts are scaled to it. Default: their sum. */
  readonly whole?: { readonly tokens: number; readonly source: WindowFill['source'] } | null
  /** Default: the built-in estimate. */
  readonly tokens?: Tokenizer
}

/** Counts the tokens of a request by category, layers included. */
export function windowFill(
  messages: readonly Message[],
  { window, reserve, toolTokens = 0, whole = null, tokens = estimator }: WindowFillOptions,
): WindowFill {
  const fill = sumOf(tokens)(messages)({ window, reserve }, { tools: Math.max(0, toolTokens) })
  return whole === null ? fill : scaleFill(fill, whole.tokens, whole.source)
}

const sumOf = perList({
  start: (tokens: Tokenizer): SumState => {
    const calls = new Map<string, string>()
    return {
      sum: createFillSum(),
      sized: [],
      calls,
      toolOf: (id) => calls.get(id),
      count: rememberedCounts(tokens),
      hasTwins: false,
    }
  },
  add(state, message: Message) {
    const { sum, sized, calls, toolOf, count } = state
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue
      if ((calls.get(part.callId) ?? part.tool) !== part.tool) state.hasTwins = true
      calls.set(part.callId, part.tool)
    }
    const measured = sizeMessage(message, toolOf, count)
    sum.add(measured)
    sized.push(measured)
  },
  change(state, index, was, is) {
    // Results elsewhere are named by calls, and if two have one id, by the last one before them.
    if (state.hasTwins || hasCall(was) || hasCall(is)) return false
    const sized = sizeMessage(is, state.toolOf, state.count)
    state.sum.add(state.sized[index] as SizedMessage, -1)
    state.sum.add(sized)
    state.sized[index] = sized
    return true
  },
  finish: ({ sum }) => sum.toFill,
})

interface SumState {
  readonly sum: FillSum
  readonly sized: SizedMessage[]
  readonly calls: Map<string, string>
  readonly toolOf: ToolOfCall
  readonly count: PartCounter
  /** Whether two calls of different tools have the same id. */
  hasTwins: boolean
}

function hasCall({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'tool-call')
}

export type WindowCategory =
  | 'system'
  | 'rules'
  | 'tools'
  | 'user'
  | 'assistant'
  | 'reasoning'
  | 'calls'
  | 'results'
  | 'images'
  | 'summaries'

export const windowCategories: readonly WindowCategory[] = [
  'system',
  'rules',
  'tools',
  'user',
  'assistant',
  'reasoning',
  'calls',
  'results',
  'images',
  'summaries',
]

/** Tokens by category; a missing one is 0. */
export type CategoryTokens = Readonly<Partial<Record<WindowCategory, number>>>

/** The tokens of one request by category; they add up to `tokens`. */
export interface WindowFill {
  readonly tokens: number
  readonly categories: CategoryTokens
  /** The results by tool, the largest first; they add up to the category `results`. */
  readonly results: readonly { readonly tool: string; readonly tokens: number }[]
  /** Whether the provider counted `tokens` or we estimated it; categories are always estimated and scaled to it. */
  readonly source: 'usage' | 'estimate'
  readonly window: number
  /** Kept free for the answer. */
  readonly reserve: number
}

/** Tokens by category and by tool; messages can be added and removed. */
export interface FillSum {
  readonly add: (message: SizedMessage, times?: 1 | -1) => void
  readonly total: () => number
  /** `more` is added to some categories. */
  readonly toFill: (limits: WindowLimits, more?: CategoryTokens) => WindowFill
}

export type WindowLimits = Pick<WindowFill, 'window' | 'reserve'>

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

/** The same proportions, scaled to add up to exactly `tokens`. */
export function scaleFill(fill: WindowFill, tokens: number, source: WindowFill['source']): WindowFill {
  if (fill.tokens === 0 || fill.tokens === tokens) return { ...fill, source }
  const names: WindowCategory[] = []
  const amounts: number[] = []
  for (const category of windowCategories) {
    const amount = category === 'results' ? undefined : fill.categories[category]
    if (amount === undefined) continue
    names.push(category)
    amounts.push(amount)
  }
  for (const row of fill.results) amounts.push(row.tokens)
  const scaled = scaleTo(amounts, fill.tokens, tokens)
  const results: { readonly tool: string; readonly tokens: number }[] = []
  let all = 0
  for (const [index, { tool }] of fill.results.entries()) {
    const amount = scaled[names.length + index] as number
    if (amount <= 0) continue
    results.push({ tool, tokens: amount })
    all += amount
  }
  const categories: Partial<Record<WindowCategory, number>> = {}
  let next = 0
  for (const category of windowCategories) {
    const amount = category === 'results' ? all : category === names[next] ? (scaled[next++] as number) : 0
    if (amount > 0) categories[category] = amount
  }
  const { window, reserve } = fill
  return { tokens, categories, results: results.sort(largestFirst), source, window, reserve }
}

function largestFirst(one: { tool: string; tokens: number }, other: { tool: string; tokens: number }): number {
  return other.tokens - one.tokens || (one.tool < other.tool ? -1 : 1)
}

/** Whole numbers in the same proportions that add up to exactly `wanted`: the rounding rest goes to the largest remainders. */
function scaleTo(amounts: readonly number[], sum: number, wanted: number): readonly number[] {
  const scaled: number[] = []
  const cutOff: number[] = []
  let left = wanted
  for (const amount of amounts) {
    const exact = (amount * wanted) / sum
    const whole = Math.floor(exact)
    scaled.push(whole)
    cutOff.push(exact - whole)
    left -= whole
  }
  const order = left > 0 ? cutOff.map((_, index) => index) : []
  order.sort((one, other) => (cutOff[other] as number) - (cutOff[one] as number) || one - other)
  for (let at = 0; left > 0 && order.length > 0; at = (at + 1) % order.length, left -= 1) {
    const index = order[at] as number
    scaled[index] = (scaled[index] as number) + 1
  }
  return scaled
}
