import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import { type Fields, fieldsAt } from './fields.ts'

/** What a log reports about an answer. */
export interface Reported {
  /** Null if it cannot be: a count below zero, larger than any window, or not a number. */
  readonly usage: Usage | null
  /** Dollars, if the log has them. */
  readonly cost?: number
  /** Output tokens of reasoning. */
  readonly reasoning?: number
  /** Searches by the provider's own tool. */
  readonly webSearches?: number
}

/**
 * Reads the usage of an answer, and its cost if the log has one: `cost` from next to the usage, or the one in it. Null if nothing is
 * reported. A cost of zero does not count: agents write it for flat rates, and for models whose price they do not know.
 */
export function readUsage(raw: unknown, cost?: unknown, maxCount = maxOfAnswer): Reported | null {
  if (!isRecord(raw)) return null
  if (hasBadCount(raw, maxCount)) return { usage: null }
  const usage = normaliseUsage(raw)
  if (usage === null) return null
  const dollars = costOf(cost) ?? costIn(raw)
  const reasoning = Math.min(usage.output, reasoningIn(raw))
  const webSearches = countAt(fieldsAt(raw, 'server_tool_use'), 'web_search_requests')
  return {
    usage,
    ...(dollars === null ? {} : { cost: dollars }),
    ...(reasoning === 0 ? {} : { reasoning }),
    ...(webSearches === 0 ? {} : { webSearches }),
  }
}

/** The name under which an answer of Claude Code is billed: in fast mode a model has a price of its own. */
export function billedModel(model: string, usage: unknown): string {
  return isRecord(usage) && usage['speed'] === 'fast' ? `${model}-fast` : model
}

/** The windows of models are a tenth of it at most. */
const maxOfAnswer = 100_000_000

const countName =
  /tokens$|TokenCount$|^(?:input|output|cached|cacheRead|cacheWrite|cacheWriteHour|thoughts|tool|reasoning|total|noCache|read|write|(?:prompt_)?eval_count)$/i

/** Some relays write numbers as text. */
function hasBadCount(usage: Fields, maxCount: number, depth = 0): boolean {
  return Object.entries(usage).some(([name, value]) => {
    if (isRecord(value)) return depth < 2 && name !== 'cost' && hasBadCount(value, maxCount, depth + 1)
    if (!countName.test(name)) return false
    if (typeof value === 'string') return !/^\d{1,12}$/.test(value) || Number(value) > maxCount
    return typeof value === 'number' && !(value >= 0 && value <= maxCount)
  })
}

/** Reasoning tokens in the usage of any provider or agent. */
function reasoningIn(usage: Fields): number {
  const places: readonly (readonly [Fields, string])[] = [
    [fieldsAt(usage, 'output_tokens_details'), 'reasoning_tokens'],
    [fieldsAt(usage, 'output_tokens_details'), 'thinking_tokens'],
    [fieldsAt(usage, 'completion_tokens_details'), 'reasoning_tokens'],
    [fieldsAt(usage, 'outputTokenDetails'), 'reasoningTokens'],
    [fieldsAt(usage, 'outputTokens'), 'reasoning'],
    ...['reasoning_output_tokens', 'reasoningTokens', 'thoughtsTokenCount', 'thoughts', 'reasoning'].map(
      (name) => [usage, name] as const,
    ),
  ]
  return places.map(([fields, name]) => countAt(fields, name)).find((count) => count > 0) ?? 0
}

/** The number in a field; 0 for anything that is no count. */
function countAt(fields: Fields, name: string): number {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= maxOfAnswer ? value : 0
}

/** In usage, OpenRouter has `cost`; if the user brought a key, what its provider takes is next to it. Pi has the sum of several. */
function costIn(usage: Fields): number | null {
  const { cost } = usage
  if (isRecord(cost)) return costOf(cost['total'] ?? cost['total_cost'])
  const upstream = usage['is_byok'] === true ? costOf(fieldsAt(usage, 'cost_details')['upstream_inference_cost']) : null
  return upstream === null ? costOf(cost) : upstream + (costOf(cost) ?? 0)
}

/** No answer costs more; a larger number is a mistake. */
const maxCost = 10_000

function costOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value <= maxCost ? value : null
}
