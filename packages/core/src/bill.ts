/**
 * What a request costs: prices, models, usage as providers report it, and what fills a window.
 *
 * @packageDocumentation
 */
export { usualRules, usualTerms } from './bill/cache-rules.ts'
export { cacheTermsOf } from './bill/cache-terms-of.ts'
export { type Cost, type CostOptions, type CostParts, costOfTurn, sumCosts } from './bill/cost-of-turn.ts'
export { believedLifetime, hasNoCache, type LearnedLifetime, learnLifetime } from './bill/learned-lifetime.ts'
export { priceOf } from './bill/price-of.ts'
export { knownPrices, type Price } from './bill/prices.ts'
export type { CacheRules, CacheTerms, Usage } from './facts.ts'
export { knownModels, type ModelFacts } from './models/catalogue.ts'
export { withModelWindow, withOutputLimit } from './models/config-for-model.ts'
export type { Load } from './report.ts'
export {
  type CategoryTokens,
  createFillSum,
  type FillSum,
  scaleFill,
  type WindowCategory,
  type WindowFill,
  type WindowLimits,
  windowCategories,
} from './tokens/fill-sum.ts'
export {
  mainPiece,
  type PartCounter,
  plainCounts,
  rememberedCounts,
  type SizedMessage,
  sizeMessage,
  sizePart,
  type ToolOfCall,
  withSizedPart,
} from './tokens/sized-message.ts'
export { mostTokens, normaliseUsage, promptTotal, usageTotal } from './tokens/usage.ts'
export { windowFill } from './tokens/window-fill.ts'
