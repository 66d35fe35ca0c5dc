import type { ReasoningLevel } from '@plimsoll/core'
import type { CallableModel } from './local-model.ts'
import type { CallOptions } from './model-prompt.ts'

/** How much a model may write, and how much of it may be thoughts. */
export type Thinking = Pick<CallOptions, 'maxOutputTokens' | 'reasoning' | 'providerOptions'>

/**
 * How a model is told how much to think, within what it may write in all; `null` says nothing to it. The library knows the words of
 * every provider. Where a model is given a number of tokens in place of a word, the number is ours: the library's is a share of what
 * the model could ever write, more than an answer has room for.
 */
export function thinking(
  level: ReasoningLevel | null,
  { provider, modelId }: Pick<CallableModel, 'provider' | 'modelId'>,
  maxOutputTokens: number,
): Thinking {
  if (level === null) return { maxOutputTokens }
  if (level === 'none') return { maxOutputTokens, reasoning: level }
  const budget = Math.min(budgets[level], Math.floor(maxOutputTokens / 2))
  if (provider.startsWith('anthropic') && countsThoughts.anthropic.test(modelId)) {
    if (budget < leastBudget) return { maxOutputTokens }
    const options = { anthropic: { thinking: { type: 'enabled', budgetTokens: budget } } }
    // The library puts the budget on top of what it is told.
    return { maxOutputTokens: maxOutputTokens - budget, providerOptions: options }
  }
  if (provider.startsWith('google') && countsThoughts.google.test(modelId))
    return { maxOutputTokens, providerOptions: { google: { thinkingConfig: { thinkingBudget: budget } } } }
  return { maxOutputTokens, reasoning: level }
}

/** The same at every request, as far as there is room: another budget would make the provider forget what it has cached. */
const budgets: Readonly<Record<Exclude<ReasoningLevel, 'none'>, number>> = { low: 2048, medium: 8192, high: 16_000 }

/** Anthropic takes no less. */
const leastBudget = 1024

/** The models that are given a number of tokens to think with. */
const countsThoughts = {
  anthropic: /claude-(?:3-7|(?:opus|sonnet)-4-(?:[015](?:-|$)|20\d{6})|(?:opus|sonnet)-4(?:@|$)|haiku-4)/,
  google: /gemini-2\.5/,
}
